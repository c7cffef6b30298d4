// gpu.h - the machine: SMs, the memory at the end of their ports, the instruction source, the
// policies, and the clock that steps them in the reference's order. The only folder that uses all
// of them.
#ifndef HEDDLE_GPU_GPU_H
#define HEDDLE_GPU_GPU_H

#include "base/arena.h"
#include "base/diag.h"
#include "emu/memory.h"
#include "gpu/cycleviews.h"
#include "gpu/metrics.h"
#include "gpu/pipeviews.h"
#include "heddle/config.h"
#include "heddle/isrc.h"
#include "heddle/profile.h"
#include "heddle/stats.h"
#include "registry/registry.h"
#include "reuse/reuse.h"
#include "sample/sample.h"
#include "trace/record.h"
#include "trace/tracefile.h"

enum hd_run_status {
    HD_RUN_OK,
    HD_RUN_FAULT,    // the simulated program trapped
    HD_RUN_DEADLOCK, // no event can ever happen again
    HD_RUN_LIVELOCK, // instructions issue without any effect
    HD_RUN_LIMIT,    // max_cycles or max_insts reached
    HD_RUN_STOPPED,  // the caller's progress function returned false
};

struct hd_launch_request;

struct hd_gpu_progress {
    uint64_t cycle;               // of the clock; zero in a run without timing
    uint64_t warp_insts;          // issued so far
    uint64_t blocks, blocks_done; // of the kernels that run now; zero in a run without timing
};

#define HD_GPU_THREADS_THAT_PAY UINT32_MAX

struct hd_gpu_options {
    const struct hd_config *config;
    // sched, fetch, tb, kernel_policy; .policy is NULL for the slot's baseline
    HD_SLOTS_OF(HD_SLOT_CHOICE, struct hd_policy_choice);
    bool functional_only; // no timing: results and instruction counts only
    bool strict;          // what PTX leaves undefined is a fault, even if GPUs execute it
    // Threads that step SMs side by side, which changes no result; 0 is the same as 1.
    unsigned threads;
    bool no_skip;        // step every cycle, also those in which nothing can change
    bool profile;        // charge scheduler cycles to instructions: hd_gpu_profile
    bool metrics;        // record gpu/metrics.h
    unsigned metrics_sm; // the SM whose warps and order of blocks are recorded
    // Names of the kernels whose warps are recorded, separated by commas; NULL: all kernels'.
    const char *metrics_kernels;
    const struct hd_pipeviews_options *pipeviews;   // record heddle/pipeview.h; NULL: no
    const struct hd_cycleviews_options *cycleviews; // record heddle/cycleview.h; NULL: no
    // Only a sample of the launches is simulated with timing; the others have no cycles. They run
    // one after the other, whatever their streams are, and kernels may launch none. NULL: all are.
    // Ignored without timing.
    const struct hd_sample_options *sample;
    // Analyse which data is used again; the machine fills in its own sizes. NULL: no. Ignored
    // without timing.
    const struct hd_reuse_options *reuse;
    uint64_t max_cycles, max_insts; // 0 = no limit; both over the whole run
    // Records what warps do. The caller finishes it.
    struct hd_record *record;
    // Instructions come from this trace and not from the emulator: programs are loaded and launches
    // submitted as the trace lists them, in its order, and memory has no values. NULL: they are
    // emulated.
    struct hd_traceread *trace;
    // Called from time to time while cycles are stepped. False stops the run; it does not affect
    // results otherwise. May be NULL.
    bool (*progress)(void *ctx, const struct hd_gpu_progress *p);
    void *progress_ctx;
    // Called when a launch of the host is complete, with its number, in the cycle in which its last
    // block ended, or the last block of the kernels that it launched. It may submit more launches;
    // the next one of a stream starts as if it had been queued.
    void (*ended)(void *ctx, uint32_t launch);
    void *ended_ctx;
    // Called for each kernel that a kernel launches: sets values that the user has chosen for it
    // instead of the program's own (regs, regs_source, shared_static). May be NULL.
    void (*resources)(void *ctx, struct hd_launch_request *r);
    void *resources_ctx;
};

