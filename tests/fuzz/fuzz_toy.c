// fuzz_toy.c - any bytes as an example of `heddle toy`: diagnostics, or a run of a few cycles that
// ends the same with and without the skipping of idle cycles.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "registry/registry.h"
#include "toy/toy.h"

#define MOST_CYCLES 300

static void run(struct hd_arena *a, struct hd_toy *toy, const char *sched, struct hd_diag *d)
{
    struct hd_toy_options o = {.sched = {0}};
    struct hd_toy_result skipped, stepped;

    HD_BUG_IF(!hd_registry_parse_slot(a, HD_SLOT_SCHED, sched, &o.sched, d), "no %s", sched);
    hd_registry_preset_slot(&o.sched, HD_SLOT_FETCH, &o.fetch);
    hd_toy_run(a, toy, &o, &skipped);
    o.no_skip = true;
    hd_toy_run(a, toy, &o, &stepped);
    HD_BUG_IF(skipped.status != stepped.status || skipped.finish != stepped.finish ||
                  skipped.stalls != stepped.stalls || skipped.n_issues != stepped.n_issues,
              "%s: skipping idle cycles changes the run", sched);
    hd_toy_trace(a, toy, &stepped);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_toy *toy = hd_toy_parse(a, "fuzz.toy", (const char *)data, size, d);

    HD_BUG_IF(!toy == !d->n, "%s %u diagnostics", toy ? "accepted with" : "refused with", d->n);
    if (toy) {
        toy->limit = toy->limit < MOST_CYCLES ? toy->limit : MOST_CYCLES;
        run(a, toy, "gto", d);
        run(a, toy, "elf", d);
    }
    hd_arena_free(a);
    return 0;
}
