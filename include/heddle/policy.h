// policy.h - what a scheduling policy sees, what it answers and what it must guarantee. A policy
// needs no other header.
//
// A policy is one file that defines one const table of functions; its name is the file's name. Put
// mine.c into src/policy/, run make, and `--sched mine` works. The same file can be compiled by
// itself into a shared object (cc -shared -fPIC -Iinclude mine.c -o mine.so) for `--plugin
// ./mine.so`.
//
// START HERE: read hd_policy.first, hd_policy.on and struct hd_view. A policy with the flag
// HD_EVERY_CYCLE may ignore everything below about time, skipping and wakes(): the run is slower
// and gives the same results. policy_gpu.h has what only policies of the whole machine need: where
// blocks go, which kernel is served, and fetch orders derived from scheduling orders.
//
// THE SCHEDULER'S CYCLE. In each cycle, for each scheduler s of an SM, in the order of their
// numbers (with sm.issue_rotates, another scheduler comes first in each cycle, and the others
// follow it in turn):
//   begin(s, 1)
//   among = (issuable | wrong_path) & eligible(s)
//   while among: w = first(s, among)
//       if w is on a wrong path: the core flushes w's buffer (free of charge), removes w from among
//       and asks again; otherwise it issues w and stops
//   end(s, 1, outcome, visited)
// where `issuable` are the warps of this scheduler whose head instruction could issue now (it is
// buffered, the warp is not waiting, the scoreboard and the pipe's register are free). The core
// computes this set; a waiting warp is never in it. The policy does not return a sorted list,
// because sorting took ten times as long and most of the list was not used. It does not just pick
// one warp of a ready mask either: a warp on a wrong path is only discovered when the core reaches
// it, so the order matters even for warps that do not issue.
//
// Functions are called only when there is something to decide: a policy that has only `first` costs
// one call per issued instruction. Every function may be NULL; the baseline then applies. The
// functions of a scheduler's cycle are called only for the policy in the warp scheduling slot. A
// policy that fills several slots with the same parameters (--sched elf --fetch elf) is one policy
// with one state. A policy that fills only the fetch slot has only its events and the view.
//
// EVENTS are reported when they happen, to the policy of every slot; the view shows the SM after
// the event. One issued instruction reports, in this order: ISSUE; then BAR_ARRIVE or WARP_EXIT if
// it was a barrier or ended the warp; then BAR_RELEASE if that opened the barrier. A new block
// reports TB_START, then WARP_START for each of its warps. A cache miss that displaces a line
// reports L1_EVICT, then L1_READ. The scheduler that comes next sees all of it in the same cycle.
//
// STATE. The core provides zeroed bytes without structure: one piece per machine, per SM, per
// scheduler. A policy has no pointers in its state, no globals, no clock and no rand(): state must
// be copyable and comparable, and a copy must give the same answers. All zeros must be the right
// start; a policy that needs other initial values sets them at HD_EV_KERNEL_START of launch 0 or
// stores them shifted by one. The state lives as long as the machine: a policy that must forget the
// last kernel does so when that kernel ends.
//
// PURE means that a function leaves all state bytes as they were.
//
// TIME. The core skips cycles in which nothing can happen. Whatever a policy changes only because
// time passes belongs in begin or end, which receive n such cycles at once. The result must be that
// of n times begin(1), end(1). view->cycle is then the first of the n.
//
// After the end of cycle c the core may call wakes() for the first cycle k > c that the policy does
// not allow it to skip. There are two reasons for such a cycle: begin must be called exactly in it;
// or in k (after its begin), compared with what eligible() answers now and without any event,
//   eligible & hd_ready(view) is another set, or
//   eligible & hd_valid(view) turns from empty to non-empty or back (stall classes depend on it).
// An answer that is too early costs time, one that is too late is a bug. The core skips the cycles
// c+1 .. k-1 only if no warp of eligible() now, at the end of c, is issuable or on a wrong path.
// first and fetch may look at view->cycle all the same: they are asked only in cycles that the core
// steps.
// A policy with HD_EVERY_CYCLE has no wakes(): no cycle of an SM with work is skipped for it, and
// its begin and end are always called with n = 1. One with HD_LOST_SINGLY has no wakes() either:
// the core skips cycles in which no warp that the policy lets in can issue or be flushed, and later
// calls begin, eligible and end for each of them, with n = 1.
//
// FILTERS. The answer of eligible() may change with the policy's own state, with time as wakes()
// answers, and with the warps: the masks of the view, its columns by warp and block, and
// last_issued. It must not depend directly on last_fetch, imiss, l1d_mshr, l1i_mshr and
// mem_saturated, because after a cycle without issue it is not called again before something else
// has changed. A policy that needs those values reads them in begin(): a policy with begin(), or
// with HD_EVERY_CYCLE, is called in every cycle.
//
// heddle checks this contract for each of its own policies (tests/policy/test_contract.c), and for
// others with 'heddle check-policy FILE.so':
// - first, eligible, wakes and fetch leave the state unchanged;
// - first(m) is in m, and it is an order: if first(m1|m2) is in m1, it equals first(m1); the same
//   holds for fetch;
// - eligible(s) contains only slots of s;
// - begin(n), end(n) equal n times begin(1), end(1), byte for byte;
// - a copied state gives the same answers, also next to another copy that changes independently;
// - nothing else is written: no byte outside the state, no other scheduler's state, not the view;
// - wakes() is not too late.
#ifndef HEDDLE_POLICY_H
#define HEDDLE_POLICY_H

