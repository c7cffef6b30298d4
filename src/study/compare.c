// compare.c - the runs of a comparison, and how their results relate. See compare.h.
#include "study/compare.h"

#include <math.h>

unsigned hd_compare_cell(const struct hd_compare *c, unsigned workload, unsigned machine,
                         unsigned sched)
{
    return (workload * c->n_machines + machine) * c->n_scheds + sched;
}

const char *hd_compare_base(const struct hd_compare *c)
{
    bool machines = c->n_scheds == 1 && c->n_machines > 1;

    return machines ? c->machines[0].label : c->scheds[0].spec;
}

static void plan_run(struct hd_compare *c, unsigned w, unsigned m, unsigned s)
{
    struct hd_study_run *run = &c->study.runs[hd_compare_cell(c, w, m, s)];
    const struct hd_compare_machine *machine = &c->machines[m];
    struct hd_arena *a = c->arena;

    run->work = &c->workloads[w];
    run->options = machine->options;
    run->options.gpu.sched = c->scheds[s];
    hd_registry_preset(&run->options.gpu.sched, &run->options.gpu.fetch);
    run->label = hd_arena_printf(a, "%s under %s%s%s", run->work->name, c->scheds[s].spec,
                                 *machine->label ? ", " : "", machine->label);
    run->sets = machine->sets;
    run->command = hd_arena_printf(a, "heddle run %s --sched %s%s", c->words[w], c->scheds[s].spec,
                                   machine->words);
}

bool hd_compare_plan(struct hd_compare *c, struct hd_diag *d)
{
    struct hd_study *study = &c->study;

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
        const struct hd_study_run *base =
            &c->study.runs[hd_compare_cell(c, w, c->n_scheds > 1 ? m : 0, 0)];
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

bool hd_compare_start(struct hd_compare *c)
{
    c->relative = HD_ARRAY(c->arena, double, c->study.n_runs + 1);
    c->means = HD_ARRAY(c->arena, struct hd_compare_mean, c->n_machines * c->n_scheds + 1);
    if (!hd_study_start(&c->study))
        return false;
    for (unsigned m = 0; m < c->n_machines; m++)
        for (unsigned s = 0; s < c->n_scheds; s++)
            relate(c, m, s);
    return true;
}

void hd_compare_end(struct hd_compare *c)
{
    hd_study_end(&c->study);
}
