// correlate.h - measurements of a GPU beside those of a modelled machine: how near the model is, by
// kind, value and kernel, and which keys of the machine would bring it nearer.
#ifndef HEDDLE_REPORT_CORRELATE_H
#define HEDDLE_REPORT_CORRELATE_H

#include "heddle/config.h"
#include "present/sheet.h"
#include "report/measured.h"

// What only one of the two files has is counted in a note. `config` is the modelled machine; with
// it, keys are proposed that would bring the model nearer. It may be NULL. False with a diagnostic
// if the files have nothing in common.
bool hd_correlate_explain(const struct hd_measured *gpu, const struct hd_measured *model,
                          const struct hd_config *config, struct hd_sheets *out, struct hd_diag *d);

#endif
