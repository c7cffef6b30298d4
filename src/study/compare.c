// compare.c - the runs of a comparison, and how their results relate. See compare.h.
#include "study/compare.h"

#include "report/runreport.h"
#include "study/outcome.h"

#include <math.h>
#include <string.h>

unsigned hd_compare_cell(const struct hd_compare *c, unsigned workload, unsigned machine,
                         unsigned sched)
{
    return (workload * c->n_machines + machine) * c->n_scheds + sched;
}

unsigned hd_compare_base_cell(const struct hd_compare *c, unsigned workload, unsigned machine)
{
    return hd_compare_cell(c, workload,
                           c->base_machine == HD_COMPARE_OWN ? machine : (unsigned)c->base_machine,
                           c->base_sched);
}

const struct hd_sample_options *hd_compare_sample(const struct hd_compare *c)
{
    return c->machines[0].options.gpu.sample;
}

static const char *machine_name(const struct hd_compare_machine *m)
{
    return *m->label ? m->label : m->config.name;
}

const char *hd_compare_base(const struct hd_compare *c)
{
    const char *sched = c->scheds[c->base_sched].label;

    if (c->base_machine == HD_COMPARE_OWN || c->n_machines == 1)
        return sched;
    const char *machine = machine_name(&c->machines[c->base_machine]);
    return c->n_scheds == 1 ? machine : hd_arena_printf(c->arena, "%s on %s", sched, machine);
}

static bool find_sched(struct hd_compare *c, const char *name, struct hd_diag *d)
{
    const char **names = HD_ARRAY(c->arena, const char *, c->n_scheds + 1);

    for (unsigned i = 0; i < c->n_scheds; i++) {
        names[i] = c->scheds[i].label;
        if (!strcmp(name, names[i]) || !strcmp(name, c->scheds[i].slot[HD_SLOT_SCHED].spec) ||
            !strcmp(name, c->scheds[i].slot[HD_SLOT_SCHED].resolved)) {
            c->base_sched = i;
            return true;
        }
    }
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "--base: '%.80s' is not one of the schedulers compared", name);
    hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "expected one of --sched, or @ and a machine; the first is '%.100s'",
                     names[0]);
    return false;
}

static bool find_machine(struct hd_compare *c, const char *name, struct hd_diag *d)
{
    const char **names = HD_ARRAY(c->arena, const char *, c->n_machines + 1);

    for (unsigned i = 0; i < c->n_machines; i++) {
        const struct hd_compare_machine *m = &c->machines[i];
        names[i] = machine_name(m);
        if (!strcmp(name, names[i]) || !strcmp(name, m->varied) || !strcmp(name, m->config.name)) {
            c->base_machine = (int)i;
            return true;
        }
    }
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "--base: '%.80s' is not one of the machines compared", name);
    hd_diag_nearest(e, name, names);
    if (!e->hint[0])
        hd_diag_hint(e, "the first is '%.100s'", names[0]);
    return false;
}

bool hd_compare_choose_base(struct hd_compare *c, const char *text, struct hd_diag *d)
{
    const char *at = text ? strchr(text, '@') : NULL;
    char *sched =
        text ? hd_arena_strndup(c->arena, text, at ? (size_t)(at - text) : strlen(text)) : NULL;

    c->base_machine = c->n_scheds == 1 ? 0 : HD_COMPARE_OWN;
    if (at && !at[1]) {
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "--base %.80s: a machine is missing after the '@'", text),
            "the first is '%.100s'", machine_name(&c->machines[0]));
        return false;
    }
    return (!sched || !*sched || find_sched(c, sched, d)) && (!at || find_machine(c, at + 1, d));
}

static void plan_run(struct hd_compare *c, unsigned w, unsigned m, unsigned s)
{
    struct hd_study_run *run = &c->study.runs[hd_compare_cell(c, w, m, s)];
    const struct hd_compare_machine *machine = &c->machines[m];
    struct hd_arena *a = c->arena;

    run->work = &c->workloads[w];
    run->options = machine->options;
    if (!run->work->item.workload)
        run->options.sets = machine->fixed;
    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if (c->scheds[s].slot[i].spec)
            run->options.gpu.slot[i] = c->scheds[s].slot[i];
    hd_registry_preset(run->options.gpu.slot);
    run->label = hd_arena_printf(a, "%s under %s%s%s", run->work->name, c->scheds[s].label,
                                 *machine->label ? ", " : "", machine->label);
    run->machine = machine->label;
    run->command = hd_arena_printf(a, "heddle run %s%s%s%s", c->words[w], c->scheds[s].words,
                                   machine->words, c->inputs[w]);
}

