// reusefigures.h - the reuse of a run (docs/reuse.schema.json) as tables with figures, for
// `heddle reuse --plot` and `--html`.
#ifndef HEDDLE_REPORT_REUSEFIGURES_H
#define HEDDLE_REPORT_REUSEFIGURES_H

#include "present/sheet.h"

// Adds a sheet for the shares, one for each level that has ratios, and one for the distances. Parts
// that `found` lacks, or that it calls dropped, are left out; nothing in it needs to be right.
void hd_reusefigures_make(const json_t *found, struct hd_sheets *out);

#endif
