// Points on the wall of a heart, followed through a film. A block has a point: it looks in the area around the
// point's place for the window that is most like the point's template (normalized cross-correlation, Lewis
// 1995), and takes of the windows only those that the point can have reached since the last frame. Sums over all
// windows come from running sums down the columns and along the rows. All is one kernel, with a barrier after
// each step; matrices are stored column by column.

#define THREADS 256
#define POINTS_MAX 51
#define TEMPLATE_MAX 51
#define FIT_MAX 131 // 51 + 81 - 1

struct sizes {
    int rows;            // of a frame
    int frames, update;  // in every `update`-th, places and templates change
    int reach, half;     // pixels from the middle of the area to its edge, and of the template
    int side;            // of the template: 2 * half + 1
    int area;            // side of the area: 2 * reach + 1
    int fit;             // side of a matrix with a number for each window: area + side - 1
    int padded;          // side of the area with zeros around it: area + 2 * side
    int moves;           // side of the square that a point may move in
};
struct point {
    int number;
    int *row, *column;             // the place of each point: where area and template were taken
    int *found_row, *found_column; // number * frames + frame: where it was found
    float *face;                   // its template
    float *area, *fit, *padded, *lower, *stripes, *right, *sums;
    float *area_squares, *squares, *face_squares, *mask, *masked;
};
extern "C" {
__constant__ struct sizes sizes;
__constant__ struct point points[POINTS_MAX];
}

#define INLINED __device__ static inline __attribute__((always_inline))
#define ONE_BY_ONE _Pragma("unroll 1")
#define EACH(e, n) ONE_BY_ONE for (int e = threadIdx.x; e < (n); e += THREADS)

// A piece of `rows` x `columns` out of a matrix, from `row` and `column` on.
INLINED void cut(float *to, int rows, int columns, const float *from, int from_rows, int row,
                 int column)
{
    EACH (e, rows * columns)
        to[e] = from[(e / rows + column) * from_rows + e % rows + row];
    __syncthreads();
}

INLINED void subtract_from(const float *a, float *b, int n)
{
    EACH (e, n)
        b[e] = a[e] - b[e];
    __syncthreads();
}

// Running sums of every `step`-th number, from each of the first `lines` (times `apart`) on.
INLINED void run_sums(float *m, int lines, int apart, int step, int length)
{
    EACH (line, lines) {
        float sum = 0;
        ONE_BY_ONE for (int at = line * apart; at < line * apart + length; at += step) {
            m[at] = m[at] + sum;
            sum = m[at];
        }
    }
    __syncthreads();
}

// to: the sum of `from`, a matrix like the area, over each window.
INLINED void sum_windows(const struct point &p, const float *from, float *to)
{
    int side = sizes.side, area = sizes.area, fit = sizes.fit, padded = sizes.padded;

    EACH (e, padded * padded) {
        int row = e % padded - side, column = e / padded - side;
        if (row >= 0 && row < area && column >= 0 && column < area)
            p.padded[e] = from[column * area + row];
        else
            p.padded[e] = 0;
    }
    __syncthreads();
    run_sums(p.padded, padded, padded, 1, padded);
    cut(p.lower, fit, padded, p.padded, padded, side, 0);
    cut(p.stripes, fit, padded, p.padded, padded, 0, 0);
    subtract_from(p.lower, p.stripes, fit * padded);
    run_sums(p.stripes, fit, 1, fit, fit * padded);
    cut(p.right, fit, fit, p.stripes, fit, 0, side);
    cut(to, fit, fit, p.stripes, fit, 0, 0);
    subtract_from(p.right, to, fit * fit);
}

// fit: the product of template and area for each window. The template lies turned by half a turn, as
// for a convolution, in shared memory.
INLINED void convolve(const struct point &p, const float *turned)
{
    int side = sizes.side, area = sizes.area, fit = sizes.fit;

    EACH (e, fit * fit) {
        int row = e % fit, column = e / fit;
        int first_row = row < area ? 0 : row - area + 1, last_row = row < side ? row : side - 1;
        int first = column < area ? 0 : column - area + 1;
        int last = column < side ? column : side - 1;
        float sum = 0;
        ONE_BY_ONE for (int c = first; c <= last; c++)
            ONE_BY_ONE for (int r = first_row; r <= last_row; r++)
                sum += turned[c * side + r] * p.area[(column - c) * area + row - r];
        p.fit[e] = sum;
    }
    __syncthreads();
}

