// host.c (leukocyte) - white blood cells found in a frame, and the field of edges around each.
#include "workload/work.h"

#include <math.h>

// As in kernel.cu.
#define CIRCLES 7
#define POINTS 150
#define MARGIN 22
#define IMGVF_THREADS 320
#define MU 0.5
#define LAMBDA (8 * MU + 1)

#define DILATE_THREADS 176
#define RADIUS 8 // of the smallest circle; each of the others is larger by 2
#define WINDOW_ROWS 41
#define WINDOW_COLUMNS 81
#define WINDOW (WINDOW_ROWS * WINDOW_COLUMNS)
#define CELLS 36      // at most
#define SMOOTH 0.02f  // width of the step between along the motion and against it
#define ENOUGH 0.002f // change of a pixel, on average, after which iterations end

struct frame {
    int rows, columns, side, cells, iterations; // side: of the element that dilates
    size_t n;
    float *pixels, *slopes[2]; // across and down
    double cosines[POINTS], sines[POINTS];
    int across[CIRCLES][POINTS], down[CIRCLES][POINTS];
};

static float pixel(const struct frame *f, int row, int column)
{
    row = row < 0 ? 0 : row >= f->rows ? f->rows - 1 : row;
    column = column < 0 ? 0 : column >= f->columns ? f->columns - 1 : column;
    return f->pixels[(size_t)column * (size_t)f->rows + (size_t)row];
}

// Noise, and bright discs that fade over four pixels.
static void draw(struct hd_work *w, struct frame *f)
{
    f->pixels = hd_work_floats(w, f->n, 0.3f, 0.4f);
    for (int cell = 0; cell < f->cells; cell++) {
        float x = hd_work_random_float(w, 0, (float)f->columns);
        float y = hd_work_random_float(w, 0, (float)f->rows);
        float radius = hd_work_random_float(w, RADIUS, RADIUS + 2 * CIRCLES);
        for (int column = 0; column < f->columns; column++)
            for (int row = 0; row < f->rows; row++) {
                float away = hypotf((float)column - x, (float)row - y) - radius;
                float bright = away < -2 ? 0.5f : away > 2 ? 0 : 0.125f * (2 - away);
                f->pixels[(size_t)column * (size_t)f->rows + (size_t)row] += bright;
            }
    }
    for (int d = 0; d < 2; d++) {
        f->slopes[d] = hd_work_array(w, f->n, sizeof(float));
        for (int column = 0, i = 0; column < f->columns; column++)
            for (int row = 0; row < f->rows; row++, i++)
                f->slopes[d][i] =
                    0.5f * (pixel(f, row + d, column + 1 - d) - pixel(f, row - d, column - 1 + d));
    }
}

static void make_circles(struct frame *f)
{
    for (int i = 0; i < POINTS; i++) {
        double angle = 2 * acos(-1) * i / POINTS;
        f->cosines[i] = (double)(float)cos(angle);
        f->sines[i] = (double)(float)sin(angle);
        for (int circle = 0; circle < CIRCLES; circle++) {
            f->across[circle][i] = (int)((RADIUS + 2 * circle) * f->cosines[i]);
            f->down[circle][i] = (int)((RADIUS + 2 * circle) * f->sines[i]);
        }
    }
}

// A disc.
static bool in_element(const struct frame *f, int i, int k)
{
    int half = f->side / 2;

    return (i - half) * (i - half) + (k - half) * (k - half) <= half * half;
}

static void write_tables(struct hd_work *w, const struct frame *f)
{
    float cosines[POINTS], sines[POINTS];
    float *element = hd_work_array(w, (size_t)(f->side * f->side), sizeof *element);

    for (int i = 0; i < POINTS; i++) {
        cosines[i] = (float)f->cosines[i];
        sines[i] = (float)f->sines[i];
    }
    for (int i = 0; i < f->side; i++)
        for (int k = 0; k < f->side; k++)
            element[i * f->side + k] = in_element(f, i, k) ? 1 : 0;
    hd_work_symbol(w, "cosines", cosines, sizeof cosines);
    hd_work_symbol(w, "sines", sines, sizeof sines);
    hd_work_symbol(w, "across", f->across, sizeof f->across);
    hd_work_symbol(w, "down", f->down, sizeof f->down);
    hd_work_symbol(w, "element", element, (size_t)(f->side * f->side) * sizeof *element);
}

static CUtexObject texture(struct hd_work *w, CUdeviceptr from, size_t n)
{
    return hd_work_texture_row(w, from, CU_AD_FORMAT_FLOAT, 1, n * sizeof(float));
}

