// scan.h - launches of the kernels of prefix_sums.h. Included by host code.
#ifndef HEDDLE_WORKLOADS_SCAN_H
#define HEDDLE_WORKLOADS_SCAN_H

#include "workload/work.h"

#define SCAN_THREADS 256 // as in prefix_sums.h
#define SCAN_PIECE (2 * SCAN_THREADS)
#define SCAN_LEVELS 3 // enough for SCAN_PIECE ^ 3 numbers

struct scan {
    CUdeviceptr sums[SCAN_LEVELS]; // of the pieces, of the pieces of these, ...
};

static inline unsigned scan_blocks(unsigned n)
{
    return (n + SCAN_PIECE - 1) / SCAN_PIECE;
}

// For at most n numbers.
static inline struct scan scan_make(struct hd_work *w, unsigned n)
{
    struct scan s;

    for (unsigned level = 0; level < SCAN_LEVELS; level++) {
        n = scan_blocks(n);
        s.sums[level] = hd_work_buffer(w, n * sizeof(unsigned));
    }
    return s;
}

// to[i]: the sum of from[0] to from[i - 1]. `to` may be `from`.
static inline void scan_run(struct hd_work *w, struct scan *s, CUdeviceptr to, CUdeviceptr from,
                            unsigned n)
{
    CUdeviceptr at[SCAN_LEVELS] = {to, s->sums[0], s->sums[1]};
    unsigned length[SCAN_LEVELS], level = 0;
    CUfunction pieces = hd_work_kernel(w, "scan_pieces"), add = hd_work_kernel(w, "add_sums");

    for (;; level++) {
        length[level] = n;
        HD_WORK_LAUNCH(w, pieces, ((struct hd_work_grid){scan_blocks(n), 1, SCAN_THREADS, 1}),
                       &at[level], &s->sums[level], &from, &n);
        n = scan_blocks(n);
        if (n == 1)
            break;
        from = s->sums[level];
    }
    while (level-- > 0)
        HD_WORK_LAUNCH(w, add,
                       ((struct hd_work_grid){scan_blocks(length[level]), 1, SCAN_THREADS, 1}),
                       &at[level], &s->sums[level], &length[level]);
}

#endif
