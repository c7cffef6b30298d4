// readings.c - the runs of each reading, and the claims' values under it. See readings.h.
//
// A point is a copy of the paper with policies, machine or inputs of its own. The runs of all
// points that are known are one study, in which a run that several points share is made once.
#include "paper/readings.h"

#include <math.h>
#include <string.h>

static const struct hd_readings_value *value_at(const struct hd_readings *r,
                                                const struct hd_readings_point *at, unsigned i)
{
    return &r->axes[at->axis[i]].values[at->value[i]];
}

// A figure that has a machine of its own keeps it under a reading with another one.
static bool changes_policy(const struct hd_readings *r, const struct hd_readings_value *v,
                           unsigned policy)
{
    const struct hd_paper_policy *of = &r->paper->policies[policy];

    for (size_t i = 0; i < v->n; i++) {
        const struct hd_readings_change *c = &v->changes[i];
        if (c->what <= HD_READINGS_SPEC
                ? c->policy == of->base
                : c->what != HD_READINGS_APP && (c->what != HD_READINGS_GPU || !of->gpu))
            return true;
    }
    return false;
}

// A reading of an application moves claims about it, also through runs of other policies.
static bool changes_app(const struct hd_readings_value *v, const struct hd_readings_claim *c)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->changes[i].what == HD_READINGS_APP && c->apps[v->changes[i].policy])
            return true;
    return false;
}

static bool moves(const struct hd_readings *r, const struct hd_readings_value *v,
                  const struct hd_readings_claim *c)
{
    for (unsigned k = 0; k < r->paper->n_policies; k++)
        if (c->uses[k] && changes_policy(r, v, k))
            return true;
    return changes_app(v, c);
}

// Each reading of the point can move the claim: otherwise it is the claim of another point.
static bool applies(const struct hd_readings *r, const struct hd_readings_point *at,
                    const struct hd_readings_claim *c)
{
    for (unsigned i = 0; i < at->n; i++)
        if (!moves(r, value_at(r, at, i), c))
            return false;
    return true;
}

static bool is_chosen(const struct hd_readings *r, const char *name)
{
    for (const char **c = r->chosen; c && *c; c++)
        if (!strcmp(*c, name))
            return true;
    return !r->chosen;
}

static bool check_chosen(const struct hd_readings *r, struct hd_diag *d)
{
    const struct hd_paper *p = r->paper;
    const char **names = HD_ARRAY(p->arena, const char *, p->n_claims + 1);
    struct hd_out all = {.arena = p->arena};

    for (unsigned i = 0; i < p->n_claims; i++) {
        names[i] = p->claims[i].id;
        hd_out_printf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    for (const char **c = r->chosen; c && *c; c++) {
        if (hd_paperclaims_find(p, *c))
            continue;
        struct hd_diag_entry *e =
            hd_diag_add(d, NULL, 0, 0, "paper %s has no claim '%.60s'", p->name, *c);
        hd_diag_nearest(e, *c, names);
        if (!e->hint[0])
            hd_diag_hint(e, "it has %.300s", all.bytes ? all.text : "none");
        return false;
    }
    return true;
}

// A copy of the paper that has no runs yet.
static struct hd_paper *copy_of(const struct hd_paper *p)
{
    struct hd_paper *own = HD_NEW(p->arena, hd_paper);

    *own = *p;
    own->policies = HD_ARRAY(p->arena, struct hd_paper_policy, p->n_policies + 1);
    memcpy(own->policies, p->policies, p->n_policies * sizeof *p->policies);
    own->apps = HD_ARRAY(p->arena, struct hd_paper_app, p->n_apps + 1);
    memcpy(own->apps, p->apps, p->n_apps * sizeof *p->apps);
    own->study = (struct hd_study){.arena = p->arena};
    own->runs_cap = 0;
    own->run_of = hd_paperclaims_table(p);
    return own;
}

// Which policies a claim needs is what it asks for. One that needs no run is moved by no reading.
static bool choose_claims(struct hd_readings *r, struct hd_diag *d)
{
    struct hd_paper *p = r->paper;

    r->claims = HD_ARRAY(p->arena, struct hd_readings_claim, p->n_claims + 1);
    for (unsigned i = 0; i < p->n_claims; i++) {
        struct hd_readings_claim c = {
            .claim = &p->claims[i], .scale = p->claims[i].scale, .paper = p->claims[i].paper};
        bool extra;
        if (!is_chosen(r, c.claim->id))
            continue;
        if (!hd_readingsaxes_extra(p, c.claim->section, &extra, d))
            return false;
        if (extra && !r->full && !r->chosen) {
            r->n_costly++;
            continue;
        }
        struct hd_paper *own = copy_of(p);
        if (!hd_paperclaims_plan(own, c.claim, d))
            return false;
        if (c.claim->form == HD_PAPER_ORDER) {
            c.scale = HD_PAPER_NUMBER;
            c.paper = c.claim->policies.n - 1;
        }
        c.uses = HD_ARRAY(p->arena, bool, p->n_policies + 1);
        c.apps = HD_ARRAY(p->arena, bool, p->n_apps + 1);
        for (unsigned k = 0; k < p->n_apps * p->n_policies * HD_PAPER_N_WITH; k++) {
            c.uses[k / HD_PAPER_N_WITH % p->n_policies] |= own->run_of[k] > 0;
            c.apps[k / HD_PAPER_N_WITH / p->n_policies] |= own->run_of[k] > 0;
        }
        if (own->study.n_runs)
            r->claims[r->n_claims++] = c;
        else
            r->n_still++;
    }
    if (!r->n_claims)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "no claim of paper %s needs a run", p->name),
                     "its readings move none of them");
    return r->n_claims > 0;
}

