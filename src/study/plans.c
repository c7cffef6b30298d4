// plans.c - a limit study has two parts: a run whose reuse is analysed, and runs whose policies
// know what it found (policy oracle). The plan is in the stored result of the first. See plans.h.
#include "study/plans.h"

#include "registry/plan.h"
#include "report/runreport.h"

#include <string.h>

static const char *text_of(const struct hd_study_run *by)
{
    const json_t *json = by->same ? by->same->json : by->json;

    return json_string_value(json_object_get(json_object_get(json, "reuse"), "plan"));
}

static void fail(struct hd_study_run *run, const struct hd_study_run *by)
{
    run->done = true;
    run->status = by->status ? by->status : HD_EXIT_USER;
    run->result = "error";
    run->messages = "heddle: the run that makes its plan has none\n";
    run->verified = "-";
}

bool hd_plans_give(struct hd_study *s)
{
    const struct hd_plan **plans = HD_ARRAY(s->arena, const struct hd_plan *, s->n_runs + 1);
    bool any = false;

    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        const struct hd_study_run *by = run->plan ? &s->runs[run->plan - 1] : NULL;
        const char *text = by && !run->same && !run->done ? text_of(by) : NULL;
        struct hd_diag d = {0};
        if (!by || run->same || run->done)
            continue;
        if (!text) {
            fail(run, by);
            continue;
        }
        const struct hd_plan **plan = &plans[run->plan - 1];
        if (!*plan)
            *plan = hd_plan_parse(s->arena, by->label, hd_arena_strdup(s->arena, text),
                                  strlen(text), &d);
        if (!*plan) {
            fail(run, by);
            continue;
        }
        for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++) {
            struct hd_policy_choice *c = &run->options.gpu.slot[slot];
            if (c->policy && hd_registry_planned(c->policy))
                c->data = *plan;
        }
        any = true;
    }
    return any;
}
