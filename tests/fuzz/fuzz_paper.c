// fuzz_paper.c - any bytes as a paper's data file (papers/*.ini): its sheets and its page, without
// a single result, or diagnostics.
#include "base/arena.h"
#include "base/bug.h"
#include "base/config.h"
#include "base/file.h"
#include "fuzz/replay.h"
#include "paper/paperclaims.h"

#include <stdlib.h>
#include <sys/stat.h>

static bool show(struct hd_paper *p, struct hd_diag *d)
{
    if (!hd_paper_plan(p, d) || !hd_paper_show(p, d))
        return false;
    struct hd_out page = {.arena = p->arena};
    hd_paper_markdown(p, "heddle paper", NULL, &page);
    for (unsigned i = 0; i < p->n_claims; i++)
        HD_BUG_IF(!hd_paperverdicts_evaluate(p, &p->claims[i]).verdict, "claim %s has no verdict",
                  p->claims[i].id);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_paper *p = HD_NEW(a, hd_paper);
    const char *given = getenv("TMPDIR"), *folder = given ? given : "/tmp";
    const char *path = hd_arena_printf(a, "%s/papers/heddle-fuzz.ini", folder);
    const char *machine = hd_arena_printf(a, "%s/heddle-fuzz-machine.ini", folder);
    static const char flat[] = "[gpu]\nmemory = flat\n";
    char err[HD_FILE_WHY];

    *p = (struct hd_paper){.arena = a, .name = "heddle-fuzz", .size = "small"};
    mkdir(hd_arena_printf(a, "%s/papers", folder), 0700); // it may be there
    setenv("HEDDLE_DATA", folder, 1);
    HD_BUG_IF(!hd_file_write(path, data, size, err), "%s", err);
    HD_BUG_IF(!hd_file_write(machine, flat, sizeof flat - 1, err), "%s", err);
    HD_BUG_IF(!hd_config_load(a, machine, NULL, 0, &p->config, d),
              "the default machine is refused");
    p->options.gpu.config = &p->config;
    bool good = hd_paper_read(p, d) && hd_paperpolicies_read(p, d) && hd_paperclaims_read(p, d) &&
                show(p, d);
    HD_BUG_IF(good == (d->n > 0), "%s %u diagnostics", good ? "accepted with" : "refused with",
              d->n);
    hd_arena_free(a);
    return 0;
}
