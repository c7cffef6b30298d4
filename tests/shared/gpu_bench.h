// gpu_bench.h - a whole machine that runs one kernel given as PTX: what tests of src/gpu drive.
//
// The module declares one kernel k(.param .u64 buffer) with registers %r0-63, %rd0-15, %f0-15,
// %fd0-7 and %p0-7 and 1 KiB of shared memory; the tests write its body. Its parameter is the
// address of 1 MiB of zeros. Flat memory, no misses of instruction fetch.
#ifndef HEDDLE_TESTS_GPU_BENCH_H
#define HEDDLE_TESTS_GPU_BENCH_H

#include "gpu/gpu.h"

struct gpu_bench_setup {
    const char *body;               // instructions of the kernel, `ret` included
    const char *globals;            // of the module, in front of the kernel; may be NULL
    const char *sched;              // "gto" if NULL
    const char *const *sets;        // "section.key=value", NULL at the end; may be NULL
    uint32_t blocks, threads;       // 1 and 32 if 0
    uint32_t regs;                  // per thread; 0: computed
    const struct hd_policy *tb;     // places blocks; NULL: round robin
    const struct hd_policy *kernel; // chooses kernels; NULL: round robin
    const struct hd_policy *watch;  // schedules instead of `sched`; may be NULL
    uint64_t max_cycles, max_insts;
    bool no_skip, functional_only;
    unsigned host_threads; // that simulate it; 1 if 0
};

struct gpu_bench {
    struct hd_arena *arena;
    struct hd_config config;
    struct hd_gpu *gpu;
    struct hd_program *program;
    uint64_t buffer;
};

struct gpu_bench *gpu_bench_new(const struct gpu_bench_setup *s);
// Queue it (again); false with a diagnostic if the machine refuses.
bool gpu_bench_launch(struct gpu_bench *b, const struct gpu_bench_setup *s, struct hd_diag *d);
// New, launched once and run.
struct gpu_bench *gpu_bench_ran(const struct gpu_bench_setup *s, enum hd_run_status *status);
void gpu_bench_free(struct gpu_bench *b);
uint32_t gpu_bench_word(const struct gpu_bench *b, uint32_t index); // of the buffer

#endif