bool hd_compare_plan(struct hd_compare *c, struct hd_diag *d)
{
    struct hd_study *study = &c->study;

    study->brief = true;
    study->n_runs = c->n_workloads * c->n_machines * c->n_scheds;
    study->runs = HD_ARRAY(c->arena, struct hd_study_run, study->n_runs + 1);
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned m = 0; m < c->n_machines; m++)
            for (unsigned s = 0; s < c->n_scheds; s++)
                plan_run(c, w, m, s);
    return hd_study_plan(study, d);
}

static void relate(struct hd_compare *c, unsigned m, unsigned s)
{
    struct hd_compare_mean *mean = &c->means[m * c->n_scheds + s];
    double sum = 0, logs = 0;

    for (unsigned w = 0; w < c->n_workloads; w++) {
        unsigned cell = hd_compare_cell(c, w, m, s);
        const struct hd_study_run *run = &c->study.runs[cell];
        const struct hd_study_run *base = &c->study.runs[hd_compare_base_cell(c, w, m)];
        if (!base->timed || !run->timed || !(base->ipc > 0) || !(run->ipc > 0))
            continue;
        c->relative[cell] = run->ipc / base->ipc;
        sum += c->relative[cell];
        logs += log(c->relative[cell]);
        mean->n++;
        mean->n_cut += base->cut || run->cut;
    }
    if (mean->n) {
        mean->arithmetic = sum / mean->n;
        mean->geometric = exp(logs / mean->n);
    }
}

void hd_compare_relate(struct hd_compare *c)
{
    c->relative = HD_ARRAY(c->arena, double, c->study.n_runs + 1);
    c->means = HD_ARRAY(c->arena, struct hd_compare_mean, c->n_machines * c->n_scheds + 1);
    for (unsigned m = 0; m < c->n_machines; m++)
        for (unsigned s = 0; s < c->n_scheds; s++)
            relate(c, m, s);
}

// The launches of a sample, from its result. NULL if there are none.
static struct hd_sample *sample_of(const struct hd_compare *c, unsigned cell, struct hd_arena *a)
{
    const char *text = hd_outcome_text(&c->study, &c->study.runs[cell], a);
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    struct hd_sample *s = json ? hd_runsample_read(json, a) : NULL;

    json_decref(json);
    return s;
}

// The errors of the ratios of one workload on one machine.
static void find_errors(struct hd_compare *c, unsigned w, unsigned m)
{
    struct hd_arena *a = hd_arena_new(), *own; // the launches of many runs would not fit
    unsigned base_cell = hd_compare_base_cell(c, w, m);
    const struct hd_sample *base = sample_of(c, base_cell, a);

    for (unsigned s = 0; s < c->n_scheds; s++) {
        unsigned cell = hd_compare_cell(c, w, m, s);
        c->errors[cell] = -1;
        if (!(c->relative[cell] > 0))
            continue;
        own = hd_arena_new();
        const struct hd_sample *sample = base ? sample_of(c, cell, own) : NULL;
        struct hd_estimate_ratio r = {.known = false};
        if (sample)
            r = hd_estimate_ratio_of(sample, base);
        c->errors[cell] = r.known ? r.error : -1;
        c->paired[cell] = r.paired;
        hd_arena_free(own);
    }
    hd_arena_free(a);
}

// Workloads are independent of each other: the squares of their errors add up.
static void mean_errors(struct hd_compare *c, unsigned m, unsigned s)
{
    struct hd_compare_mean *mean = &c->means[m * c->n_scheds + s];
    double arithmetic = 0, logs = 0;
    bool known = true;

    for (unsigned w = 0; w < c->n_workloads; w++) {
        unsigned cell = hd_compare_cell(c, w, m, s);
        double error = c->errors[cell], absolute = error * c->relative[cell];
        if (!(c->relative[cell] > 0))
            continue;
        known = known && error >= 0;
        arithmetic += absolute * absolute;
        logs += error * error;
    }
    if (!mean->n)
        return;
    mean->arithmetic_error = known ? sqrt(arithmetic) / mean->n / mean->arithmetic : -1;
    mean->geometric_error = known ? sqrt(logs) / mean->n : -1;
}

static void relate_samples(struct hd_compare *c)
{
    c->errors = HD_ARRAY(c->arena, double, c->study.n_runs + 1);
    c->paired = HD_ARRAY(c->arena, bool, c->study.n_runs + 1);
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned m = 0; m < c->n_machines; m++)
            find_errors(c, w, m);
    for (unsigned m = 0; m < c->n_machines; m++)
        for (unsigned s = 0; s < c->n_scheds; s++)
            mean_errors(c, m, s);
}

bool hd_compare_start(struct hd_compare *c)
{
    if (!hd_study_start(&c->study))
        return false;
    hd_compare_relate(c);
    if (hd_compare_sample(c))
        relate_samples(c);
    return true;
}

void hd_compare_end(struct hd_compare *c)
{
    hd_study_end(&c->study);
}
