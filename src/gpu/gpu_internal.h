// gpu_internal.h - the inside of the machine, shared by the files of src/gpu only.
//
// The files depend on each other in one direction, which is the order of the declarations below.
// First come leaves (team, residency, registers, view, profiles, progpoints, facts, marks, the
// launch queue, parked blocks, the residents of shared SMs), then the task graph, the admission of
// kernels, the running kernels and the dispatcher. The steps of the SMs and the watchdog use these.
// On top are the clock, runs without timing, sampled runs and gpu.c.
//
// A launch moves through these stages, and each has one owner:
// - queued: an entry of `queue` from its submission on, which is never removed; its index is its
//   number. Launches of the host are also in `hosts`, those of kernels in the task graph.
// - running: it has a slot of `running` (running.c). dispatch.c gives its blocks to SMs. A kernel
//   all of whose blocks are parked gives up its slot; its account is kept in `held`.
// - ended: its last block has been reclaimed; its account is closed (running.c).
// - complete: everything that it launched has ended too (task_graph.c). Its stream continues only
//   now.
//
// Invariants between cycles:
//   - `tbs_left` is the number of blocks of running kernels that no SM holds: those that have never
//     started and those that were parked and may continue. With launch.latency the blocks of a
//     kernel are among them only once it has opened. An SM is stepped only while tbs_left or
//     its own live[] is not zero.
//   - bound[i] is HD_NONE exactly if SM i holds no block and none of its counts are open; an SM
//     holds blocks of one kernel at a time. With sm.share it may hold blocks of several kernels of
//     one program (residents.c), and bound[i] is one of them.
//   - What an SM has counted up to settled[i] is charged to a kernel; before anything from outside
//     changes an SM, hd_machine_catch_up brings its counts up to the last whole cycle.
//   - wakes[i] is at most the first cycle in which stepping SM i would change anything, as long as
//     no reply or block arrives and the network takes nothing from it. awake, asks and sleep_ends
//     say the same of all SMs.
//   - `full` may be set only while no SM could take a block, and is cleared by whatever ends or
//     starts a block or a kernel.
#ifndef HEDDLE_GPU_GPU_INTERNAL_H
#define HEDDLE_GPU_GPU_INTERNAL_H

#include "base/bug.h"
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "gpu/gpu.h"
#include "sm/sm.h"
#include "trace/replay.h"

// A policy with the state it has on this machine; one instance may serve several slots.
struct hd_gpu_policy {
    struct hd_policy_choice choice;
    void *gpu_state;
    struct hd_pstate *states; // by SM
};

// What its functions of the whole machine receive, and those that also get the state of an SM.
static inline struct hd_pstate hd_gpu_policy_machine(const struct hd_gpu_policy *p)
{
    return (struct hd_pstate){.gpu = p->gpu_state, .params = p->choice.params};
}
static inline struct hd_pstate hd_gpu_policy_state(const struct hd_gpu_policy *p, unsigned sm)
{
    struct hd_pstate st = hd_gpu_policy_machine(p);

    st.sm = p->states[sm].sm;
    return st;
}

// The profiles of one kernel. A function that several kernels call has a profile for each.
struct hd_gpu_profile {
    const struct hd_func *kernel;
    struct hd_profile *profiles; // one per SM, then one for the sum
};

// The program points of one kernel (ELF).
struct hd_gpu_points {
    const struct hd_func *kernel;
    struct hd_static_view view; // with the columns that the points determine
    struct hd_gpu_points_found found;
    bool reported; // that points were dropped
};

// Static columns of a program, made once when it is loaded.
struct hd_gpu_program {
    const struct hd_program *program;
    struct hd_static_view view;
    const uint8_t *units;            // by PC: enum hd_unit, the pipes of this machine that serve it
    struct hd_gpu_profile *profiles; // empty unless profiles were requested
    size_t n_profiles, cap_profiles;
    // Of the kernels that were launched, if a policy asks for distances to loads. The first two
    // columns are those of all kernels that share no function with another one; `taken` says by
    // function whether they are filled.
    struct hd_gpu_points **points;
    size_t n_points, cap_points;
    uint8_t *load_distance, *recalc;
    bool *taken;
    uint32_t code_base; // programs follow each other in instruction memory
};

