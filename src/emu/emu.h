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

struct hd_emu_limits { // in bytes
    uint64_t heap;     // that device code may have allocated at one time
    uint32_t printed;  // of text that is kept until hd_emu_printed
    // That a thread may use for calls whose depth is not known before (recursion, alloca). What
    // calls of known depth need is always there.
    uint32_t stack;
    uint32_t pending; // kernels that kernels have launched and that have not begun
};
#define HD_EMU_LIMITS                                                                              \
    (struct hd_emu_limits)                                                                         \
    {                                                                                              \
        .heap = UINT64_C(8) << 20, .printed = UINT32_C(1) << 20, .stack = 16384, .pending = 2048   \
    }

struct hd_emu *hd_emu_new(struct hd_arena *a, const struct hd_emu_config *c, struct hd_memory *m);
void hd_emu_free(struct hd_emu *e);
// Instead of HD_EMU_LIMITS, from the next launch on. When no block runs, and all text was taken.
void hd_emu_limit(struct hd_emu *e, const struct hd_emu_limits *limits);

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

// What device code has printed since the last call, in the order of launches, blocks, warps of the
// block and, within a warp, time; lanes in order. Not NUL-terminated; valid until the next launch.
// *lost counts the printfs whose text found no room.
const char *hd_emu_printed(struct hd_emu *e, size_t *bytes, uint64_t *lost);

// Run a launch to its end without timing, blocks in linear order, on SM 0's storage. Counts
// instructions.
struct hd_emu_patience {
    uint64_t warp_insts; // stop after so many; 0: no limit
    // Instructions that each warp of a block may take, on average, while none of them ends, opens a
    // barrier, changes memory or looks at the clock; 0: any number.
    uint64_t livelock_after;
    bool (*look)(void *ctx, uint64_t warp_insts); // called now and then; false stops. NULL: nobody
    void *ctx;
};
struct hd_emu_result {
    uint64_t warp_insts, thread_insts, long_insts;
    bool deadlock, livelock, limit, stopped;
    char warps[8192];    // of a dead- or livelock: where the warps of the block are, a line each
    struct hd_trap trap; // kind HD_TRAP_NONE if it ran through
};
void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, const struct hd_emu_patience *patience,
                struct hd_emu_result *out);
// The same for a block that has left and may come back: the rest of it.
struct hd_emu_rest;
void hd_emu_resume(struct hd_emu *e, const struct hd_emu_rest *rest,
                   const struct hd_emu_patience *patience, struct hd_emu_result *out);
// From now on hd_emu_run executes through a source that somebody has put around SM 0's, to see each
// instruction. It stays in use; NULL: nobody.
void hd_emu_through(struct hd_emu *e, const struct hd_isrc *through);

#endif
