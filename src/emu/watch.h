// watch.h - does a warp come back to a state that it had before?
//
// What a warp does next follows from its own state (registers, stack, local memory, place in the
// program) and from memory that it shares with others. So a warp that is in the same state twice,
// while memory has not been changed in between, goes round in a circle for as long as memory stays
// as it is: it waits. This is a proof and no guess: states are compared byte for byte. Where every
// warp waits, for others or in a circle, nothing will ever change again.
//
// The search is Brent's: the state is saved after 8, 16, 32, ... looks ("An improved Monte Carlo
// factorization algorithm", BIT 20, 1980), so a circle is found after three times the looks that it
// takes to get into it and around once. A look must follow from the states themselves, not from
// anything outside: after each instruction, or after each piece of a turn.
//
// Memory is known by its epoch, a number that another value stands for whenever any byte of it may
// have changed, a warp has come to a barrier, or the program has looked at the time.
#ifndef HEDDLE_EMU_WATCH_H
#define HEDDLE_EMU_WATCH_H

#include "emu/emu_internal.h"

struct hd_watch_warp {
    uint8_t *saved; // a state; NULL: none yet
    size_t bytes, room;
    uint32_t pc;               // in that state
    uint32_t left, power;      // looks until the next state is saved, and from that one to the next
    uint64_t epoch;            // of memory when the warp was last in the saved state
    const uint8_t *now, *then; // where its state differed when they were compared last
    bool outside;              // since then it has read what others than the machine may change
};

struct hd_watch { // of one SM
    struct hd_watch_warp warps[HD_MAX_WARPS];
    uint64_t moved, circles; // hd_watch_step: warps that have executed, that go round in a circle
};

// Before the first use, and for a warp about which nothing is known any more.
void hd_watch_start(struct hd_emu_sm *sm);
void hd_watch_forget(struct hd_emu_sm *sm, unsigned warp);
// A look at the warp. True if it is in the same state as at an earlier look of this epoch.
bool hd_watch_look(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch);
// A warp of which this was true has not moved since; memory has another epoch.
void hd_watch_wake(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch);
// What the warp's last instruction has read.
void hd_watch_read(struct hd_emu_sm *sm, unsigned warp, const struct hd_effects *e);
// Does it repeat itself in a way that the world outside the machine may end?
bool hd_watch_outside(const struct hd_emu_sm *sm, unsigned warp);

// With timing: a look before the warp's next instruction, in the only epoch there is.
void hd_watch_step(struct hd_emu_sm *sm, unsigned warp);

#endif
