// life.h - a policy that lives in a random world: its states, with guards around them, and what it
// has broken. The checks in contract.c and machinecheck.c are made of these calls.
#ifndef HEDDLE_CONTRACT_LIFE_H
#define HEDDLE_CONTRACT_LIFE_H

#include "contract/contract.h"
#include "heddle/policy_gpu.h"

struct world; // world.h

struct hd_life_state { // everything a policy may write: gpu, SM, schedulers, with guards around
                       // each
    char *bytes;
};

#define HD_LIFE_SLOTS 6 // of running kernels

struct hd_life {
    struct hd_contract *out;
    const struct hd_policy *policy;
    void *params, *params_before;
    size_t used; // bytes of a state
    struct hd_life_state state, before, copy, one_by_one, at_once, once, call;
    struct world *world, *seen;
    struct hd_kernel_view kernels[HD_LIFE_SLOTS]; // of the machine, by running slot
    uint64_t started[HD_LIFE_SLOTS];              // their blocks that have started
    uint32_t next_kernel;
    uint64_t seed, hash; // hash: of all answers
    bool look;           // compare the world around each call
    bool over;           // an invalid answer, after which the run cannot continue
};

void hd_life_new_states(struct hd_life *x, struct hd_arena *a); // all zero
struct hd_pstate hd_life_pstate(const struct hd_life *x, const struct hd_life_state *st, int s);
void hd_life_copy(const struct hd_life *x, struct hd_life_state *to,
                  const struct hd_life_state *from);
bool hd_life_same(const struct hd_life *x, const struct hd_life_state *a,
                  const struct hd_life_state *b);

// Called before and after each call of the policy. s: the scheduler that was called, HD_NONE: all
// may have been written.
void hd_life_enter(struct hd_life *x, const struct hd_life_state *st, const char *function);
void hd_life_leave(struct hd_life *x, const struct hd_life_state *st, int s);
// Notes an answer, if it is about the policy's own state and not about a copy.
void hd_life_mix(struct hd_life *x, const struct hd_life_state *st, uint64_t answer);

// The first violation of each rule is kept.
void hd_life_broken(struct hd_life *x, enum hd_contract_rule rule, const char *what);
// After x->before was made a copy of x->state and a pure function was called.
void hd_life_expect_pure(struct hd_life *x, const char *what);

static inline bool hd_life_among(uint64_t mask, int w)
{
    return w >= 0 && w < 64 && hd_has(mask, w);
}

#endif
