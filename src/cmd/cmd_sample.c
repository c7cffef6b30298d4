// cmd_sample.c - --sample: timing for a sample of the launches only, and what that excludes.
#include "cmd/cmd.h"

#include <string.h>

// What needs every launch, or every cycle: the option that asks for it, NULL if none does. The page
// of a comparison has tables and figures, and without samples cycles too.
static const char *needs_all(const struct hd_cmd_options *o)
{
    const bool cycles = o->html_cycles && strcmp(o->html_cycles, "none") != 0;
    const struct {
        bool given;
        const char *option;
    } all[] = {{o->functional_only, "--functional-only"},
               {o->metrics, "--metrics"},
               {o->timeline != NULL, "--timeline"},
               {o->konata != NULL, "--konata"},
               {o->html != NULL && !o->study, "--html"},
               {o->html_sm != NULL, "--html-sm"},
               {cycles, "--html-cycles"},
               {o->stats != NULL, "--stats"},
               {o->record != NULL, "--record"},
               {o->annotate != NULL, "--annotate"},
               {o->max_cycles != 0, "--max-cycles"},
               {o->max_insts != 0, "--max-insts"}};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given)
            return all[i].option;
    return NULL;
}

bool hd_cmd_sample_read(const struct hd_cmd_options *o, const struct hd_sample_options **out,
                        struct hd_diag *d)
{
    struct hd_sample_options *s = HD_NEW(o->arena, hd_sample_options);
    const char *other = needs_all(o);

    if (!o->sample && (o->sample_seed || o->sample_warm))
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s without --sample",
                                 o->sample_seed ? "--sample-seed" : "--sample-warm"),
                     "add --sample N");
    else if (o->sample && o->sample < HD_SAMPLE_LEAST)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--sample 1: every launch would have timing"),
                     "a number from %d on, or no --sample", HD_SAMPLE_LEAST);
    else if (o->sample && other)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "%s and --sample exclude each other: most launches of a sample "
                                 "have no timing",
                                 other),
                     "remove one of them");
    else {
        *s = (struct hd_sample_options){.every = o->sample,
                                        .warm = o->sample_warm,
                                        .seed = o->sample_seed ? o->sample_seed : HD_SAMPLE_SEED};
        *out = o->sample ? s : NULL;
        return true;
    }
    return false;
}

bool hd_cmd_sample_item(const struct hd_cmd_options *o, const struct hd_workloads_item *item,
                        struct hd_diag *d)
{
    bool dynamic = !item->job && !item->trace && item->workload->dynamic;

    if (!o->sample || !(item->trace || dynamic))
        return true;
    if (item->trace)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "--sample: a trace has no values, so no launch can be executed "
                                 "without timing"),
                     "run the program itself");
    else
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "--sample: kernels of %s launch kernels, which a sample cannot "
                                 "contain",
                                 item->name),
                     "run it without --sample");
    return false;
}
