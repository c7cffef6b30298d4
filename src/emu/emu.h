// emu.h - the emulator: an instruction source that executes PTX, and a runner without timing.
#ifndef HEDDLE_EMU_EMU_H
#define HEDDLE_EMU_EMU_H

#include "base/arena.h"
#include "base/diag.h"
#include "emu/memory.h"
#include "heddle/isrc.h"

struct hd_emu;

struct hd_emu_config {
    unsigned sms, warps, tbs; // per SM: warp slots, TB slots
    unsigned path_order;      // hd_config_sm.path_order
};

// Bytes that a thread may use for calls whose depth is not known before (recursion, alloca). What
// calls of known depth need is always there.
#define HD_EMU_STACK 16384

struct hd_emu *hd_emu_new(struct hd_arena *a, const struct hd_emu_config *c, struct hd_memory *m);
void hd_emu_free(struct hd_emu *e);
void hd_emu_limit_stack(struct hd_emu *e, uint32_t bytes); // from the next launch on

// Place a module's .global variables in memory and its .const image; once per module, before its
// first launch.
bool hd_emu_load(struct hd_emu *e, struct hd_program *p, struct hd_diag *d);

// Host write into a loaded program's constant space (initialising a .const variable). False, and
// nothing written, unless the whole range is inside it.
bool hd_emu_write_const(struct hd_emu *e, const struct hd_program *p, uint64_t address,
                        const void *from, uint64_t bytes);

// Host pointer to bytes of a loaded program's constant space (consts.c). NULL unless the whole
// range is inside it.
uint8_t *hd_consts_at(struct hd_emu *e, const struct hd_program *p, uint64_t address,
                      uint64_t bytes);

// Get storage ready for this launch on every SM (registers, shared and local memory for as many
// blocks as fit into the slots). Called when no block runs. The only place that allocates.
void hd_emu_prepare(struct hd_emu *e, const struct hd_launch *l);
// The same for one SM, which holds no block: SMs may run different launches.
void hd_emu_bind(struct hd_emu *e, unsigned sm, const struct hd_launch *l);

struct hd_isrc hd_emu_source(struct hd_emu *e, unsigned sm);

// With timing, runs that may never end (watch.h): while it is on, each warp's states are compared
// with earlier ones. Which warps have executed anything since; which repeat themselves in a way
// that nobody outside the machine can break; whether asynchronous copies of the SM are under way.
void hd_emu_watch(struct hd_emu *e, bool on);
// Whether anybody is there to write to memory that others than the machine may change
// (hd_memory_let_outside). Asked when nothing else could end a wait; assumed until this is called.
void hd_emu_outsiders(struct hd_emu *e, bool (*outsiders)(void));
uint64_t hd_emu_moved(const struct hd_emu *e, unsigned sm);
uint64_t hd_emu_circles(const struct hd_emu *e, unsigned sm);
bool hd_emu_under_way(const struct hd_emu *e, unsigned sm);

// A lane of a .sync operation that its member mask names, and that cannot come there, as it is
// elsewhere and waits for those that are here. PTX says nothing about such programs; GPUs execute
// them as if the mask did not name the lane, and so does this. Each instruction of a kernel is
// noted once; if strict, it is a fault instead (HD_TRAP_SYNC).
struct hd_emu_absence {
    const struct hd_program *program;
    const struct hd_func *kernel;
    uint32_t pc, where; // of the instruction, and of the lane that is absent; HD_PC_NONE: not known
    unsigned lane, absent;
};
void hd_emu_strict(struct hd_emu *e, bool strict);
const struct hd_emu_absence *hd_emu_absences(const struct hd_emu *e, size_t *n);

// Run a launch to its end without timing (run.c). Counts instructions.
struct hd_emu_patience {
    uint64_t warp_insts; // stop after so many; 0: no limit
    unsigned blocks;     // that an SM holds at a time; 0: as many as it has places for
    bool (*look)(void *ctx, uint64_t warp_insts); // called now and then; false stops. May be NULL
    void *ctx;
};
struct hd_emu_result {
    uint64_t warp_insts, thread_insts, long_insts;
    bool deadlock, livelock, limit, stopped;
    uint64_t unbegun;    // of a livelock: blocks that wait for a place
    char warps[8192];    // of a dead- or livelock: where the warps of its blocks are, a line each
    struct hd_trap trap; // kind HD_TRAP_NONE if it ran through
};
void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, const struct hd_emu_patience *patience,
                struct hd_emu_result *out);
// The same for a block that has left and may come back.
struct hd_parked_block;
void hd_emu_resume(struct hd_emu *e, const struct hd_parked_block *parked,
                   const struct hd_emu_patience *patience, struct hd_emu_result *out);
// From now on hd_emu_run executes through a source that wraps SM 0's, to see each instruction. It
// stays in use; NULL ends that.
void hd_emu_through(struct hd_emu *e, const struct hd_isrc *through);

#endif
