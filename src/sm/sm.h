// sm.h - a streaming multiprocessor, as the machine uses it.
//
// Timing only. The instruction source executes its instructions, and its port leads to memory; it
// has no values and no caches but its own. The model is GPGPU-Sim 3.2.2's SM (timing-model sections
// 2 to 7) with its stage order: writeback, execute (SP units, SFU, operand collector, LDST), issue,
// decode, fetch.
#ifndef HEDDLE_SM_SM_H
#define HEDDLE_SM_SM_H

#include "base/arena.h"
#include "heddle/config.h"
#include "heddle/isrc.h"
#include "heddle/policy.h"
#include "heddle/port.h"
#include "heddle/profile.h"
#include "heddle/stats.h"

// A policy on one SM. The same policy in several slots is one instance with one state.
struct hd_sm_policy {
    const struct hd_policy *policy;
    struct hd_pstate state; // .sched is the array of all schedulers
};
#define HD_SM_POLICIES 4

struct hd_sm_setup {
    const struct hd_config *config;
    unsigned index; // SM number = its port at the memory side
    struct hd_isrc source;
    struct hd_mem mem;
    struct hd_sm_policy policies[HD_SM_POLICIES];
    unsigned n_policies;
    int sched, fetch; // the instance for each slot; HD_NONE: round robin
};

// An observer, which changes nothing. These events are reported to it after the policies; it also
// counts how many miss entries of the data cache were in use.
struct hd_sm_watch {
    void (*on)(void *ctx, unsigned sm, const struct hd_event *e);
    void *ctx;
    uint32_t events;                 // HD_ON(kind) | ...
    uint64_t mshr_cycles, mshr_busy; // entries in use, summed over cycles; cycles with any
    uint64_t mshr_since;             // cycle up to which they are summed
    struct hd_sm_watch *next;        // the SM's own list
};
// Adds up to the view's cycle, before the number in use changes.
static inline void hd_sm_watch_mshrs(struct hd_sm_watch *w, const struct hd_view *v)
{
    uint64_t n = v->cycle - w->mshr_since;

    w->mshr_cycles += n * v->l1d_mshr;
    w->mshr_busy += v->l1d_mshr ? n : 0;
    w->mshr_since = v->cycle;
}

struct hd_sm;

struct hd_sm *hd_sm_new(struct hd_arena *a, const struct hd_sm_setup *s);

// Binds the SM, which holds no block, to a launch, and with sm.share to all launches of its
// program; `start` is the cycle in which it will be stepped next. `units` gives for each
// instruction of the program the pipes of this machine that serve it (enum hd_unit). `max_tbs`
// blocks of the launch may be resident; `fits` would be if its grid were larger. This is the only
// call after hd_sm_new that may allocate (room for the scoreboard of this program).
void hd_sm_prepare(struct hd_sm *sm, struct hd_arena *a, const struct hd_launch *l,
                   const struct hd_static_view *prog, const uint8_t *units, unsigned max_tbs,
                   unsigned fits, uint64_t start);

// Of an SM that holds blocks of several launches: the one to which it is charged.
void hd_sm_set_kernel(struct hd_sm *sm, uint32_t launch);

// The machine runs again from cycle `start`; the cycles since the last step do not count.
void hd_sm_resume(struct hd_sm *sm, uint64_t start);

// Thread blocks, between cycles.
unsigned hd_sm_free_tbs(const struct hd_sm *sm); // more blocks it would take now, policy included
bool hd_sm_has_warps(const struct hd_sm *sm, const struct hd_launch *l); // free ones for a block
// Both return the block's slot.
unsigned hd_sm_place(struct hd_sm *sm, const struct hd_launch *l, const uint32_t index[3],
                     uint32_t linear);
struct hd_barriers;
// A block that has left and returns, and its barriers, with masks as if its warps were the first.
unsigned hd_sm_place_again(struct hd_sm *sm, const struct hd_tb *tb,
                           const struct hd_barriers *barriers);
// The kernels that the block in that slot waits for are complete. Between cycles, after
// hd_sm_catch_up.
void hd_sm_children_complete(struct hd_sm *sm, unsigned slot);
// The warp, which has launched kernels, issues nothing up to this cycle and in it. Between cycles,
// after hd_sm_catch_up.
void hd_sm_hold(struct hd_sm *sm, unsigned warp, uint64_t until);
bool hd_sm_holds_warps(const struct hd_sm *sm);
void hd_sm_set_pending(struct hd_sm *sm, uint32_t tbs); // blocks left in the dispatcher

