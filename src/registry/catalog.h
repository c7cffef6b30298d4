// catalog.h - the policies of src/policy/, sorted by name.
#ifndef HEDDLE_REGISTRY_CATALOG_H
#define HEDDLE_REGISTRY_CATALOG_H

#include "heddle/policy.h"

unsigned hd_catalog_count(void);
const struct hd_policy *hd_catalog_at(unsigned i);
const struct hd_policy *hd_catalog_find(const char *name); // NULL: there is none

#endif
