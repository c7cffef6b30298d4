// host.c (sgemm) - C = alpha A B' + beta C, matrices column by column.
#include "workload/work.h"

#define WIDTH 16 // as in kernel.cu
#define DEPTH 8
#define HEIGHT (WIDTH * DEPTH)

struct shape {
    unsigned rows, columns, depth; // of C, and the columns of A and B
};

static void multiply(const struct shape *s, const float *a, const float *b, float *c, float alpha,
                     float beta, double *sums)
{
    for (unsigned column = 0; column < s->columns; column++) {
        for (unsigned row = 0; row < s->rows; row++)
            sums[row] = 0;
        for (unsigned k = 0; k < s->depth; k++)
            for (unsigned row = 0; row < s->rows; row++)
                sums[row] += (double)a[k * s->rows + row] * (double)b[k * s->columns + column];
        for (unsigned row = 0; row < s->rows; row++) {
            float *to = &c[column * s->rows + row];
            *to = (float)((double)alpha * sums[row] + (double)beta * (double)*to);
        }
    }
}

static void run(struct hd_work *w)
{
    static const struct shape sizes[HD_WORK_SIZES] = {
        {128, 48, 32}, {256, 128, 256}, {512, 512, 512}};
    struct shape s = sizes[w->size];
    size_t n = (size_t)s.rows * s.columns, bytes = n * sizeof(float);
    size_t a_n = (size_t)s.rows * s.depth, b_n = (size_t)s.columns * s.depth;
    float *a = hd_work_floats(w, a_n, -1, 1), *b = hd_work_floats(w, b_n, -1, 1);
    float *c = hd_work_floats(w, n, -1, 1), *got = hd_work_array(w, n, sizeof *got);
    double *sums = hd_work_array(w, s.rows, sizeof *sums);
    float alpha = 0.75f, beta = 0.5f;

    CUdeviceptr d_a = hd_work_upload(w, a, a_n * sizeof *a);
    CUdeviceptr d_b = hd_work_upload(w, b, b_n * sizeof *b);
    CUdeviceptr d_c = hd_work_upload(w, c, bytes);
    struct hd_work_grid grid = {s.rows / HEIGHT, s.columns / WIDTH, WIDTH, DEPTH};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "mysgemmNT"), grid, &d_a, &s.rows, &d_b, &s.columns, &d_c,
                   &s.rows, &s.depth, &alpha, &beta);
    hd_work_read(w, got, d_c, bytes);

    multiply(&s, a, b, c, alpha, beta, sums);
    hd_work_near(w, "c", got, c, n, 1e-4);
}

const struct hd_workload hd_workload_sgemm = {
    .name = "sgemm",
    .brief = "product of matrices, 16 elements a thread: a load for 16 multiply-adds, two barriers",
    .groups = "elf:SGEMM",
    .sizes = {"128 x 32 by 32 x 48", "256 x 256 by 256 x 128", "512 x 512 by 512 x 512"},
    .run = run,
};
