// profile.h - scheduler cycles by instruction: where a kernel's time goes, line by line.
//
// Every scheduler cycle is charged once: an issue to the instruction issued; a scoreboard or
// pipeline cycle to the instruction at the head of the warp that the policy would have served
// first among those that made the class; an idle or inactive cycle to a pseudo-line. So the sum
// over lines of a class equals the stall counter of that class, exactly.
#ifndef HEDDLE_PROFILE_H
#define HEDDLE_PROFILE_H

#include <stdint.h>

struct hd_profile_line {    // of one instruction
    uint64_t issued, lanes; // lanes after predication
    uint64_t scoreboard, pipeline;
};

// Idle cycles belong to no instruction. The first of these that holds for any live warp of the
// scheduler, in this order:
#define HD_PROFILE_IDLE(X)                                                                         \
    X(fetch, "waiting for fetch or an instruction line")                                           \
    X(barrier, "waiting at a barrier")                                                             \
    X(memory, "waiting for an atomic or at a memory fence")                                        \
    X(order, "held back by the policy")                                                            \
    X(stores, "ended warps waiting for their stores")                                              \
    X(empty, "no warps")                                                                           \
    X(inactive, "SM without work")

struct hd_profile_idle {
#define HD_PROFILE_FIELD(name, text) uint64_t name;
    HD_PROFILE_IDLE(HD_PROFILE_FIELD)
#undef HD_PROFILE_FIELD
};

struct hd_profile {                // of one program on one SM, or summed
    struct hd_profile_line *lines; // by PC
    uint32_t n;
    struct hd_profile_idle idle;
};

#endif