// The default's keys stay as they are: the list is a copy.
static void add_key(const struct hd_paper *p, struct hd_paper_policy *to, const char *key)
{
    const char **sets = HD_ARRAY(p->arena, const char *, to->n_sets + 1);

    if (to->n_sets)
        memcpy(sets, to->sets, to->n_sets * sizeof *sets);
    sets[to->n_sets++] = key;
    to->sets = sets;
    to->sets_cap = to->n_sets;
}

// One change to a policy.
static bool set_policy(struct hd_paper *own, struct hd_paper_policy *to,
                       const struct hd_readings_change *c, struct hd_diag *d)
{
    if (c->what == HD_READINGS_KEY) {
        add_key(own, to, c->value);
        return true;
    }
    if (c->what == HD_READINGS_SPEC)
        return hd_registry_parse_slot(own->arena, HD_SLOT_SCHED, c->value, &to->slot[HD_SLOT_SCHED],
                                      d);
    for (enum hd_slot slot = 0; slot < HD_N_SLOTS; slot++)
        if (hd_readingsaxes_in_slot(to, slot, c->key) &&
            !hd_registry_parse_slot(
                own->arena, slot,
                hd_arena_printf(own->arena, "%s:%s", to->slot[slot].spec, c->value),
                &to->slot[slot], d))
            return false;
    return true;
}

// The policies of a point, with all that its readings change.
static bool set_policies(const struct hd_readings *r, const struct hd_readings_point *at,
                         struct hd_paper *own, struct hd_diag *d)
{
    for (unsigned k = 0; k < own->n_policies; k++)
        for (unsigned i = 0; i < at->n; i++) {
            const struct hd_readings_value *v = value_at(r, at, i);
            for (size_t n = 0; n < v->n; n++) {
                const struct hd_readings_change *c = &v->changes[n];
                if (c->what <= HD_READINGS_SPEC && c->policy == own->policies[k].base &&
                    !set_policy(own, &own->policies[k], c, d))
                    return false;
            }
        }
    return true;
}

// The workloads of a point.
static void set_apps(const struct hd_readings *r, const struct hd_readings_point *at,
                     struct hd_paper *own)
{
    for (unsigned i = 0; i < at->n; i++) {
        const struct hd_readings_value *v = value_at(r, at, i);
        for (size_t n = 0; n < v->n; n++)
            if (v->changes[n].what == HD_READINGS_APP)
                own->apps[v->changes[n].policy].instead = v->changes[n].value;
    }
}

static struct hd_readings_machine machine_of(const struct hd_readings *r,
                                             const struct hd_readings_point *at, bool *any)
{
    struct hd_readings_machine m = {0};
    size_t cap = 0;

    *any = false;
    for (unsigned i = 0; i < at->n; i++) {
        const struct hd_readings_value *v = value_at(r, at, i);
        *any = *any || v->machine;
        for (size_t n = 0; n < v->n; n++) {
            const struct hd_readings_change *c = &v->changes[n];
            *any = *any || c->what == HD_READINGS_KEY;
            if (c->what == HD_READINGS_GPU)
                m.gpu = c->value;
            if (c->what == HD_READINGS_SET)
                *HD_PUSH(r->paper->arena, m.sets, m.n_sets, cap) = c->value;
            else if (c->what == HD_READINGS_SIZE)
                m.size = c->value;
            else if (c->what == HD_READINGS_SEED)
                m.seed = c->value;
            else if (c->what == HD_READINGS_REGS)
                m.regs = c->value;
            else if (c->what == HD_READINGS_PTX)
                m.ptx = c->value;
            else if (c->what == HD_READINGS_APP)
                m.apps = true;
        }
    }
    return m;
}

