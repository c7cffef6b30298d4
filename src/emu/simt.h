// simt.h - the SIMT stack of every warp: where its lanes are, and where they reconverge.
//
// It affects timing, so it follows GPGPU-Sim 3.2.2 even in the order of pushes: on a divergent
// branch the top entry becomes the reconvergence entry (or is reused if it already waits there),
// then each group of lanes is pushed. With path_order 0 the group of the highest active lane is
// pushed first, so it runs last; with path_order 1 (later versions) the fall-through group is
// pushed first, so the taken path runs first. Groups that are already at the reconvergence point
// are not pushed.
//
// Invariants: the top entry of a warp that has not ended has lanes; pc and lanes are copies of it
// (the peek columns of the instruction source); a lane that has ended is in no entry that is or
// becomes the top. Each divergence leaves fewer lanes on the top and adds at most two entries, so
// HD_SIMT_DEPTH is enough for every program without calls.
//
// A call leaves the caller's entry waiting at the return address and pushes an entry for the callee
// without a reconvergence point: its lanes leave it only by returning or ending. Every entry
// belongs to a frame: 0 is the kernel's own code; the caller numbers the others. If lanes of a
// function diverge and only reconverge at its end, they reconverge at the return address, in the
// caller's entry. A call adds at most HD_SIMT_PER_CALL entries.
//
// Seen as a whole, the entries are a tree in the order of a walk: after an entry that waits follow
// the paths that lead to it. Lanes of an entry that are in none of the paths after it have arrived
// and wait. Where lanes are scheduled independently (emu/paths.h), another path can become the top
// (hd_simt_raise), and lanes that have arrived can go on before the others (hd_simt_release). Then
// frames no longer end in the order of their numbers, so `mixed` is set and emu/call.c numbers
// frames so that paths do not share them.
#ifndef HEDDLE_EMU_SIMT_H
#define HEDDLE_EMU_SIMT_H

#include "base/arena.h"
#include "heddle/isrc.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SIMT_DEPTH 64
#define HD_SIMT_PER_CALL 2
#define HD_SIMT_DEPTH_APART (4 * HD_SIMT_DEPTH) // where lanes are scheduled independently

struct hd_simt_entry {
    uint32_t pc, lanes, reconv, frame;
};

struct hd_simt { // of one SM; columns by warp slot
    uint32_t pc[HD_MAX_WARPS], lanes[HD_MAX_WARPS];
    uint32_t reconv[HD_MAX_WARPS]; // of the top entry
    uint32_t alive[HD_MAX_WARPS];  // lanes that have not ended
    uint32_t parked[HD_MAX_WARPS]; // lanes that wait at a .sync operation or barrier for others
    uint32_t passed[HD_MAX_WARPS]; // of these, those whose operation has been done: they may go on
    uint32_t frame[HD_MAX_WARPS];  // of the top entry
    uint32_t depth[HD_MAX_WARPS];  // entries below the top
    struct hd_simt_entry *below[HD_MAX_WARPS];
    struct hd_simt_entry *own;  // HD_SIMT_DEPTH for each warp: enough without calls
    uint32_t cap[HD_MAX_WARPS]; // capacity of `below`
    bool taken_first;           // path_order 1
    bool mixed[HD_MAX_WARPS];   // paths of the warp have changed places since it began
    // Called when the top is in another frame than before, except by hd_simt_call. May be NULL.
    void (*reframe)(struct hd_simt *s, unsigned warp);
};

void hd_simt_init(struct hd_simt *s, struct hd_arena *a, unsigned path_order);
// Gives a warp, which must have ended, room for `cap` entries. NULL (and HD_SIMT_DEPTH): the
// stack's own room.
void hd_simt_room(struct hd_simt *s, unsigned warp, struct hd_simt_entry *room, uint32_t cap);
void hd_simt_start(struct hd_simt *s, unsigned warp, uint32_t pc, uint32_t lanes);
void hd_simt_clear(struct hd_simt *s, unsigned warp); // empty slot

// Both paths: `taken` of the top's lanes, some but not all, go to `target`, the others to the next
// instruction, which must differ from `target`.
void hd_simt_diverge(struct hd_simt *s, unsigned warp, uint32_t taken, uint32_t target,
                     uint32_t reconv);
