// alias.h - names for policies with some parameters fixed (aliases.def).
#ifndef HEDDLE_REGISTRY_ALIAS_H
#define HEDDLE_REGISTRY_ALIAS_H

#include "heddle/policy.h"

unsigned hd_alias_count(void);
const struct hd_policy *hd_alias_at(unsigned i); // sorted by name
// Sets the fixed parameters if `p` is an alias.
void hd_alias_apply(const struct hd_policy *p, void *params);

#endif
