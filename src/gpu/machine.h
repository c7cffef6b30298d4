// machine.h - the inside of the machine, shared by the files of src/gpu and nobody else.
#ifndef HEDDLE_GPU_MACHINE_H
#define HEDDLE_GPU_MACHINE_H

#include "base/bug.h"
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

// Of one kernel of a program: a function that several kernels call is charged to each for itself.
struct hd_gpu_profile {
    const struct hd_func *kernel;
    struct hd_profile *profiles; // one per SM, and one for the sum
};

// Static columns of a program, made once when it is loaded.
struct hd_gpu_program {
    const struct hd_program *program;
    struct hd_static_view view;
    struct hd_gpu_profile *profiles; // none unless asked for
    size_t n_profiles, cap_profiles;
    uint32_t code_base; // programs lie behind each other in instruction memory
};

struct hd_queued { // a launch, from its submission on
    struct hd_kernel_result result;
    uint32_t family; // while it has asked for something (families.c)
    uint32_t task;   // a kernel's launch; 0: the host's
    bool started, ended, complete;
    // Blocks that wait for what they have launched, away from the SMs; of those, the ones that may
    // go on. A kernel all of whose blocks are away holds no running slot.
    uint32_t n_away, n_back;
    struct hd_emu_rest *back, *last_back;
    struct hd_running *held; // without a slot: its account
};

// Running-kernel slots (timing-model 2.1); the machine has n_slots of them.
#define HD_RUNNING HD_MAX_KERNELS

struct hd_running {                 // a kernel in its slot
    const struct hd_launch *launch; // NULL: the slot is free
    struct hd_gpu_program *program;
    uint32_t next_tb, n_tbs, max_tbs, tbs_done;
    uint64_t start;
    struct hd_mem_stats mem_before;
};

struct hd_gpu_metrics;
struct hd_gpu_families;

struct hd_gpu {
    struct hd_arena *arena;
    struct hd_gpu_options options;
    struct hd_config config;
    struct hd_memory *memory;
    struct hd_emu *emu;
    struct hd_replay *replay;  // NULL: instructions are emulated
    struct hd_isrc functional; // of a run without timing that is recorded
    struct hd_mem mem;
    struct hd_sm **sms;
    uint64_t *wakes;   // per SM: first cycle in which it must be stepped again
    uint64_t holding;  // SMs with replies in front of them; unused without mem.arrived
    uint16_t *stepped; // SMs whose step did something, n_stepped of them, in index order
    uint8_t *did;      // and what: a set of enum hd_sm_did
    unsigned n_stepped;
    uint8_t *live; // per SM: resident blocks
    bool emptied;  // an SM's last block ended in this cycle
    unsigned n_sms;

    struct hd_gpu_policy policies[HD_SM_POLICIES];
    unsigned n_policies;
    int slot[HD_N_SLOTS]; // by enum hd_slot: which of them fills it; HD_NONE: the baseline

    struct hd_gpu_program *programs;
    size_t n_programs, cap_programs;

    // Launches in the order of submission. Those of a stream run one after the other; kernels of
    // different streams share the machine, each SM bound to one of them at a time.
    struct hd_queued *queue; // by launch
    size_t n_queue, cap_queue;
    size_t n_ended;
    uint32_t *hosts; // those of the host
    size_t n_hosts, cap_hosts;
    size_t first_waiting, first_open; // of hosts: all before these have started, are complete
    // What kernels asked for and the machine has not taken; kernels that kernels launched.
    const size_t *n_tasks;
    const size_t *n_rests;            // blocks that have left their SM since the last look
    struct hd_gpu_families *families; // NULL: none ever did
    uint32_t *again;                  // kernels without a slot whose blocks may go on
    size_t n_again, first_again, cap_again;
    uint32_t last_ended; // launch, and the memory's counts at its start
    struct hd_mem_stats last_mem_before;

    struct hd_running running[HD_RUNNING];
    unsigned n_running, n_slots;
    int last_kernel;   // running slot that an SM was bound to last
    uint32_t last_sm;  // that received a block last
    uint32_t tbs_left; // blocks of running kernels not handed out
    bool limited;      // a policy limits the blocks of an SM, as it likes
    bool full;     // no SM could take one, and none will before a block or a kernel ends or starts
    int8_t *bound; // by SM: running slot, or HD_NONE
    // By SM: the launch whose start, and whose slow phase, its policies were told last, plus 1.
    uint32_t *told, *told_slow;
    const struct hd_view **views;             // by SM
    struct hd_sm_stats *settled;              // by SM: what has been charged to kernels so far
    struct hd_profile **profiles;             // by SM: where it charges to; NULL if not asked for
    struct hd_profile_counts *settled_counts; // by SM: of that profile
    struct hd_gpu_metrics *metrics;           // NULL: off
    uint64_t start; // of this run: nothing was in flight before; of the last child in it

