// policy_gpu.h - policies of the whole machine, and fetch orders derived from scheduling orders.
//
// A policy that only chooses warps does not need this header. The rules of policy.h (state, purity,
// contract) hold here too.
//
//   place(slot, room)     Which SM gets the next block of the kernel in the running slot `slot`;
//                         HD_NONE: none now. Bit i of the set `room`, 64 SMs to a word, means that
//                         SM i could take the block. An SM receives at most one block per cycle.
//   next_kernel(runnable) The running slot whose kernel is served next, one of the set.
//   on_gpu(event, sm)     The events of hd_policy.gpu_events, of all SMs, in the order of cycles
//   and
//                         SMs, each after the SM's own policies have seen it. .sm of the state is
//                         that of this SM.
//   feed(sm, fits, pick)  The same decision as that of place, but the SM asks: which block does it
//                         get, of a kernel of the set `fits`? Each kernel of the set has blocks
//                         that have never started, and the SM has room for one of them. False: none
//                         now. A policy has either place or feed. SMs ask in turn, the one after
//                         last_sm first, and each receives at most one block per cycle. A block
//                         that has left its SM to wait for kernels and may continue is given to an
//                         SM before the policy is asked. next_kernel is not asked. .sm of the state
//                         is that of the SM that asks.
//   admit(ready, n)       A running slot is free: which of n kernels takes it, all of which may
//                         start? They are sorted by `since`; the host's are first among equals. The
//                         answer is an index below n. Without admit the
//                         host's kernels are first, then those of kernels in their order. Kernels
//                         that have had a slot before are not asked about: they get one first.
//   mark(event, sm)       A warp of this SM has launched a kernel (HD_EV_CHILD_LAUNCH, whose number
//                         the kernel is going to have): a word that is kept with the kernel, .mark
//                         in the views. It is asked before the event is reported. .sm of the state
//                         is that of this SM. Kernels of the host have the mark 0.
//   remark(kernel, time, sm)
//                         A kernel that a kernel has launched may start (HD_MARK_READY), and later
//                         takes its first running slot (HD_MARK_SLOT): its mark from now on, which
//                         may be the one that it has. `sm` held the block that launched it, then;
//                         .sm of the state is that of this SM.
//
// place, feed and admit belong to the slots of blocks (place, feed) and of kernels (next_kernel,
// admit, mark, remark), and only the policy in that slot is asked. All of them are called between
// cycles and may write their own state; place, next_kernel and admit have only .gpu, .params and
// .data of it.
//
// KEYS. Launch numbers depend on the policy: a parent that runs earlier launches earlier. A key
// does not: it is a hash of the parent's key and the launching block, the function's name, grid,
// block and parameters, and the kernel's number among launches that agree in all of these. A
// policy asks for keys with HD_NEED_KERNELS; without it they are 0. `heddle reuse --plan` names
// kernels by the same keys.
#ifndef HEDDLE_POLICY_GPU_H
#define HEDDLE_POLICY_GPU_H

#include "heddle/policy.h"

#define HD_NO_SM UINT32_MAX