// squares: the correlation of the template with each window, from `fit`, `sums` and `squares`.
INLINED void correlate(const struct point &p)
{
    __shared__ float part[TEMPLATE_MAX], part_squares[TEMPLATE_MAX], total, total_squares, spread;
    int side = sizes.side, n = side * side, windows = sizes.fit * sizes.fit;

    EACH (e, windows) {
        float sum = p.sums[e], variance = p.squares[e] - sum * sum / n;
        p.squares[e] = sqrtf(variance < 0 ? 0 : variance);
    }
    __syncthreads();
    EACH (e, n) {
        float pixel = p.face[e];
        p.face_squares[e] = pixel * pixel;
    }
    __syncthreads();
    EACH (column, side) {
        float sum = 0;
        ONE_BY_ONE for (int i = 0; i < side; i++)
            sum += p.face[column * side + i];
        part[column] = sum;
    }
    __syncthreads();
    EACH (row, side) {
        float sum = 0;
        ONE_BY_ONE for (int i = 0; i < side; i++)
            sum += p.face_squares[row + side * i];
        part_squares[row] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        total = 0;
        ONE_BY_ONE for (int i = 0; i < side; i++)
            total += part[i];
    } else if (threadIdx.x == 1) {
        total_squares = 0;
        ONE_BY_ONE for (int i = 0; i < side; i++)
            total_squares += part_squares[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float mean = total / n;
        spread = sqrtf(n - 1) * sqrtf(total_squares / n - mean * mean);
    }
    __syncthreads();
    EACH (e, windows)
        p.squares[e] = p.squares[e] * spread;
    __syncthreads();
    EACH (e, windows)
        p.fit[e] = p.fit[e] - p.sums[e] * total / n;
    __syncthreads();
    EACH (e, windows)
        p.squares[e] = p.fit[e] / p.squares[e];
    __syncthreads();
}

// masked: the correlation, but 0 where the point cannot be. The mask has a 1 where the point was in the
// frame before; a convolution makes a square of it.
INLINED void mask_moves(const struct point &p, int frame)
{
    int fit = sizes.fit, before = p.number * sizes.frames + frame - 1;
    int middle = sizes.reach + sizes.half;
    int was_row = middle + p.found_row[before] - p.row[p.number];
    int was_column = middle + p.found_column[before] - p.column[p.number];

    EACH (e, fit * fit)
        p.mask[e] = e == was_column * fit + was_row ? 1 : 0;
    __syncthreads();
    EACH (e, fit * fit) {
        int last_row = e % fit + sizes.moves / 2, last = e / fit + sizes.moves / 2;
        int first_row = max(last_row - sizes.moves + 1, 0), first = max(last - sizes.moves + 1, 0);
        last_row = min(last_row, fit - 1);
        last = min(last, fit - 1);
        float sum = 0;
        ONE_BY_ONE for (int c = first; c <= last; c++)
            ONE_BY_ONE for (int r = first_row; r <= last_row; r++)
                sum += p.mask[c * fit + r];
        p.masked[e] = p.squares[e] * sum;
    }
    __syncthreads();
}

// Each thread looks through a column, the first one through their results.
INLINED void find_most(const struct point &p, int frame)
{
    __shared__ float most[FIT_MAX];
    __shared__ int most_at[FIT_MAX];
    int fit = sizes.fit;

    EACH (column, fit) {
        float best = 0;
        int best_at = 0;
        ONE_BY_ONE for (int i = 0; i < fit; i++) {
            float now = fabsf(p.masked[column * fit + i]);
            if (now > best) {
                best = now;
                best_at = column * fit + i;
            }
        }
        most[column] = best;
        most_at[column] = best_at;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        float best = 0;
        int at = 0, to = p.number * sizes.frames + frame;
        ONE_BY_ONE for (int i = 0; i < fit; i++)
            if (most[i] > best) {
                best = most[i];
                at = most_at[i];
            }
        int middle = sizes.reach + sizes.half;
        p.found_row[to] = p.row[p.number] + at % fit - middle;
        p.found_column[to] = p.column[p.number] + at / fit - middle;
    }
    __syncthreads();
}

INLINED float pixel_around(const struct point &p, const float *frame, int e)
{
    int row = p.row[p.number] - sizes.half + e % sizes.side;
    int column = p.column[p.number] - sizes.half + e / sizes.side;

    return frame[column * sizes.rows + row];
}

// The first frame gives the templates.
INLINED void take_template(const struct point &p, const float *frame)
{
    if (threadIdx.x == 0) {
        p.found_row[p.number * sizes.frames] = p.row[p.number];
        p.found_column[p.number * sizes.frames] = p.column[p.number];
    }
    EACH (e, sizes.side * sizes.side)
        p.face[e] = pixel_around(p, frame, e);
}

// Later ones change them slowly.
INLINED void update_template(const struct point &p, const float *frame, int number, float keep)
{
    if (threadIdx.x == 0) {
        p.row[p.number] = p.found_row[p.number * sizes.frames + number];
        p.column[p.number] = p.found_column[p.number * sizes.frames + number];
    }
    __syncthreads();
    EACH (e, sizes.side * sizes.side)
        p.face[e] = keep * p.face[e] + (1 - keep) * pixel_around(p, frame, e);
}

extern "C" __global__ void kernel(const float *frame, int number, float keep)
{
    __shared__ float turned[TEMPLATE_MAX * TEMPLATE_MAX];
    const struct point &p = points[blockIdx.x];

    if (number == 0)
        take_template(p, frame);
    if (number != 0) {
        int n = sizes.side * sizes.side;
        cut(p.area, sizes.area, sizes.area, frame, sizes.rows, p.row[p.number] - sizes.reach,
            p.column[p.number] - sizes.reach);
        EACH (e, n)
            turned[e] = p.face[n - 1 - e];
        __syncthreads();
        convolve(p, turned);
        sum_windows(p, p.area, p.sums);
        EACH (e, sizes.area * sizes.area) {
            float pixel = p.area[e];
            p.area_squares[e] = pixel * pixel;
        }
        __syncthreads();
        sum_windows(p, p.area_squares, p.squares);
        correlate(p);
        mask_moves(p, number);
        find_most(p, number);
    }
    if (number != 0 && number % sizes.update == 0)
        update_template(p, frame, number, keep);
}
