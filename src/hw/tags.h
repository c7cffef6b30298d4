// tags.h - the tag store of a set-associative cache with LRU replacement, as the reference has it.
//
// Invariants: a line is invalid, reserved (a fill is on its way; nobody may evict it), valid or
// dirty. The victim is the highest-numbered invalid way, else the least recently used way that is
// not reserved. No data here: values live in the emulator.
#ifndef HEDDLE_HW_TAGS_H
#define HEDDLE_HW_TAGS_H

#include "base/arena.h"

#include <stdint.h>

enum hd_tag_state { HD_LINE_INVALID, HD_LINE_RESERVED, HD_LINE_VALID, HD_LINE_DIRTY };
enum hd_tag_result {
    HD_TAG_HIT,
    HD_TAG_PENDING, // matches a reserved line
    HD_TAG_MISS,    // index is the victim
    HD_TAG_FULL,    // no match and every way is reserved
};

struct hd_tag_line {
    uint64_t addr;     // of the line
    uint64_t last_use; // cycle
    uint8_t state;     // enum hd_tag_state
    uint8_t owner;     // warp slot that filled it
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
// Look for the line of `addr` in set `set`; *index is the line found or the victim.
enum hd_tag_result hd_tags_probe(const struct hd_tags *t, uint32_t set, uint64_t addr,
                                 uint32_t *index);
static inline uint32_t hd_tags_set(const struct hd_tags *t, uint64_t addr)
{
    return (uint32_t)(addr >> t->line_shift) & (t->sets - 1); // linear index
}

#endif
