// profile.h - scheduler cycles by instruction: where a kernel's time goes, line by line.
//
// Every scheduler cycle is charged once: an issue to the instruction issued; a scoreboard or
// pipeline cycle to the head instruction of a warp, the first in the policy's order among those
// that made the class; an idle or inactive cycle to a pseudo-line. So the sum over lines of a class
// equals the stall counter of that class exactly.
#ifndef HEDDLE_PROFILE_H
#define HEDDLE_PROFILE_H

#include "heddle/policy.h"
#include "heddle/stats.h"

#include <stdbool.h>

// ELF's classes of a cycle without issue (heddle/stats.h), charged to the same line as the cycle.
enum hd_elf {
    HD_ELF_MEMORY_CONFLICT,
    HD_ELF_MEMORY_DEPENDENCY,
    HD_ELF_FETCH,
    HD_ELF_OTHER,
    HD_N_ELF
};

// The same cycles by two other rules, for those who read the paper otherwise. By the first, each
// lost cycle is in the class of the first live warp that does not wait at a barrier, fence or
// atomic, in the policy's order (`head`). The other rule divides it evenly among the classes of all
// live warps (`share`, in units of 1 / HD_ELF_SHARE). Only uint64_t.
#define HD_ELF_SHARE 720720u // divisible by any number of warps up to 16
struct hd_elf_rules {
    uint64_t head[HD_N_ELF], share[HD_N_ELF];
};

struct hd_profile_line {    // of one instruction
    uint64_t issued, lanes; // lanes after predication
    uint64_t scoreboard, pipeline;
    uint64_t elf[HD_N_ELF]; // the lost cycles again, by ELF's classes
};

// Idle cycles belong to no instruction. They are charged to the first of these reasons that holds
// for any live warp of the scheduler:
#define HD_PROFILE_IDLE(X)                                                                         \
    X(FETCH, "fetch", "waiting for fetch or an instruction line")                                  \
    X(BARRIER, "barrier", "waiting at a barrier")                                                  \
    X(MEMORY, "memory", "waiting for an atomic or at a memory fence")                              \
    X(ORDER, "order", "held back by the policy")                                                   \
    X(STORES, "stores", "ended warps waiting for their stores")                                    \
    X(EMPTY, "empty", "no warps")                                                                  \
    X(INACTIVE, "inactive", "SM without work")

enum hd_idle {
#define HD_PROFILE_IDLE_ENUM(id, name, text) HD_IDLE_##id,
    HD_PROFILE_IDLE(HD_PROFILE_IDLE_ENUM)
#undef HD_PROFILE_IDLE_ENUM
        HD_N_IDLE
};

struct hd_profile_sched { // the cycles of one scheduler, under the counters' names
#define HD_PROFILE_FIELD(name, unit, help) uint64_t name;
    HD_STALL_STATS(HD_PROFILE_FIELD)
    HD_ELF_STATS(HD_PROFILE_FIELD)
#undef HD_PROFILE_FIELD
};

// Counts that belong to no instruction. Only uint64_t, so that it can be added up as an array.
struct hd_profile_counts {
    uint64_t idle[HD_N_IDLE];
    uint64_t idle_elf[HD_N_IDLE][HD_N_ELF];
    struct hd_profile_sched sched[HD_MAX_SCHEDULERS]; // by number in its SM
};

struct hd_profile {                // of one program on one SM, or summed
    struct hd_profile_line *lines; // by PC
    uint32_t n;
    struct hd_profile_counts counts;
};

static inline void hd_profile_add(struct hd_profile_counts *to,
                                  const struct hd_profile_counts *from, bool minus)
{
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *one = (const uint64_t *)from;

    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] = minus ? sum[i] - one[i] : sum[i] + one[i];
}

static inline void hd_profile_add_line(struct hd_profile_line *to,
                                       const struct hd_profile_line *from)
{
    to->issued += from->issued;
    to->lanes += from->lanes;
    to->scoreboard += from->scoreboard;
    to->pipeline += from->pipeline;
    for (int e = 0; e < HD_N_ELF; e++)
        to->elf[e] += from->elf[e];
}

#endif