struct hd_queued { // a launch, from its submission on
    struct hd_kernel_result result;
    struct hd_launch *launch; // that of the result: its mark changes (marks.c)
    uint32_t grid; // its number in the task graph while it has open tasks; zero means none
    uint32_t task; // of a kernel's launch, in the task graph; zero means that the host launched it
    bool started, timed, ended, complete;
    // Parked blocks, which have left their SMs and wait for what they have launched, and those of
    // them that may continue. A kernel all of whose blocks are parked has no running slot.
    uint32_t n_away, n_back;
    struct hd_parked_block *back, *last_back;
    struct hd_running *held; // its account while it has no slot
    uint64_t since;     // of the host's: one plus the cycle in which admit could choose it first
    uint32_t parent_sm; // HD_NO_SM: the host launched it
    uint32_t children;  // launches by it
};

// Running-kernel slots (timing-model 2.1); the machine has n_slots of them.
#define HD_RUNNING HD_MAX_KERNELS

struct hd_running {                 // a kernel in its slot
    const struct hd_launch *launch; // NULL: the slot is free
    struct hd_gpu_program *program;
    uint32_t given, n_tbs, max_tbs, tbs_done; // given: blocks that have started
    // All blocks before next_tb have started. A policy may choose other blocks (hd_policy.feed);
    // then named has a bit for each block that has started, and is NULL before.
    uint32_t next_tb;
    uint64_t *named;
    uint64_t start;
    uint64_t opens; // launch.latency: the cycle in which its blocks may start; 0: they may already
    struct hd_mem_stats mem_before;
    // With sm.share: the SMs whose policies know that it has started there, and that no block of it
    // is left.
    uint64_t started_on[HD_MAX_SMS / 64], slow_on[HD_MAX_SMS / 64];
};

struct hd_gpu_events;
struct hd_gpu_facts;
struct hd_gpu_metrics;
struct hd_gpu_pipeviews;
struct hd_gpu_cycleviews;
struct hd_gpu_reuse;
struct hd_gpu_residents;
struct hd_task_graph;
struct hd_team;      // team.h
struct hd_step_slot; // steps.c

struct hd_gpu {
    struct hd_arena *arena;
    struct hd_gpu_options options;
    // With options.no_skip, and for profiles and metrics: the warp to which a lost cycle is charged
    // may be another one in the next cycle, because the order of some policies changes with time
    // alone.
    bool every_cycle;
    struct hd_config config;
    struct hd_memory *memory;
    struct hd_emu *emu;
    struct hd_devrt *devrt;
    struct hd_replay *replay;  // NULL if instructions are emulated
    struct hd_isrc functional; // the source of a run without timing that is recorded
    struct hd_mem mem;
    struct hd_sm **sms;
    uint64_t *wakes;                   // by SM: first cycle in which it must be stepped again
    uint64_t awake[HD_MAX_SMS / 64];   // SMs with wakes[i] at most the next cycle
    uint64_t asks[HD_MAX_SMS / 64];    // of the others: those that wait for room in the network
    uint64_t sleep_ends;               // the earliest wakes[i] of the others, or an earlier cycle
    uint64_t holding[HD_MAX_SMS / 64]; // SMs with replies in front of them, if mem.arrived is known
    bool replying;     // some SM has replies in front of it, so that the next cycle is not skipped
    uint16_t *stepped; // SMs whose step left something to do, n_stepped of them, in index order
    uint8_t *did;      // what the step of each of these SMs did: a set of enum hd_sm_did
    unsigned n_stepped;
    bool stepping;                   // SMs are stepping: shared data are read-only (steps.c)
    struct hd_team *team;            // NULL: one thread steps all SMs
    struct hd_step_slot *team_slots; // by SM
    uint16_t *due;                   // pieces of this cycle's work for the team
    bool team_decided;               // whether there is a team has been decided
    uint64_t memory_due;             // pieces of the memory side's second part in this cycle
    unsigned memory_pieces;          // how many there are; with a team
    unsigned group;                  // with a team: SMs for each of them (steps.c)
    uint64_t step_order; // for tests: seed of a random order of the steps; zero means index order
    uint8_t *live;       // by SM: resident blocks
    bool emptied;        // some SM's last block ended in this cycle
    unsigned n_sms;

