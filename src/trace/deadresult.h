// deadresult.h - finds out whether the result of an instruction is ever read.
//
// Compilers write `atom` where `red` would do: the result goes to a register that is never read.
// The search follows rows along all paths that the program can take after the instruction. In doubt
// the answer is "read".
#ifndef HEDDLE_TRACE_DEADRESULT_H
#define HEDDLE_TRACE_DEADRESULT_H

#include "base/arena.h"
#include "heddle/program.h"

#include <stdbool.h>

// For an atomic. `a` is for temporary data.
bool hd_deadresult_is(struct hd_arena *a, const struct hd_program *p, uint32_t pc);

#endif
