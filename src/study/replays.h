// replays.h - one recording instead of many executions, where that gives the same results.
#ifndef HEDDLE_STUDY_REPLAYS_H
#define HEDDLE_STUDY_REPLAYS_H

#include "study/study.h"

// Record each workload of which many runs are left, without timing and in a child, and open the
// trace for those runs if it is replayable (docs/traces.md). If several processes share a database,
// one of them records and the others execute its runs. No file remains. False if it was
// interrupted.
bool hd_replays_prepare(struct hd_study *s);
// Close the traces.
void hd_replays_end(struct hd_study *s);

#endif