    struct hd_gpu_policy policies[HD_SM_POLICIES];
    unsigned n_policies;
    int slot[HD_N_SLOTS]; // by enum hd_slot: the index of the policy that fills it; HD_NONE means
                          // the baseline

    struct hd_gpu_program *programs;
    size_t n_programs, cap_programs;

    // Launches in the order of submission. Launches of one stream run one after the other; kernels
    // of different streams share the machine, and each SM is bound to one of them at a time.
    struct hd_queued *queue; // by launch number
    size_t n_queue, cap_queue;
    size_t n_ended;
    uint32_t *hosts; // numbers of the host's launches
    size_t n_hosts, cap_hosts;
    // Indices into hosts: all before first_waiting have started, all before first_open are
    // complete.
    size_t first_waiting, first_open;
    size_t n_held;         // launches of the host that may not start yet: the last ones (sampled.c)
    const size_t *n_tasks; // requests of kernels that the machine has not processed yet
    const size_t *n_parked;           // blocks that have left their SM since the last check
    struct hd_task_graph *task_graph; // NULL if no kernel has ever requested anything
    uint32_t *again;                  // kernels without a slot some of whose blocks may continue
    size_t n_again, first_again, cap_again;
    struct hd_ready *choices; // admit.c: what a policy is asked about
    size_t cap_choices;
    uint32_t last_ended;                 // the launch that ended last
    struct hd_mem_stats last_mem_before; // the memory's counts when it started

    struct hd_running running[HD_RUNNING];
    unsigned n_running, n_slots;
    int last_kernel;   // running slot to which an SM was bound last
    uint32_t last_sm;  // SM that received a block last
    uint32_t tbs_left; // blocks of running kernels that no SM holds
    uint64_t opens;    // the earliest hd_running.opens; UINT64_MAX: no kernel waits for that
    bool limited;      // a policy limits the blocks of an SM; the limit may change at any time
    bool full;         // no SM can take a block until a block or a kernel ends or starts
    int8_t *bound;     // by SM: running slot, or HD_NONE
    struct hd_gpu_residents *residents; // by SM; NULL without sm.share
    // By SM: one plus the launch whose start, and whose slow phase, was last reported to its
    // policies.
    uint32_t *reported_start, *reported_slow;
    const struct hd_view **views;             // by SM
    struct hd_sm_stats *settled;              // by SM: what has been charged to kernels so far
    struct hd_profile **profiles;             // by SM: where it charges to; NULL if not requested
    struct hd_profile_counts *settled_counts; // by SM: of that profile
    struct hd_gpu_events *gpu_events;         // NULL means that no policy watches the machine
    struct hd_gpu_facts *facts;               // NULL means that no policy needs HD_NEED_KERNELS
    struct hd_gpu_metrics *metrics;           // NULL means that nothing is recorded
    struct hd_gpu_pipeviews *pipeviews;       // the same
    struct hd_gpu_cycleviews *cycleviews;     // the same
    struct hd_gpu_reuse *reuse;               // NULL means that reuse is not analysed
    struct hd_sample *sample;                 // NULL means that all launches are alike
    uint64_t start; // first cycle of this run, or of the kernel that started last in it

    uint64_t cycle;   // the cycle that runs, or the next one between steps
    uint64_t elapsed; // cycles of the runs so far, without drains
    uint64_t insts;   // warp instructions of finished launches
    uint64_t steps;   // cycles stepped, not skipped
    enum hd_run_status status;
    struct hd_trap trap;
    size_t reported_absences;
    const char *hang;    // report of a deadlock or livelock
    uint64_t hang_at;    // cycle of the watchdog's next check; skips stop there
    uint64_t observe_at; // the next cycle after which observers look; skips stop there
    // watchdog.c: the cycle since which warps have been watched, and the cycle since which every
    // warp that runs has repeated itself while some warp never had a turn. Zero: neither.
    uint64_t watched_from, starving_from;
};

// residency.c, registers.c: hd_occupancy and hd_registers_* are declared in gpu.h.
// The blocks of a launch that an SM has room for, whatever the size of the grid.
uint32_t hd_residency_fits(const struct hd_config *c, const struct hd_launch *l);

