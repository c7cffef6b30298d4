// toy_internal.h - the state of a running example. toysm.c: what an SM is for its policies, and how
// a block starts; toykernels.c decides which kernel runs and which SM gets which block; engine.c
// steps the SMs.
#ifndef HEDDLE_TOY_TOY_INTERNAL_H
#define HEDDLE_TOY_TOY_INTERNAL_H

#include "heddle/policy_gpu.h"
#include "toy/toy.h"

struct hd_toy_slot { // a warp slot and the warp in it
    bool used, ended, at_barrier, loading;
    uint32_t warp; // of the example
    uint32_t tb;   // block slot
    uint32_t pc, end;
    uint32_t buffered, buffer_pc; // instructions fetched, and the PC of the first
    uint64_t ready;               // cycle in which the last result is there
};
struct hd_toy_line {              // of the L1
    uint64_t number, used, ready; // ready: cycle in which the fill has arrived
    uint32_t owner;
    bool valid;
};
struct hd_toy_player { // a policy and its memory
    const struct hd_policy *policy;
    const struct hd_policy_choice *choice;
    char *gpu, *sm, *sched; // sm: by SM; sched: by SM and scheduler
};
struct hd_toy_sm {
    struct hd_toy_machine *m;
    const struct hd_toy *toy;
    uint32_t index;
    struct hd_view v;
    struct hd_toy_slot slots[HD_MAX_WARPS];
    struct hd_tb_view tbs[HD_MAX_TBS];
    uint32_t tb_at[HD_MAX_TBS]; // by block slot: the block of the example
    uint32_t pc[HD_MAX_WARPS], age[HD_MAX_WARPS];
    uint64_t progress[HD_MAX_WARPS];
    uint8_t tb_of[HD_MAX_WARPS];
    struct hd_toy_line *l1;
    uint64_t l1_clock;
    uint32_t next_age;
    bool active; // something other than time happened in this cycle
};

// ASLEEP: nobody has launched it. COMING: it may start in cycle `when`. READY: since then.
enum hd_toy_state { HD_TOY_ASLEEP, HD_TOY_COMING, HD_TOY_READY, HD_TOY_RUNNING, HD_TOY_ENDED };
struct hd_toy_launch { // a kernel of the example, which is launched once at most
    uint8_t state;
    int slot; // running slot
    uint64_t when;
    uint32_t id, mark, depth, parent_kernel, parent_tb, parent_sm, children;
    uint32_t parent, open;        // index of the parent; its children that are not complete
    uint32_t next, started, done; // next: no block before it is left
    bool *given;                  // by block
};
struct hd_toy_machine {
    const struct hd_toy *toy;
    struct hd_toy_result *r;
    struct hd_arena *arena;
    struct hd_toy_player players[HD_N_SLOTS]; // each once, even if it fills several slots
    unsigned n_players;
    const struct hd_toy_player *of[HD_N_SLOTS]; // NULL: round robin
    bool never_skip;                            // a policy has HD_EVERY_CYCLE or HD_LOST_SINGLY
    struct hd_toy_sm *sms;
    struct hd_static_view columns;
    const struct hd_view **views;
    struct hd_gpu_view v;
    struct hd_kernel_view running[HD_TOY_SLOTS];
    struct hd_toy_launch *launches; // by kernel
    uint32_t in_slot[HD_TOY_SLOTS]; // kernel of a running slot
    uint32_t n_launched, pending;   // pending: blocks of running kernels that have not started
    uint32_t *count; // times a warp of the example has executed a branch: [warp * n_ops + pc]
    size_t cap_issues;
};

// Whether a policy's answer is one of the set. A plug-in may answer any number.
static inline bool hd_toy_answers(uint64_t among, int answer)
{
    return answer < 64 && hd_has(among, answer);
}

// toysm.c
// The memory of a policy, .sched being the array of the SM's schedulers.
struct hd_pstate hd_toysm_state(const struct hd_toy_machine *m, const struct hd_toy_player *p,
                                uint32_t sm);
void hd_toysm_tell(struct hd_toy_sm *t, struct hd_event e); // to all policies
struct hd_event hd_toysm_event(const struct hd_toy_sm *t, enum hd_event_kind kind, int w);
// Whether another block may start. All policies may limit how many are resident.
bool hd_toysm_room(const struct hd_toy_sm *t);
// Starts a block that has been counted, in a free slot.
void hd_toysm_start(struct hd_toy_sm *t, unsigned slot, uint32_t kernel, uint32_t tb);
void hd_toysm_show(struct hd_toy_sm *t, int w); // sets the view's masks and columns of one slot
// Without a front end the next instruction is always available.
void hd_toysm_refill(struct hd_toy_sm *t, struct hd_toy_slot *s);

// toykernels.c
void hd_toykernels_begin(struct hd_toy_machine *m); // launches the host's kernels
void hd_toykernels_step(struct hd_toy_machine *m); // starts kernels and, in an example with several
                                                   // kernels or SMs, blocks
// A warp has executed a launch; only the first of a kernel has an effect.
void hd_toykernels_launch(struct hd_toy_sm *t, int w, uint32_t kernel);
// Starts the next block in order of the kernels, if one is left, on an SM of an example without
// kernels.
void hd_toykernels_start_next(struct hd_toy_sm *t, unsigned slot);
void hd_toykernels_tb_ended(struct hd_toy_sm *t, uint32_t kernel);
bool hd_toykernels_idle(const struct hd_toy_machine *m); // no kernel runs, or will
uint64_t
hd_toykernels_next_cycle(const struct hd_toy_machine *m); // in which something happens here

#endif
