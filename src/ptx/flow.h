// flow.h - control flow of one function: basic blocks, and where diverged lanes reconverge.
//
// The input is one step per instruction and does not depend on PTX. lower.c uses the result to give
// every branch its reconvergence point; live.c and pressure.c use it to find what is alive where.
#ifndef HEDDLE_PTX_FLOW_H
#define HEDDLE_PTX_FLOW_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_FLOW_NONE UINT32_MAX

enum hd_flow_kind { HD_FLOW_NEXT, HD_FLOW_JUMP, HD_FLOW_TABLE, HD_FLOW_END };

struct hd_flow_step { // one instruction as control flow sees it
    uint8_t kind;     // enum hd_flow_kind
    bool guarded;     // a jump or end with a guard may also continue with the next instruction
    uint32_t target;  // of a jump: instruction index
    const uint32_t *targets; // of a table: n_targets instruction indices
    uint32_t n_targets;
};

struct hd_flow {
    uint32_t n_insns, n_blocks;
    uint32_t *first;      // first instruction of each block; [n_blocks] = n_insns
    uint32_t *block_of;   // of each instruction
    uint32_t *succ_first; // succs[succ_first[b] .. succ_first[b + 1]): successors of block b, each
    uint32_t *succs;      // once; n_blocks is the exit
    uint32_t *pred_first; // preds[pred_first[b] .. pred_first[b + 1]): predecessors of block b,
    uint32_t *preds;      // and of the exit for b = n_blocks
    uint32_t *ipdom;      // immediate post-dominator: block, n_blocks for the exit, HD_FLOW_NONE if
                          // no path leads to the exit
};

// The last step must not continue with a next instruction, all targets must exist, and n >= 1.
struct hd_flow *hd_flow_build(struct hd_arena *a, const struct hd_flow_step *steps, uint32_t n);

// The instruction at which lanes that diverge at `insn` reconverge. HD_FLOW_NONE if they do so only
// at the end of the function, or never.
uint32_t hd_flow_reconvergence(const struct hd_flow *f, uint32_t insn);

#endif