// view.c: `kernels` has HD_RUNNING entries and belongs to the view.
void hd_view_machine(const struct hd_gpu *g, struct hd_gpu_view *v, struct hd_kernel_view *kernels);

// profiles.c
// The profiles of a launched kernel, by SM; NULL if not requested.
struct hd_profile *hd_profiles_of(struct hd_gpu_program *gp, const struct hd_func *kernel);
void hd_profiles_need(struct hd_gpu *g, struct hd_gpu_program *gp, const struct hd_func *kernel);

// progpoints.c: the static columns of policies.
void hd_progpoints_kinds(const struct hd_program *p, uint8_t *kind); // by PC: hd_static_kind
// Finds the kernel's program points if a policy asks for them. NULL: none does.
const struct hd_gpu_points_found *hd_progpoints_need(struct hd_gpu *g, struct hd_gpu_program *gp,
                                                     const struct hd_func *kernel);
// What policies see of the program while this kernel runs.
const struct hd_static_view *hd_progpoints_view(const struct hd_gpu_program *gp,
                                                const struct hd_func *kernel);
void hd_progpoints_doubts(struct hd_gpu *g, struct hd_diag *d); // warns of points that were dropped

// facts.c: what HD_NEED_KERNELS asks for.
void hd_facts_new(struct hd_gpu *g); // once the policies are chosen
// Whether the kernel's code launches kernels. Only if a policy asks for it, or in a sampled run.
bool hd_facts_launches(struct hd_gpu *g, const struct hd_program *p, const struct hd_func *kernel);
// Fills in the launch's key and whether it launches kernels, before it is queued.
void hd_facts_find(struct hd_gpu *g, struct hd_launch *l);

// marks.c: the event of a launch by a kernel, and the word that the policy of the kernel slot keeps
// with the launch, which has no number yet.
struct hd_event hd_marks_event(const struct hd_gpu *g, const struct hd_devrt_task *t,
                               uint32_t launch);
uint32_t hd_marks_ask(struct hd_gpu *g, const struct hd_devrt_task *t);
// The kernel of a kernel, which has come to this point, gets another word if the policy wants it.
void hd_marks_again(struct hd_gpu *g, struct hd_ready *kernel, enum hd_mark_time now);

// launch_queue.c
// Queues a launch that is possible and returns its number. A launch of the host has no parent.
uint32_t hd_launch_queue_enqueue(struct hd_gpu *g, const struct hd_launch_request *r,
                                 const struct hd_launch *parent, uint32_t parent_tb);
// A launch of the host and all that it launched is complete: what follows in its stream may start.
void hd_launch_queue_completed(struct hd_gpu *g, uint32_t launch);
// Sets the functions that the emulator calls; `collect` takes the machine and calls
// hd_task_graph_collect.
void hd_launch_queue_serve(struct hd_gpu *g, void (*collect)(void *ctx));
// Are launches queued or running?
static inline bool hd_launch_queue_waiting(const struct hd_gpu *g)
{
    return g->n_ended + g->n_held < g->n_queue;
}

// parked.c: blocks that have left their SM.
void hd_parked_left(struct hd_gpu *g, const struct hd_parked_block *r); // a block has left
void hd_parked_back(struct hd_gpu *g, struct hd_parked_block *r);       // it may continue
// The first block of the launch that may continue, NULL if there is none.
struct hd_parked_block *hd_parked_take_back(struct hd_gpu *g, uint32_t launch);
// A kernel without a slot some of whose blocks may continue, UINT32_MAX if there is none.
uint32_t hd_parked_take_again(struct hd_gpu *g);

