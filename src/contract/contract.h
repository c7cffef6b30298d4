// contract.h - does a policy keep the promises of heddle/policy.h?
//
// It lives through thousands of cycles of a random SM (world.h); in each of them it is asked on
// random masks, twice, with copies of its state, with cycles in one call and one by one; what it
// must not write is compared. `make check` does so for every policy of heddle, 'heddle
// check-policy' for users' plug-ins, in a process of its own (verdict.c).
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
    const char *broken[HD_N_CONTRACT]; // how; NULL: kept, as far as was seen
    char where[HD_N_CONTRACT][80];     // the function, the seed and the cycle
    const char *failure;               // the first of them
    const char *volatile doing;        // the function that is being called
    volatile uint64_t calls;
    uint64_t masks; // asked about
};

const char *hd_contract_title(enum hd_contract_rule rule);

// A slip in the policy's table, NULL if there is none.
const char *hd_contract_tables(const struct hd_policy *p);

// One life in the world of that seed. *out is added to.
void hd_contract_live(struct hd_contract *out, const struct hd_policy *p, const void *params,
                      uint64_t seed, unsigned n_cycles);
// The same life alone, and again next to another one: what differs is not in its state.
void hd_contract_interleave(struct hd_contract *out, const struct hd_policy *p, const void *params,
                            uint64_t seed, unsigned n_cycles);

#endif
