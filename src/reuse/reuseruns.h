// reuseruns.h - what a unit (a kernel, a block, a block's warps) has accessed: how often each line.
//
// A RUN is a line with the number of accesses to it. Runs of a unit are sorted by line, and of a
// block whose warps matter by (line, warp). They are gathered from sorted pieces: like a binary
// counter, two pieces of the same rank are merged into one of the next rank, so that n accesses
// cost n log n steps and no more memory than twice the runs.
#ifndef HEDDLE_REUSE_REUSERUNS_H
#define HEDDLE_REUSE_REUSERUNS_H

#include "reuse/reusestore.h"

#define HD_REUSERUNS_RANKS 40

struct hd_reuserun {
    uint32_t line;  // number of the line
    uint32_t warp;  // of its block; 0 where warps do not matter
    uint32_t count; // accesses
};

struct hd_reuseruns { // sorted, no two with the same line and warp
    struct hd_reuserun *runs;
    uint64_t n;
};

struct hd_reusegather { // pieces on their way to one unit's runs
    struct hd_reuseruns pieces[HD_REUSERUNS_RANKS];
};

// An access as a word that sorts by line and then by warp.
static inline uint64_t hd_reuseruns_word(uint32_t line, unsigned warp)
{
    return (uint64_t)line << 8 | warp;
}

// Sorts n words; `spare` has room for n. Returns where they stand: `words` or `spare`.
uint64_t *hd_reuseruns_sort(uint64_t *words, uint64_t *spare, uint32_t n);
// Adds accesses, in any order, as a piece. Both arrays are overwritten.
void hd_reuseruns_add(struct hd_reusestore *s, struct hd_reusegather *g, uint64_t *words,
                      uint64_t *spare, uint32_t n);
// Adds a copy of sorted runs.
void hd_reuseruns_add_runs(struct hd_reusestore *s, struct hd_reusegather *g,
                           const struct hd_reuseruns *from);
// Merges all pieces into one and empties the gathering.
struct hd_reuseruns hd_reuseruns_finish(struct hd_reusestore *s, struct hd_reusegather *g);
// The runs by line alone, whatever the warp: a copy.
struct hd_reuseruns hd_reuseruns_by_line(struct hd_reusestore *s, const struct hd_reuseruns *from);
uint64_t hd_reuseruns_size(const struct hd_reuseruns *r); // accesses of all runs
void hd_reuseruns_free(struct hd_reusestore *s, struct hd_reuseruns *r);
void hd_reuseruns_drop(struct hd_reusestore *s, struct hd_reusegather *g);

#endif
