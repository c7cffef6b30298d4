// plans.h - plans for the runs that need one, out of runs of the same study.
#ifndef HEDDLE_STUDY_PLANS_H
#define HEDDLE_STUDY_PLANS_H

#include "study/study.h"

// The text of a plan, which may have 20 MB. Most readings of a paper make the same one.
struct hd_plans_text;

// Takes the plan out of the object of a run and keeps it: run->plan_text.
void hd_plans_keep(struct hd_study *s, struct hd_study_run *run);

// After the runs without a plan have ended: every run that is left and has one gets it. Those whose
// plan could not be made have failed. False if no run is left that can be simulated.
bool hd_plans_give(struct hd_study *s);

#endif