#include "heddle/bits.h"
#include "heddle/field.h"

#define HD_POLICY_ABI 3 // increases when a plug-in must be compiled again
#define HD_MAX_SCHEDULERS 4

// A plug-in knows these by number: a new kind goes to the end, before HD_N_EVENTS.
enum hd_event_kind {
    HD_EV_KERNEL_START, // kernel = launch id; reported on every SM before its first block
    HD_EV_KERNEL_END,
    HD_EV_TB_START,     // tb; its warps follow as WARP_START; the view shows them all already
    HD_EV_TB_END,       // tb: all its warps reclaimed
    HD_EV_PHASE_SLOW,   // the last block of this SM's kernel was given to some SM
    HD_EV_WARP_START,   // warp, pc
    HD_EV_WARP_EXIT,    // warp, tb: its last lane ended; its results may still be in flight
    HD_EV_BAR_ARRIVE,   // warp, tb, sched; at_barrier counts it, also when it opens the barrier
    HD_EV_BAR_RELEASE,  // tb: its barrier opened
    HD_EV_ISSUE,        // warp, pc, next_pc (UINT32_MAX: ended), lanes (after predication), flags
    HD_EV_PC_JUMP,      // warp, pc -> next_pc without a branch: a pop of the SIMT stack
    HD_EV_LOAD_DONE,    // warp: a load's last register was released
    HD_EV_L1_READ,      // warp, line, flags = enum hd_l1_outcome, kernel
    HD_EV_L1_WRITE,     // warp, line
    HD_EV_L1_EVICT,     // warp = that of the miss, line = evicted line, owner = warp that filled it
    HD_EV_CHILD_LAUNCH, // warp, kernel = the child
    // warp, tb, line of 128 bytes, flags = HD_ACCESS_*, kernel of the block: the load/store unit
    // sent an access to global or local memory, to any cache or past all of them. With
    // sm.segment = 32, one event for all sectors of a line, when the last of them is sent
    HD_EV_ACCESS,
    // kernel, flags = HD_KERNEL_PARENT: its blocks and all that it launched have ended; for one
    // that launched nothing, right after HD_EV_KERNEL_END
    HD_EV_KERNEL_COMPLETE,
    HD_N_EVENTS
};
#define HD_ON(kind) (1u << (kind)) // one bit of hd_policy.events