    uint64_t cycle; // the cycle that runs, or the next one between steps
    uint64_t insts; // warp instructions of finished launches
    uint64_t steps; // cycles stepped, not skipped
    enum hd_run_status status;
    struct hd_trap trap;
    size_t told_absences;
    const char *hang; // report of a dead- or livelock
    uint64_t hang_at; // cycle in which to look whether the run hangs; skips stop there
    // hang.c: since when warps are watched, and since when all that goes on has been going round in
    // circles while somebody never had a turn; 0: they are not.
    uint64_t watched_from, starving_from;
};

// gpu.c: of a launched kernel, by SM; NULL unless asked for.
struct hd_profile *hd_machine_profiles(struct hd_gpu_program *gp, const struct hd_func *kernel);

// launches.c. Queue a launch that is possible; its number. Of the host: without a parent.
uint32_t hd_launches_enqueue(struct hd_gpu *g, const struct hd_launch_request *r,
                             const struct hd_launch *parent, uint32_t parent_tb);
void hd_launches_serve(struct hd_gpu *g); // answer what the emulator asks

// families.c
void hd_families_collect(struct hd_gpu *g); // what kernels asked for; g->n_tasks is not 0
void hd_families_rests(struct hd_gpu *g);   // blocks have left; g->n_rests is not 0
void hd_families_ended(struct hd_gpu *g, uint32_t launch); // all blocks of it
uint32_t hd_families_next(struct hd_gpu *g);      // a kernel that may start now, UINT32_MAX: none
uint64_t hd_families_due(const struct hd_gpu *g); // cycle of the next one; UINT64_MAX
uint32_t hd_families_unbegun(const struct hd_gpu *g); // kernels launched by kernels, not begun

// dispatch.c
void hd_dispatch_cycle(struct hd_gpu *g);
// What machine-wide functions of policies see; `kernels` holds HD_RUNNING and belongs to the view.
void hd_machine_view(const struct hd_gpu *g, struct hd_gpu_view *v, struct hd_kernel_view *kernels);
bool hd_dispatch_possible(struct hd_gpu *g); // some SM could take a block

// kernels.c
void hd_kernels_begin_run(struct hd_gpu *g);
void hd_kernels_start(struct hd_gpu *g);  // queued launches into free running slots
void hd_kernels_finish(struct hd_gpu *g); // those whose last block is done
void hd_kernels_left(struct hd_gpu *g, const struct hd_emu_rest *r);         // a block has left
void hd_kernels_back(struct hd_gpu *g, struct hd_emu_rest *r);               // it may go on
struct hd_emu_rest *hd_kernels_take_back(struct hd_gpu *g, uint32_t launch); // the first of them
// A kernel without a slot some of whose blocks may go on, UINT32_MAX: none.
uint32_t hd_kernels_take_again(struct hd_gpu *g);
void hd_kernels_completed(struct hd_gpu *g, uint32_t launch); // of the host, with all children
void hd_kernels_end_run(struct hd_gpu *g); // after the drain, or a run that went wrong
void hd_kernels_bind(struct hd_gpu *g, unsigned sm, int slot);
void hd_kernels_release(struct hd_gpu *g, unsigned sm); // its last block has ended
// Launches queued or running.
static inline bool hd_kernels_waiting(const struct hd_gpu *g)
{
    return g->n_ended < g->n_queue;
}

// clock.c: run until nothing is queued or running, or something went wrong.
void hd_clock_run(struct hd_gpu *g);

// metrics.c; only with options.metrics
void hd_metrics_new(struct hd_gpu *g); // once the SMs are there
void hd_metrics_settle(struct hd_gpu *g, unsigned sm, uint32_t launch);
void hd_metrics_kernel_starts(struct hd_gpu *g); // before it counts as running
uint64_t hd_metrics_due(const struct hd_gpu *g); // cycle of the next sample; skips stop there
void hd_metrics_sample(struct hd_gpu *g);        // after that cycle

// observe.c
void hd_observe_new(struct hd_gpu *g); // once the SMs are there

// hang.c
void hd_hang_start(struct hd_gpu *g); // a run starts
void hd_hang_end(struct hd_gpu *g);   // and ends
bool hd_hang_check(struct hd_gpu *g); // no progress for too long: sets status and report
void hd_hang_deadlock(struct hd_gpu *g, const char *why);
struct hd_emu_result;
void hd_hang_functional(struct hd_gpu *g, enum hd_run_status status,
                        const struct hd_emu_result *e); // of a run without timing

// The reference steps an SM while any block is left to hand out or its own are alive.
static inline bool hd_machine_active(const struct hd_gpu *g, unsigned i)
{
    return g->tbs_left || g->live[i];
}

// Bring an SM's account up to the last whole cycle. Before anything from outside changes it.
static inline void hd_machine_catch_up(struct hd_gpu *g, unsigned i)
{
    hd_sm_catch_up(g->sms[i], g->cycle - 1, hd_machine_active(g, i));
}

#endif
