// policy_gpu.h - policies of the whole machine, and fetch orders derived from scheduling orders.
//
// A policy that only chooses warps does not need this header. The rules of policy.h (state, purity,
// contract) hold here too.
//
//   place(slot, room)     Which SM gets the next block of the kernel in the running slot `slot`;
//                         HD_NONE: none now. Bit i of the set `room`, 64 SMs to a word, means that
//                         SM i could take the block. An SM receives at most one block per cycle.
//   next_kernel(runnable) The running slot whose kernel is served next, one of the set.
//   on_gpu(event, sm)     The events that the policy subscribed to, of all SMs, in the order of
//                         cycles and SMs, each after the SM's own policies have seen it.
//
// place and next_kernel are called between cycles and may write their own state. These three
// functions have only .gpu and .params of the state.
#ifndef HEDDLE_POLICY_GPU_H
#define HEDDLE_POLICY_GPU_H

#include "heddle/policy.h"

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
