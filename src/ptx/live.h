// live.h - for which instructions a register must keep its storage, and how many registers a thread
// needs at once.
//
// lower.c enters every occurrence of a register as a struct hd_live_ref. hd_live_find computes
// ranges from them; hd_live_pack lets registers whose ranges do not overlap share rows. Nothing
// here depends on PTX.
#ifndef HEDDLE_PTX_LIVE_H
#define HEDDLE_PTX_LIVE_H

#include "ptx/flow.h"

enum hd_live_kind {
    HD_LIVE_USE,
    HD_LIVE_DEF,
    HD_LIVE_MAYBE, // a guarded definition: the old value may live on
};

struct hd_live_ref { // one occurrence of a register in an instruction
    uint32_t insn, reg;
    uint8_t kind; // enum hd_live_kind
};

struct hd_live_range {
    uint32_t first, last; // instructions, inclusive; first > last: the register does not occur
};

// Registers alive at the end of blocks, in any order. If there are too many, `full` is set and the
// list is cut.
struct hd_live_outs {
    struct {
        uint32_t block, reg;
    } * list;
    uint32_t n;
    size_t cap;
    bool full;
};
#define HD_LIVE_OUTS_MAX (UINT32_C(1) << 24)

// `refs` are in order of instructions, uses before definitions within one. words[r]: 32-bit
// registers that r stands for (0 for predicates), which only the pressure counts.
// Returns the largest number of words alive at any point between instructions; after[i] is what
// is alive after instruction i. *outs starts empty.
uint32_t hd_live_find(struct hd_arena *scratch, const struct hd_flow *f,
                      const struct hd_live_ref *refs, uint32_t n_refs, const uint8_t *words,
                      uint32_t n_regs, struct hd_live_range *ranges, uint32_t *after,
                      struct hd_live_outs *outs);

// Gives each register that occurs `width[r]` rows (0: not needed here; 2: the first is even) such
// that registers with overlapping ranges share none. row[r] is -1 for those without. Returns the
// number of rows.
uint32_t hd_live_pack(struct hd_arena *scratch, const struct hd_live_range *ranges,
                      const uint8_t *width, uint32_t n_regs, uint32_t n_insns, int32_t *row);

#endif
