// plans.c - a limit study has two parts: a run whose reuse is analysed, and runs whose policies
// know what it found (policy oracle). The plan is in the stored result of the first. See plans.h.
#include "study/plans.h"

#include "registry/plan.h"
#include "report/runreport.h"

#include <string.h>

struct hd_plans_text {
    char *text; // NULL once it was parsed, which changes it
    size_t bytes;
    const struct hd_plan *plan; // NULL: not parsed yet, or not a plan
    struct hd_plans_text *next;
};

static struct hd_plans_text *kept(struct hd_study *s, const char *text, size_t bytes)
{
    struct hd_plans_text *t = s->plans;

    while (t && !(t->text && t->bytes == bytes && !memcmp(t->text, text, bytes)))
        t = t->next;
    if (!t) {
        t = HD_NEW(s->arena, hd_plans_text);
        *t = (struct hd_plans_text){
            .text = hd_arena_strndup(s->arena, text, bytes), .bytes = bytes, .next = s->plans};
        s->plans = t;
    }
    return t;
}

void hd_plans_keep(struct hd_study *s, struct hd_study_run *run)
{
    json_t *reuse = json_object_get(run->json, "reuse"), *plan = json_object_get(reuse, "plan");

    if (!json_is_string(plan))
        return;
    run->plan_text = kept(s, json_string_value(plan), json_string_length(plan));
    json_object_del(reuse, "plan");
}

static const struct hd_plan *plan_of(struct hd_study *s, const struct hd_study_run *by)
{
    struct hd_plans_text *t = by->same ? by->same->plan_text : by->plan_text;
    struct hd_diag d = {0};

    if (t && t->text) {
        t->plan = hd_plan_parse(s->arena, by->label, t->text, t->bytes, &d);
        t->text = NULL;
    }
    return t ? t->plan : NULL;
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
    bool any = false;

    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        const struct hd_study_run *by = run->plan ? &s->runs[run->plan - 1] : NULL;
        const struct hd_plan *plan = by && !run->same && !run->done ? plan_of(s, by) : NULL;
        if (!by || run->same || run->done)
            continue;
        if (!plan) {
            fail(run, by);
            continue;
        }
        for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++) {
            struct hd_policy_choice *c = &run->options.gpu.slot[slot];
            if (c->policy && hd_registry_planned(c->policy))
                hd_registry_give_plan(s->arena, c, plan);
        }
        any = true;
    }
    return any;
}