static void find_on_device(struct hd_work *w, const struct frame *f, float *scores, float *dilated)
{
    size_t bytes = f->n * sizeof(float);
    int rows = f->rows, n_columns = f->columns, side = f->side;
    CUdeviceptr d_scores = hd_work_upload(w, scores, bytes), d_dilated = hd_work_buffer(w, bytes);
    CUtexObject x = texture(w, hd_work_upload(w, f->slopes[0], bytes), f->n);
    CUtexObject y = texture(w, hd_work_upload(w, f->slopes[1], bytes), f->n);
    CUtexObject t = texture(w, d_scores, f->n);
    struct hd_work_grid columns = {(unsigned)(f->columns - 2 * MARGIN), 1,
                                   (unsigned)(f->rows - 2 * MARGIN), 1};
    struct hd_work_grid pixels = {((unsigned)f->n + DILATE_THREADS - 1) / DILATE_THREADS, 1,
                                  DILATE_THREADS, 1};

    write_tables(w, f);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "GICOV"), columns, &x, &y, &d_scores, &rows);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "dilate"), pixels, &t, &d_dilated, &rows, &n_columns,
                   &side);
    hd_work_read(w, scores, d_scores, bytes);
    hd_work_read(w, dilated, d_dilated, bytes);
}

// The score of a pixel. *unclear: a circle whose slopes point the other way is as good, nearly.
static double score(const struct frame *f, int row, int column, bool *unclear)
{
    double best[2] = {0, 0}; // of circles with slopes outwards, inwards

    for (int circle = 0; circle < CIRCLES; circle++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < POINTS; i++) {
            size_t at = (size_t)(column + f->across[circle][i]) * (size_t)f->rows +
                        (size_t)(row + f->down[circle][i]);
            double slope =
                (double)f->slopes[0][at] * f->cosines[i] + (double)f->slopes[1][at] * f->sines[i];
            sum += slope;
            squares += slope * slope;
        }
        double mean = sum / POINTS, variance = (squares - sum * mean) / (POINTS - 1);
        best[mean < 0] = fmax(best[mean < 0], fabs(mean) / sqrt(variance));
    }
    *unclear = fabs(best[0] - best[1]) < 1e-3;
    return best[0] > best[1] ? best[0] : -best[1];
}

static void check_scores(struct hd_work *w, const struct frame *f, float *got)
{
    float *expected = hd_work_array(w, f->n, sizeof *expected);

    for (int column = MARGIN; column < f->columns - MARGIN; column++)
        for (int row = MARGIN; row < f->rows - MARGIN; row++) {
            size_t i = (size_t)column * (size_t)f->rows + (size_t)row;
            bool unclear;
            expected[i] = (float)score(f, row, column, &unclear);
            if (unclear)
                got[i] = copysignf(got[i], expected[i]);
        }
    hd_work_near(w, "scores", got, expected, f->n, 1e-4);
}

// `scores` are the device's, so the maximum is exact.
static void dilate(const struct frame *f, const float *scores, float *dilated)
{
    int half = f->side / 2;

    for (int i = 0; i < f->side; i++)
        for (int k = 0; k < f->side; k++) {
            if (!in_element(f, i, k))
                continue;
            for (int column = 0; column < f->columns; column++)
                for (int row = 0; row < f->rows; row++) {
                    int x = column - half + k, y = row - half + i;
                    float *to = &dilated[row * f->columns + column];
                    if (x >= 0 && x < f->columns && y >= 0 && y < f->rows)
                        *to = fmaxf(*to, scores[x * f->rows + y]);
                }
        }
}

// The edges around a place: how steep the frame is, from 0 to 1.
static void make_window(const struct frame *f, int row, int column, float *window)
{
    float most = 0;

    for (int y = 0, i = 0; y < WINDOW_ROWS; y++)
        for (int x = 0; x < WINDOW_COLUMNS; x++, i++) {
            int at_y = row - WINDOW_ROWS / 2 + y, at_x = column - WINDOW_COLUMNS / 2 + x;
            float across = pixel(f, at_y, at_x + 1) - pixel(f, at_y, at_x - 1);
            float down = pixel(f, at_y + 1, at_x) - pixel(f, at_y - 1, at_x);
            window[i] = hypotf(across, down);
            most = fmaxf(most, window[i]);
        }
    for (int i = 0; i < WINDOW; i++)
        window[i] /= most;
}

static double flow(double more, double along)
{
    return more * (atan(more * along / (double)SMOOTH) / acos(-1) + 0.5);
}

// The same as the kernel does to one cell, by sweeps over the whole window.
static void spread(const float *image, double *field, double *next, int iterations)
{
    double changed = WINDOW;

    for (int done = 0; done < iterations && changed / WINDOW >= (double)ENOUGH; done++) {
        changed = 0;
        for (int row = 0; row < WINDOW_ROWS; row++)
            for (int column = 0; column < WINDOW_COLUMNS; column++) {
                int i = row * WINDOW_COLUMNS + column;
                double sum = 0, edge = (double)image[i];
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int y = row + dy < 0 || row + dy == WINDOW_ROWS ? row : row + dy;
                        int x =
                            column + dx < 0 || column + dx == WINDOW_COLUMNS ? column : column + dx;
                        sum += flow(field[y * WINDOW_COLUMNS + x] - field[i], dx + dy);
                    }
                next[i] = field[i] + MU / LAMBDA * sum;
                next[i] -= edge / LAMBDA * (next[i] - edge);
                changed += fabs(next[i] - field[i]);
            }
        for (int i = 0; i < WINDOW; i++)
            field[i] = next[i];
    }
}

