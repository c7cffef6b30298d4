// fcfs.c - first come, first served: the kernel that came first gets every SM that is free.
//
// With several kernels on the machine, the one that started first takes all the room it can use;
// the others get what it leaves, and SMs that it no longer needs. It ends as early as it can, and
// the others end later. The default, round robin over the kernels, is what GPGPU-Sim 3.2.2 does.
//
//   The kernel order of LASER's baseline (POMACS 2018, section 3.2): thread blocks of the running
//   kernels in the order in which the kernels arrived.
//
// An SM holds blocks of one kernel at a time, as in GPGPU-Sim 3.2.2, so the choice is made when an
// SM without blocks is bound to a kernel, not for each block.
#include "heddle/policy_gpu.h"

static int fcfs_next_kernel(struct hd_pstate st, const struct hd_gpu_view *v, uint64_t runnable)
{
    (void)st;
    return hd_first_come(v, runnable);
}

HD_POLICY(
    fcfs, .brief = "first come, first served: the kernel that came first gets the free SMs",
    .source = "baseline of LASER, POMACS 2018, section 3.2; one kernel per SM as in GPGPU-Sim",
    .next_kernel = fcfs_next_kernel);
