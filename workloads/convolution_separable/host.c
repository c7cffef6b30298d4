// host.c (convolution_separable) - a picture folded with weights, by rows, then by columns.
#include "workload/work.h"

#define RADIUS 8
#define STEPS 8
#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

// One direction: `step` from a pixel to its neighbour, `n` pixels from edge to edge, `lines` of
// them, `next` from a line to the next.
static void fold(const float *from, float *to, const float *weights, size_t step, unsigned n,
                 size_t next, unsigned lines)
{
    for (unsigned line = 0; line < lines; line++)
        for (unsigned i = 0; i < n; i++) {
            float sum = 0;
            for (int j = -RADIUS; j <= RADIUS; j++)
                if (i + (unsigned)j < n) // behind the edges, and so beyond n in unsigned numbers
                    sum += weights[RADIUS - j] * from[line * next + (i + (unsigned)j) * step];
            to[line * next + i * step] = sum;
        }
}

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {128, 768, 3072};
    unsigned side = sides[w->size];
    size_t n = (size_t)side * side;
    float *picture = hd_work_floats(w, n, 0, 16);
    float *weights = hd_work_floats(w, 2 * RADIUS + 1, 0, 1);
    float *got = hd_work_array(w, n, sizeof *got), *got_rows = hd_work_array(w, n, sizeof *got);
    float *folded = hd_work_array(w, n, sizeof *got), *expected = hd_work_array(w, n, sizeof *got);

    CUdeviceptr from = hd_work_upload(w, picture, n * sizeof *picture);
    CUdeviceptr between = hd_work_buffer(w, n * sizeof *got);
    CUdeviceptr to = hd_work_buffer(w, n * sizeof *got);
    hd_work_symbol(w, "weights", weights, (2 * RADIUS + 1) * sizeof *weights);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "rows"),
                   ((struct hd_work_grid){side / (STEPS * ROW_X), side / ROW_Y, ROW_X, ROW_Y}),
                   &between, &from, &side);
    HD_WORK_LAUNCH(
        w, hd_work_kernel(w, "columns"),
        ((struct hd_work_grid){side / COLUMN_X, side / (STEPS * COLUMN_Y), COLUMN_X, COLUMN_Y}),
        &to, &between, &side, &side);
    hd_work_read(w, got_rows, between, n * sizeof *got);
    hd_work_read(w, got, to, n * sizeof *got);

    fold(picture, folded, weights, 1, side, side, side);
    fold(folded, expected, weights, side, side, 1, side);
    hd_work_near(w, "rows", got_rows, folded, n, 1e-5);
    hd_work_near(w, "columns", got, expected, n, 1e-5);
}

const struct hd_workload hd_workload_convolution_separable = {
    .name = "convolution_separable",
    .brief =
        "a picture folded by rows and columns: loads in rows, one barrier, constants, arithmetic",
    .groups = "pro:convSep",
    .sizes = {"128 x 128", "768 x 768", "3072 x 3072"},
    .run = run,
};
