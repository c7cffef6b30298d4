// replays.h - one recording instead of many executions, where that gives the same results.
#ifndef HEDDLE_STUDY_REPLAYS_H
#define HEDDLE_STUDY_REPLAYS_H

#include "study/study.h"

// For each workload of which many runs are left: record it without timing, in a child, and open the
// trace for those runs if it is replayable (docs/traces.md). Of several processes that share a
// database one records it; the others execute its runs. Nothing is left on any disk. False:
// interrupted.
bool hd_replays_prepare(struct hd_study *s);
// Close the traces.
void hd_replays_end(struct hd_study *s);

#endif
