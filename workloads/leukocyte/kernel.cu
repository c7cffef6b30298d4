// White blood cells in a frame of a microscope's film (Ray and Acton 2004; Dong, Ray, Acton 2005).
// GICOV scores each pixel by the circles around it: the mean of the brightness's slope across the circle,
// over its deviation. dilate gives each pixel the best score near it, so that a cell's centre is where
// score and dilated score are equal. IMGVF then spreads the edges that are around a cell, as a field that
// draws the cell's outline; a block does a cell, from the first iteration to the last.
//
// Frames are stored column by column.

#define CIRCLES 7
#define POINTS 150 // of a circle
#define MARGIN 22  // pixels at the frame's edge that have no score
#define ELEMENT 32 // side of the element that dilates, at most

extern "C" {
__constant__ float cosines[POINTS], sines[POINTS];
__constant__ int across[CIRCLES][POINTS], down[CIRCLES][POINTS]; // from the circle's centre
__constant__ float element[ELEMENT * ELEMENT];
}

// A block scores a column.
extern "C" __global__ void GICOV(cudaTextureObject_t slopes_x, cudaTextureObject_t slopes_y,
                                 float *scores, int rows)
{
    int column = (int)blockIdx.x + MARGIN, row = (int)threadIdx.x + MARGIN;
    float best = 0;

#pragma unroll 1
    for (int circle = 0; circle < CIRCLES; circle++) {
        float sum = 0, mean = 0, squares = 0;
#pragma unroll 1
        for (int i = 0; i < POINTS; i++) {
            int at = (column + across[circle][i]) * rows + row + down[circle][i];
            float slope = tex1Dfetch<float>(slopes_x, at) * cosines[i] +
                          tex1Dfetch<float>(slopes_y, at) * sines[i];
            sum += slope;
            float change = slope - mean;
            mean += change / (float)(i + 1);
            squares += change * (slope - mean);
        }
        mean = sum / POINTS;
        float variance = squares / (POINTS - 1), score = mean * mean / variance;
        if (score > best) {
            best = score;
            scores[column * rows + row] = mean / sqrtf(variance);
        }
    }
}

// The maximum over the element's pixels; the result is stored row by row.
extern "C" __global__ void dilate(cudaTextureObject_t scores, float *dilated, int rows, int columns,
                                  int side)
{
    int pixel = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    int row = pixel % rows, column = pixel / rows;
    float most = 0;

    if (column >= columns)
        return;
#pragma unroll 1
    for (int i = 0; i < side; i++) {
        int y = row - side / 2 + i;
        if (y < 0 || y >= rows)
            continue;
#pragma unroll 1
        for (int k = 0; k < side; k++) {
            int x = column - side / 2 + k;
            if (x < 0 || x >= columns || element[i * side + k] == 0)
                continue;
            float score = tex1Dfetch<float>(scores, x * rows + y);
            if (score > most)
                most = score;
        }
    }
    dilated[row * columns + column] = most;
}

#define THREADS 320 // of IMGVF
#define POWER 256   // the greatest power of two not above it
#define PIXELS (41 * 81) // of a cell's window, at most
#define MU 0.5f
#define LAMBDA (8 * MU + 1)

// With the approximation 4.4.49 of Abramowitz and Stegun.
__device__ static float arc_tangent(float x)
{
    float size = fabsf(x), t = size > 1 ? 1 / size : size, t2 = t * t, sum = 0.0028662257f;

    sum = sum * t2 - 0.0161657367f;
    sum = sum * t2 + 0.0429096138f;
    sum = sum * t2 - 0.0752896400f;
    sum = sum * t2 + 0.1065626393f;
    sum = sum * t2 - 0.1420889944f;
    sum = sum * t2 + 0.1999355085f;
    sum = sum * t2 - 0.3333314528f;
    sum = sum * t2 * t + t;
    sum = size > 1 ? 1.5707963268f - sum : sum;
    return x < 0 ? -sum : sum;
}

