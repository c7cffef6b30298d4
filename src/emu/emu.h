// emu.h - the emulator: an instruction source that executes PTX, and a runner without timing.
#ifndef HEDDLE_EMU_EMU_H
#define HEDDLE_EMU_EMU_H

#include "base/arena.h"
#include "base/diag.h"
#include "emu/memory.h"
#include "heddle/isrc.h"

struct hd_emu;

struct hd_emu_config {
    unsigned sms, warps, tbs; // per SM: warp slots, block slots
    unsigned path_order;      // hd_config_sm.path_order
};

// Bytes that a thread may use for calls whose depth is not known in advance (recursion, alloca).
// The stack for calls of known depth is always available.
#define HD_EMU_STACK 16384

struct hd_emu *hd_emu_new(struct hd_arena *a, const struct hd_emu_config *c, struct hd_memory *m);
void hd_emu_free(struct hd_emu *e);
void hd_emu_limit_stack(struct hd_emu *e, uint32_t bytes); // from the next launch on

// Places a module's .global variables in memory and makes its .const image. Once per module, before
// its first launch.
bool hd_emu_load(struct hd_emu *e, struct hd_program *p, struct hd_diag *d);

// Host pointer to bytes of a loaded program's constant space (consts.c). NULL unless the whole
// range is inside it.
uint8_t *hd_consts_at(struct hd_emu *e, const struct hd_program *p, uint64_t address,
                      uint64_t bytes);

// Prepares every SM for blocks. No block may run.
void hd_emu_prepare(struct hd_emu *e);
// The same for one SM without blocks. From then on it may hold blocks of any launches.
void hd_emu_bind(struct hd_emu *e, unsigned sm);

struct hd_isrc hd_emu_source(struct hd_emu *e, unsigned sm);

// With timing, for runs that may never end (watch.h): while it is on, each warp's states are
// compared with earlier ones. Then: which warps have executed anything since; which repeat
// themselves in a way that nothing outside the machine can end; whether asynchronous copies of the
// SM are in progress.
void hd_emu_watch(struct hd_emu *e, bool on);
// Sets a function that returns whether any thread or process outside the machine could write to
// memory (hd_memory_let_outside). It is called when nothing else could end a wait. Without it the
// answer is yes.
void hd_emu_outsiders(struct hd_emu *e, bool (*outsiders)(void));
uint64_t hd_emu_moved(const struct hd_emu *e, unsigned sm);
uint64_t hd_emu_circles(const struct hd_emu *e, unsigned sm);
// Whether lanes of a warp wait where paths join, in code for a target before sm_70: if lanes that
// have not come wait for these, they do so for ever (emu/paths.h).
bool hd_emu_lockstep(const struct hd_emu *e);
bool hd_emu_under_way(const struct hd_emu *e, unsigned sm);

// A lane that the member mask of a .sync operation names, but that cannot arrive there, because it
// is elsewhere and waits for those that are there. PTX leaves such programs undefined; GPUs execute
// them as if the mask did not name the lane, and so does heddle. Each instruction of a kernel is
// recorded once; if strict, it is a fault instead (HD_TRAP_SYNC).
struct hd_emu_absence {
    const struct hd_program *program;
    const struct hd_func *kernel;
    uint32_t pc, where; // of the instruction, and of the lane that is absent; HD_PC_NONE: not known
    unsigned lane, absent;
};
void hd_emu_strict(struct hd_emu *e, bool strict);
const struct hd_emu_absence *hd_emu_absences(const struct hd_emu *e, size_t *n);

// Runs a launch to its end without timing (run.c). Counts instructions.
struct hd_emu_patience {
    uint64_t warp_insts; // stop after this number; 0 means no limit
    unsigned blocks;     // the most blocks on an SM at the same time; 0: as many as fit
    // Called at times by the thread of the caller; false stops. May be NULL. With helpers the
    // number is lower than before after a part that had to be repeated.
    bool (*look)(void *ctx, uint64_t warp_insts);
    void *ctx;
};
struct hd_emu_result {
    uint64_t warp_insts, thread_insts, long_insts;
    bool deadlock, livelock, limit, stopped;
    bool lockstep;       // of a livelock: hd_emu_lockstep
    uint64_t unbegun;    // of a livelock: blocks that wait for room
    char warps[8192];    // of a dead- or livelock: where the warps are, one line each
    struct hd_trap trap; // kind HD_TRAP_NONE if it ended normally
};
void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, const struct hd_emu_patience *patience,
                struct hd_emu_result *out);
// The same for a block that has left and may return.
struct hd_parked_block;
void hd_emu_resume(struct hd_emu *e, const struct hd_parked_block *parked,
                   const struct hd_emu_patience *patience, struct hd_emu_result *out);
// Threads that help: run(ctx, piece, arg, n) calls piece(arg, i) for each i below n and returns
// when all have returned; at most `members` at the same time, of which the calling thread is one.
// From now on hd_emu_run uses them where blocks do not depend on each other; results and counts are
// the same (rounds.c). Less than 2 members: none help.
struct hd_emu_helpers {
    unsigned members;
    uint64_t
        after; // warp instructions that the emulator executes, over all launches, before they help
    void (*run)(void *ctx, void (*piece)(void *arg, unsigned i), void *arg, unsigned n);
    void *ctx;
    // The host's time in seconds: helpers are used less where they cost more time than they save.
    // NULL: it is not asked.
    double (*now)(void);
};
void hd_emu_help(struct hd_emu *e, const struct hd_emu_helpers *helpers);
// From now on hd_emu_run executes through a source that wraps SM 0's, which sees each instruction.
// NULL ends that.
void hd_emu_through(struct hd_emu *e, const struct hd_isrc *through);

#endif
