// deadresult.h - is the result of an instruction ever read?
//
// Compilers write `atom` where `red` would do: the result goes to a register that nobody reads.
// Rows are looked at, along all ways that the program can take from the instruction on. The
// answer errs towards "read".
#ifndef HEDDLE_TRACE_DEADRESULT_H
#define HEDDLE_TRACE_DEADRESULT_H

#include "base/arena.h"
#include "heddle/program.h"

#include <stdbool.h>

// Of an atomic. `a` is for notes while it looks.
bool hd_deadresult_is(struct hd_arena *a, const struct hd_program *p, uint32_t pc);

#endif
