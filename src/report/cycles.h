// cycles.h - recorded cycles (heddle/cycleview.h) as data for the interactive part of a page: JSON
// that is safe inside of HTML, because every '<' in it is written as an escape.
//
// docs/output.md describes the keys. All text comes from the user's files and is untrusted.
#ifndef HEDDLE_REPORT_CYCLES_H
#define HEDDLE_REPORT_CYCLES_H

#include "report/runreport.h"

// The classes of cycles and the states of warps with their meaning in words, as a JSON object.
void hd_cycles_words(struct hd_out *out);
// The recording of a run, as a JSON object. `label` names the run among others of its page.
void hd_cycles_write(const struct hd_runreport *r, const char *label, struct hd_out *out);
// Text in quotes, as the data has it.
void hd_cycles_text(struct hd_out *out, const char *text);
// What the user should know about the recording; NULL: nothing.
const char *hd_cycles_doubt(const struct hd_runreport *r, struct hd_arena *a);

#endif
