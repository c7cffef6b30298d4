// policy.h - what a scheduling policy sees, answers and promises. The only header it includes.
//
// A policy is one file with one const table of functions, found by its name: put mine.c into
// src/policy/, run make, and `--sched mine` works. The same file compiles alone into a shared
// object (cc -shared -fPIC -Iinclude mine.c -o mine.so) for `--plugin ./mine.so`.
//
// THE SCHEDULER'S CYCLE. Each cycle, for each scheduler s of an SM, in index order:
//   begin(s, 1)
//   among = (issuable | wrong_path) & eligible(s)
//   while among: w = first(s, among)
//       wrong path: the core flushes w's buffer (free of charge), drops it from among, repeats
//       else issue w; break
//   end(s, 1, outcome, visited)
// where `issuable` are this scheduler's warps whose head instruction could go now (buffer full, not
// waiting, scoreboard and pipe register free), which the core computes; a waiting warp is never
// among. Why not a sorted list: it is ten times slower and most of it is thrown away. Why not "pick
// one of a ready mask": a warp on a wrong path is only discovered when the walk reaches it, so the
// order matters beyond the pick.
//
// Functions are called only when there is something to decide: a policy with `first` alone costs
// one call per issued instruction. Every function may be NULL; the baseline then applies. The
// functions of a scheduler's cycle are called for the policy in the warp scheduling slot only. When
// a policy fills several slots with the same parameters (--sched elf --fetch elf) it is one policy
// with one state; a policy that fills the fetch slot alone lives from its events.
//
// EVENTS are told when they happen, to every slot's policy; the view shows the SM after the event.
// One issued instruction tells, in this order: ISSUE; then BAR_ARRIVE or WARP_EXIT if it was a
// barrier or ended the warp; then BAR_RELEASE if that opened the barrier. A new block tells
// TB_START, then WARP_START for each of its warps. A cache miss that displaces a line tells
// L1_EVICT, then L1_READ. The scheduler with the next index sees all of it in the same cycle.
//
// STATE. The core hands out flat zeroed bytes: one piece per machine, per SM, per scheduler. No
// pointers inside, no globals, no clock, no rand(): state must be copyable and comparable, and a
// copy must give the same answers. All-zero must be the right start; what needs other initial
// values takes them at HD_EV_KERNEL_START of launch 0 or stores them shifted by one. The state
// lives as long as the machine: a policy that shall forget the last kernel does so at its end.
//
// PURE means: leaves all state bytes as they were.
//
// TIME. The core skips cycles in which nothing can happen. Whatever a policy changes by time alone
// goes into begin or end, which are told n such cycles at once; the result must be that of n times
// begin(1), end(1). view->cycle is then the first of the n.
// After the end of cycle c the core may ask wakes(): the first cycle k > c that must not be skipped
// for the policy's sake, because begin must fall exactly on it, or because in k (after its begin),
// as against what eligible() answers now, without any event,
//   eligible & hd_ready(view) is another set, or
//   eligible & hd_valid(view) turns from empty to non-empty or back (stall classes depend on it).
// Too early an answer costs time, too late a one is a bug. The core skips cycles c+1 .. k-1 only if
// no warp of eligible() now, at the end of c, is issuable or on a wrong path.
//
// FILTERS. What eligible() answers changes with the policy's own state, with time as wakes() says,
// and with the warps: the masks of the view and its columns by warp and block. It must not depend
// on last_fetch, imiss, l1d_mshr, l1i_mshr and mem_saturated directly: after a cycle without issue
// it is not asked again before something else has changed. A policy that lives from those reads
// them in begin(); one that has a begin() is asked in every cycle.
//
// The contract is checked by machine for every policy of heddle (tests/policy/test_contract.c), for
// others by 'heddle check-policy FILE.so':
//   first, eligible, wakes, fetch leave state unchanged; first(m) is in m; it is an order:
//   first(m1|m2) in m1 implies it equals first(m1); the same for fetch; eligible(s) holds slots of
//   s only; begin(n), end(n) equal n times begin(1), end(1), byte for byte; copied state gives the
//   same answers, also beside another copy that lives on its own; nothing else is written: no byte
//   beside the state, no other scheduler's, not the view; wakes() is not too late.
#ifndef HEDDLE_POLICY_H
#define HEDDLE_POLICY_H

#include "heddle/bits.h"
#include "heddle/field.h"