// hd_event.flags of HD_EV_ISSUE
#define HD_ISSUE_TAKEN 0x01
#define HD_ISSUE_DIVERGENT 0x02 // next_pc says which path the warp follows first
// hd_event.flags of HD_EV_KERNEL_COMPLETE
#define HD_KERNEL_PARENT 0x01 // it has launched kernels
// hd_event.flags of HD_EV_ACCESS; neither of the first two: a load
#define HD_ACCESS_STORE 0x01
#define HD_ACCESS_ATOMIC 0x02
#define HD_ACCESS_LOCAL 0x04 // to local memory, whose addresses belong to the block's slot
enum hd_l1_outcome { HD_L1_HIT, HD_L1_MISS, HD_L1_PENDING };

// When a kernel that a kernel has launched is marked again (hd_policy.remark).
enum hd_mark_time { HD_MARK_READY, HD_MARK_SLOT };

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
    uint64_t warps;                    // mask of its warp slots
    uint64_t progress;                 // active lanes issued so far, summed over its warps
    uint32_t global_id;                // linear block index in its grid
    uint32_t kernel;                   // launch id
    uint32_t parent_kernel, parent_tb; // of a child launch; UINT32_MAX otherwise
    uint8_t n_warps, at_barrier, finished;
    uint8_t launches; // its kernel's code launches kernels; with HD_NEED_KERNELS
    uint32_t mark;    // of its kernel: what hd_policy.mark, then .remark answered; else 0
    uint64_t key;     // of its kernel, as in hd_kernel_view; with HD_NEED_KERNELS
};

// What the compiler computed about each instruction, as columns by PC. A column may be NULL when no
// selected policy needs it (hd_policy.needs).
struct hd_static_view {
    uint32_t n;          // instructions
    const uint8_t *kind; // enum hd_static_kind
    const uint8_t
        *load_distance;    // instructions to the nearest load ahead, 255 = none so near (ELF 3.2)
    const uint8_t *recalc; // 1: look up the distance again when this branch is taken; 0: when not
};
enum hd_static_kind {
    HD_STATIC_OTHER,
    HD_STATIC_LOAD, // may leave the SM: global, local, texture; atomics that return a value too
    HD_STATIC_STORE,
    HD_STATIC_BRANCH,
};

// hd_policy.needs: costly data that are computed only for policies that need them.
#define HD_NEED_LOAD_DISTANCE 0x01 // the columns load_distance and recalc
#define HD_NEED_VISITED 0x04       // the argument `visited` of end()
#define HD_NEED_KERNELS 0x08       // `key` and `launches` of kernels and blocks

// hd_policy.flags: what a policy guarantees, and what it requests.
// Never skip a cycle of an SM that has work. begin, eligible and end are called in each cycle, with
// n = 1, so that state may simply change with time. The results are the same and the run is slower.
// No wakes().
#define HD_EVERY_CYCLE 0x01
// A guarantee: end() need not be called for lost cycles that repeat the one before (the same
// outcome, the same warps visited, no event in between), because one call has the same effect as n.
// Only without begin().
#define HD_LOST_ONCE 0x02
// A guarantee and a request. While the warps stay as they are, what eligible() answers may change
// in every cycle. But begin, eligible and end of a lost cycle depend only on the state of the
// scheduler and on the warps: the masks of the view except imiss, its columns and last_issued. They
// do not look at cycle, last_fetch, imiss, l1d_mshr, l1i_mshr, mem_saturated or tbs_pending.
// Instead of asking wakes(), which the policy does not have, the core calls these functions for a
// copy of the state to see when a warp can issue. Later it calls them for each skipped cycle. Once
// the state is one that the scheduler had before, the rest is a repetition and is counted without
// calls. The policy has no state of an SM or of the machine, and asks for no events of the machine.
#define HD_LOST_SINGLY 0x20
// Requests: --sched NAME alone fills this slot too, unless the slot's own option is given. What
// --sched NAME does for all of them, --tb NAME does for HD_KERNEL_TOO.
#define HD_FETCH_TOO 0x04  // --fetch
#define HD_TB_TOO 0x08     // --tb
#define HD_KERNEL_TOO 0x10 // --kernel-policy

