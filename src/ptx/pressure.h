// pressure.h - an estimate of the registers per thread that a compiler for the hardware would
// allocate.
//
// Occupancy depends on that number, and PTX does not contain it. lower.c describes each instruction
// by a struct hd_pressure_insn, which says what ptxas may do with it; pressure.c and unroll.c do
// not depend on PTX. The estimate is deterministic and uses only the function itself.
#ifndef HEDDLE_PTX_PRESSURE_H
#define HEDDLE_PTX_PRESSURE_H

#include "ptx/flow.h"
#include "ptx/live.h"

enum hd_pressure_kind { // what limits the order of instructions
    HD_PRESSURE_PLAIN,
    HD_PRESSURE_READ,  // of memory that may be written
    HD_PRESSURE_WRITE, // also atomic operations
    HD_PRESSURE_FENCE, // barriers, calls: no access to memory passes them
    HD_PRESSURE_JUMP,
};

enum hd_pressure_fold { // how the result is used by other instructions
    HD_PRESSURE_RESULT, // a register of its own
    HD_PRESSURE_SAME,   // the same register as the only source: moves, extensions with zeros
    HD_PRESSURE_SCALED, // part of a 64-bit addition: an index after mul.wide, cvt or shl by a
                        // constant
    HD_PRESSURE_OFFSET, // an address plus a constant
    HD_PRESSURE_ADD,    // an addition that scales
};

enum hd_pressure_work { // instructions that ptxas replaces by sequences, which need registers
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
    bool uniform;     // an integer that is the same for all threads of a block if the sources are
    uint8_t space;    // of an access; HD_SPACE_GENERIC may be any space
    bool read_only;   // a read that no write can change
    bool constant;    // the result is one if all sources are: a move, a parameter, ...
    uint32_t address; // address register of an access, or HD_FLOW_NONE
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

// Registers per thread. `live` is the result of hd_live_find, which is used if the function is too
// large for the better estimate.
uint32_t hd_pressure_estimate(struct hd_arena *scratch, const struct hd_pressure *p, uint32_t live);

#endif