#define HD_POLICY_ABI 1 // counts up when a compiled plug-in would no longer work
#define HD_MAX_SCHEDULERS 4

enum hd_event_kind {
    HD_EV_KERNEL_START, // kernel = launch id; told to every SM's policy before its first block
    HD_EV_KERNEL_END,
    HD_EV_TB_START,     // tb; its warps follow as WARP_START; the view shows them all already
    HD_EV_TB_END,       // tb: all its warps reclaimed
    HD_EV_PHASE_SLOW,   // the last block of this SM's kernel has been handed out, anywhere
    HD_EV_WARP_START,   // warp, pc
    HD_EV_WARP_EXIT,    // warp, tb: its last lane ended; its results may still be in flight
    HD_EV_BAR_ARRIVE,   // warp, tb, sched; at_barrier counts it, also when it opens the barrier
    HD_EV_BAR_RELEASE,  // tb: its barrier opened
    HD_EV_ISSUE,        // warp, pc, next_pc (UINT32_MAX: ended), lanes (after predication), flags
    HD_EV_PC_JUMP,      // warp, pc -> next_pc without a branch: a pop of the SIMT stack
    HD_EV_LOAD_DONE,    // warp: a load's last register was released
    HD_EV_L1_READ,      // warp, line, flags = enum hd_l1_outcome, kernel
    HD_EV_L1_WRITE,     // warp, line
    HD_EV_L1_EVICT,     // warp = whose miss, line = evicted line, owner = who had filled it
    HD_EV_CHILD_LAUNCH, // warp, kernel = the child
    HD_N_EVENTS
};
#define HD_ON(kind) (1u << (kind)) // one bit of hd_policy.events

// hd_event.flags of HD_EV_ISSUE
#define HD_ISSUE_TAKEN 0x01
#define HD_ISSUE_DIVERGENT 0x02 // next_pc says which path the warp follows first
enum hd_l1_outcome { HD_L1_HIT, HD_L1_MISS, HD_L1_PENDING };

struct hd_event {
    uint8_t kind;  // enum hd_event_kind
    uint8_t sched; // scheduler that owns the warp
    uint8_t warp, tb;
    uint32_t pc, next_pc, lanes, flags;
    uint64_t line;   // byte address of a cache line
    uint32_t owner;  // warp slot
    uint32_t kernel; // launch id
};

// One resident thread block. Valid where bit slot of hd_view.tb_live is set.
struct hd_tb_view {
    uint64_t warps;                    // its warp slots
    uint64_t progress;                 // active lanes issued so far, summed over its warps
    uint32_t global_id;                // linear block index in its grid
    uint32_t kernel;                   // launch id
    uint32_t parent_kernel, parent_tb; // of a child launch; UINT32_MAX otherwise
    uint8_t n_warps, at_barrier, finished;
    uint8_t pad;
};

// What the compiler knows about each instruction, as columns by PC. A column may be NULL when no
// selected policy asked for it (hd_policy.needs).
struct hd_static_view {
    uint32_t n;                   // instructions
    const uint8_t *kind;          // enum hd_static_kind
    const uint8_t *load_distance; // instructions to the nearest load ahead, 255 = none (ELF 4.2)
    const uint8_t *recalc; // 1: look up the distance again when this branch is taken; 0: when not
    const uint16_t *loop;  // innermost loop id, 0 = none
};
enum hd_static_kind {
    HD_STATIC_OTHER,
    HD_STATIC_LOAD, // may leave the SM: global, local, texture; atomics that return a value too
    HD_STATIC_STORE,
    HD_STATIC_BRANCH,
};

// hd_policy.needs: what costs time and is only computed when asked for.
#define HD_NEED_LOAD_DISTANCE 0x01 // load_distance and recalc columns
#define HD_NEED_LOOPS 0x02         // loop column
#define HD_NEED_VISITED 0x04       // the argument `visited` of end()
// No need, but a promise: end() may miss lost cycles that repeat the one before (the same outcome,
// the same warps visited, no event in between); one told is as good as n. Only without begin().
#define HD_LOST_ONCE 0x10
// No cost, but a wish: --sched NAME alone fills the fetch slot too, --fetch still wins (a preset).
#define HD_NEED_FETCH_SLOT 0x08

