// replay.h - a recorded trace as an instruction source.
//
// Warps repeat what they did; there are no values. A block's streams are unpacked when it is placed
// on an SM and dropped when it ends; those of a long warp one piece at a time. A trace has no
// atomics, stores or texts; serve, finish and commit do nothing.
//
// A damaged stream ends the run with HD_TRAP_SOURCE.
#ifndef HEDDLE_TRACE_REPLAY_H
#define HEDDLE_TRACE_REPLAY_H

#include "trace/tracefile.h"

struct hd_replay;

struct hd_replay *hd_replay_new(struct hd_arena *a, struct hd_traceread *t, unsigned sms);
void hd_replay_free(struct hd_replay *r); // NULL is allowed; the trace stays open
// Program number `index` of the trace is this one.
void hd_replay_program(struct hd_replay *r, const struct hd_program *p);
struct hd_isrc hd_replay_source(struct hd_replay *r, unsigned sm);

#endif
