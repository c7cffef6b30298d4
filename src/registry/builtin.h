// builtin.h - the policies of src/policy/, which are compiled in.
#ifndef HEDDLE_REGISTRY_BUILTIN_H
#define HEDDLE_REGISTRY_BUILTIN_H

#include "heddle/policy_gpu.h"

unsigned hd_builtin_count(void);
const struct hd_policy *hd_builtin_at(unsigned i);         // sorted by name
const struct hd_policy *hd_builtin_find(const char *name); // NULL if there is none

#endif
