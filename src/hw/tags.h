// tags.h - the tag store of a set-associative cache.
//
// Invariants: a line is invalid, reserved (a fill is in flight, so it cannot be evicted), valid or
// dirty. A replacement policy (replace.h) chooses the line that a set gives up, and stores its data
// for a line in `rank`. Tags only: the emulator has the data.
#ifndef HEDDLE_HW_TAGS_H
#define HEDDLE_HW_TAGS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_tag_state { HD_LINE_INVALID, HD_LINE_RESERVED, HD_LINE_VALID, HD_LINE_DIRTY };
enum hd_tag_result {
    HD_TAG_HIT,
    HD_TAG_PENDING, // matches a reserved line
    HD_TAG_MISS,
};

struct hd_tag_line {
    uint64_t addr; // of the line
    uint64_t rank; // belongs to the replacement policy
    uint8_t state; // enum hd_tag_state
    uint8_t owner; // warp slot that filled it
    // Words that stores have written to this place, a bit for each 32nd part of a line. As in
    // GPGPU-Sim 4 nothing clears it.
    uint32_t written;
};

struct hd_tags {
    struct hd_tag_line *lines; // sets x ways
    uint32_t sets, ways, line_shift;
};

// `line` is a power of two, `sets` too.
void hd_tags_init(struct hd_tags *t, struct hd_arena *a, uint32_t sets, uint32_t ways,
                  uint32_t line);
static inline uint64_t hd_tags_line(const struct hd_tags *t, uint64_t addr)
{
    return addr >> t->line_shift << t->line_shift;
}
static inline uint32_t hd_tags_set(const struct hd_tags *t, uint64_t addr)
{
    return (uint32_t)(addr >> t->line_shift) & (t->sets - 1); // linear index
}
// Looks for the line of `addr` in set `set`; *index is the line found, and unchanged by a miss.
static inline enum hd_tag_result hd_tags_find(const struct hd_tags *t, uint32_t set, uint64_t addr,
                                              uint32_t *index)
{
    uint64_t line = hd_tags_line(t, addr);
    uint32_t first = set * t->ways;

    for (uint32_t i = first; i < first + t->ways; i++) {
        const struct hd_tag_line *l = &t->lines[i];
        if (l->addr == line && l->state != HD_LINE_INVALID) {
            *index = i;
            return l->state == HD_LINE_RESERVED ? HD_TAG_PENDING : HD_TAG_HIT;
        }
    }
    return HD_TAG_MISS;
}
// Whether every way of the set is reserved, so that it has no place for another line.
static inline bool hd_tags_blocked(const struct hd_tags *t, uint32_t set)
{
    uint32_t first = set * t->ways;

    for (uint32_t i = first; i < first + t->ways; i++)
        if (t->lines[i].state != HD_LINE_RESERVED)
            return false;
    return true;
}

#endif
