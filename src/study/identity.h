// identity.h - what the result of a run depends on, and the key made of it.
//
// Two runs with the same key have the same result: the same options as they were resolved (each key
// of the machine, each parameter of a policy), the same inputs, the same sources of the simulator
// and of the policies in use. Names that change nothing, such as that of a machine file or a job,
// are not part of it.
#ifndef HEDDLE_STUDY_IDENTITY_H
#define HEDDLE_STUDY_IDENTITY_H

#include "workload/workloads.h"

#include <jansson.h>

struct hd_identity {
    const char *text; // JSON: docs/database.md
    const char *key;  // its SHA-256
};

// SHA-256 by kind: module, registers, host code, data of a workload or job. NULL with a diagnostic
// if something cannot be read. Release it with json_decref.
json_t *hd_identity_inputs(const struct hd_workloads_item *item, struct hd_arena *a,
                           struct hd_diag *d);
// What the identities of runs share, as long as the arena and what their options and inputs point
// to. Equal options and inputs at the same addresses are read once.
struct hd_identity_texts;
struct hd_identity_texts *hd_identity_texts_new(struct hd_arena *a);
// `plan`: the key of the run that makes its plan; NULL: it has none. False with a diagnostic if a
// plug-in cannot be read.
bool hd_identity_make(struct hd_identity_texts *t, const struct hd_workloads_item *item,
                      const json_t *inputs, const char *plan, const struct hd_run_options *o,
                      struct hd_arena *a, struct hd_identity *out, struct hd_diag *d);
// For a program of the user, with its command line: a NULL-terminated list. What else the program
// reads is not known, so a run with an equal key must still be run again.
bool hd_identity_make_program(const void *program, size_t bytes, const char *const *words,
                              const struct hd_run_options *o, struct hd_arena *a,
                              struct hd_identity *out, struct hd_diag *d);

#endif
