// host.c (dp_quicksort) - keys sorted by kernels that launch kernels for both parts.
//
// In LASER there are 56 kernels to a launch depth of 24: a tree that is a chain almost everywhere.
// So the keys are very unequal. A few are large, as many in each of 24 ranges of which the next is
// half as large; most are below the last of them.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128
#define RANGES 24

static unsigned make_key(struct hd_work *w, unsigned large) // `large` of 65,536 keys in each range
{
    unsigned range = (hd_work_random(w) & 0xffff) / large, bits = hd_work_random(w);

    return range < RANGES ? (bits | 1u << 31) >> range : bits >> RANGES;
}

static void run(struct hd_work *w)
{
    static const unsigned keys[HD_WORK_SIZES] = {256, 2048, 8192};
    static const unsigned large[HD_WORK_SIZES] = {1280, 800, 220}; // 5, 25 and 27 keys
    unsigned n = keys[w->size], low = 0, bits = 32, depth = 0;
    uint64_t *sorted = hd_work_array(w, n, sizeof *sorted);
    unsigned *got = hd_work_array(w, n, sizeof *got);
    unsigned *expected = hd_work_array(w, n, sizeof *expected);

    for (unsigned i = 0; i < n; i++)
        sorted[i] = expected[i] = make_key(w, large[w->size]);
    CUdeviceptr d_keys = hd_work_upload(w, expected, n * sizeof *expected);
    CUdeviceptr other = hd_work_buffer(w, n * sizeof *expected);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "quicksort"), ((struct hd_work_grid){1, 1, THREADS, 1}),
                   &d_keys, &other, &n, &low, &bits, &depth);
    hd_work_read(w, got, d_keys, n * sizeof *got);

    qsort(sorted, n, sizeof *sorted, dp_by_value);
    for (unsigned i = 0; i < n; i++)
        expected[i] = (unsigned)sorted[i];
    hd_work_same(w, "sorted keys", got, expected, n);
}

const struct hd_workload hd_workload_dp_quicksort = {
    .name = "dp_quicksort",
    .brief = "quicksort by kernels that launch a kernel for each part, 24 launches deep",
    .groups = "laser:Quicksort",
    .dynamic = true,
    .sizes = {"256 keys", "2048 keys", "8192 keys"},
    .run = run,
};
