// catalog.c - the table of compiled-in policies. See catalog.h.
//
// It comes from policies.inc, written by the Makefile: one X(name) per file of src/policy/, sorted.
// A file whose HD_POLICY line has another name fails to link.
#include "registry/catalog.h"

#include <string.h>

#define X(id) extern const struct hd_policy hd_policy_##id;
#include "policies.inc"
#undef X

static const struct hd_policy *const built_in[] = {
#define X(id) &hd_policy_##id,
#include "policies.inc"
#undef X
};
enum {
    N_BUILT_IN = 0
#define X(id) +1
#include "policies.inc"
#undef X
};

unsigned hd_catalog_count(void)
{
    return N_BUILT_IN;
}

const struct hd_policy *hd_catalog_at(unsigned i)
{
    return built_in[i];
}

const struct hd_policy *hd_catalog_find(const char *name)
{
    for (unsigned i = 0; i < N_BUILT_IN; i++)
        if (!strcmp(built_in[i]->name, name))
            return built_in[i];
    return NULL;
}