const char *hd_readings_name(const struct hd_readings *r, size_t point)
{
    const struct hd_readings_point *at = &r->points.items[point];
    const char *name = at->n ? value_at(r, at, 0)->name : "default";

    return at->n < 2 ? name
                     : hd_arena_printf(r->paper->arena, "%s + %s", name, value_at(r, at, 1)->name);
}

// Errors of what others read for a point are at its reading.
static bool placed(const struct hd_readings *r, const struct hd_readings_point *at, unsigned before,
                   struct hd_diag *d)
{
    for (unsigned i = before; i < d->n; i++)
        if (!d->entries[i].file && at->n) {
            d->entries[i].file = r->paper->path;
            d->entries[i].line = value_at(r, at, 0)->line;
        }
    return false;
}

static bool plan_point(struct hd_readings *r, size_t point, struct hd_diag *d)
{
    const struct hd_readings_point *at = &r->points.items[point];
    struct hd_paper *own = copy_of(r->paper);
    unsigned before = d->n;
    bool any;
    struct hd_readings_machine m = machine_of(r, at, &any);
    size_t n = point;

    own->reading = at->n ? hd_readings_name(r, point) : NULL;
    set_apps(r, at, own);
    if (!set_policies(r, at, own, d) || (any && !r->set_up(r->ctx, own, &m, d)))
        return placed(r, at, before, d);
    for (unsigned i = 0; i < r->n_claims; i++) {
        struct hd_readings_claim *c = &r->claims[i];
        size_t results = point;
        bool mine = applies(r, at, c);
        *HD_PUSH(own->arena, c->results, results, c->cap) =
            (struct hd_readings_result){.applies = mine, .ours = (double)NAN};
        if (mine && !hd_paperclaims_plan(own, c->claim, d))
            return placed(r, at, before, d);
    }
    hd_paper_weigh(own);
    *HD_PUSH(own->arena, r->papers, n, r->papers_cap) = own;
    return true;
}

static bool plan_new(struct hd_readings *r, struct hd_diag *d)
{
    for (size_t i = r->planned; i < r->points.n; i++)
        if (!plan_point(r, i, d))
            return false;
    return true;
}

bool hd_readings_plan(struct hd_readings *r, struct hd_diag *d)
{
    struct hd_arena *a = r->paper->arena;

    if (!hd_readingsaxes_read(r, d) || !check_chosen(r, d) || !choose_claims(r, d))
        return false;
    r->strength = HD_ARRAY(a, double, r->n_axes + 1);
    hd_readingsdesign_singles(a, r->axes, r->n_axes, &r->points);
    for (unsigned i = 0; r->full && i < r->n_axes; i++)
        for (unsigned k = i + 1; k < r->n_axes; k++)
            hd_readingsdesign_pairs(a, r->axes, i, k, &r->points);
    return plan_new(r, d);
}

void hd_readings_study(struct hd_readings *r, struct hd_study *out)
{
    out->n_runs = 0;
    out->took = hd_paperlaunches_take;
    for (size_t i = r->planned; i < r->points.n; i++)
        out->n_runs += r->papers[i]->study.n_runs;
    out->runs = HD_ARRAY(r->paper->arena, struct hd_study_run, out->n_runs + 1);
    unsigned at = 0;
    for (size_t i = r->planned; i < r->points.n; i++) {
        const struct hd_study *own = &r->papers[i]->study;
        const unsigned base = at;
        for (unsigned k = 0; k < own->n_runs; k++) {
            out->runs[at] = own->runs[k];
            if (out->runs[at].plan)
                out->runs[at].plan += base;
            at++;
        }
    }
}

// How far apart two values of a claim must be to matter: as far as it may be off and still agree.
static double tolerance(const struct hd_readings_claim *c)
{
    double quarter = 0.25 * fabs(c->paper);

    switch (c->scale) {
    case HD_PAPER_TIMES:
        return fmax(0.01, 0.25 * fabs(c->paper - 1));
    case HD_PAPER_VALUE:
        return quarter > 0 ? quarter : 1;
    case HD_PAPER_PERCENT:
    case HD_PAPER_NUMBER:
        break;
    }
    return fmax(1, quarter);
}

