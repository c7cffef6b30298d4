// cmd_annotate.c - heddle annotate: simulate one workload and show where its time went, line by
// line.
#include "cmd/cmd.h"

#include "report/annotate.h"

#include <string.h>

static bool tell(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    bool json_out = o->json && !strcmp(o->json, "-");
    struct hd_annotate n;

    hd_annotate_collect(&n, o->arena, &s->report);
    if (!o->quiet && !json_out)
        hd_annotatetable_print(&n, stdout);
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

    if (hd_cmd_places_check(o, false, &d) && hd_cmd_simulate_start(o, "annotate", true, &s, &d))
        return hd_cmd_simulate_exit(&s, tell(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