// The program points of a kernel (ELF, SC 2015): how many its code has, those of the functions that
// it may call included, and how many are left in the slots of the hardware's table (points.slots).
struct hd_gpu_points_found {
    uint32_t loads, branches; // before merging
    uint32_t after;
    uint32_t dropped; // points that could not be merged into a load
};

// The results of one launch. Strings live as long as the machine.
struct hd_kernel_result {
    const char *name;
    const struct hd_launch *launch;
    const char *regs_source; // "set", "job", "file", "cubin", "directive" or "computed"
    uint32_t tbs_per_sm;
    enum hd_sample_part part;        // with options.sample
    unsigned group;                  // with options.sample: hd_sample_group.number
    uint64_t start_cycle, end_cycle; // on the machine's running clock, drain cycles included
    uint64_t launch_cycle;           // cycle in which a kernel executed the launch
    uint32_t slot;                   // its slot of the running kernels
    uint64_t complete_cycle;         // when the last kernel that it launched was complete too
    uint64_t cycles;                 // of this kernel as the reference counts them
    struct hd_sm_stats sm;           // summed over SMs, this kernel only
    struct hd_mem_stats mem;
    struct hd_profile_counts profile; // with options.profile: counts that belong to no instruction
    const struct hd_gpu_points_found *points; // NULL: no policy asks for distances to loads
};

struct hd_launch_request {
    const struct hd_program *program;
    const struct hd_func *kernel;
    uint32_t grid[3], block[3], dynamic_shared, stream;
    const uint8_t *params; // copied
    uint32_t regs;         // 0: the program's own
    const char *regs_source;
    uint32_t shared_static; // UINT32_MAX: the program's own
    uint64_t workspace;     // hd_launch.workspace
    uint32_t mark;          // hd_launch.mark
};

struct hd_gpu;

struct hd_gpu *hd_gpu_new(const struct hd_gpu_options *o);
void hd_gpu_free(struct hd_gpu *g);
struct hd_memory *hd_gpu_memory(struct hd_gpu *g);
// The host has copied these bytes to device memory: caches may have them now.
void hd_gpu_copied(struct hd_gpu *g, uint64_t address, uint64_t bytes);
struct hd_emu *hd_gpu_emu(struct hd_gpu *g);     // for texture and surface objects (emu/texture.h)
struct hd_devrt *hd_gpu_devrt(struct hd_gpu *g); // for its limits (devrt/devrt.h)
bool hd_gpu_load(struct hd_gpu *g, struct hd_program *p, struct hd_diag *d);
// Host pointer to bytes of a loaded program's constant space, to read and to initialise .const
// variables. NULL unless the whole range is inside it.
uint8_t *hd_gpu_const(struct hd_gpu *g, const struct hd_program *p, uint64_t address,
                      uint64_t bytes);

// Queue a launch. False with a diagnostic if it can never run on this machine (block too large,
// too much shared memory, empty grid).
bool hd_gpu_submit(struct hd_gpu *g, const struct hd_launch_request *r, struct hd_diag *d);
// The registers of a block, as occupancy counts them.
uint64_t hd_registers_of_block(const struct hd_config *c, const struct hd_launch *l);
uint64_t hd_gpu_shared_of_block(const struct hd_launch *l);
// The diagnostic of a launch that this machine can never run, with the option that would change it.
#define HD_GPU_REGISTERS "the number of registers of a block"
void hd_registers_refuse(struct hd_diag *d, const struct hd_config *c, const struct hd_launch *l);
// Registers of a thread if no number is given: what the machine code beside the PTX says ("cubin"),
// else the program's estimate ("computed"), or what .maxnreg or the launch bounds leave of either
// on this machine ("directive").
uint32_t hd_registers_of(const struct hd_config *c, const struct hd_func *f, const char **source);
// Whether a number from this source may be larger than a compiler for this machine would choose.
bool hd_registers_doubtful(const struct hd_config *c, const char *source);
// A launch whose estimate is too large by at most this many per cent of it still gets one block on
// an SM. The estimate may be wrong by that much (the most seen is 88 where ptxas gives 64), and the
// program's author has seen that it runs.
#define HD_REGISTERS_DOUBT 33
#define HD_GPU_SHARED "the size of a block's shared memory in bytes"
#define HD_GPU_CLUSTER "the number of blocks of a cluster (.reqnctapercluster)"
#define HD_GPU_BOUND "the number of threads of a block (.maxntid)"
void hd_gpu_refuse(struct hd_diag *d, const char *kernel, const char *what, uint64_t is,
                   uint64_t limit);
