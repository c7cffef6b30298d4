// host.c (reduction) - sum of a vector in one launch.
#include "workload/work.h"

#define THREADS 256

static void run(struct hd_work *w)
{
    static const unsigned lengths[HD_WORK_SIZES] = {131072, 1u << 22, 1u << 24};
    static const unsigned grids[HD_WORK_SIZES] = {60, 120, 240};
    unsigned n = lengths[w->size], blocks = grids[w->size], arrived = 0;
    float *in = hd_work_floats(w, n, -1, 3);
    float *sum = hd_work_array(w, 1, sizeof *sum), *expected = hd_work_array(w, 1, sizeof *sum);
    double exact = 0;

    CUdeviceptr d_in = hd_work_upload(w, in, n * sizeof *in);
    CUdeviceptr d_partial = hd_work_buffer(w, blocks * sizeof(float));
    CUdeviceptr d_arrived = hd_work_upload(w, &arrived, sizeof arrived);
    CUdeviceptr d_sum = hd_work_buffer(w, sizeof *sum);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "reduction"), grid, &d_in, &n, &d_partial, &d_arrived,
                   &d_sum);
    hd_work_read(w, sum, d_sum, sizeof *sum);

    for (unsigned i = 0; i < n; i++)
        exact += (double)in[i];
    *expected = (float)exact;
    hd_work_near(w, "sum", sum, expected, 1, 1e-5);
}

const struct hd_workload hd_workload_reduction = {
    .name = "reduction",
    .brief = "sum of a vector, the last block adds up the blocks' sums: barriers, few active lanes",
    .groups = "first8",
    .sizes = {"131072 elements", "4 M elements", "16 M elements"},
    .run = run,
};
