// team.h - threads that do pieces of work side by side.
//
// The caller of hd_team_run is a member of its team and does a part of the work. The other members
// are threads that exist until the team is freed: they wait for work by spinning, then by yielding
// their processor, then by sleeping, so that a team costs nothing while there is none.
//
// A piece is done by the member to whose part it belongs, because its data are in that member's
// cache, or by a member that has nothing left to do. Nobody waits for a member that has taken
// nothing: with fewer processors than members, those that have one do everything.
//
// An error that would end the process (base/bug.h) ends it only when no member is doing anything,
// and with the message of the piece with the lowest number: the same one as if the pieces had been
// done one after the other.
#ifndef HEDDLE_GPU_TEAM_H
#define HEDDLE_GPU_TEAM_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_TEAM_MOST 64 // members

struct hd_team;

// A team of that many members, with the caller, or of fewer if the system has no threads left.
// Pieces have numbers below `numbers`; each member's part are consecutive ones.
struct hd_team *hd_team_new(struct hd_arena *a, unsigned members, unsigned numbers);
void hd_team_free(struct hd_team *t); // NULL is allowed

// Calls do_piece(ctx, piece) for each of the n pieces, in any order and at the same time, and
// returns when all are done. They are given in rising order. All that was written before the call
// is visible to do_piece, and all that do_piece has written is visible afterwards. One call at a
// time.
void hd_team_run(struct hd_team *t, void (*do_piece)(void *ctx, unsigned piece), void *ctx,
                 const uint16_t *pieces, unsigned n);

// For the end of a process that calls exit() in the middle of a round: in do_piece, or in a signal
// handler that interrupts the caller of hd_team_run. Returns when no other member does anything, or
// soon if one does not come to an end; the round itself never ends. False, and nothing to wait for,
// if the calling thread is in no round.
bool hd_team_await_others(void);

#endif