// Whether a launch of the kernel may be part of a sample, if this run is one. False with a
// diagnostic.
bool hd_gpu_may_sample(struct hd_gpu *g, const struct hd_program *p, const struct hd_func *kernel,
                       struct hd_diag *d);
uint32_t hd_gpu_n_launches(const struct hd_gpu *g); // queued so far: the next one's number
bool hd_gpu_launched(const struct hd_gpu *g);       // a kernel has launched one
uint64_t hd_gpu_insts(const struct hd_gpu *g);      // warp instructions of ended launches
// Runs until every queued launch has ended and the memory side is idle, or something goes wrong.
enum hd_run_status hd_gpu_run(struct hd_gpu *g);

unsigned hd_gpu_n_results(const struct hd_gpu *g);
const struct hd_kernel_result *hd_gpu_result(const struct hd_gpu *g, unsigned i);
const struct hd_trap *hd_gpu_trap(const struct hd_gpu *g); // of a HD_RUN_FAULT; where and what
bool hd_gpu_trap_in_page(const struct hd_gpu *g); // gpu.bounds=pages would permit the access
// Reports what the program does that PTX leaves undefined, and that was not reported yet.
void hd_gpu_doubts(struct hd_gpu *g, struct hd_diag *d);
const char *hd_gpu_hang(const struct hd_gpu *g); // the report of a dead- or livelock
uint64_t hd_gpu_cycle(const struct hd_gpu *g);   // running clock
// Cycles in which launches ran or were on their way, each counted once however many ran together;
// without the cycles that drain memory after the last one.
uint64_t hd_gpu_elapsed(const struct hd_gpu *g);
// What device code has printed since the last call, ordered by launch, block, warp, time and lane.
// Not NUL-terminated, valid until the next launch; *lost counts texts for which there was no room.
const char *hd_gpu_printed(struct hd_gpu *g, size_t *bytes, uint64_t *lost);
// With options.profile: scheduler cycles by instruction of a loaded program in all launches of one
// of its kernels so far, summed over SMs. Each call computes the sum.
const struct hd_profile *hd_gpu_profile(struct hd_gpu *g, const struct hd_program *p,
                                        const struct hd_func *kernel);

// NULL without options.metrics: the sums of a launch; the records of an SM (gpu/metrics.h).
const struct hd_metrics_sums *hd_gpu_metrics_sums(const struct hd_gpu *g, unsigned launch);
const struct hd_metrics_records *hd_gpu_metrics_records(const struct hd_gpu *g, unsigned sm);

const struct hd_sample *hd_gpu_sample(const struct hd_gpu *g); // NULL without options.sample

// NULL without options.reuse. The analysis ends with this call: later launches are not in it.
const struct hd_reuse_result *hd_gpu_reuse_result(struct hd_gpu *g);
const struct hd_reuse_options *hd_gpu_reuse_options(const struct hd_gpu *g); // with the machine's

// Counters of the policy in a slot, summed over schedulers and SMs and the whole run so far.
struct hd_gpu_counter {
    const struct hd_field *field;
    uint64_t value;
};
// Counter number i, the schedulers' first; false if there are fewer. There are none for a slot with
// the baseline, or in a run without timing.
bool hd_gpu_counter(const struct hd_gpu *g, enum hd_slot slot, unsigned i,
                    struct hd_gpu_counter *out);

// Resident blocks of a launch on one SM: the minimum of what threads, warps, shared memory,
// registers and block slots allow, and ceil(blocks / SMs) if the grid is smaller (timing-model
// 2.3). Zero if not even one fits.
uint32_t hd_occupancy(const struct hd_config *c, const struct hd_launch *l);

#endif
