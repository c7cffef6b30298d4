// machinecheck.h - checks of what a policy answers for the whole machine: where blocks go, and
// which kernel is served.
#ifndef HEDDLE_CONTRACT_MACHINECHECK_H
#define HEDDLE_CONTRACT_MACHINECHECK_H

#include "contract/life.h"

#define HD_MACHINECHECK_SMS 5

// The machine as its policies see it: every SM looks like this one. `views` has HD_MACHINECHECK_SMS
// entries.
struct hd_gpu_view hd_machinecheck_view(struct hd_life *x, const struct hd_view **views);

// Each asks the policy's function of that name, which it must have.
void hd_machinecheck_place(struct hd_life *x);
void hd_machinecheck_next_kernel(struct hd_life *x);
void hd_machinecheck_feed(struct hd_life *x);
void hd_machinecheck_admit(struct hd_life *x);
void hd_machinecheck_mark(struct hd_life *x);
void hd_machinecheck_remark(struct hd_life *x);

#endif