// One SM, read-only. Bit w of a mask is warp slot w. The masks are always up to date: the second
// scheduler of a cycle sees what the first one did.
struct hd_view {
    uint64_t cycle;
    uint64_t mine[HD_MAX_SCHEDULERS]; // slots of scheduler s, dead slots included
    uint64_t live;                    // holds a warp that has not ended
    // The warp cannot issue for one of these reasons: it has ended or the slot is empty. It waits
    // at a barrier, at a memory fence, for its atomic in flight, for asynchronous copies or the
    // phase of an mbarrier, or for the end of kernels that its block has launched.
    uint64_t waiting;
    uint64_t at_barrier;
    uint64_t ibuf_empty; // no instruction buffered
    uint64_t imiss;      // waits for an instruction-cache miss
    uint64_t wrong_path; // the buffered head is not the warp's next instruction
    uint64_t sb_block;   // the scoreboard refuses the head
    uint64_t long_mark;  // a scalar source of the head carries the long-operation mark
    uint64_t head_load, head_store, head_atomic;
    // The head may leave the SM: it names global or local memory, or a texture; or its address is
    // generic, and the compiler could not prove that it stays in shared memory. See hd_long.
    uint64_t head_declared, head_texture, head_generic;
    const uint32_t *pc;       // next PC to issue, with an empty buffer too; UINT32_MAX: ended
    const uint32_t *age;      // dynamic warp id of this SM: unique, smaller = older
    const uint64_t *progress; // active lanes issued so far, per warp
    const uint8_t *tb_of;     // block slot of a warp slot
    const struct hd_tb_view *tbs;
    uint64_t tb_live;            // occupied block slots
    uint32_t tbs_pending;        // blocks of its kernel (sm.share: of all) that no SM has received
    uint32_t kernel;             // launch id it is bound to; sm.share: one of those in tbs
    uint16_t l1d_mshr, l1i_mshr; // miss entries in use
    uint8_t mem_saturated; // the load/store unit's last access was refused, and is tried again
    // How many blocks an SM may hold: what the kernel's resources allow (tb_fits), or an even share
    // of a grid that is smaller.
    uint8_t tb_max;
    uint8_t n_sched;
    uint8_t n_warps; // warp slots of this SM
    const struct hd_static_view *prog;
    int8_t last_fetch; // slot that the front end served last; round robin continues after it
    int8_t last_issued[HD_MAX_SCHEDULERS]; // slot that scheduler s issued last, HD_NONE at first
    uint8_t tb_fits; // how many blocks the kernel's resources allow on an SM; at least tb_max
};

// Warps with a buffered instruction that do not wait, as the stall classes count them.
static inline uint64_t hd_valid(const struct hd_view *v)
{
    return v->live & ~v->waiting & ~v->ibuf_empty;
}

// Those of them for which only the pipe decides: a superset of the warps that the core calls
// issuable or on a wrong path.
static inline uint64_t hd_ready(const struct hd_view *v)
{
    return hd_valid(v) & (v->wrong_path | ~v->sb_block);
}

// Warps whose head is a long operation: an access to one of these spaces.
enum hd_long_spaces {
    HD_LONG_DECLARED = 1, // global and local memory, named by the instruction
    HD_LONG_TEXTURE = 2,
    HD_LONG_GENERIC = 4, // a generic address that may be global or local
    HD_LONG_ANY = 7,
};
static inline uint64_t hd_long(const struct hd_view *v, unsigned spaces)
{
    return (spaces & HD_LONG_DECLARED ? v->head_declared : 0) |
           (spaces & HD_LONG_TEXTURE ? v->head_texture : 0) |
           (spaces & HD_LONG_GENERIC ? v->head_generic : 0);
}

