// host.c (matmul_tiled) - product of two square matrices.
#include "workload/work.h"

#define TILE 16

static void multiply(const float *a, const float *b, float *c, unsigned n)
{
    for (unsigned row = 0; row < n; row++)
        for (unsigned k = 0; k < n; k++)
            for (unsigned column = 0; column < n; column++)
                c[row * n + column] += a[row * n + k] * b[k * n + column];
}

static void run(struct hd_work *w)
{
    static const unsigned rows[HD_WORK_SIZES] = {80, 256, 512};
    unsigned n = rows[w->size], cells = n * n;
    size_t bytes = cells * sizeof(float);
    float *a = hd_work_floats(w, cells, -1, 1), *b = hd_work_floats(w, cells, -1, 1);
    float *c = hd_work_array(w, cells, sizeof *c), *expected = hd_work_array(w, cells, sizeof *c);

    CUdeviceptr d_a = hd_work_upload(w, a, bytes), d_b = hd_work_upload(w, b, bytes);
    CUdeviceptr d_c = hd_work_buffer(w, bytes);
    struct hd_work_grid grid = {n / TILE, n / TILE, TILE, TILE};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "matmul_tiled"), grid, &d_a, &d_b, &d_c, &n);
    hd_work_read(w, c, d_c, bytes);

    multiply(a, b, expected, n);
    hd_work_near(w, "c", c, expected, cells, 1e-4); // fused or not, a sum of n products
}

const struct hd_workload hd_workload_matmul_tiled = {
    .name = "matmul_tiled",
    .brief = "matrix product by tiles in shared memory: arithmetic between barriers",
    .groups = "first8 baws:MM",
    .sizes = {"80 x 80", "256 x 256", "512 x 512"},
    .run = run,
};
