// fuzz_policy.c - any text as the value of --sched: a choice or a diagnostic. What was accepted
// must, spelt out, be accepted again and mean the same.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "registry/registry.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_policy_choice once = {0}, twice = {0};
    const char *spec = hd_arena_strndup(a, (const char *)data, size);

    if (!hd_registry_parse(a, spec, &once, d)) {
        HD_BUG_IF(d->n == 0, "refused without a reason");
    } else if (once.resolved) {
        HD_BUG_IF(!hd_registry_parse(a, once.resolved, &twice, d), "refuses its own %s",
                  once.resolved);
        HD_BUG_IF(strcmp(once.resolved, twice.resolved), "%s became %s", once.resolved,
                  twice.resolved);
    }
    hd_arena_free(a);
    return 0;
}
