// host.c (lud) - LU decomposition of a matrix.
#include "workload/work.h"

#define TILE 16

static void decompose_on_device(struct hd_work *w, CUdeviceptr matrix, unsigned side)
{
    CUfunction diagonal = hd_work_kernel(w, "lud_diagonal");
    CUfunction perimeter = hd_work_kernel(w, "lud_perimeter");
    CUfunction internal = hd_work_kernel(w, "lud_internal");

    for (unsigned at = 0; at < side; at += TILE) {
        unsigned left = (side - at) / TILE - 1; // tiles beside and below this one
        HD_WORK_LAUNCH(w, diagonal, ((struct hd_work_grid){1, 1, TILE, 1}), &matrix, &side, &at);
        if (!left)
            break;
        HD_WORK_LAUNCH(w, perimeter, ((struct hd_work_grid){left, 1, 2 * TILE, 1}), &matrix, &side,
                       &at);
        HD_WORK_LAUNCH(w, internal, ((struct hd_work_grid){left, left, TILE, TILE}), &matrix, &side,
                       &at);
    }
}

// Column by column of L, each of which changes what lies right of it.
static void decompose(double *matrix, unsigned side)
{
    for (unsigned k = 0; k < side; k++)
        for (unsigned y = k + 1; y < side; y++) {
            double l = matrix[y * side + k] /= matrix[k * side + k];
            for (unsigned x = k + 1; x < side; x++)
                matrix[y * side + x] -= l * matrix[k * side + x];
        }
}

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {64, 128, 256};
    unsigned side = sides[w->size], cells = side * side;
    float *matrix = hd_work_floats(w, cells, -1, 1), *got = hd_work_array(w, cells, sizeof *got);
    double *expected = hd_work_array(w, cells, sizeof *expected);

    for (unsigned i = 0; i < side; i++)
        matrix[i * side + i] += (float)side / 4; // so that no pivot is small
    for (unsigned i = 0; i < cells; i++)
        expected[i] = (double)matrix[i];
    CUdeviceptr d_matrix = hd_work_upload(w, matrix, cells * sizeof *matrix);
    decompose_on_device(w, d_matrix, side);
    hd_work_read(w, got, d_matrix, cells * sizeof *got);

    decompose(expected, side);
    for (unsigned i = 0; i < cells; i++)
        matrix[i] = (float)expected[i];
    hd_work_near(w, "L and U", got, matrix, cells, 1e-4);
}

const struct hd_workload hd_workload_lud = {
    .name = "lud",
    .brief = "LU decomposition by tiles: long unrolled code, few warps, many launches",
    .groups = "elf:LUD",
    .sizes = {"64 x 64 matrix", "128 x 128 matrix", "256 x 256 matrix"},
    .run = run,
};
