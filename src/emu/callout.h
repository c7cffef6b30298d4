// callout.h - the interface between the emulator and the device's runtime (src/devrt).
//
// A kernel may call functions that PTX declares and the device provides: malloc, printf, launches.
// They are not instructions, so the emulator does not implement them. It calls the functions that
// were attached with hd_callout_attach; without a runtime such a call is a fault. The runtime in
// turn accesses warps only through the functions below.
//
// While an SM executes (between the first exec of a cycle and its commit) the runtime may read
// state that SMs share but must not change it: the call is only noted, with hd_callout_defer, and
// performed by `merge` when the machine commits the SM's stores. The machine commits SMs one after
// the other, in index order, so the result does not depend on the order in which it stepped them. A
// warp executes at most one instruction in a cycle, so at the merge its registers are still those
// of the call. Runs without timing merge right after each call.
#ifndef HEDDLE_EMU_CALLOUT_H
#define HEDDLE_EMU_CALLOUT_H

#include "emu/parked_block.h"
#include "emu/snapshot.h"
#include "heddle/isrc.h"

struct hd_emu;
struct hd_emu_sm;
struct hd_memory;

struct hd_callout_ops {
    // The lanes of out->exec_mask, at least one, call a function of the device. False after a trap.
    bool (*call)(void *ctx, struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                 struct hd_effects *out);
    // Performs the calls that the SM has deferred. False after a trap.
    bool (*merge)(void *ctx, struct hd_emu_sm *sm);
    void (*warp_start)(void *ctx, const struct hd_emu_sm *sm, unsigned warp);
    // The block in the slot has ended, leaves its SM to wait for its children, or returns.
    void (*tb_end)(void *ctx, struct hd_emu_sm *sm, unsigned slot);
    void (*tb_leave)(void *ctx, struct hd_emu_sm *sm, unsigned slot, struct hd_parked_block *b);
    void (*tb_return)(void *ctx, struct hd_emu_sm *sm, unsigned slot, struct hd_parked_block *b);
    // The runtime's data of a warp that affect what the warp does next.
    void (*snapshot)(void *ctx, struct hd_emu_sm *sm, unsigned warp, struct hd_snapshot *s);
    // In a run without timing: a block has ended or left, so tasks may be collected.
    void (*between_blocks)(void *ctx);
};
void hd_callout_attach(struct hd_emu *e, const struct hd_callout_ops *ops, void *ctx);
unsigned hd_callout_sms(const struct hd_emu *e);

// Where a call comes from.
struct hd_callout_caller {
    const struct hd_launch *launch;
    const struct hd_program *program;
    uint32_t tb;       // of the grid, x fastest
    unsigned sm, slot; // of the block
    unsigned warp;     // of the block
    uint32_t pc;       // of the warp's next instruction; while `call` runs, of the call
    bool direct;       // a run without timing
};
struct hd_callout_caller hd_callout_from(const struct hd_emu_sm *sm, unsigned warp);
unsigned hd_callout_sm(const struct hd_emu_sm *sm);
bool hd_callout_direct(const struct hd_emu_sm *sm);

// Argument `arg` of a call: the scalars of all lanes; the bytes of one lane. Results, written to
// the lanes if the program uses them.
void hd_callout_read_args(const struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                          unsigned arg, uint32_t lanes, uint64_t v[HD_LANES]);
void hd_callout_read_bytes(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                           const struct hd_call *call, unsigned arg, void *to, size_t bytes);
void hd_callout_write_result(const struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                             uint32_t lanes, const uint64_t v[HD_LANES]);

// Host address of bytes at a generic address of a thread; NULL if it may not read or write them.
// Writes take effect at once.
const uint8_t *hd_callout_at(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                             uint64_t address, uint64_t bytes);
uint8_t *hd_callout_at_to_write(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                                uint64_t address, uint64_t bytes);

void hd_callout_defer(struct hd_emu_sm *sm);    // requests a merge at the end of this cycle
void hd_callout_progress(struct hd_emu_sm *sm); // the program has made progress
// The instruction at `pc` faults in this lane. The detail is a sentence, at most 159 characters.
void hd_callout_trap(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned kind, unsigned lane,
                     const char *detail);

#endif