// residents.c; only with sm.share, except for the first
void hd_residents_new(struct hd_gpu *g);                               // once the SMs exist
bool hd_residents_fits(const struct hd_gpu *g, unsigned sm, int slot); // a block of that kernel
void hd_residents_placed(struct hd_gpu *g, unsigned sm, int slot, unsigned tb);
void hd_residents_ended(struct hd_gpu *g, unsigned sm); // counts blocks that ended in this cycle
bool hd_residents_leave(struct hd_gpu *g, unsigned sm); // has any, since the last call?
// The running slot of the kernel with the smallest number of which the SM holds a block, HD_NONE if
// it holds none; whether it holds a block of a kernel.
int hd_residents_oldest(const struct hd_gpu *g, unsigned sm);
bool hd_residents_holds(const struct hd_gpu *g, unsigned sm, int slot);
// Charges to kernels what their blocks have counted, and takes it out of the SM's counts.
void hd_residents_settle(struct hd_gpu *g, unsigned sm, struct hd_sm_stats *rest);
void hd_residents_check(const struct hd_gpu *g); // in debug builds, in every cycle

// task_graph.c
void hd_task_graph_collect(struct hd_gpu *g); // processes requests of kernels; g->n_tasks is not 0
void hd_task_graph_parked(struct hd_gpu *g);  // blocks have left; g->n_parked is not 0
void hd_task_graph_ended(struct hd_gpu *g, uint32_t launch); // all blocks of the launch have ended
uint32_t hd_task_graph_next(struct hd_gpu *g); // a kernel that may start now, else UINT32_MAX
// The kernels that may start now, in the order in which they became so, and their number. The array
// is valid until the next call of a function of the task graph.
const struct hd_ready *hd_task_graph_ready(struct hd_gpu *g, size_t *n);
uint32_t hd_task_graph_take(struct hd_gpu *g, size_t i); // takes one of them out of the array
uint64_t hd_task_graph_due(const struct hd_gpu *g);      // cycle of the next one, else UINT64_MAX
uint32_t hd_task_graph_unbegun(const struct hd_gpu *g);  // kernels of kernels that have not begun

// admit.c
// Whether all launches of the host before number i of `hosts` in its stream are complete.
bool hd_admit_stream_free(const struct hd_gpu *g, size_t i);
// With a policy that admits: the launch that takes the free running slot, UINT32_MAX if none may.
uint32_t hd_admit_choose(struct hd_gpu *g);
bool hd_admit_by_policy(const struct hd_gpu *g); // whether there is such a policy

// running.c
void hd_running_begin_run(struct hd_gpu *g);
void hd_running_open(struct hd_gpu *g);  // those for which launch.latency is over
void hd_running_start(struct hd_gpu *g); // queued launches enter free running slots
// Whether any might.
static inline bool hd_running_may_start(const struct hd_gpu *g)
{
    return hd_launch_queue_waiting(g) && g->n_running < g->n_slots &&
           (g->first_waiting < g->n_hosts || g->first_again != g->n_again || g->task_graph ||
            hd_admit_by_policy(g));
}
void hd_running_finish(struct hd_gpu *g);  // kernels whose last block is done leave them
void hd_running_end_run(struct hd_gpu *g); // after the drain, or after a run that failed
// Before a block of the kernel is placed: if the SM is not bound to it or, with sm.share, always.
void hd_running_bind(struct hd_gpu *g, unsigned sm, int slot);
void hd_running_placed(struct hd_gpu *g, unsigned sm, int slot, unsigned tb); // with sm.share
void hd_running_release(struct hd_gpu *g, unsigned sm); // its last block, or with sm.share some
                                                        // block, has ended

// dispatch.c
void hd_dispatch_cycle(struct hd_gpu *g);
bool hd_dispatch_possible(struct hd_gpu *g); // some SM could take a block

// steps.c: the SMs' part of a cycle. Returns its effects: a set of enum hd_sm_did.
void hd_steps_new(struct hd_gpu *g);
void hd_steps_free(struct hd_gpu *g);
void hd_steps_begin_run(struct hd_gpu *g);
unsigned hd_steps_run(struct hd_gpu *g);

// limits.c. Both set the run's status if they return true.
bool hd_limits_reached(struct hd_gpu *g); // cycles or instructions
// Whether that must be asked now.
static inline bool hd_limits_near(const struct hd_gpu *g)
{
    const struct hd_gpu_options *o = &g->options;

    return o->max_insts || (o->max_cycles && g->cycle >= o->max_cycles);
}
bool hd_limits_stopped(struct hd_gpu *g); // the caller's progress function returned false

// clock.c: runs until nothing is queued or running, or something goes wrong.
void hd_clock_run(struct hd_gpu *g);

