// waits.h - why the next instruction of a warp was not issued, for those who look at an SM after a
// cycle (pipeview, cycleview).
#ifndef HEDDLE_SM_WAITS_H
#define HEDDLE_SM_WAITS_H

#include "heddle/pipeview.h"

struct hd_sm;

// Of warp w, whose instruction at pc is the first in its buffer. `taken`: its scheduler issued
// another warp in this cycle. The state is that at the end of the cycle.
enum hd_pipeview_wait hd_waits_reason(const struct hd_sm *sm, unsigned w, uint32_t pc, bool taken);
// The same of what a warp waits for with or without an instruction in its buffer: barriers, fences
// and the like. HD_N_PIPEVIEW_WAITS: nothing of these.
enum hd_pipeview_wait hd_waits_apart(const struct hd_sm *sm, unsigned w);

#endif
