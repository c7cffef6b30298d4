// isrc.h - the instruction source: the only interface between function and timing.
//
// An SM uses it in three ways: it peeks at the next instruction of a warp, executes it once (exec,
// at issue), and finishes it (when the reply of an atomic has come back). The emulator is one
// source, a recorded trace is another. The source has no cycles, caches or queues; the SM has no
// values.
//
// Peek reads a column and is not a call, because an SM looks at every warp's next PC far more often
// than it issues.
//
// When values change (timing must not change what a program computes, except where it races):
//   - plain loads and stores take effect inside exec, at issue;
//   - a plain store to global memory is seen at once by its own SM, by the other SMs from the next
//     cycle on: the source logs it and `commit` applies the log. The machine commits all SMs in
//     index order at the end of each cycle, so no result depends on the order in which SMs were
//     stepped within the cycle;
//   - an atomic's operands are read at exec; the memory side calls `serve` for each access when it
//     performs it (the order served is the order of the atomic operations); the destination
//     registers are written by `finish`. Until then the warp is not executed again;
//   - an asynchronous copy moves its bytes inside exec, too; what it does to an mbarrier when it is
//     complete is done by `complete_async`;
//   - the predicate of a wait for an mbarrier's phase (HD_DEP_PHASE) is written by `poll`.
#ifndef HEDDLE_ISRC_H
#define HEDDLE_ISRC_H

#include "heddle/bits.h" // HD_MAX_WARPS, HD_MAX_TBS
#include "heddle/program.h"

struct hd_parked_block; // src/emu/parked_block.h

struct hd_launch { // one kernel launch; immutable while it runs
    const struct hd_program *program;
    const struct hd_func *kernel;
    uint32_t grid[3], block[3]; // x, y, z; all at least 1
    uint32_t dynamic_shared;    // bytes on top of kernel->shared_bytes
    const uint8_t *params;      // kernel->param_bytes bytes
    uint32_t id;                // counts launches of this machine from 0
    uint32_t stream;
    uint32_t regs;           // registers per thread used for occupancy, before rounding
    const char *regs_source; // its source: "set", "job", "file", "cubin", "directive" or "computed"
    bool regs_estimated;     // the true number is not known on this machine
    uint32_t shared_static;  // static shared bytes used for occupancy
    uint32_t code_base;      // of the program's PC 0 in instruction memory, in instructions
    uint64_t workspace;      // of a cooperative launch: where its blocks synchronise; else 0
    // The parent's launch and block, if a kernel launched this one; NULL: the host launched it.
    const struct hd_launch *parent;
    uint32_t parent_tb;
    uint32_t depth; // the parent's depth plus one; 0 if the host launched it
    // For policies (heddle/policy_gpu.h): the word kept with it; its key, and whether its code
    // launches kernels, if a policy needs them.
    uint32_t mark;
    uint64_t key;
    bool launches;
};

struct hd_tb { // a thread block as it is given to an SM
    const struct hd_launch *launch;
    uint32_t index[3];                    // block index
    uint32_t linear;                      // x fastest
    uint8_t slot;                         // block slot of the SM
    uint8_t first_warp, n_warps;          // warp slots first_warp .. first_warp + n_warps - 1
    const struct hd_parked_block *parked; // a block that left its SM and returns; else NULL
};

// What one executed warp instruction did. The SM owns the struct; exec overwrites it. addr[l] is
// valid only for lanes of exec_mask and memory operations.
struct hd_effects {
    uint32_t active_mask; // active lanes before predication
    uint32_t exec_mask;   // those of them whose guard was true: they have executed
    uint32_t next_pc;     // where the warp continues (top of its stack); HD_PC_NONE: it has ended
    uint16_t flags;       // HD_EFF_*
    uint8_t space;        // where a memory operation went: GLOBAL, SHARED, LOCAL, CONST, PARAM, TEX
    uint8_t bytes, vec;   // per lane: vec elements of `bytes` bytes each
    uint8_t barrier;      // HD_KIND_BARRIER: its id; HD_KIND_COPIES: groups that may be left
    uint8_t bar_op;       // enum hd_bar_op; HD_KIND_COPIES: enum hd_copies_op
    uint8_t bar_lanes;    // threads that arrive without the others of their warp; 0: all do
    uint16_t bar_threads; // expected number of threads, 0 = all of the block
    uint32_t addr_span;   // of memory operations: max(addr) - min(addr) + 1; 0 if unknown
    uint32_t completion;  // HD_DEP_ASYNC: argument of `complete_async`, 0 if it is not to be called
    uint64_t addr[HD_LANES];  // byte address of the first element in `space`; local: offset in the
                              // thread's own local memory
    uint32_t moved[HD_LANES]; // bytes of a lane; of bulk copies, whose `bytes` is 0
};
#define HD_EFF_TAKEN 0x01    // branch: at least one lane jumped
#define HD_EFF_DIVERGED 0x02 // branch: lanes went different ways
#define HD_EFF_JUMPED 0x04   // next_pc is not pc + 1 and the instruction is no branch (a stack pop)
#define HD_EFF_EXITED 0x08   // at least one lane ended
#define HD_EFF_ROW 0x20  // memory: addr rises from lane to lane by what a lane moves (bytes * vec)
#define HD_EFF_TRAP 0x10 // the program faulted; see trap(). This exec changed nothing
#define HD_EFF_HIDDEN_ACCESS 0x40 // it accessed memory that addr[] does not list
#define HD_EFF_WAITS 0x80         // the warp continues when the kernels of its block have ended
// The lanes that were here wait, and others of the warp continue (src/emu/paths.h). If they have
// arrived at a barrier, the warp is not blocked.
#define HD_EFF_SWITCHED 0x100
#define HD_EFF_BLOCKED 0x200 // no lane can continue before a barrier opens at which some wait
enum hd_bar_op { HD_BAR_SYNC, HD_BAR_ARRIVE, HD_BAR_RED };
#define HD_BARRIER_CLUSTER 16 // the barrier of a cluster of one block, beside the 16 of a block
// Groups of asynchronous copies: end a group; wait until at most so many groups are in progress;
// end a group and wait for all. Then the same for bulk copies to global memory; such a wait can
// also be only until the sources have been read.
enum hd_copies_op {
    HD_COPIES_COMMIT,
    HD_COPIES_WAIT,
    HD_COPIES_ALL,
    HD_COPIES_BULK_COMMIT,
    HD_COPIES_BULK_WAIT,
    HD_COPIES_BULK_READ
};
#define HD_COPIES_MOST 7 // groups that a wait may leave in progress; larger numbers count as 7

