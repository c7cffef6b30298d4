// reusereport.h - what the reuse analyser found in a run: as a page for people, as JSON
// (docs/reuse.schema.json), and as a plan, the list of pairs with high reuse. Needs a run with
// hd_gpu_options.reuse.
#ifndef HEDDLE_REPORT_REUSEREPORT_H
#define HEDDLE_REPORT_REUSEREPORT_H

#include "report/runreport.h"
#include "reuse/reuse.h"

// Each ends the analysis (hd_gpu_reuse_result).
json_t *hd_reusereport_found(const struct hd_runreport *r); // without the head of a run
void hd_reusereport_json(const struct hd_runreport *r, struct hd_out *out);
void hd_reusereport_plan(const struct hd_runreport *r, struct hd_out *out);
void hd_reusetable_write(const struct hd_runreport *r, struct hd_out *out); // reusetable.c

// How many kernels that kernels launched run at one time, in the mean over the cycles in which any
// runs; NAN if none has ended.
double hd_reusereport_children_at_once(struct hd_gpu *gpu, struct hd_arena *a);

#endif
