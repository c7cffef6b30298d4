// host.c (dp_radixsort) - keys sorted by kernels that launch a kernel for each digit.
//
// Keys of 64 bits begin with a number of zero digits between 0 and 23, each number as often as the
// others: so some digits are sorted by kernels 24 launches deep, as in LASER, and the rest by broad
// subtrees.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 64
#define ZEROS 24

static uint64_t make_key(struct hd_work *w)
{
    uint64_t high = hd_work_random(w), low = hd_work_random(w);

    return (high << 32 | low) >> 2 * (hd_work_random(w) % ZEROS);
}

static void run(struct hd_work *w)
{
    static const unsigned keys[HD_WORK_SIZES] = {1024, 16384, 131072};
    unsigned n = keys[w->size], shift = 62, depth = 0, threshold = 24;
    uint64_t *got = hd_work_array(w, n, sizeof *got);
    uint64_t *expected = hd_work_array(w, n, sizeof *expected);

    for (unsigned i = 0; i < n; i++)
        expected[i] = make_key(w);
    CUdeviceptr d_keys = hd_work_upload(w, expected, n * sizeof *expected);
    CUdeviceptr other = hd_work_buffer(w, n * sizeof *expected);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "radixsort"), ((struct hd_work_grid){1, 1, THREADS, 1}),
                   &d_keys, &other, &n, &shift, &depth, &threshold);
    hd_work_read(w, got, d_keys, n * sizeof *got);

    qsort(expected, n, sizeof *expected, dp_by_value);
    hd_work_same(w, "sorted keys", got, expected, (size_t)n * 2);
}

const struct hd_workload hd_workload_dp_radixsort = {
    .name = "dp_radixsort",
    .brief =
        "radix sort from the first digit on, a kernel launched for each digit, 24 launches deep",
    .groups = "laser:Radixsort",
    .dynamic = true,
    .sizes = {"1024 keys", "16,384 keys", "131,072 keys"},
    .run = run,
};