// functional.c: the same without timing. Then one launch alone; and the threads of a machine that
// times others help with it.
void hd_functional_run(struct hd_gpu *g);
void hd_functional_launch(struct hd_gpu *g, uint32_t launch);
void hd_functional_share(struct hd_gpu *g);

// sampled.c: a sample of the launches with timing, the others without.
void hd_sampled_run(struct hd_gpu *g);

// metrics.c; only with options.metrics
void hd_metrics_new(struct hd_gpu *g); // once the SMs exist
void hd_metrics_settle(struct hd_gpu *g, unsigned sm, uint32_t launch);
void hd_metrics_kernel_starts(struct hd_gpu *g); // before it counts as running
uint64_t hd_metrics_due(const struct hd_gpu *g); // cycle of the next sample; skips stop there
void hd_metrics_sample(struct hd_gpu *g);        // after that cycle

// observe.c: between cycles, what looks at the machine in chosen cycles
void hd_observe(struct hd_gpu *g);      // after the cycle g->observe_at
void hd_observe_plan(struct hd_gpu *g); // computes g->observe_at again

// pipeviews.c; only with options.pipeviews
void hd_pipeviews_new(struct hd_gpu *g);           // once the SMs exist
uint64_t hd_pipeviews_due(const struct hd_gpu *g); // the next cycle; skips stop there
void hd_pipeviews_look(struct hd_gpu *g);          // after that cycle

// cycleviews.c; only with options.cycleviews
void hd_cycleviews_new(struct hd_gpu *g);           // once the SMs exist
uint64_t hd_cycleviews_due(const struct hd_gpu *g); // the next cycle; skips stop there
void hd_cycleviews_look(struct hd_gpu *g);          // after that cycle
// What an SM has counted is charged to no kernel.
void hd_cycleviews_uncharged(struct hd_gpu *g, const struct hd_sm_stats *more);

// gpu_events.c
void hd_gpu_events_new(struct hd_gpu *g);                  // once the SMs exist
void hd_gpu_events_deliver(struct hd_gpu *g, unsigned sm); // the events of its step

// gpu_reuse.c; only with options.reuse
void hd_gpu_reuse_new(struct hd_gpu *g); // once the SMs exist
void hd_gpu_reuse_free(struct hd_gpu *g);
void hd_gpu_reuse_deliver(struct hd_gpu *g); // the events of all SMs' steps
void hd_gpu_reuse_launched(struct hd_gpu *g, const struct hd_launch *l);
void hd_gpu_reuse_kernel_ended(struct hd_gpu *g, uint32_t launch);

// watchdog.c
void hd_watchdog_start(struct hd_gpu *g); // a run starts
void hd_watchdog_end(struct hd_gpu *g);   // and ends
bool hd_watchdog_check(struct hd_gpu *g); // no progress for too long: sets status and report
void hd_watchdog_deadlock(struct hd_gpu *g, const char *why);
struct hd_emu_result;
void hd_watchdog_functional(struct hd_gpu *g, enum hd_run_status status,
                            const struct hd_emu_result *e); // of a run without timing

// The loaded program's columns.
static inline struct hd_gpu_program *hd_gpu_program_of(const struct hd_gpu *g,
                                                       const struct hd_program *p)
{
    size_t i = 0;

    while (i < g->n_programs && g->programs[i].program != p)
        i++;
    HD_BUG_IF(i == g->n_programs, "launch of a program that was not loaded");
    return &g->programs[i];
}

// The reference steps an SM while any block is left to dispatch or the SM has live blocks.
static inline bool hd_machine_active(const struct hd_gpu *g, unsigned i)
{
    return g->tbs_left || g->live[i];
}

// The SM must be stepped in this cycle.
static inline void hd_machine_wake(struct hd_gpu *g, unsigned i)
{
    g->wakes[i] = g->cycle;
    hd_bits_add(g->awake, i);
}

// Brings an SM's account up to the last whole cycle. Called before anything else changes the SM.
static inline void hd_machine_catch_up(struct hd_gpu *g, unsigned i)
{
    hd_sm_catch_up(g->sms[i], g->cycle - 1, hd_machine_active(g, i));
}

#endif