// One SM, read-only. Bit w of a mask is warp slot w. The core changes a mask only where the fact
// changes; the second scheduler of a cycle sees what the first one did.
struct hd_view {
    uint64_t cycle;
    uint64_t mine[HD_MAX_SCHEDULERS]; // slots of scheduler s, dead slots included
    uint64_t live;                    // holds a warp that has not ended
    // Ended or empty | at a barrier | memory fence | atomic in flight | asynchronous copies, or the
    // phase of an mbarrier | the end of kernels that its block has launched.
    uint64_t waiting;
    uint64_t at_barrier;
    uint64_t ibuf_empty; // no instruction buffered
    uint64_t imiss;      // waits for an instruction-cache miss
    uint64_t wrong_path; // buffered head is not where the warp's stack is
    uint64_t sb_block;   // the scoreboard refuses the head
    uint64_t long_mark;  // a scalar source of the head carries the long-operation mark
    uint64_t head_load, head_store, head_atomic;
    uint64_t head_offchip;    // head may leave the SM: global, local or texture access
    const uint32_t *pc;       // next PC to issue, with an empty buffer too; UINT32_MAX: ended
    const uint32_t *age;      // dynamic warp id of this SM: unique, smaller = older
    const uint64_t *progress; // active lanes issued so far, per warp
    const uint8_t *tb_of;     // TB slot of a warp slot
    const struct hd_tb_view *tbs;
    uint64_t tb_live;            // occupied TB slots
    uint32_t tbs_pending;        // blocks of this SM's kernel not yet handed out, machine-wide
    uint32_t kernel;             // launch id this SM is bound to
    uint16_t l1d_mshr, l1i_mshr; // miss entries in use
    uint8_t mem_saturated;       // the load/store unit was refused by the L1 in the last cycle
    uint8_t tb_max;              // resident blocks the kernel's resources allow
    uint8_t n_sched;
    uint8_t n_warps; // warp slots of this SM
    const struct hd_static_view *prog;
    int8_t last_fetch; // slot the front end served last; round robin goes on behind it
};

struct hd_kernel_view { // a kernel that holds a running slot
    uint32_t id, stream, tbs, tbs_started, tbs_done;
    uint32_t parent_kernel, parent_tb;
    uint64_t start_cycle;
};
struct hd_gpu_view {
    uint64_t cycle;
    uint32_t n_sms;
    const struct hd_view *const *sms;
    const struct hd_kernel_view *kernels; // by running slot
    uint64_t running;                     // occupied running slots
    uint32_t last_sm;                     // SM that received the last block
    int32_t last_kernel;                  // running slot chosen last, HD_NONE at first
};

// Warps with an instruction to look at, as the stall classes count them.
static inline uint64_t hd_valid(const struct hd_view *v)
{
    return v->live & ~v->waiting & ~v->ibuf_empty;
}

// Of those, the ones whose pipe alone decides: a superset of what the core calls issuable or on a
// wrong path.
static inline uint64_t hd_ready(const struct hd_view *v)
{
    return hd_valid(v) & (v->wrong_path | ~v->sb_block);
}

// A policy's memory. sched is that of the scheduler asked; in on() and the SM-wide functions it is
// the array of all schedulers of the SM.
struct hd_pstate {
    void *gpu, *sm, *sched;
    const void *params;
};

// What a scheduler's cycle came to.
enum hd_outcome {
    HD_ISSUED,
    HD_STALL_IDLE,       // no visited warp had a valid instruction
    HD_STALL_SCOREBOARD, // valid, none ready
    HD_STALL_PIPELINE,   // ready, none issued
};
#define HD_OUTCOME_CLASS 0x0f           // enum hd_outcome; the rest are flags
#define HD_OUTCOME_ALL_WAIT_MEMORY 0x80 // every live warp waits for memory

// Storage the mechanism would take in hardware, for `heddle explain`: bits per unit.
struct hd_cost {
    const char *what; // NULL ends the table
    uint32_t per_warp, per_tb, per_scheduler, per_sm, per_gpu;
};
#define HD_COST_END                                                                                \
    {                                                                                              \
        NULL, 0, 0, 0, 0, 0                                                                        \
    }

struct hd_policy {
    uint32_t abi;       // HD_POLICY_ABI
    uint32_t events;    // HD_ON(kind) | ...: events wanted; the others cost nothing
    uint32_t needs;     // HD_NEED_*: static columns wanted
    const char *name;   // as on the command line
    const char *brief;  // one line
    const char *source; // paper, section; what differs or is a reconstruction
    size_t params_bytes, gpu_bytes, sm_bytes, sched_bytes;
    const struct hd_field *params;      // into params_bytes; values are checked before the start
    const struct hd_field *counters;    // uint64_t fields of the per-scheduler state
    const struct hd_field *sm_counters; // uint64_t fields of the per-SM state
    const struct hd_cost *cost;

