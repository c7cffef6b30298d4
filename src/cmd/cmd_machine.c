// cmd_machine.c - from options to the machine they describe: configuration, policies, overrides.
#include "cmd/cmd.h"

#include "base/processors.h"
#include "gpgpusim/simmachine.h"
#include "run/override.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

bool hd_cmd_machine_plugins(const struct hd_cmd_options *o, struct hd_diag *d)
{
    bool good = true;

    for (size_t i = 0; i < o->plugins.n; i++)
        good = hd_registry_plugin(o->plugins.items[i], d) && good;
    return good;
}

// Prints warnings of a machine that can be used. A comparison has many machines of one file, so
// that it prints only those of the last file that it has read.
static bool load(const struct hd_cmd_options *o, const char *const *sets, unsigned n,
                 struct hd_config *config, struct hd_diag *d)
{
    static char warned[PATH_MAX];
    const char *gpu = o->gpu ? o->gpu : HD_CMD_DEFAULT_GPU;

    if (!hd_simmachine_load(o->arena, gpu, sets, n, config, d))
        return false;
    if (d->n && !o->quiet && strcmp(warned, gpu) != 0)
        hd_diag_print(d, stderr);
    snprintf(warned, sizeof warned, "%s", gpu);
    d->n = d->dropped = 0;
    return true;
}

static bool read_sets(const struct hd_cmd_options *o, struct hd_config *config,
                      struct hd_run_options *out, struct hd_diag *d)
{
    const char **machine = HD_ARRAY(o->arena, const char *, o->sets.n + 1);
    struct hd_override *over = HD_ARRAY(o->arena, struct hd_override, o->sets.n + 1);
    unsigned n = 0;

    for (size_t i = 0; i < o->sets.n; i++) {
        if (!hd_override_is(o->sets.items[i]))
            machine[n++] = o->sets.items[i];
        else if (!hd_override_read(o->arena, "--set", o->sets.items[i], over, &out->n_overrides, d))
            return false;
    }
    out->overrides = over;
    out->sets = hd_cmd_words_machine(o);
    return load(o, machine, n, config, d);
}

bool hd_cmd_machine_config(const struct hd_cmd_options *o, struct hd_config *config,
                           struct hd_diag *d)
{
    return load(o, o->sets.items, (unsigned)o->sets.n, config, d);
}

const char *hd_cmd_machine_sched(const struct hd_cmd_options *o)
{
    const char *own = o->sched ? o->sched : hd_simmachine_sched(o->arena, o->gpu);

    return own ? own : HD_CMD_DEFAULT_SCHED;
}

// Metrics are of a timed run, and of an SM that the machine has.
static bool good_metrics(const struct hd_cmd_options *o, const struct hd_config *config,
                         struct hd_diag *d)
{
    const char *option = o->timeline ? "--timeline" : "--metrics";

    if ((o->metrics || o->timeline) && o->functional_only)
        hd_diag_add(d, NULL, 0, 0, "%s: nothing is recorded without timing", option);
    else if ((o->metrics_sm || o->metrics_kernels) && !o->metrics && !o->timeline)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--metrics-%s without metrics",
                                 o->metrics_sm ? "sm" : "kernels"),
                     "add --metrics or --timeline FILE");
    else if (o->metrics_sm >= config->sm.sms)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "--metrics-sm %" PRIu64 ": no such SM", o->metrics_sm),
            "0 to %" PRIu32, config->sm.sms - 1);
    else
        return true;
    return false;
}

// The same of recorded pipelines. *out is NULL if none are requested.
static bool read_konata(const struct hd_cmd_options *o, const struct hd_config *config,
                        const struct hd_pipeviews_options **out, struct hd_diag *d)
{
    struct hd_pipeviews_options *p = HD_NEW(o->arena, hd_pipeviews_options);
    const char *other = o->konata_sm ? "--konata-sm" : o->konata_cycles ? "--konata-cycles" : NULL;

    if (!o->konata && other) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s without --konata", other), "add --konata FILE");
        return false;
    }
    if (!o->konata)
        return true;
    if (o->functional_only) {
        hd_diag_add(d, NULL, 0, 0, "--konata: nothing is recorded without timing");
        return false;
    }
    *out = p;
    return hd_pipeviews_read_sms("--konata-sm", o->konata_sm ? o->konata_sm : HD_PIPEVIEWS_SMS,
                                 config, p, d) &&
           hd_pipeviews_read_cycles(
               "--konata-cycles", o->konata_cycles ? o->konata_cycles : HD_PIPEVIEWS_CYCLES, p, d);
}

bool hd_cmd_machine_regs(const struct hd_cmd_options *o, struct hd_jobregs_choice *out,
                         struct hd_diag *d)
{
    static const char *const targets[] = {"sm_20", "sm_75", NULL};

    if (!o->regs || hd_jobregs_choose(o->regs, out))
        return true;
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "--regs %.60s: " HD_JOBREGS_EXPECTED, o->regs);
    hd_diag_nearest(e, o->regs, targets);
    return false;
}

// The processors are shared by the runs of a study. One run finds out itself how many pay.
static unsigned threads_of(const struct hd_cmd_options *o)
{
    unsigned processors;

    if (!o->threads_given || o->threads || !o->study)
        return !o->threads_given ? 1 : o->threads ? (unsigned)o->threads : HD_GPU_THREADS_THAT_PAY;
    processors = hd_processors_usable(o->arena);
    return !o->jobs || o->jobs > processors ? 1 : processors / (unsigned)o->jobs;
}

bool hd_cmd_machine_set_up(const struct hd_cmd_options *o, struct hd_config *config,
                           struct hd_run_options *out, struct hd_diag *d)
{
    struct hd_gpu_options *g = &out->gpu;

    if (!read_sets(o, config, out, d) || !hd_cmd_sample_read(o, &g->sample, d) ||
        !hd_cmd_machine_regs(o, &out->regs, d) || !good_metrics(o, config, d) ||
        !read_konata(o, config, &g->pipeviews, d) ||
        !hd_cmd_html_read(o, config, &g->cycleviews, d))
        return false;
    g->config = config;
    g->functional_only = o->functional_only;
    g->strict = o->strict;
    g->reuse = o->reuse;
    g->threads = threads_of(o);
    g->no_skip = o->no_skip;
    g->max_cycles = o->max_cycles;
    g->max_insts = o->max_insts;
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) // the warp scheduler's may be several
        if (s != HD_SLOT_SCHED && o->slot[s] &&
            !hd_registry_parse_slot(o->arena, s, o->slot[s], &g->slot[s], d))
            return false;
    return true;
}
