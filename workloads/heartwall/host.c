// host.c (heartwall) - points on the wall of a heart, followed through a film.
#include "workload/work.h"

#include <math.h>
#include <stddef.h>

#define THREADS 256
#define POINTS_MAX 51
#define KEEP 0.87f // of a template, when it changes
#define BORDER 16  // of the picture of which frames are pieces, in pixels

struct sizes { // as in kernel.cu
    int rows, frames, update, reach, half, side, area, fit, padded, moves;
};
struct point {
    int number;
    CUdeviceptr row, column, found_row, found_column;
    CUdeviceptr face, area, fit, padded, lower, stripes, right, sums;
    CUdeviceptr area_squares, squares, face_squares, mask, masked;
};
struct film {
    struct sizes s;
    int columns, points, step; // a point moves by `step` rows and columns from frame to frame
    int row[POINTS_MAX], column[POINTS_MAX];
    float **frame; // pixel (row, column) at column * rows + row
};
struct device { // those of all points, one after the other
    CUdeviceptr row, column, found_row, found_column, face, squares;
};
struct result { // of the kernels or of the host
    int *found_row, *found_column;
    float *face, *correlation; // after the last frame
};

static size_t cells(int side)
{
    return (size_t)side * (size_t)side;
}

// Frames show a picture that moves down and to the left, with some noise.
static void make_frames(struct hd_work *w, struct film *f)
{
    int rows = f->s.rows, high = rows + 2 * BORDER, wide = f->columns + 2 * BORDER;
    float *picture = hd_work_floats(w, (size_t)high * (size_t)wide, 0.25f, 0.95f);

    f->frame = hd_work_array(w, (size_t)f->s.frames, sizeof *f->frame);
    for (int i = 0; i < f->s.frames; i++) {
        float *to = hd_work_floats(w, (size_t)rows * (size_t)f->columns, 0, 0.05f);
        int down = BORDER - i * f->step, across = BORDER + i * f->step;
        for (int c = 0; c < f->columns; c++)
            for (int r = 0; r < rows; r++)
                to[c * rows + r] += picture[(c + across) * high + r + down];
        f->frame[i] = to;
    }
}

// Two points of five on an inner ring, the others on an outer one; areas lie inside the frame.
static void place_points(struct film *f)
{
    int inner = f->points * 2 / 5, edge = f->s.reach + BORDER;
    int row = f->s.rows / 2, column = f->columns / 2; // the middle

    for (int i = 0; i < f->points; i++) {
        bool in = i < inner;
        double angle = in ? 6.28318 * i / inner : 6.28318 * (i - inner) / (f->points - inner);
        double size = in ? 0.6 : 1;
        f->row[i] = row + (int)(size * (row - edge) * cos(angle));
        f->column[i] = column + (int)(size * (column - edge) * sin(angle));
    }
}

static struct film make_film(struct hd_work *w)
{
    static const struct film films[HD_WORK_SIZES] = {
        {.s = {.rows = 80, .frames = 3, .update = 2, .reach = 7, .half = 4},
         .columns = 72,
         .points = 6},
        {.s = {.rows = 160, .frames = 2, .update = 10, .reach = 8, .half = 5},
         .columns = 150,
         .points = 30},
        {.s = {.rows = 609, .frames = 2, .update = 10, .reach = 40, .half = 25},
         .columns = 590,
         .points = 51}};
    struct film f = films[w->size];
    struct sizes *s = &f.s;

    s->side = 2 * s->half + 1;
    s->area = 2 * s->reach + 1;
    s->fit = s->area + s->side - 1;
    s->padded = s->area + 2 * s->side;
    s->moves = 10;
    f.step = (s->reach - s->half) / s->frames;
    f.step = f.step < 3 ? f.step : 3;
    make_frames(w, &f);
    place_points(&f);
    return f;
}

// Give each point its piece of a fresh buffer: `member` is where the pointer is in struct point.
static CUdeviceptr give_pieces(struct hd_work *w, struct point *points, int n, size_t member,
                               size_t floats)
{
    CUdeviceptr all = hd_work_buffer(w, (size_t)n * floats * sizeof(float));

    for (int i = 0; i < n; i++)
        *(CUdeviceptr *)(void *)((char *)&points[i] + member) =
            all + (size_t)i * floats * sizeof(float);
    return all;
}

