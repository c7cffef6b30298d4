// host.c (scalar_prod) - scalar products of pairs of vectors.
#include "workload/work.h"

#define THREADS 256
#define BLOCKS 128

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][2] = {{16, 4096}, {128, 4096}, {256, 4096}};
    unsigned pairs = sizes[w->size][0], length = sizes[w->size][1];
    unsigned blocks = pairs < BLOCKS ? pairs : BLOCKS;
    size_t n = (size_t)pairs * length;
    float *a = hd_work_floats(w, n, 0, 1), *b = hd_work_floats(w, n, 0, 1);
    float *got = hd_work_array(w, pairs, sizeof *got);
    float *expected = hd_work_array(w, pairs, sizeof *got);

    CUdeviceptr d_a = hd_work_upload(w, a, n * sizeof *a),
                d_b = hd_work_upload(w, b, n * sizeof *b);
    CUdeviceptr products = hd_work_buffer(w, pairs * sizeof *got);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "scalar_prod"),
                   ((struct hd_work_grid){blocks, 1, THREADS, 1}), &d_a, &d_b, &products, &pairs,
                   &length);
    hd_work_read(w, got, products, pairs * sizeof *got);

    for (unsigned p = 0; p < pairs; p++) {
        double sum = 0;
        for (size_t i = (size_t)p * length; i < (size_t)(p + 1) * length; i++)
            sum += (double)a[i] * (double)b[i];
        expected[p] = (float)sum;
    }
    hd_work_near(w, "products", got, expected, pairs, 1e-5);
}

const struct hd_workload hd_workload_scalar_prod = {
    .name = "scalar_prod",
    .brief = "scalar products of pairs of vectors: streams, then a barrier for each halving",
    .groups = "lfws:SP pro:scalarProd baws:SP",
    .sizes = {"16 pairs of 4096", "128 pairs of 4096", "256 pairs of 4096"},
    .run = run,
};
