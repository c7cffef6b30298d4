// pipeview.h - records heddle/pipeview.h of one SM by looking at it after each cycle.
//
// Looking changes nothing, and the SM does not know that anybody looks, so that a machine without a
// recording does no work for it.
#ifndef HEDDLE_SM_PIPEVIEW_H
#define HEDDLE_SM_PIPEVIEW_H

#include "heddle/pipeview.h"
#include "heddle/port.h"
#include "sm/sm.h"

struct hd_pipeview;

struct hd_pipeview *hd_pipeview_new(struct hd_arena *a, const struct hd_sm *sm);
// Before the first cycle of the recording, if there are earlier ones: what is in the front end.
void hd_pipeview_begin(struct hd_pipeview *v);
// After each cycle: first every request of this SM that is in the memory side (hd_mem_ops.look),
// then the SM itself.
void hd_pipeview_see(struct hd_pipeview *v, const struct hd_req *r, enum hd_mem_level level);
void hd_pipeview_look(struct hd_pipeview *v, uint64_t cycle);
// The first cycle that is not recorded. Instructions in flight are cut off.
void hd_pipeview_end(struct hd_pipeview *v, uint64_t cycle);
struct hd_pipeview_records hd_pipeview_records(const struct hd_pipeview *v);

#endif