// The top's `jumping` lanes go to target[lane], the others to the next instruction.
uint8_t hd_simt_switch(struct hd_simt *s, unsigned warp, uint32_t jumping,
                       const uint32_t target[HD_LANES], uint32_t reconv);
// These lanes of the top end here; the others go to the next instruction. Returns EXITED.
uint8_t hd_simt_exit(struct hd_simt *s, unsigned warp, uint32_t lanes);
// Lanes `called` of the top enter a function at `target`, in a new frame with the number `frame`;
// lanes `later` execute this call again when they have returned, because theirs goes elsewhere; the
// others wait.
void hd_simt_call(struct hd_simt *s, unsigned warp, uint32_t called, uint32_t later,
                  uint32_t target, uint32_t frame);
// These lanes of the top leave their frame, which is not the kernel's; the others continue.
void hd_simt_return(struct hd_simt *s, unsigned warp, uint32_t lanes);
void hd_simt_pop(struct hd_simt *s, unsigned warp);

// The top is to execute a .sync operation together with the lanes `missing`, which are elsewhere.
// JOINED: those that wait for it at the same instruction are now in the top. PARKED: the entry of a
// missing lane is now the top, and runs until it gets here. APART: they cannot meet; *where is the
// PC of the missing lane.
enum hd_simt_meeting { HD_SIMT_JOINED, HD_SIMT_PARKED, HD_SIMT_APART };
enum hd_simt_meeting hd_simt_meet(struct hd_simt *s, unsigned warp, uint32_t missing,
                                  uint32_t *where);

// --- lanes that are scheduled independently

// Lanes `stay` and `later` of the top, together at least one, remain at the instruction: `stay` as
// the top, `later` as a path of its own. The others of the top have executed it.
void hd_simt_split(struct hd_simt *s, unsigned warp, uint32_t stay, uint32_t later);
// Lanes of entry k that are in no entry after it, nor in the top: a path that can run if `*leaf`,
// or lanes that have arrived at a place where others are still to arrive.
uint32_t hd_simt_own(const struct hd_simt *s, unsigned warp, unsigned k, bool *leaf);
// Is there room for what the lanes may still push? If not, no other path may become the top.
bool hd_simt_has_room(const struct hd_simt *s, unsigned warp);
// Entry k, a leaf, becomes the top.
void hd_simt_raise(struct hd_simt *s, unsigned warp, unsigned k);
// Lanes that have arrived at entry k go on alone, as the top.
void hd_simt_release(struct hd_simt *s, unsigned warp, unsigned k);
// If entry k and the top are paths at the same instruction that join at the same place, they become
// one, which is the top. Returns the lanes that were added, 0 if they stay apart.
uint32_t hd_simt_unite(struct hd_simt *s, unsigned warp, unsigned k);

// Of these lanes, those that are not in the top and whose next instruction is at pc.
uint32_t hd_simt_waiting_at(const struct hd_simt *s, unsigned warp, uint32_t lanes, uint32_t pc);

// Any other instruction: all lanes continue with the next. Inline, because nearly all instructions
// do this.
static inline void hd_simt_next(struct hd_simt *s, unsigned warp)
{
    if (++s->pc[warp] == s->reconv[warp])
        hd_simt_pop(s, warp);
}

// `taken` of the top's lanes go to `target`, the others to the next instruction. Returns
// HD_EFF_* bits: TAKEN, DIVERGED.
static inline uint8_t hd_simt_branch(struct hd_simt *s, unsigned warp, uint32_t taken,
                                     uint32_t target, uint32_t reconv)
{
    uint32_t next = s->pc[warp] + 1;
    uint8_t flags = taken ? HD_EFF_TAKEN : 0;

    if (taken && taken != s->lanes[warp] && target != next) {
        hd_simt_diverge(s, warp, taken, target, reconv);
        return (uint8_t)(flags | HD_EFF_DIVERGED);
    }
    s->pc[warp] = taken ? target : next;
    if (s->pc[warp] == s->reconv[warp])
        hd_simt_pop(s, warp);
    return flags;
}

#endif
