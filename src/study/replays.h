// replays.h - one recording instead of many executions, where that gives the same results.
#ifndef HEDDLE_STUDY_REPLAYS_H
#define HEDDLE_STUDY_REPLAYS_H

#include "study/study.h"

// For each workload of which many runs are left: record it without timing, in a child, and open the
// trace for those runs if it is replayable (docs/traces.md). Nothing is left on any disk. False:
// interrupted.
bool hd_replays_prepare(struct hd_study *s);
// Would the run's trace, if there is one, do what the program does?
bool hd_replays_exact(const struct hd_study_run *run);
// Close the traces.
void hd_replays_end(struct hd_study *s);

#endif
