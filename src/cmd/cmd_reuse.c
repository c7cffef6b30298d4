// cmd_reuse.c - heddle reuse: simulate one workload, or run one CUDA program, and show which data
// its kernels, blocks and warps use again, and whose.
#include "cmd/cmd.h"

#include "report/reusereport.h"
#include "reuse/reuseoptions.h"

#include <string.h>

static bool wrong(struct hd_diag *d, const char *option, const char *value, const char *expected)
{
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--%s %.60s: not understood", option, value),
                 "expected %s", expected);
    return false;
}

static bool read_options(struct hd_cmd_options *o, struct hd_diag *d)
{
    struct hd_reuse_options *reuse = HD_NEW(o->arena, hd_reuse_options);

    *reuse = hd_reuseoptions_default();
    reuse->loads = o->reuse_loads;
    reuse->plan = o->plan != NULL;
    reuse->pairs = o->reuse_pairs ? o->reuse_pairs : reuse->pairs;
    if (o->reuse_warps && !hd_reuseoptions_warps(reuse, o->reuse_warps))
        return wrong(d, "reuse-warps", o->reuse_warps, HD_REUSEOPTIONS_WARPS);
    if (o->reuse_memory && !hd_reuseoptions_memory(reuse, o->reuse_memory))
        return wrong(d, "reuse-memory", o->reuse_memory, HD_REUSEOPTIONS_MEMORY);
    o->reuse = reuse;
    return true;
}

static bool write_results(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    bool to_stdout = (o->json && !strcmp(o->json, "-")) || (o->plan && !strcmp(o->plan, "-"));
    struct hd_out page = {.arena = o->arena}, json = {.arena = o->arena},
                  plan = {.arena = o->arena};
    bool good = true;

    if (!o->quiet && !to_stdout) {
        hd_reusetable_write(&s->report, &page);
        fputs(page.text, stdout);
    }
    good = hd_cmd_simulate_keep(o, s);
    if (o->json) {
        hd_reusereport_json(&s->report, &json);
        good = hd_out_write(hd_out_path(o->arena, o->json), json.text, json.bytes) && good;
    }
    if (o->plan) {
        hd_reusereport_plan(&s->report, &plan);
        good = hd_out_write(hd_out_path(o->arena, o->plan), plan.text, plan.bytes) && good;
    }
    return good;
}

int hd_cmd_reuse(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};

    if (!read_options(o, &d))
        return hd_cmd_options_fail(&d);
    if (o->program)
        return hd_cmd_options_for_program(o, &d) ? hd_cmd_exec(o) : hd_cmd_options_fail(&d);
    if (hd_cmd_places_check(o, false, &d) && hd_cmd_simulate_start(o, "reuse", false, &s, &d))
        return hd_cmd_simulate_exit(&s, write_results(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