// The choice of greedy-then-oldest: warp `last` if it is among the mask and not waiting, otherwise
// the oldest warp that is not waiting; the waiting ones come last.
static inline int hd_greedy_oldest(const struct hd_view *v, uint64_t mask, int last)
{
    uint64_t awake = mask & ~v->waiting;

    return hd_has(awake, last) ? last : hd_oldest(awake ? awake : mask, v->age);
}

// How many warps of `set`, none of which waits, precede w in this order.
static inline unsigned hd_greedy_oldest_ahead(const struct hd_view *v, uint64_t set, int w,
                                              int last)
{
    unsigned n = hd_has(set, last);
    int u;

    if (hd_has(v->waiting, w))
        return (unsigned)hd_count(set);
    if (w == last)
        return 0;
    HD_EACH(u, set & ~(n ? hd_bit(last) : 0))
        n += v->age[u] < v->age[w];
    return n;
}

// A policy's memory. sched is the state of the scheduler in question; in on() and the functions of
// a whole SM it is the array of the states of all schedulers of the SM.
struct hd_pstate {
    void *gpu, *sm, *sched;
    const void *params;
};

// The result of a scheduler's cycle.
enum hd_outcome {
    HD_ISSUED,
    HD_STALL_IDLE,       // no visited warp had a valid instruction
    HD_STALL_SCOREBOARD, // valid, none ready
    HD_STALL_PIPELINE,   // ready, but none was issued
};
#define HD_OUTCOME_CLASS 0x0f           // enum hd_outcome; the rest are flags
#define HD_OUTCOME_ALL_WAIT_MEMORY 0x80 // every live warp waits for memory

// Storage that the mechanism needs in hardware, for `heddle explain`: bits per unit.
struct hd_cost {
    const char *what; // NULL ends the table
    uint32_t per_warp, per_tb, per_scheduler, per_sm, per_gpu;
};
#define HD_COST_END                                                                                \
    {                                                                                              \
        NULL, 0, 0, 0, 0, 0                                                                        \
    }

// A sentence of the source that a parameter interprets, for `heddle explain`.
struct hd_reading {
    const char *param, *sentence; // NULL ends the table
};
#define HD_READING_END                                                                             \
    {                                                                                              \
        NULL, NULL                                                                                 \
    }

struct hd_gpu_view; // policy_gpu.h
struct hd_ready;
struct hd_pick;

struct hd_policy {
    uint32_t abi;       // HD_POLICY_ABI
    uint32_t events;    // HD_ON(kind) | ...: events that `on` receives; others cost nothing
    uint32_t needs;     // HD_NEED_*: data that are computed for it
    uint32_t flags;     // HD_EVERY_CYCLE, HD_LOST_ONCE, HD_LOST_SINGLY, HD_FETCH_TOO, ...
    const char *name;   // as on the command line
    const char *brief;  // one line
    const char *source; // paper, section; what differs or is a reconstruction
    size_t params_bytes, gpu_bytes, sm_bytes, sched_bytes;
    const struct hd_field *params;      // into params_bytes; values are checked before the start
    const struct hd_field *counters;    // uint64_t fields of the per-scheduler state
    const struct hd_field *sm_counters; // uint64_t fields of the per-SM state
    const struct hd_cost *cost;
    const struct hd_reading *readings;

