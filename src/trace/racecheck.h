// racecheck.h - checks every executed instruction whether the program's actions depend on time.
//
// The answer is a final no, with a reason, when an instruction does one of these things:
// - it reads a clock or the number of its SM;
// - it takes or prints what depends on the order of warps (malloc, printf);
// - it uses the result of an atomic that another warp may reach first;
// - it waits at a barrier for part of its block;
// - it accesses memory that the instruction source does not report, or in an order that is not
//   fixed.
#ifndef HEDDLE_TRACE_RACECHECK_H
#define HEDDLE_TRACE_RACECHECK_H

#include "base/arena.h"
#include "heddle/isrc.h"

struct hd_racecheck;    // of a run
struct hd_racecheck_sm; // its part for an SM

struct hd_racecheck_code; // what is known of a program before it runs
const struct hd_racecheck_code *hd_racecheck_look(struct hd_arena *a, const struct hd_program *p);

struct hd_racecheck *hd_racecheck_new(struct hd_arena *a);
struct hd_racecheck_sm *hd_racecheck_new_sm(struct hd_racecheck *r);
// Launches of a run follow each other, or are blamed (below) before.
void hd_racecheck_launch(struct hd_racecheck *r, const struct hd_racecheck_code *code,
                         const struct hd_launch *l);
void hd_racecheck_tb(struct hd_racecheck *r, struct hd_racecheck_sm *sm,
                     const struct hd_racecheck_code *code, const struct hd_tb *tb);
void hd_racecheck_exec(struct hd_racecheck *r, struct hd_racecheck_sm *sm, unsigned warp,
                       uint32_t pc, const struct hd_effects *e, const struct hd_isrc *source);
// The run depends on time because of this launch (at pc, if not HD_PC_NONE). Only the first call
// counts.
void hd_racecheck_blame(struct hd_racecheck *r, const struct hd_launch *l, uint32_t pc,
                        const char *does);
const char *hd_racecheck_reason(const struct hd_racecheck *r); // NULL: independent so far

#endif
