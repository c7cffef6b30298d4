// host.c (histogram) - how often each byte value occurs.
#include "workload/work.h"

#define BINS 256
#define THREADS 192
#define MERGE_THREADS 256

// Sums of two dice of 128 sides: some values are common, some rare, as in a picture.
static uint32_t random_bytes(struct hd_work *w)
{
    uint32_t a = hd_work_random(w) & 0x7f7f7f7f, b = hd_work_random(w) & 0x7f7f7f7f;

    return a + b;
}

static void run(struct hd_work *w)
{
    static const unsigned lengths[HD_WORK_SIZES] = {16384, 1u << 21, 1u << 24};
    static const unsigned grids[HD_WORK_SIZES] = {30, 120, 240};
    unsigned n = lengths[w->size], blocks = grids[w->size];
    uint32_t *words = hd_work_array(w, n, sizeof *words);
    unsigned *got = hd_work_array(w, BINS, sizeof *got);
    unsigned *expected = hd_work_array(w, BINS, sizeof *got);

    for (unsigned i = 0; i < n; i++)
        words[i] = random_bytes(w);
    CUdeviceptr d_words = hd_work_upload(w, words, n * sizeof *words);
    CUdeviceptr d_partial = hd_work_buffer(w, blocks * BINS * sizeof *got);
    CUdeviceptr d_total = hd_work_buffer(w, BINS * sizeof *got);
    struct hd_work_grid counting = {blocks, 1, THREADS, 1}, merging = {BINS, 1, MERGE_THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "histogram"), counting, &d_words, &n, &d_partial);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "merge"), merging, &d_partial, &blocks, &d_total);
    hd_work_read(w, got, d_total, BINS * sizeof *got);

    for (unsigned i = 0; i < n; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            expected[words[i] >> shift & 0xff]++;
    hd_work_same(w, "counts", got, expected, BINS);
}

const struct hd_workload hd_workload_histogram = {
    .name = "histogram",
    .brief = "histogram of bytes: atomics in shared memory, then a merge",
    .groups = "first8",
    .sizes = {"64 KiB", "8 MiB", "64 MiB"},
    .run = run,
};
