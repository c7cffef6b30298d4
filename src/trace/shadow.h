// shadow.h - who touched each word of memory last: finds accesses whose order nothing decides.
//
// Two accesses of different warps to the same bytes, at least one of which writes, have a fixed
// order only if a barrier of the block or the end of the kernel lies between them. Anything else
// may come out otherwise under another warp scheduler, so that a value read, or one left behind,
// depends on time. Reductions that commute (integer sums and the like whose result nobody reads)
// may pass each other, but no reader and no plain store. So may plain stores of the same value:
// whichever comes last, it is there, and who reads it unordered conflicts all the same.
//
// The rule errs on the safe side: of fences, flags and barriers for part of a block it knows
// nothing.
//
// A word is four bytes; where narrower accesses occur, a page of it is kept by the byte. Memory of
// the host: 28 bytes for each word that a kernel has touched.
#ifndef HEDDLE_TRACE_SHADOW_H
#define HEDDLE_TRACE_SHADOW_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_shadow_kind { HD_SHADOW_READ, HD_SHADOW_WRITE, HD_SHADOW_REDUCE };

#define HD_SHADOW_WARPS ((UINT32_C(1) << 26) - 2) // that a launch may have
#define HD_SHADOW_LINES UINT16_MAX                // PCs from here on are forgotten

struct hd_shadow_access { // of one lane
    uint32_t warp;        // of the launch, from 0
    uint32_t warps_per_block;
    uint32_t epoch; // barriers of the block that the warp has passed
    uint32_t pc;
    enum hd_shadow_kind kind;
    unsigned reduction;   // REDUCE: 1 to 14, those that commute with each other have the same
    const uint8_t *value; // WRITE: the bytes stored, NULL if nobody knows
};

struct hd_shadow_conflict {
    uint32_t before_pc; // HD_SHADOW_LINES: forgotten
    bool before_writes, other_block;
};

struct hd_shadow;
// Of addresses below `bytes`; words beyond cannot be followed.
struct hd_shadow *hd_shadow_new(struct hd_arena *a, uint64_t bytes);
void hd_shadow_clear(struct hd_shadow *s); // nobody has touched anything
// Note an access. False if its order is not fixed: *out says against what. *out is not touched
// otherwise.
bool hd_shadow_touch(struct hd_shadow *s, uint64_t address, unsigned bytes,
                     const struct hd_shadow_access *by, struct hd_shadow_conflict *out);

#endif