static void add_strength(struct hd_readings *r)
{
    double *by = HD_ARRAY(r->paper->arena, double, r->n_axes + 1);

    for (unsigned i = 0; i < r->n_claims; i++) {
        hd_readingsdesign_moves(&r->points, r->claims[i].results, r->n_axes, by);
        for (unsigned k = 0; k < r->n_axes; k++)
            r->strength[k] += by[k] / tolerance(&r->claims[i]);
    }
}

void hd_readings_take(struct hd_readings *r, const struct hd_study *s)
{
    bool first = !r->planned;
    unsigned at = 0;

    for (size_t i = r->planned; i < r->points.n; i++) {
        struct hd_paper *own = r->papers[i];
        for (unsigned k = 0; k < own->study.n_runs; k++)
            own->study.runs[k] = s->runs[at++];
        for (unsigned k = 0; k < r->n_claims; k++) {
            struct hd_readings_result *to = &r->claims[k].results[i];
            if (!to->applies)
                continue;
            struct hd_paper_verdict v = hd_paperverdicts_evaluate(own, r->claims[k].claim);
            to->good = strcmp(v.verdict, "missing") != 0 && strcmp(v.verdict, "untested") != 0 &&
                       strcmp(v.verdict, "other size") != 0;
            to->ours = v.ours;
            to->agrees = v.agrees;
            to->verdict = v.verdict;
            if (r->claims[k].claim->form == HD_PAPER_TABLE && v.of && !i)
                r->claims[k].paper = v.of; // cells that can be compared with the default's inputs
        }
    }
    r->planned = r->points.n;
    if (first)
        add_strength(r);
}

bool hd_readings_pair(struct hd_readings *r, bool *more, struct hd_diag *d)
{
    size_t before = r->points.n;

    *more = false;
    if (r->full || r->paired)
        return true;
    r->paired = hd_readingsdesign_strongest(r->strength, r->n_axes, r->strongest);
    if (!r->paired)
        return true;
    hd_readingsdesign_pairs(r->paper->arena, r->axes, r->strongest[0], r->strongest[1], &r->points);
    *more = r->points.n > before;
    return plan_new(r, d);
}

// The place of a reading among the points: singles come in the order of the file.
static size_t point_of(const struct hd_readings *r, unsigned axis, unsigned value)
{
    size_t point = 1 + value;

    for (unsigned i = 0; i < axis; i++)
        point += r->axes[i].n;
    return point;
}

static double weight_at(const struct hd_readings *r, size_t point, unsigned slot)
{
    const struct hd_paper *own = r->papers[point];
    unsigned run = own->run_of[slot];

    return run ? own->study.runs[run - 1].weight : 0;
}

// A run of a pair is new if both readings change it. It costs what it costs under the dearer one.
static void expect_pair(const struct hd_readings *r, const struct hd_readings_point *at,
                        unsigned *runs, double *seconds)
{
    const unsigned n_policies = r->paper->n_policies;
    const size_t one = point_of(r, at->axis[0], at->value[0]);
    const size_t two = point_of(r, at->axis[1], at->value[1]);

    for (unsigned slot = 0; slot < r->paper->n_apps * n_policies * HD_PAPER_N_WITH; slot++) {
        unsigned policy = slot / HD_PAPER_N_WITH % n_policies;
        if (!r->papers[0]->run_of[slot] || !changes_policy(r, value_at(r, at, 0), policy) ||
            !changes_policy(r, value_at(r, at, 1), policy))
            continue;
        ++*runs;
        *seconds +=
            fmax(weight_at(r, 0, slot), fmax(weight_at(r, one, slot), weight_at(r, two, slot)));
    }
}

void hd_readings_expect(const struct hd_readings *r, const struct hd_study *first, unsigned *runs,
                        double *seconds)
{
    unsigned at = 0;

    *runs = 0;
    *seconds = 0;
    for (size_t i = 0; i < r->points.n; i++) // the database may know better
        for (unsigned k = 0; k < r->papers[i]->study.n_runs; k++)
            r->papers[i]->study.runs[k].weight = first->runs[at++].weight;
    for (unsigned i = 0; !r->full && i < r->n_axes; i++)
        for (unsigned k = i + 1; k < r->n_axes; k++) {
            struct hd_readings_points pairs = {0};
            unsigned n = 0;
            double all = 0;
            hd_readingsdesign_pairs(r->paper->arena, r->axes, i, k, &pairs);
            for (size_t j = 0; j < pairs.n; j++)
                expect_pair(r, &pairs.items[j], &n, &all);
            *runs = n > *runs ? n : *runs;
            *seconds = fmax(*seconds, all);
        }
}
