// dumpnames.h - folders for the dumps of a study's runs.
#ifndef HEDDLE_STUDY_DUMPNAMES_H
#define HEDDLE_STUDY_DUMPNAMES_H

#include "study/study.h"

// Sets `dumps` of the runs whose jobs have dumps: a folder of its own in s->out for each, named
// after its work, scheduler and machine. Different works may have one name, and characters are
// replaced, so a number is added if names are equal.
void hd_dumpnames_give(struct hd_study *s);

#endif