// What a neighbour that differs by `more` adds: all of it along the motion, and nothing against it.
// The step between both is smooth.
__device__ static float flow(float more, float along, float sharpness)
{
    return more * (arc_tangent(more * along * sharpness) * 0.318309886f + 0.5f);
}

// The next value of a pixel, but for the force towards the edges.
__device__ static float spread(const float *field, int row, int column, int rows, int columns, float vx,
                               float vy, float sharpness)
{
    int here = row * columns, up = row > 0 ? here - columns : here;
    int below = row < rows - 1 ? here + columns : here;
    int left = column > 0 ? column - 1 : column, right = column < columns - 1 ? column + 1 : column;
    float now = field[here + column];

    float sum = flow(field[up + column] - now, -vy, sharpness);
    sum += flow(field[below + column] - now, vy, sharpness);
    sum += flow(field[here + left] - now, -vx, sharpness);
    sum += flow(field[here + right] - now, vx, sharpness);
    sum += flow(field[up + right] - now, vx - vy, sharpness);
    sum += flow(field[below + right] - now, vx + vy, sharpness);
    sum += flow(field[up + left] - now, -vx - vy, sharpness);
    sum += flow(field[below + left] - now, vy - vx, sharpness);
    return now + MU / LAMBDA * sum;
}

// The sum over the block's threads, in sums[0].
__device__ static void add_up(float *sums, float mine)
{
    int t = threadIdx.x;

    sums[t] = mine;
    __syncthreads();
    if (t >= POWER)
        sums[t - POWER] += sums[t];
    __syncthreads();
#pragma unroll 1
    for (int half = POWER / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
}

// One iteration, THREADS pixels at a time. A pixel's new value replaces the old one a round later, when
// nobody needs the old one any more: a window's row is shorter than a round. Returns how much this
// thread's pixels have changed.
__device__ static float iterate(float *field, const float *image, int rows, int columns, float vx, float vy,
                                float sharpness)
{
    int n = rows * columns, t = threadIdx.x;
    int row = t / columns, column = t % columns;
    int more_rows = THREADS / columns, more_columns = THREADS % columns;
    float changed = 0, next = 0;

#pragma unroll 1
    for (int first = 0; first < n; first += THREADS) {
        float before = next;
        if (first + t < n) {
            float edge = image[first + t];
            next = spread(field, row, column, rows, columns, vx, vy, sharpness);
            next -= 1 / LAMBDA * edge * (next - edge);
            changed += fabsf(next - field[first + t]);
        }
        __syncthreads();
        if (first > 0)
            field[first - THREADS + t] = before;
        row += more_rows;
        column += more_columns;
        if (column >= columns) {
            column -= columns;
            row++;
        }
    }
    int last = (n - 1) / THREADS * THREADS + t;
    if (last < n)
        field[last] = next;
    return changed;
}

// Iterate until pixels change by less than `enough` on average. Fields are replaced by the results.
extern "C" __global__ void IMGVF(float *const *fields, const float *const *images, const int *heights,
                                 const int *widths, float vx, float vy, float smooth,
                                 int most_iterations, float enough)
{
    __shared__ float field[PIXELS], sums[THREADS];
    __shared__ int done;
    int cell = blockIdx.x, t = threadIdx.x;
    float *to = fields[cell];
    const float *image = images[cell];
    int rows = heights[cell], columns = widths[cell], n = rows * columns;

#pragma unroll 1
    for (int i = t; i < n; i += THREADS)
        field[i] = to[i];
    if (t == 0)
        done = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < most_iterations && !done; i++) {
        add_up(sums, iterate(field, image, rows, columns, vx, vy, 1 / smooth));
        if (t == 0 && sums[0] / (float)n < enough)
            done = 1;
        __syncthreads();
    }
#pragma unroll 1
    for (int i = t; i < n; i += THREADS)
        to[i] = field[i];
}
