// plans.h - plans for the runs that need one, out of runs of the same study.
#ifndef HEDDLE_STUDY_PLANS_H
#define HEDDLE_STUDY_PLANS_H

#include "study/study.h"

// After the runs without a plan have ended: every run that is left and has one gets it. Those whose
// plan could not be made have failed. False if no run is left that can be simulated.
bool hd_plans_give(struct hd_study *s);

#endif
