// host.c (byte_histograms) - how often bytes lie in each of 64 ranges, and have each of 256 values.
#include "workload/work.h"

#define FEW 64
#define MANY 256
#define PIECE 16         // bytes that a thread of histogram64 loads at once
#define THREAD_BYTES 240 // at most, since it counts in bytes
#define MANY_THREADS 192
#define MERGE_THREADS 256

// Count in `counting` by `blocks` blocks of `threads`, add up in `merging`; `n` elements of `data`.
static unsigned *count(struct hd_work *w, const char *const kernels[2], unsigned counters,
                       unsigned threads, unsigned blocks, CUdeviceptr data, unsigned n)
{
    size_t bytes = counters * sizeof(unsigned);
    unsigned *got = hd_work_array(w, counters, sizeof *got);

    CUdeviceptr partial = hd_work_buffer(w, blocks * bytes), total = hd_work_buffer(w, bytes);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, kernels[0]), ((struct hd_work_grid){blocks, 1, threads, 1}),
                   &data, &n, &partial);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, kernels[1]),
                   ((struct hd_work_grid){counters, 1, MERGE_THREADS, 1}), &partial, &blocks,
                   &total);
    hd_work_read(w, got, total, bytes);
    return got;
}

static void run(struct hd_work *w)
{
    static const unsigned lengths[HD_WORK_SIZES] = {32768, 3u << 20, 1u << 26};
    static const unsigned grids[HD_WORK_SIZES] = {15, 120, 240};
    unsigned bytes = lengths[w->size], few_blocks = (bytes - 1) / (FEW * THREAD_BYTES) + 1;
    uint32_t *words = hd_work_array(w, bytes / 4, sizeof *words);
    unsigned *few = hd_work_array(w, FEW, sizeof *few),
             *many = hd_work_array(w, MANY, sizeof *many);

    for (unsigned i = 0; i < bytes / 4; i++)
        words[i] = hd_work_random(w);
    CUdeviceptr data = hd_work_upload(w, words, bytes);
    unsigned *got_few = count(w, (const char *const[]){"histogram64", "merge64"}, FEW, FEW,
                              few_blocks, data, bytes / PIECE);
    unsigned *got_many = count(w, (const char *const[]){"histogram256", "merge256"}, MANY,
                               MANY_THREADS, grids[w->size], data, bytes / 4);

    for (unsigned i = 0; i < bytes / 4; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            many[words[i] >> shift & 0xff]++;
    for (unsigned i = 0; i < MANY; i++)
        few[i / 4] += many[i];
    hd_work_same(w, "ranges", got_few, few, FEW);
    hd_work_same(w, "values", got_many, many, MANY);
}

const struct hd_workload hd_workload_byte_histograms = {
    .name = "byte_histograms",
    .brief =
        "histograms of 64 and 256 counters: a thread's or a warp's own in shared memory, merges",
    .groups = "pro:histogram",
    .sizes = {"32 KiB", "3 MiB", "64 MiB"},
    .run = run,
};
