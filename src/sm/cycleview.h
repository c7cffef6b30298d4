// cycleview.h - records heddle/cycleview.h of one SM by looking at it after each cycle.
//
// Looking changes nothing, and the SM does not know that anybody looks, so that a machine without a
// recording does no work for it. Each cycle of the recording must be stepped.
#ifndef HEDDLE_SM_CYCLEVIEW_H
#define HEDDLE_SM_CYCLEVIEW_H

#include "heddle/cycleview.h"
#include "sm/sm.h"

struct hd_cycleview;

struct hd_cycleview *hd_cycleview_new(struct hd_arena *a, const struct hd_sm *sm);
// The recording begins with this cycle. The SM has been caught up.
void hd_cycleview_begin(struct hd_cycleview *v, uint64_t cycle);
// After each cycle, when the SM has been caught up. `charged`: a kernel runs, to which the cycle is
// charged. Cycles in which it is not called were between two kernels.
void hd_cycleview_look(struct hd_cycleview *v, uint64_t cycle, bool charged);
uint32_t hd_cycleview_pieces(const struct hd_cycleview *v);
// The first cycle that is not recorded. Open pieces end there.
void hd_cycleview_end(struct hd_cycleview *v, uint64_t cycle);
struct hd_cycleview_records hd_cycleview_records(const struct hd_cycleview *v);

#endif