static struct device upload(struct hd_work *w, const struct film *f)
{
    const struct sizes *s = &f->s;
    struct point points[POINTS_MAX] = {{0}};
    size_t n = (size_t)f->points, found = n * (size_t)s->frames * sizeof(int);
    size_t fit = cells(s->fit), padded = cells(s->padded),
           high = (size_t)s->fit * (size_t)s->padded;
    struct device d = {.row = hd_work_upload(w, f->row, n * sizeof(int)),
                       .column = hd_work_upload(w, f->column, n * sizeof(int)),
                       .found_row = hd_work_buffer(w, found),
                       .found_column = hd_work_buffer(w, found)};

    for (int i = 0; i < f->points; i++)
        points[i] = (struct point){.number = i,
                                   .row = d.row,
                                   .column = d.column,
                                   .found_row = d.found_row,
                                   .found_column = d.found_column};
#define GIVE(member, floats)                                                                       \
    give_pieces(w, points, f->points, offsetof(struct point, member), floats)
    d.face = GIVE(face, cells(s->side));
    GIVE(area, cells(s->area));
    GIVE(fit, fit);
    GIVE(padded, padded);
    GIVE(lower, high);
    GIVE(stripes, high);
    GIVE(right, fit);
    GIVE(sums, fit);
    GIVE(area_squares, cells(s->area));
    d.squares = GIVE(squares, fit);
    GIVE(face_squares, cells(s->side));
    GIVE(mask, fit);
    GIVE(masked, fit);
#undef GIVE
    hd_work_symbol(w, "sizes", s, sizeof *s);
    hd_work_symbol(w, "points", points, sizeof points);
    return d;
}

static struct result make_result(struct hd_work *w, const struct film *f)
{
    size_t n = (size_t)f->points, found = n * (size_t)f->s.frames;

    return (struct result){.found_row = hd_work_array(w, found, sizeof(int)),
                           .found_column = hd_work_array(w, found, sizeof(int)),
                           .face = hd_work_array(w, n * cells(f->s.side), sizeof(float)),
                           .correlation = hd_work_array(w, n * cells(f->s.fit), sizeof(float))};
}

static void track_on_device(struct hd_work *w, const struct film *f, struct result *got)
{
    struct device d = upload(w, f);
    size_t n = (size_t)f->points, found = n * (size_t)f->s.frames * sizeof(int);
    size_t bytes = (size_t)f->s.rows * (size_t)f->columns * sizeof(float);
    CUdeviceptr frame = hd_work_buffer(w, bytes);
    float keep = KEEP;

    for (int i = 0; i < f->s.frames; i++) {
        hd_work_write(w, frame, f->frame[i], bytes);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "kernel"),
                       ((struct hd_work_grid){(unsigned)f->points, 1, THREADS, 1}), &frame, &i,
                       &keep);
    }
    hd_work_read(w, got->found_row, d.found_row, found);
    hd_work_read(w, got->found_column, d.found_column, found);
    hd_work_read(w, got->face, d.face, n * cells(f->s.side) * sizeof(float));
    hd_work_read(w, got->correlation, d.squares, n * cells(f->s.fit) * sizeof(float));
}

struct moments { // of what is in a window, 0 beyond the area, and its product with the template
    double sum, squares, product;
};

// The window whose last row and column in the area are these.
static struct moments window_at(const struct sizes *s, const float *area, int rows,
                                const float *face, int row, int column)
{
    struct moments m = {0, 0, 0};
    int top = row - s->side + 1, left = column - s->side + 1;

    for (int c = left < 0 ? 0 : left; c <= column && c < s->area; c++)
        for (int r = top < 0 ? 0 : top; r <= row && r < s->area; r++) {
            double pixel = (double)area[c * rows + r];
            m.sum += pixel;
            m.squares += pixel * pixel;
            m.product += pixel * (double)face[(c - left) * s->side + r - top];
        }
    return m;
}

static void correlate(const struct sizes *s, const float *area, int rows, const float *face,
                      float *to)
{
    double n = (double)cells(s->side), sum = 0, squares = 0;

    for (size_t i = 0; i < cells(s->side); i++) {
        sum += (double)face[i];
        squares += (double)face[i] * (double)face[i];
    }
    double spread = sqrt(n - 1) * sqrt(squares / n - sum / n * (sum / n));
    for (int c = 0; c < s->fit; c++)
        for (int r = 0; r < s->fit; r++) {
            struct moments m = window_at(s, area, rows, face, r, c);
            double deviation = sqrt(fmax(m.squares - m.sum * m.sum / n, 0));
            to[c * s->fit + r] = (float)((m.product - m.sum * sum / n) / (deviation * spread));
        }
}

