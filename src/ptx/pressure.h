// pressure.h - how many registers a compiler for the hardware would give a thread: an estimate.
#ifndef HEDDLE_PTX_PRESSURE_H
#define HEDDLE_PTX_PRESSURE_H

#include "ptx/flow.h"
#include "ptx/live.h"

enum hd_pressure_kind { // of an instruction, as far as others may change places with it
    HD_PRESSURE_PLAIN,
    HD_PRESSURE_READ,  // of memory that somebody may write
    HD_PRESSURE_WRITE, // also atomic operations
    HD_PRESSURE_FENCE, // barriers, calls: no access to memory passes them
    HD_PRESSURE_JUMP,
};

struct hd_pressure_insn {
    uint8_t kind;     // enum hd_pressure_kind
    uint8_t space;    // of an access; HD_SPACE_GENERIC may be any
    bool read_only;   // a read that no write can change
    bool nounroll;    // a loop that begins here stays as it is
    bool constant;    // the result is one if all sources are: a move, a parameter, ...
    uint32_t address; // register of an access, HD_FLOW_NONE: none
};

struct hd_pressure {
    const struct hd_flow *flow;
    const struct hd_live_ref *refs; // as for hd_live_find
    uint32_t n_refs;
    const uint8_t *words; // 32-bit registers of each register; 0 for predicates
    uint32_t n_regs;
    const struct hd_live_outs *outs;
    const struct hd_pressure_insn *insns;
};

// Registers per thread: at least `live`, what hd_live_find has found.
uint32_t hd_pressure_estimate(struct hd_arena *scratch, const struct hd_pressure *p, uint32_t live);

#endif
