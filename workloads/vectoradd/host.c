// host.c (vectoradd) - sum of two vectors.
#include "workload/work.h"

#define THREADS 256

static void run(struct hd_work *w)
{
    static const unsigned lengths[HD_WORK_SIZES] = {65536, 1u << 20, 1u << 22};
    unsigned n = lengths[w->size];
    size_t bytes = n * sizeof(float);
    float *a = hd_work_floats(w, n, -1, 1), *b = hd_work_floats(w, n, -1, 1);
    float *sum = hd_work_array(w, n, sizeof *sum), *expected = hd_work_array(w, n, sizeof *sum);

    CUdeviceptr d_a = hd_work_upload(w, a, bytes), d_b = hd_work_upload(w, b, bytes);
    CUdeviceptr d_sum = hd_work_buffer(w, bytes);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "vectoradd"), grid, &d_a, &d_b, &d_sum, &n);
    hd_work_read(w, sum, d_sum, bytes);

    for (unsigned i = 0; i < n; i++)
        expected[i] = a[i] + b[i];
    hd_work_same(w, "sum", sum, expected, n);
}

const struct hd_workload hd_workload_vectoradd = {
    .name = "vectoradd",
    .brief = "sum of two vectors: nothing but coalesced memory traffic",
    .groups = "first8",
    .sizes = {"65536 elements", "1 M elements", "4 M elements"},
    .run = run,
};