struct hd_kernel_view { // a kernel that holds a running slot
    uint32_t id, stream, tbs, tbs_started, tbs_done;
    uint32_t parent_kernel, parent_tb; // UINT32_MAX: the host launched it
    uint64_t start_cycle;
    uint64_t key;       // with HD_NEED_KERNELS
    uint32_t mark;      // what hd_policy.mark, then .remark answered; else 0
    uint32_t depth;     // of the parent plus one; 0 if the host launched it
    uint32_t parent_sm; // that held the parent's block when it launched this; HD_NO_SM: the host
    uint32_t children;  // kernels that it has launched so far
    bool launches;      // its code launches kernels; with HD_NEED_KERNELS
};
struct hd_ready { // a kernel that may start and has never had a running slot
    uint32_t id, mark, stream, tbs, depth;
    uint32_t parent_kernel, parent_tb;
    uint64_t since; // cycle since which it has been among those that the policy is asked about
    uint64_t key;
};
#define HD_NEXT_TB UINT32_MAX // of the blocks that have not started, the one with smallest index
struct hd_pick {
    int slot;    // of a running kernel
    uint32_t tb; // its block, or HD_NEXT_TB
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

// What `heddle reuse --plan` has found in an earlier run of the same program, for a policy with a
// parameter HD_F_PLAN: pairs of kernels, or of blocks, whose reuse ratio is high: above 0.4, or
// above what --plan-above says. R(x|y) is part / whole: so many of x's accesses are to lines that y
// accesses too. Sorted by x, then by y.
#define HD_PLAN_FIRST_LINE "heddle-reuse-plan 1"
#define HD_PLAN_KERNEL UINT32_MAX // instead of a block: the whole kernel
struct hd_plan_unit {
    uint64_t key; // of the kernel
    uint32_t block;
};
struct hd_plan_pair {
    struct hd_plan_unit x, y;
    uint64_t part, whole;
};
struct hd_plan_member {
    struct hd_plan_unit x, chain;
};
struct hd_plan {
    const struct hd_plan_pair *kernels, *blocks;
    size_t n_kernels, n_blocks;
    // Each pair of blocks twice, as x and y and as y and x, with the greater of both ratios.
    const struct hd_plan_pair *links;
    size_t n_links;
    // The blocks of the links, sorted, each with the first block of its chain: of those that links
    // connect, however many.
    const struct hd_plan_member *members;
    size_t n_members;
};

static inline int hd_plan_order(const struct hd_plan_unit *a, const struct hd_plan_unit *b)
{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}
// The index of the first pair that is not before (x, y); with y NULL, of the first with x.
static inline size_t hd_plan_find(const struct hd_plan_pair *pairs, size_t n,
                                  const struct hd_plan_unit *x, const struct hd_plan_unit *y)
{
    size_t low = 0;

    while (n) {
        const struct hd_plan_pair *p = &pairs[low + n / 2];
        int order = hd_plan_order(&p->x, x);
        if (!order && y)
            order = hd_plan_order(&p->y, y);
        if (order < 0)
            low += n / 2 + 1;
        n = order < 0 ? n - n / 2 - 1 : n / 2;
    }
    return low;
}
// The index of the first member that is not before x.
static inline size_t hd_plan_member_at(const struct hd_plan_member *all, size_t n,
                                       const struct hd_plan_unit *x)
{
    size_t low = 0;

    while (n) {
        bool before = hd_plan_order(&all[low + n / 2].x, x) < 0;
        low += before ? n / 2 + 1 : 0;
        n = before ? n - n / 2 - 1 : n / 2;
    }
    return low;
}
// The first block of a block's chain, NULL if the plan has no link of that block.
static inline const struct hd_plan_unit *hd_plan_chain(const struct hd_plan *plan,
                                                       const struct hd_plan_unit *x)
{
    size_t i = hd_plan_member_at(plan->members, plan->n_members, x);

    return i < plan->n_members && !hd_plan_order(&plan->members[i].x, x) ? &plan->members[i].chain
                                                                         : NULL;
}
// The pair, NULL if the plan does not have it.
static inline const struct hd_plan_pair *hd_plan_pair(const struct hd_plan_pair *pairs, size_t n,
                                                      const struct hd_plan_unit *x,
                                                      const struct hd_plan_unit *y)
{
    size_t i = hd_plan_find(pairs, n, x, y);

    return i < n && !hd_plan_order(&pairs[i].x, x) && !hd_plan_order(&pairs[i].y, y) ? &pairs[i]
                                                                                     : NULL;
}
static inline bool hd_plan_greater(const struct hd_plan_pair *a, const struct hd_plan_pair *b)
{
    return (double)a->part * (double)b->whole > (double)b->part * (double)a->whole;
}

// The kernel of a set of running slots that came first, HD_NONE if the set is empty.
static inline int hd_first_come(const struct hd_gpu_view *v, uint64_t set)
{
    int best = hd_first(set), k;

    HD_EACH(k, set) {
        const struct hd_kernel_view *a = &v->kernels[k], *b = &v->kernels[best];
        if (a->start_cycle < b->start_cycle || (a->start_cycle == b->start_cycle && a->id < b->id))
            best = k;
    }
    return best;
}

// For fetch functions: serves warps in the interleaved orders of the schedulers: the first warp of
// scheduler `lead`, the first of the next one, ..., the second of `lead`, ... Returns the first
// warp of that order that is in `among`. `first` is the policy's own function; st.sched is the
// array of the states of all schedulers, and size is the bytes of one state. Waiting warps that are
// not candidates have no place in the orders. Ended warps among the candidates come first:
// reclaiming one costs no fetch.
int hd_follow(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
              struct hd_pstate st, size_t size, const struct hd_view *v, int lead, uint64_t among);
// The same, faster: `ahead` returns how many warps of a set precede warp w, which is not in the
// set, in the order of scheduler s.
int hd_follow_ahead(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
                    unsigned (*ahead)(struct hd_pstate, const struct hd_view *, int s, uint64_t set,
                                      int w),
                    struct hd_pstate st, size_t size, const struct hd_view *v, int lead,
                    uint64_t among);

#endif
