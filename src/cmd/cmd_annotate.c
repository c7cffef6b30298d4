// cmd_annotate.c - heddle annotate: simulate one workload, or run one CUDA program, and show where
// the time of its kernels went, line by line.
#include "cmd/cmd.h"

#include "report/annotate.h"

#include <string.h>

static bool write_results(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    bool json_out = o->json && !strcmp(o->json, "-");
    struct hd_out page = {.arena = o->arena};
    struct hd_annotate n;

    hd_annotate_collect(&n, o->arena, &s->report);
    if (!o->quiet && !json_out) {
        hd_annotatetable_write(&n, &page);
        fputs(page.text, stdout);
    }
    bool kept = hd_cmd_simulate_keep(o, s);
    if (!o->json)
        return kept;
    struct hd_out text = {.arena = o->arena};
    hd_annotate_json(&n, &text);
    return hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes) && kept;
}

static bool good_for_program(const struct hd_cmd_options *o, struct hd_diag *d)
{
    const char *of_workloads = o->size         ? "--size"
                               : o->seed_given ? "--seed"
                               : o->out        ? "--out"
                               : o->regs       ? "--regs"
                               : o->ptx        ? "--ptx"
                                               : NULL;

    if (of_workloads)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "%s is for workloads, not for a program", of_workloads),
            "the words after the program's name are its own");
    return !of_workloads;
}

int hd_cmd_annotate(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};

    if (o->program)
        return good_for_program(o, &d) ? hd_cmd_exec(o) : hd_cmd_options_fail(&d);
    if (hd_cmd_places_check(o, false, &d) && hd_cmd_simulate_start(o, "annotate", true, &s, &d))
        return hd_cmd_simulate_exit(&s, write_results(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