    // Start of a scheduler's cycle. n > 1: n such cycles without issue or event, in one call.
    void (*begin)(struct hd_pstate, const struct hd_view *, int s, uint64_t n);
    // Pure. The warps that the scheduler may visit in this cycle; only they count in stall classes.
    uint64_t (*eligible)(struct hd_pstate, const struct hd_view *, int s);
    // Pure. The first warp, in the policy's order, of a non-empty mask. The mask may contain any of
    // the scheduler's slots, also with empty buffers. Repeated calls give the whole order.
    int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among);
    // End of the same cycle(s): outcome is enum hd_outcome with flags. visited (with
    // HD_NEED_VISITED): the eligible warps up to and including the one issued, or all of them in a
    // lost cycle.
    void (*end)(struct hd_pstate, const struct hd_view *, int s, uint64_t n, unsigned outcome,
                uint64_t visited);
    // Pure. The next cycle that must not be skipped, UINT64_MAX = none. See TIME above.
    uint64_t (*wakes)(struct hd_pstate, const struct hd_view *, int s);
    void (*on)(struct hd_pstate, const struct hd_view *, const struct hd_event *);
    // Pure. The first warp, in fetch order, of those that the front end may fetch for or reclaim.
    // It is called after this cycle's issue; some of them may wait at a barrier. NULL: round robin.
    // See hd_follow in policy_gpu.h.
    int (*fetch)(struct hd_pstate, const struct hd_view *, uint64_t among);
    // Pure. How many blocks should be resident now.
    unsigned (*tb_limit)(struct hd_pstate, const struct hd_view *);
    // Functions of the whole machine, described in policy_gpu.h.
    int (*place)(struct hd_pstate, const struct hd_gpu_view *, int slot, const uint64_t *room);
    int (*next_kernel)(struct hd_pstate, const struct hd_gpu_view *, uint64_t runnable);
    void (*on_gpu)(struct hd_pstate, const struct hd_gpu_view *, const struct hd_event *, int sm);
    uint32_t gpu_events; // HD_ON(kind) | ...: events that `on_gpu` receives
    bool (*feed)(struct hd_pstate, const struct hd_gpu_view *, int sm, uint64_t fits,
                 struct hd_pick *);
    size_t (*admit)(struct hd_pstate, const struct hd_gpu_view *, const struct hd_ready *,
                    size_t n);
    uint32_t (*mark)(struct hd_pstate, const struct hd_gpu_view *, const struct hd_event *, int sm);
    uint32_t (*remark)(struct hd_pstate, const struct hd_gpu_view *, const struct hd_ready *,
                       enum hd_mark_time, int sm);
};

// The slots of the machine: decisions that are left to a policy. Each slot has an option to choose
// its policy. One row defines the option, the environment variable HEDDLE_NAME, the key in results,
// the check whether a policy fills the slot, and texts for help and messages:
//
//   X(NAME, key, option, function, baseline, what a policy does, what it chooses, help)
//
// A new decision of the core needs a function in struct hd_policy, a row here, the call, and its
// rule in src/contract/contract.c. Two slots have more than one function, and a policy needs only
// one of them to fill the slot: instead of `place` a policy may have `feed`, and beside or instead
// of `next_kernel` it may have `admit`, `mark` and `remark` (hd_registry_decides).
#define HD_POLICY_SLOTS(X)                                                                         \
    X(SCHED, sched, "sched", first, "lrr", "choose warps to issue", "warps to issue",              \
      "warp scheduler")                                                                            \
    X(FETCH, fetch, "fetch", fetch, "rr", "choose warps to fetch for", "warps to fetch for",       \
      "fetch order")                                                                               \
    X(TB, tb, "tb", place, "rr", "place thread blocks", "thread blocks",                           \
      "placement of thread blocks")                                                                \
    X(KERNEL_POLICY, kernel_policy, "kernel-policy", next_kernel, "rr", "choose kernels",          \
      "kernels", "which kernel a free SM is given to")

// The state, a struct `type`, of scheduler s where .sched is the array (in on, fetch and the other
// functions of a whole SM).
#define HD_SCHED_STATE(st, type, s) ((struct type *)(st).sched + (s))

// Registration: the last line of a policy file. `id` is the file's name, and the policy's name with
// '_' instead of '-'. In the heddle tree the file becomes part of the program; elsewhere --plugin
// finds the policy by the second symbol.
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
