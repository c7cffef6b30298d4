// watch.h - does a warp return to an earlier state?
//
// What a warp does next follows from its own state (registers, stack, local memory, place in the
// program) and from memory that it shares with others. So a warp that is in the same state twice,
// while memory has not changed in between, is in a loop that lasts as long as memory stays as it
// is: it waits. This is a proof and not a guess: states are compared byte for byte. If every warp
// waits, for others or in such a loop, nothing will ever change again.
//
// The search is Brent's: the state is saved after 8, 16, 32, ... checks ("An improved Monte Carlo
// factorization algorithm", BIT 20, 1980), so a loop is found after at most three times the checks
// that it takes to enter it and run through it once. The times of checks must depend only on the
// warp's states: after each instruction, or after each piece of a turn.
//
// Memory is identified by its epoch, a number that changes whenever any byte of it may have
// changed, the program has read a clock or, without timing, a warp has reached a barrier.
#ifndef HEDDLE_EMU_WATCH_H
#define HEDDLE_EMU_WATCH_H

#include "emu/emu_internal.h"

struct hd_watch_warp {
    uint8_t *saved; // a state; NULL: none yet
    size_t bytes, room;
    uint32_t pc;               // in that state
    uint32_t left, power;      // checks until the next save, and from that one to the next
    uint32_t steps;            // hd_watch_step
    uint64_t epoch;            // of memory when the warp was last in the saved state
    const uint8_t *now, *then; // where its state differed in the last comparison
    bool outside;              // since then it has read what the world outside may change
};

struct hd_watch { // of one SM
    struct hd_watch_warp warps[HD_MAX_WARPS];
    uint64_t moved, circles; // hd_watch_step: warps that have executed, that are in a loop
    uint64_t started;        // counts hd_watch_start
};

// Called before the first use, and for a warp about which nothing is known any more.
void hd_watch_start(struct hd_emu_sm *sm);
void hd_watch_forget(struct hd_emu_sm *sm, unsigned warp);
// Checks the warp. True if it is in the same state as at an earlier check of this epoch.
bool hd_watch_look(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch);
// A warp for which this was true has not executed since; memory has another epoch.
void hd_watch_wake(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch);
// Records what the warp's last instruction has read.
void hd_watch_read(struct hd_emu_sm *sm, unsigned warp, const struct hd_effects *e);
// Whether it repeats itself in a way that something outside the machine may end.
bool hd_watch_outside(const struct hd_emu_sm *sm, unsigned warp);

// With timing: a check before the warp's next instruction; there is only one epoch. True if another
// of the warp's paths has become the top in place of the instruction.
bool hd_watch_step(struct hd_emu_sm *sm, unsigned warp);

#endif
