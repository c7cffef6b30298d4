// cmd_annotate.c - heddle annotate: simulate one workload and show where its time went, line by
// line.
#include "cmd/cmd.h"

#include "report/annotate.h"

#include <string.h>

static bool tell(const struct hd_cmd_options *o, const struct hd_runreport *r)
{
    bool json_out = o->json && !strcmp(o->json, "-");
    struct hd_annotate n;

    hd_annotate_collect(&n, o->arena, r);
    if (!o->quiet && !json_out)
        hd_annotatetable_print(&n);
    hd_out_flush();                   // before what goes to standard error:
    hd_runtable_trouble(r, o->arena); // differences, faults, hangs
    if (!o->json)
        return true;
    struct hd_out text = {.arena = o->arena};
    hd_annotate_json(&n, &text);
    return hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes);
}

int hd_cmd_annotate(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};
    int status;

    if (hd_cmd_simulate_start(o, "annotate", true, &s, &d))
        status = hd_cmd_simulate_exit(&s, tell(o, &s.report));
    else
        status = hd_cmd_options_fail(&d);
    hd_jobrun_end(&s.run);
    return status;
}
