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

enum hd_pressure_fold { // what becomes of an instruction's result in others
    HD_PRESSURE_RESULT, // a register of its own
    HD_PRESSURE_SAME,   // it is its only source: moves, extensions with zeros
    HD_PRESSURE_SCALED, // an index as 64-bit additions take it: mul.wide, cvt, shl by a constant
    HD_PRESSURE_OFFSET, // an address plus a constant
    HD_PRESSURE_ADD,    // an addition that scales
};

enum hd_pressure_work { // instructions that ptxas makes a sequence of, which needs registers
    HD_PRESSURE_SIMPLE,
    HD_PRESSURE_DIV32, // integers
    HD_PRESSURE_DIV64,
    HD_PRESSURE_DIV_F32,
    HD_PRESSURE_ROOT_F32, // also reciprocals that are rounded
    HD_PRESSURE_DIV_F64,
    HD_PRESSURE_ROOT_F64,
    HD_PRESSURE_CALL,
    HD_PRESSURE_N_WORKS
};

struct hd_pressure_insn {
    uint8_t kind;     // enum hd_pressure_kind
    uint8_t fold;     // enum hd_pressure_fold
    uint8_t work;     // enum hd_pressure_work
    bool step;        // an integer register plus or minus a constant, into the same register
    bool test;        // a comparison of integers, into a predicate
    bool nounroll;    // a loop that begins here is not unrolled
    bool uniform;     // integers: the same for all threads of a block if the sources are
    uint8_t space;    // of an access; HD_SPACE_GENERIC may be any
    bool read_only;   // a read that no write can change
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

// Registers per thread. `live` is what hd_live_find has found: the answer is made of it if the
// function is too large for anything better.
uint32_t hd_pressure_estimate(struct hd_arena *scratch, const struct hd_pressure *p, uint32_t live);

#endif
