// jobregs.h - what a compiler for the hardware gave the kernels of a module: the file NAME.regs
// beside NAME.ptx, for jobs and workloads alike. Lines of
//
//   kernel NAME regs N smem N [threads N]
//
// with registers per thread, bytes of static shared memory and, for comparisons only, the threads
// of the blocks that are launched of it. A `#` at the start of a word begins a comment.
//
// Compilers for other GPUs give other numbers. Those for sm_20 are in NAME.sm_20.regs, beside
// NAME.ptx or NAME.sm_75.ptx, and are read where they are asked for (`--regs sm_20`).
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

// What kernels are to have instead of what the file beside their module says, as `--regs` and the
// key `regs` of a paper's file choose it. All zero: nothing.
struct hd_jobregs_choice {
    const char *word; // as it is written: "20", "sm_20"; NULL: nothing is chosen
    uint32_t each;    // registers of every kernel; 0: `word` is a target, whose files are read
};

// Read such a word, which must live on. "sm_75" chooses nothing: those numbers are in NAME.regs.
// False if it is neither a number nor a target; the caller then says what is expected.
bool hd_jobregs_choose(const char *word, struct hd_jobregs_choice *out);
#define HD_JOBREGS_EXPECTED                                                                        \
    "expected registers per thread, from 1 to 65535, or what they were compiled for: sm_20 or "    \
    "sm_75"

// The file beside the module at path `ptx`, whether or not it exists. `target` is "sm_20" or the
// like; NULL: the module's own.
const char *hd_jobregs_path(struct hd_arena *a, const char *ptx, const char *target);
// Add what the file beside the module at path `ptx` says. Without a target, there may be none. The
// file of a target must be there, and name each kernel that the module's own file names. False
// after diagnostics about what is in it.
bool hd_jobregs_read(struct hd_jobregs *r, struct hd_arena *a, const char *ptx, const char *target,
                     struct hd_diag *d);
// NULL if nothing is known of that kernel.
const struct hd_jobregs_kernel *hd_jobregs_find(const struct hd_jobregs *r, const char *kernel);

#endif