// One cycle, in two parts: replies first, then (after the memory side's part) the pipeline. Both
// return what the machine must know of them, as a set of enum hd_sm_did.
enum hd_sm_did {
    HD_SM_MOVED = 1,    // a reply moved
    HD_SM_HOLDS = 2,    // replies stay in front of the SM for the next cycle
    HD_SM_TRAPPED = 4,  // its program faulted
    HD_SM_ENDED = 8,    // blocks ended
    HD_SM_STORES = 16,  // stores wait for hd_sm_commit
    HD_SM_PUSHED = 32,  // requests in its port wait for hd_mem_ops.settle
    HD_SM_REACHED = 64, // a reply reached its part of the SM, which ends a sleep
    HD_SM_AWAKE = 128,  // the next cycle must be stepped, too
};
// Called in every cycle in which the memory has a reply or the last call left some.
unsigned hd_sm_replies(struct hd_sm *sm, uint64_t cycle);
unsigned hd_sm_step(struct hd_sm *sm, uint64_t cycle); // also accounts for cycles slept through
// Accounts for cycles up to and including `cycle` in which the machine did not step the SM.
// `active` says whether the reference would have stepped it (it then counts them as stalls). Must
// be called before anything else changes the SM: a placed block, an event, pending.
void hd_sm_catch_up(struct hd_sm *sm, uint64_t cycle, bool active);

// First cycle after `cycle` in which stepping would do anything if no reply or block arrives and
// the network accepts nothing from the SM; UINT64_MAX if there is none.
uint64_t hd_sm_wakes(struct hd_sm *sm, uint64_t cycle);
uint64_t hd_sm_sleeps_until(struct hd_sm *sm, uint64_t cycle); // if the step was not HD_SM_AWAKE
// The network has room for a packet that waits here. This ends a sleep too. The second: there is
// such a packet, if hd_sm_wakes has just answered with a later cycle than the next.
bool hd_sm_can_send(const struct hd_sm *sm);
bool hd_sm_asks_for_room(const struct hd_sm *sm);
unsigned hd_sm_sched_of(const struct hd_sm *sm, unsigned warp); // the scheduler that owns the slot
unsigned hd_sm_live_tbs(const struct hd_sm *sm); // blocks resident, store acknowledgements included
// Makes what it has done in this cycle visible to others. Returns HD_SM_TRAPPED if that faults,
// else 0.
unsigned hd_sm_commit(struct hd_sm *sm);
bool hd_sm_trapped(const struct hd_sm *sm);               // its program faulted
const struct hd_trap *hd_sm_trap(const struct hd_sm *sm); // valid if so
// Cycle of the last progress (a warp ended, came to a barrier that reduces or counts, or
// hd_isrc.progress) and of the last issued instruction; the kernel's start if there was none.
uint64_t hd_sm_progress(const struct hd_sm *sm);
uint64_t hd_sm_last_issue(const struct hd_sm *sm);
// Warps that have not ended and wait neither at a barrier nor for kernels that their block has
// launched.
uint64_t hd_sm_going(const struct hd_sm *sm);
uint64_t hd_sm_at_barriers(const struct hd_sm *sm); // warps that wait there
// Charges cycles to instructions from now on; NULL stops that. Between launches.
void hd_sm_set_profile(struct hd_sm *sm, struct hd_profile *p);
// The same for the instructions of one block; those of all blocks until then are charged to the
// SM's profile.
void hd_sm_set_block_profile(struct hd_sm *sm, unsigned slot, struct hd_profile *p);
// Counts lost cycles by two more rules from now on. Each cycle must then be stepped: the order of
// some policies changes with time alone. Before the first launch.
void hd_sm_count_rules(struct hd_sm *sm, struct hd_elf_rules *rules);
// Adds an observer after those already there. Before the first launch.
void hd_sm_add_watch(struct hd_sm *sm, struct hd_sm_watch *w);
const struct hd_view *hd_sm_view(const struct hd_sm *sm);
const struct hd_sm_stats *hd_sm_stats(const struct hd_sm *sm); // exact after hd_sm_catch_up
// Reports the machine-wide events, which the dispatcher raises, to the policies.
void hd_sm_event(struct hd_sm *sm, const struct hd_event *e);
// The memory side performed an atomic access of this SM.
void hd_sm_serve(struct hd_sm *sm, const struct hd_req *req, uint64_t cycle);
// A line per warp for reports of hangs: where it is and what it waits for. No line is longer than
// this. `circling`: warps in a loop without effect. What such a warp waits for in this very cycle
// is arbitrary, so their lines only say that they make no progress.
#define HD_SM_REPORT_LINE 400
size_t hd_sm_report(const struct hd_sm *sm, uint64_t circling, char *buf, size_t bytes);
void hd_sm_check_empty(const struct hd_sm *sm); // a bug of heddle if anything is in flight

#endif
