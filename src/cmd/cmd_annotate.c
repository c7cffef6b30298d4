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

int hd_cmd_annotate(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};

    if (o->program)
        return hd_cmd_options_for_program(o, &d) ? hd_cmd_exec(o) : hd_cmd_options_fail(&d);
    if (hd_cmd_places_check(o, false, &d) && hd_cmd_simulate_start(o, "annotate", true, &s, &d))
        return hd_cmd_simulate_exit(&s, write_results(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
