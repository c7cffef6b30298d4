// contract.h - checks whether a policy keeps the rules of heddle/policy.h.
//
// The policy runs through thousands of cycles of a random SM (world.h). In each of them it is
// called with random masks, twice, with copies of its state, with cycles in one call and one by
// one; what it must not write is compared. `make check` does this for every policy of heddle,
// 'heddle check-policy' for users' plug-ins, in a separate process (verdict.c).
#ifndef HEDDLE_CONTRACT_CONTRACT_H
#define HEDDLE_CONTRACT_CONTRACT_H

#include "base/arena.h"
#include "heddle/policy.h"

enum hd_contract_rule {
    HD_CONTRACT_CANDIDATES,
    HD_CONTRACT_ORDER,
    HD_CONTRACT_PURE,
    HD_CONTRACT_AGAIN,
    HD_CONTRACT_INSTANCES,
    HD_CONTRACT_STATE,
    HD_CONTRACT_VIEW,
    HD_CONTRACT_SKIP,
    HD_CONTRACT_WAKES,
    HD_CONTRACT_ELIGIBLE,
    HD_N_CONTRACT
};

struct hd_contract {
    const void *data;                  // hd_pstate.data; set by the caller
    const char *broken[HD_N_CONTRACT]; // how it was broken; NULL: no violation was seen
    char where[HD_N_CONTRACT][80];     // the function, the seed and the cycle
    const char *failure;               // the first of them
    const char *volatile doing;        // the function that is being called
    volatile uint64_t calls;
    uint64_t masks; // asked about
};

const char *hd_contract_title(enum hd_contract_rule rule);

// An error in the policy's table, NULL if there is none.
const char *hd_contract_tables(const struct hd_policy *p);

// One run in the world of that seed, added to *out.
void hd_contract_live(struct hd_contract *out, const struct hd_policy *p, const void *params,
                      uint64_t seed, unsigned n_cycles);
// The same run alone, and again next to another one: any difference is not in its state.
void hd_contract_interleave(struct hd_contract *out, const struct hd_policy *p, const void *params,
                            uint64_t seed, unsigned n_cycles);

#endif
