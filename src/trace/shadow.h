// shadow.h - the last accesses to each word of memory: finds accesses whose order is not fixed.
//
// Two accesses of different warps to the same bytes, at least one of which writes, have a fixed
// order only if a barrier of the block or the end of the kernel lies between them. Otherwise their
// order may differ under another warp scheduler, so that a value that is read or stored depends on
// time. Reductions that commute (integer sums and similar ones whose result is never read) may be
// reordered among each other, but not with reads and plain stores. So may plain stores of the same
// value: memory is the same whichever comes last, and an unordered read still conflicts.
//
// In doubt the order counts as not fixed: fences, flags and barriers for part of a block are
// ignored.
//
// A word has four bytes; a page with narrower accesses is kept by the byte. Cost in host memory: 28
// bytes for each word that a kernel has accessed.
#ifndef HEDDLE_TRACE_SHADOW_H
#define HEDDLE_TRACE_SHADOW_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_shadow_kind { HD_SHADOW_READ, HD_SHADOW_WRITE, HD_SHADOW_REDUCE };

#define HD_SHADOW_WARPS ((UINT32_C(1) << 26) - 2) // that a launch may have
#define HD_SHADOW_LINES UINT16_MAX                // PCs from here on are not stored

struct hd_shadow_access { // of one lane
    uint32_t warp;        // of the launch, from 0
    uint32_t warps_per_block;
    uint32_t epoch; // barriers of the block that the warp has passed
    uint32_t pc;
    enum hd_shadow_kind kind;
    unsigned reduction;   // REDUCE: 1 to 14, those that commute with each other have the same
    const uint8_t *value; // WRITE: the bytes stored, NULL if not known
};

struct hd_shadow_conflict {
    uint32_t before_pc; // HD_SHADOW_LINES: forgotten
    bool before_writes, other_block;
};

struct hd_shadow;
// For addresses below `bytes`; words beyond are not checked.
struct hd_shadow *hd_shadow_new(struct hd_arena *a, uint64_t bytes);
void hd_shadow_clear(struct hd_shadow *s); // removes all accesses
// Records an access. False if its order is not fixed: *out is the other access. *out does not
// change otherwise.
bool hd_shadow_touch(struct hd_shadow *s, uint64_t address, unsigned bytes,
                     const struct hd_shadow_access *by, struct hd_shadow_conflict *out);

#endif
