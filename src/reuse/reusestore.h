// reusestore.h - pieces of memory that come and go while the analyser runs, under a limit.
//
// Unlike an arena, it takes pieces back: the runs of a family of kernels are freed as soon as the
// family is complete. Small pieces have sizes of powers of two and are kept for the next one of
// that size; large pieces go back to the system. The limit is only observed: the analyser asks
// after each growth, and drops a level of its analysis.
#ifndef HEDDLE_REUSE_REUSESTORE_H
#define HEDDLE_REUSE_REUSESTORE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_REUSESTORE_CLASSES 12 // 32 bytes to 64 KiB

struct hd_reusestore {
    struct hd_arena *arena;
    void *free[HD_REUSESTORE_CLASSES];
    uint64_t used, limit; // bytes handed out now, and how many there should be at most
    uint64_t most;        // greatest value of `used`
};

void hd_reusestore_init(struct hd_reusestore *s, uint64_t limit);
void hd_reusestore_end(struct hd_reusestore *s); // large pieces must have been put back
// Zeroed; NULL for no bytes.
void *hd_reusestore_get(struct hd_reusestore *s, uint64_t count, uint64_t size);
void hd_reusestore_put(struct hd_reusestore *s, void *piece, uint64_t count, uint64_t size);
// Makes room for `wanted` elements in a piece that has *cap.
void *hd_reusestore_grow(struct hd_reusestore *s, void *piece, uint64_t *cap, uint64_t wanted,
                         uint64_t size);

// Whether so many bytes more would stay below the limit.
static inline bool hd_reusestore_fits(const struct hd_reusestore *s, uint64_t bytes)
{
    return s->used <= s->limit && bytes <= s->limit - s->used;
}

#endif
