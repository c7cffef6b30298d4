// plan.h - reads the plans that `heddle reuse --plan` writes (docs/reuse.md), for policies.
#ifndef HEDDLE_REGISTRY_PLAN_H
#define HEDDLE_REGISTRY_PLAN_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/policy_gpu.h"

// NULL with a diagnostic, which names the file and the line, if it is no plan.
const struct hd_plan *hd_plan_read(struct hd_arena *a, const char *path, struct hd_diag *d);
// The same of a text that ends with a zero byte after `bytes`. The text is changed; the path is for
// diagnostics.
const struct hd_plan *hd_plan_parse(struct hd_arena *a, const char *path, char *text, size_t bytes,
                                    struct hd_diag *d);

#endif