static void track_on_device(struct hd_work *w, const struct frame *f, const float *windows,
                            float *fields)
{
    size_t n = (size_t)f->cells * WINDOW;
    CUdeviceptr d_windows = hd_work_upload(w, windows, n * sizeof(float));
    CUdeviceptr d_fields = hd_work_upload(w, windows, n * sizeof(float));
    CUdeviceptr windows_of[CELLS], fields_of[CELLS];
    int heights[CELLS], widths[CELLS], iterations = f->iterations;
    size_t words = (size_t)f->cells * sizeof(int),
           addresses = (size_t)f->cells * sizeof(CUdeviceptr);
    float vx = 1, vy = 1, smooth = SMOOTH, enough = ENOUGH;

    for (int cell = 0; cell < f->cells; cell++) {
        windows_of[cell] = d_windows + (size_t)cell * WINDOW * sizeof(float);
        fields_of[cell] = d_fields + (size_t)cell * WINDOW * sizeof(float);
        heights[cell] = WINDOW_ROWS;
        widths[cell] = WINDOW_COLUMNS;
    }
    CUdeviceptr d_windows_of = hd_work_upload(w, windows_of, addresses);
    CUdeviceptr d_fields_of = hd_work_upload(w, fields_of, addresses);
    CUdeviceptr d_heights = hd_work_upload(w, heights, words);
    CUdeviceptr d_widths = hd_work_upload(w, widths, words);
    struct hd_work_grid grid = {(unsigned)f->cells, 1, IMGVF_THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "IMGVF"), grid, &d_fields_of, &d_windows_of, &d_heights,
                   &d_widths, &vx, &vy, &smooth, &iterations, &enough);
    hd_work_read(w, fields, d_fields, n * sizeof(float));
}

static void check_fields(struct hd_work *w, const struct frame *f)
{
    size_t n = (size_t)f->cells * WINDOW;
    float *windows = hd_work_array(w, n, sizeof *windows), *got = hd_work_array(w, n, sizeof *got);
    float *expected = hd_work_array(w, n, sizeof *expected);
    double *field = hd_work_array(w, WINDOW, sizeof *field);
    double *next = hd_work_array(w, WINDOW, sizeof *next);

    for (size_t at = 0; at < n; at += WINDOW)
        make_window(f, (int)(hd_work_random(w) % (unsigned)f->rows),
                    (int)(hd_work_random(w) % (unsigned)f->columns), &windows[at]);
    track_on_device(w, f, windows, got);
    for (size_t at = 0; at < n; at += WINDOW) {
        for (int i = 0; i < WINDOW; i++)
            field[i] = (double)windows[at + (size_t)i];
        spread(&windows[at], field, next, f->iterations);
        for (int i = 0; i < WINDOW; i++)
            expected[at + (size_t)i] = (float)field[i];
    }
    hd_work_near(w, "fields", got, expected, n, 1e-4);
}

static void run(struct hd_work *w)
{
    // Rows, columns, side of the element, cells, iterations at most.
    static const int sizes[HD_WORK_SIZES][5] = {
        {52, 50, 7, 2, 2}, {64, 60, 9, 4, 3}, {219, 640, 25, CELLS, 20}};
    const int *size = sizes[w->size];
    struct frame f = {.rows = size[0],
                      .columns = size[1],
                      .side = size[2],
                      .cells = size[3],
                      .iterations = size[4],
                      .n = (size_t)size[0] * (size_t)size[1]};
    float *scores = hd_work_array(w, f.n, sizeof *scores);
    float *got = hd_work_array(w, f.n, sizeof *got);
    float *expected = hd_work_array(w, f.n, sizeof *expected);

    draw(w, &f);
    make_circles(&f);
    find_on_device(w, &f, scores, got);
    dilate(&f, scores, expected);
    hd_work_same(w, "dilated", got, expected, f.n);
    check_scores(w, &f, scores);
    check_fields(w, &f);
}

const struct hd_workload hd_workload_leukocyte = {
    .name = "leukocyte",
    .brief =
        "cells in a frame: circles by texture, dilation, and fields that iterate in shared memory",
    .groups = "elf:LC",
    .sizes = {"52 x 50 pixels, 2 cells", "64 x 60 pixels, 4 cells", "219 x 640 pixels, 36 cells"},
    .run = run,
};