// The window that is most like the template, of those within reach of where the point was; of two
// as good but for rounding, the one that the GPU took.
static int most_like(const struct sizes *s, const float *correlation, int row, int column,
                     int taken)
{
    int best = 0, before = s->moves - s->moves / 2 - 1;
    float most = 0;

    for (int c = column - s->moves / 2; c <= column + before; c++)
        for (int r = row - s->moves / 2; r <= row + before; r++) {
            bool inside = c >= 0 && c < s->fit && r >= 0 && r < s->fit;
            if (inside && fabsf(correlation[c * s->fit + r]) > most) {
                best = c * s->fit + r;
                most = fabsf(correlation[best]);
            }
        }
    int c = taken / s->fit - column, r = taken % s->fit - row, last = s->moves / 2;
    bool is_window = taken >= 0 && (size_t)taken < cells(s->fit);
    bool in_reach = c >= -last && c <= before && r >= -last && r <= before;
    return is_window && in_reach && fabsf(correlation[taken]) > most - 1e-3f ? taken : best;
}

static void take_template(const struct film *f, int p, const int *at, float *face, int frame)
{
    const struct sizes *s = &f->s;

    for (int c = 0; c < s->side; c++)
        for (int r = 0; r < s->side; r++) {
            float pixel = f->frame[frame][(at[1] - s->half + c) * s->rows + at[0] - s->half + r];
            float *to = &face[(size_t)p * cells(s->side) + (size_t)(c * s->side + r)];
            *to = frame ? KEEP * *to + (1 - KEEP) * pixel : pixel;
        }
}

static void track(const struct film *f, int p, const struct result *got, struct result *to)
{
    const struct sizes *s = &f->s;
    float *face = to->face, *own = face + (size_t)p * cells(s->side);
    float *correlation = to->correlation + (size_t)p * cells(s->fit);
    int *row = to->found_row + p * s->frames, *column = to->found_column + p * s->frames;
    int at[2] = {f->row[p], f->column[p]}, middle = s->reach + s->half;

    row[0] = at[0];
    column[0] = at[1];
    take_template(f, p, at, face, 0);
    for (int i = 1; i < s->frames; i++) {
        const float *area = f->frame[i] + (at[1] - s->reach) * s->rows + at[0] - s->reach;
        int got_row = got->found_row[p * s->frames + i] - at[0] + middle;
        int got_column = got->found_column[p * s->frames + i] - at[1] + middle;
        correlate(s, area, s->rows, own, correlation);
        int most = most_like(s, correlation, middle + row[i - 1] - at[0],
                             middle + column[i - 1] - at[1], got_column * s->fit + got_row);
        row[i] = at[0] + most % s->fit - middle;
        column[i] = at[1] + most / s->fit - middle;
        if (i % s->update == 0) {
            at[0] = row[i];
            at[1] = column[i];
            take_template(f, p, at, face, i);
        }
    }
}

static void run(struct hd_work *w)
{
    struct film f = make_film(w);
    struct result got = make_result(w, &f), expected = make_result(w, &f);
    size_t n = (size_t)f.points, found = n * (size_t)f.s.frames;

    track_on_device(w, &f, &got);
    for (int p = 0; p < f.points; p++)
        track(&f, p, &got, &expected);
    hd_work_same(w, "rows", got.found_row, expected.found_row, found);
    hd_work_same(w, "columns", got.found_column, expected.found_column, found);
    hd_work_near(w, "templates", got.face, expected.face, n * cells(f.s.side), 1e-5);
    hd_work_near(w, "correlation", got.correlation, expected.correlation, n * cells(f.s.fit), 2e-3);
}

const struct hd_workload hd_workload_heartwall = {
    .name = "heartwall",
    .brief = "points followed through a film: thirty steps between barriers in one long kernel",
    .groups = "elf:HW",
    .sizes = {"6 points, 2 frames, templates of 9 x 9", "30 points, a frame, templates of 11 x 11",
              "51 points, a frame, templates of 51 x 51"},
    .run = run,
};
