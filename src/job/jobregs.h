// jobregs.h - what a compiler for the hardware gave the kernels of a module: the file NAME.regs
// beside NAME.ptx, for jobs and workloads alike. Lines of
//
//   kernel NAME regs N smem N [threads N]
//
// with registers per thread, bytes of static shared memory and, for comparisons only, the threads
// of the blocks that are launched of it. A `#` at the start of a word begins a comment.
#ifndef HEDDLE_JOB_JOBREGS_H
#define HEDDLE_JOB_JOBREGS_H

#include "base/arena.h"
#include "base/diag.h"

struct hd_jobregs_kernel {
    const char *name;
    uint32_t regs, smem, threads; // threads: 0 if not given
};

struct hd_jobregs {
    struct hd_jobregs_kernel *kernels;
    size_t n, cap;
};

// The file beside the module at path `ptx`, whether or not it exists.
const char *hd_jobregs_path(struct hd_arena *a, const char *ptx);
// Add what the file beside the module at path `ptx` says; nothing if there is none. False after
// diagnostics about what is in it.
bool hd_jobregs_read(struct hd_jobregs *r, struct hd_arena *a, const char *ptx, struct hd_diag *d);
// NULL if nothing is known of that kernel.
const struct hd_jobregs_kernel *hd_jobregs_find(const struct hd_jobregs *r, const char *kernel);

#endif
