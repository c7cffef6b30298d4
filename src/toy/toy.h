// toy.h - policies on abstract warps: the small worked examples of the papers, cycle by cycle.
//
// One SM, or a few, with 1 to 4 schedulers runs thread blocks of warps; a warp runs a short program
// of abstract operations, each dependent on the one before. A policy sees the same interface as on
// the real SM (heddle/policy.h). There are no pipes to fill, lanes to diverge or registers;
// latencies are given.
//
// An operation issued in cycle t with latency n occupies cycles t .. t+n-1, and its warp's next one
// may issue in t+n. Cycles count from 1. `finish` is the last occupied cycle, `stalls` the
// scheduler cycles without issue up to it, so that issued + stalls = finish * schedulers.
//
// Examples are text files NAME.toy, looked for in the folder examples/toys/ beside the program or
// above it, or given by path; docs/toys.md describes them.
#ifndef HEDDLE_TOY_TOY_H
#define HEDDLE_TOY_TOY_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/points.h"
#include "registry/registry.h"

#include <stdio.h>

#define HD_TOY_SMS 8
#define HD_TOY_SLOTS 32
#define HD_TOY_KERNELS 64

enum hd_toy_kind {
    HD_TOY_COMPUTE,
    HD_TOY_LOAD,
    HD_TOY_STORE,
    HD_TOY_BARRIER,
    HD_TOY_BRANCH,
    HD_TOY_END,
    HD_TOY_LAUNCH,
};
struct hd_toy_op {
    char letter;  // as printed; a branch is 'b'
    uint8_t kind; // enum hd_toy_kind
    uint8_t lanes;
    bool has_line;
    uint32_t latency;
    uint32_t line, line_per_warp;
    uint32_t target; // PC; the kernel that is launched
    uint32_t trips;  // a branch falls through each trips-th time; 0 = never
};
struct hd_toy_program { // ops[first .. end)
    const char *name;
    uint32_t first, end;
};
struct hd_toy_warp {
    uint32_t pc, end; // start PC, end of its program
    uint32_t tb;
};
struct hd_toy_tb {
    uint32_t first_warp, n_warps, kernel;
};
struct hd_toy_kernel {
    const char *name;
    uint32_t *tbs, n_tbs; // its blocks, by index
    bool child, launches; // an operation launches it; an operation of its warps launches another
};
struct hd_toy {
    const char *name, *title, *source;
    struct hd_toy_op *ops;
    struct hd_toy_program *programs;
    struct hd_toy_warp *warps;
    struct hd_toy_tb *tbs;
    struct hd_toy_kernel *kernels;
    uint32_t n_kernels, sms, slots, launch;
    bool whole; // a machine: kernels or sms are given
    uint32_t n_ops, n_programs, n_warps, n_tbs, widest_tb;
    uint32_t schedulers, number, fetch, resident;
    uint32_t l1_sets, l1_ways, l1_hit; // sets 0: no L1
    uint64_t limit;
    // The columns a policy may ask for, by PC.
    uint8_t *kind, *load_distance, *recalc;
};

// Read an example by name or path, or from text. NULL with diagnostics if anything is wrong.
struct hd_toy *hd_toy_load(struct hd_arena *a, const char *name, struct hd_diag *d);
struct hd_toy *hd_toy_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                            struct hd_diag *d);

struct hd_toy_options {
    struct hd_policy_choice sched;
    struct hd_policy_choice fetch;             // .policy NULL: round robin
    bool no_skip;                              // step through every cycle; results are the same
    struct hd_policy_choice tb, kernel_policy; // .policy NULL: round robin
};
enum hd_toy_status { HD_TOY_DONE, HD_TOY_DEADLOCK, HD_TOY_LIMIT };
struct hd_toy_issue {
    uint64_t cycle, last; // last occupied cycle
    uint32_t warp, pc;    // warp of the example, from 0
    uint32_t sched;
};
struct hd_toy_result {
    enum hd_toy_status status;
    uint64_t finish, stalls;
    uint64_t idle, scoreboard, pipeline; // classes of the stalls
    uint64_t fetches, l1_hits, l1_misses;
    struct hd_toy_issue *issues;
    size_t n_issues;
    uint64_t *start;        // by warp: cycle before its first chance to issue
    uint32_t *sm;           // by warp: the SM that had it
    struct hd_pstate state; // of the scheduling policy, at the end; that of SM 0
};
void hd_toy_run(struct hd_arena *a, const struct hd_toy *toy, const struct hd_toy_options *o,
                struct hd_toy_result *r);

// The issue trace as text: "1:1L 2:2S ...", cycle : warp number, letter.
char *hd_toy_trace(struct hd_arena *a, const struct hd_toy *toy, const struct hd_toy_result *r);
// Warps as rows, cycles as columns: letter = issue, - = still occupied, . = could not or was not
// chosen to issue.
void hd_toy_timeline(FILE *to, const struct hd_toy *toy, const struct hd_toy_result *r);

// `heddle toy`: argv[0] is the example. Prints to stdout, errors to stderr, returns the exit code.
//   NAME|FILE.toy --sched LIST [--fetch NAME] [--tb NAME] [--kernel-policy NAME] [--plugin FILE.so]
//   [--trace] [--no-timeline] [--no-skip]
int hd_toy_main(int argc, char **argv);

#endif