    // Start of a scheduler's cycle. n > 1: n such cycles without issue or event, told at once.
    void (*begin)(struct hd_pstate, const struct hd_view *, int s, uint64_t n);
    // Pure. Warps the scheduler visits at all this cycle; only they count in stall classes.
    uint64_t (*eligible)(struct hd_pstate, const struct hd_view *, int s);
    // Pure. The first warp of the order among a non-empty mask; it may hold any of the scheduler's
    // slots, with empty buffers too. The whole order is repeated calls.
    int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among);
    // End of the same cycle(s): outcome is enum hd_outcome with flags. visited (if asked for in
    // needs): the eligible warps up to and including the one issued, all of a lost cycle's.
    void (*end)(struct hd_pstate, const struct hd_view *, int s, uint64_t n, unsigned outcome,
                uint64_t visited);
    // Pure. The next cycle that must not be skipped, UINT64_MAX = none. See TIME above.
    uint64_t (*wakes)(struct hd_pstate, const struct hd_view *, int s);
    void (*on)(struct hd_pstate, const struct hd_view *, const struct hd_event *);
    // Pure. Fetch order among the warps the front end may fetch for or reclaim, after this cycle's
    // issue; some may wait at a barrier. NULL: round robin. See hd_follow.
    int (*fetch)(struct hd_pstate, const struct hd_view *, uint64_t among);
    unsigned (*tb_limit)(struct hd_pstate, const struct hd_view *); // resident TBs wanted now
    // Which SM gets the next block of the kernel in `slot` (HD_NONE: none now); bit i of the set
    // `room`, 64 SMs to a word, says SM i could take it. Which running slot is served next. Both
    // are asked between cycles, and may write their own state.
    int (*place)(struct hd_pstate, const struct hd_gpu_view *, int slot, const uint64_t *room);
    int (*next_kernel)(struct hd_pstate, const struct hd_gpu_view *, uint64_t runnable);
    // The policy's events of all SMs, told behind the SM's own policies, in (cycle, SM) order. Only
    // .gpu and .params of the state are there: what place and next_kernel live from.
    void (*on_gpu)(struct hd_pstate, const struct hd_gpu_view *, const struct hd_event *, int sm);
};

// State piece, a struct `type`, of scheduler s when .sched is the array (in on, fetch and the other
// SM-wide calls).
#define HD_SCHED_STATE(st, type, s) ((struct type *)(st).sched + (s))

// For fetch functions: serve the warps the schedulers want, in their orders interleaved: the first
// of scheduler `lead`, the first of the next one, ..., the second of `lead`, ... Returns the first
// warp of that order that is in `among`. `first` is the policy's own; st.sched is the array of all
// schedulers, size the bytes of one scheduler's state. Waiting warps that are not among have no
// place in the orders. Ended warps among them come first: to reclaim one costs no fetch.
int hd_follow(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
              struct hd_pstate st, size_t size, const struct hd_view *v, int lead, uint64_t among);
// The same, faster: `ahead` says how many warps of a set come before warp w, which is not in the
// set, in the order of scheduler s.
int hd_follow_ahead(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
                    unsigned (*ahead)(struct hd_pstate, const struct hd_view *, int s, uint64_t set,
                                      int w),
                    struct hd_pstate st, size_t size, const struct hd_view *v, int lead,
                    uint64_t among);

// Registration: the last line of a policy file. `id` is the file's name and the policy's name with
// '-' written as '_'. In the heddle tree the file becomes part of the program; elsewhere the
// second symbol lets --plugin find it.
#ifdef HD_IN_TREE
#define HD_POLICY(id, ...)                                                                         \
    extern const struct hd_policy hd_policy_##id;                                                  \
    const struct hd_policy hd_policy_##id = {.abi = HD_POLICY_ABI, .name = #id, __VA_ARGS__}
#else
#define HD_POLICY(id, ...)                                                                         \
    extern const struct hd_policy hd_policy_##id, *const hd_plugin;                                \
    const struct hd_policy hd_policy_##id = {.abi = HD_POLICY_ABI, .name = #id, __VA_ARGS__};      \
    const struct hd_policy *const hd_plugin = &hd_policy_##id
#endif

#endif