enum hd_trap_kind {
    HD_TRAP_NONE,
    HD_TRAP_OUT_OF_BOUNDS,
    HD_TRAP_MISALIGNED,
    HD_TRAP_ILLEGAL,
    HD_TRAP_USER, // trap
    HD_TRAP_STACK,
    HD_TRAP_SYNC, // divergent lanes of a .sync that can never all arrive
    HD_TRAP_ASSERT,
    HD_TRAP_SOURCE, // not a fault of the program: a recorded trace is damaged
    HD_N_TRAPS
};
struct hd_trap {
    uint32_t kind; // enum hd_trap_kind
    uint32_t pc;
    const struct hd_launch *launch;
    uint32_t block[3], thread[3]; // of the lowest faulting lane
    uint8_t space;                // enum hd_space
    uint8_t bytes;
    bool write;
    uint64_t addr;
    char detail[160]; // nearest allocation, limits: a sentence for the user
};

struct hd_isrc_ops {
    const char *name;
    // A block begins: its warps start at the kernel's entry with all threads active.
    void (*tb_start)(void *self, const struct hd_tb *tb);
    // All its warps have been reclaimed; their slots may be reused.
    void (*tb_end)(void *self, unsigned slot);
    // None of its warps can continue before the kernels that it launched are complete, and all have
    // been reclaimed: it leaves the SM and returns with tb_start, possibly on another SM.
    void (*tb_leave)(void *self, unsigned slot);
    // Executes the instruction at pc[warp] and advances the warp's stack. Exactly once per
    // instruction, at issue; never for a warp with an unfinished atomic. `cycle` is the value of
    // %clock; nothing else may depend on it.
    void (*exec)(void *self, unsigned warp, uint64_t cycle, struct hd_effects *out);
    // The memory side performs an atomic for these lanes of the warp now.
    void (*serve)(void *self, unsigned warp, uint32_t lanes);
    // All lanes of the warp's atomic were served and the replies have arrived: writes the
    // registers.
    void (*finish)(void *self, unsigned warp);
    // An asynchronous copy or arrival is complete: does what its hd_effects.completion requires.
    void (*complete_async)(void *self, uint32_t completion);
    // Has the phase ended that the warp waits for? If so, or if `late` (it has waited long enough),
    // writes its predicate and returns true. Called until it returns true, only for HD_DEP_PHASE.
    bool (*poll)(void *self, unsigned warp, bool late);
    // Describes in buf what the warp waits for; NULL: nothing.
    const char *(*waits_for)(const void *self, unsigned warp, char *buf, size_t bytes);
    // Makes this cycle's actions of the SM visible to other SMs: plain stores, and calls of the
    // device's runtime. Called only if *pending_stores is set. False if one of the calls faults.
    bool (*commit)(void *self);
    // Valid after exec set HD_EFF_TRAP, or commit was false.
    const struct hd_trap *(*trap)(const void *self);
    // What a lane has stored (bytes * vec bytes) in the plain store at pc that the warp has just
    // executed. NULL: the source has no values.
    void (*stored)(const void *self, unsigned warp, uint32_t pc, unsigned lane, uint8_t to[32]);
};

struct hd_isrc { // one per SM
    const struct hd_isrc_ops *ops;
    void *self;
    // Columns by warp slot, owned by the source, read by the SM at any time: the peek.
    const uint32_t *pc;            // next PC (top of stack); HD_PC_NONE: ended or empty slot
    const uint32_t *lanes;         // lanes active there
    const uint8_t *pending_stores; // not 0: commit has something to do
    // Set by the source, cleared by the SM: a store or atomic changed memory, or the program read a
    // clock. A program that hangs does neither (src/gpu/watchdog.c). NULL: the source has no
    // values, and every issued instruction counts as progress.
    uint8_t *progress;
};

#endif
