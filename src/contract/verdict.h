// verdict.h - tries the contract of a policy in a separate process, so that a policy which crashes
// or never returns is reported like any other that breaks it.
#ifndef HEDDLE_CONTRACT_VERDICT_H
#define HEDDLE_CONTRACT_VERDICT_H

#include "registry/registry.h"

#include <stdio.h>

// Prints a line for each rule; false if one is broken. `file` is that of a plug-in, NULL: none.
bool hd_verdict_print(const struct hd_policy_choice *c, const char *file, FILE *to);

#endif
