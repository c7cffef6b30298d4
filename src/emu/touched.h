// touched.h - what the members of a round read and write in global memory, and how to undo it.
//
// In a run without timing, several threads may execute blocks of a launch side by side (rounds.c).
// Each member of such a round notes the words of 4 bytes that it reads, writes, or adds to. If no
// member has touched what another one has written, each of them has seen and left the values that
// it would have seen and left had all blocks run one after the other. Additions of integers whose
// old values nobody uses may meet each other: their order does not matter. If members conflict,
// memory becomes again what it was when the round began: a page is saved before it is first
// written.
//
// While members run, threads may write and read the same bytes of simulated memory at the same
// time. What they read then has no effect, because such a round is undone.
#ifndef HEDDLE_EMU_TOUCHED_H
#define HEDDLE_EMU_TOUCHED_H

#include "emu/access.h"
#include "emu/memory.h"

// ADD, ADD_WIDE: a word of 4 or of 8 bytes. One of each do not commute: the wide one carries.
enum hd_touched_how {
    HD_TOUCHED_READ,
    HD_TOUCHED_WRITE,
    HD_TOUCHED_ADD,
    HD_TOUCHED_ADD_WIDE,
    HD_N_TOUCHED
};

struct hd_touched;       // what one member has touched
struct hd_touched_round; // of all members of a round

// For this memory, with no notes. NULL if the host has no address space for it.
struct hd_touched_round *hd_touched_new(struct hd_arena *a, const struct hd_memory *m,
                                        unsigned members);
void hd_touched_free(struct hd_touched_round *r); // NULL is allowed
// Between rounds: whether notes are exact, except for gaps between lanes that access the same word.
// Other notes cost less, but may cover more than was touched, so that a round may be lost although
// no members conflict. At first they are not exact.
void hd_touched_exactly(struct hd_touched_round *r, bool exact);
struct hd_touched *hd_touched_member(struct hd_touched_round *r, unsigned i);
// For rounds in which not even two blocks of one member may meet. hd_touched_apart is called before
// the first one, and returns false if the host has no address space for more notes. The member
// calls hd_touched_keep after each of its blocks. False if that block conflicts with one before it,
// or if the member's blocks have written too much to keep what was there before (hd_touched_full).
bool hd_touched_apart(struct hd_touched_round *r);
bool hd_touched_keep(struct hd_touched_round *r, unsigned i);
bool hd_touched_full(const struct hd_touched_round *r, unsigned i);

// Notes, before the access, `bytes` bytes from this offset in the view on.
void hd_touched_range(struct hd_touched *t, uint64_t offset, uint64_t bytes,
                      enum hd_touched_how how);
// Notes the accesses of these lanes, of which only their range is given, [offset, offset + span).
// False if they must be noted lane by lane, by one of the next two.
bool hd_touched_within(struct hd_touched *t, uint64_t offset, uint64_t span, uint32_t lanes,
                       unsigned bytes, enum hd_touched_how how);
// Notes `bytes` bytes at base + at[l] for each of these lanes; the same for host addresses.
void hd_touched_near(struct hd_touched *t, uint64_t base, const int32_t at[HD_LANES],
                     uint32_t lanes, unsigned bytes, enum hd_touched_how how);
void hd_touched_lanes(struct hd_touched *t, uint8_t *const at[HD_LANES], uint32_t lanes,
                      unsigned bytes, enum hd_touched_how how);

// When no member runs: whether members conflict.
bool hd_touched_conflict(const struct hd_touched_round *r);
// Writes the bytes that were there when the round began; forgets all notes, for the next round.
void hd_touched_undo(struct hd_touched_round *r);
void hd_touched_forget(struct hd_touched_round *r);

#endif
