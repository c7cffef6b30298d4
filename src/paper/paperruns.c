// paperruns.c - the runs that a paper's figures ask for, each once, what they came to, and the
// sheets that show it. See paper.h.
#include "paper/paper.h"

#include "report/runreport.h"
#include "reuse/reuseoptions.h"

#include <math.h>
#include <string.h>

static unsigned *slot(const struct hd_paper *p, unsigned app, unsigned policy,
                      enum hd_paper_with with)
{
    return &p->run_of[(app * p->n_policies + policy) * HD_PAPER_N_WITH + with];
}

// The analysis of a run under this policy, with a plan if the runs of another policy need it.
static const struct hd_reuse_options *reuse_of(const struct hd_paper *p, unsigned policy)
{
    struct hd_reuse_options *o = HD_NEW(p->arena, hd_reuse_options);

    *o = hd_reuseoptions_default();
    for (unsigned i = 0; i < p->n_policies; i++) {
        const char *plan = p->policies[i].plan;
        o->plan = o->plan || (plan && !strcmp(plan, p->policies[policy].label));
    }
    return o;
}

// One plus the index of the run that makes the plan; 0: the policy needs none.
static unsigned ask_plan(struct hd_paper *p, unsigned app, unsigned policy)
{
    const struct hd_paper_policy *how = &p->policies[policy];
    unsigned by;

    if (!how->plan ||
        !hd_paper_policy_named(p, how->figure ? how->figure : how->section, how->plan, &by))
        return 0;
    hd_paper_ask(p, app, by, HD_PAPER_REUSE);
    return *slot(p, app, by, HD_PAPER_REUSE);
}

bool hd_paper_ask(struct hd_paper *p, unsigned app, unsigned policy, enum hd_paper_with with)
{
    const struct hd_paper_app *a = &p->apps[app];
    const struct hd_paper_policy *how = &p->policies[policy];
    unsigned *of = slot(p, app, policy, with);

    if (!a->word)
        return false;
    if (*of)
        return true;
    unsigned plan = ask_plan(p, app, policy);
    size_t n = p->study.n_runs;
    struct hd_study_run *run = HD_PUSH(p->arena, p->study.runs, n, p->runs_cap);
    *run = (struct hd_study_run){
        .work = a->work,
        .options = how->machine ? how->machine->options : p->options,
        .sets = how->machine ? how->machine->sets : p->sets,
        .plan = plan,
    };
    p->study.n_runs = (unsigned)n;
    *of = (unsigned)n;
    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if (how->slot[i].spec)
            run->options.gpu.slot[i] = how->slot[i];
    run->options.gpu.metrics = with == HD_PAPER_METRICS;
    run->options.gpu.reuse = with == HD_PAPER_REUSE ? reuse_of(p, policy) : NULL;
    hd_registry_preset(run->options.gpu.slot);
    run->label = hd_arena_printf(p->arena, "%s under %s%s%s%s%s%s", a->label, how->label,
                                 how->figure ? " in " : "", how->figure ? how->figure->name : "",
                                 p->reading ? ", reading " : "", p->reading ? p->reading : "",
                                 with == HD_PAPER_REUSE ? ", its reuse" : "");
    run->command = hd_arena_printf(
        p->arena, "%s%sheddle %s %s --sched %s%s%s%s", plan ? p->study.runs[plan - 1].command : "",
        plan ? " --quiet && " : "", with == HD_PAPER_REUSE ? "reuse" : "run", a->word,
        hd_paperpolicies_spec(p->arena, how), how->machine ? how->machine->words : p->words,
        with == HD_PAPER_METRICS ? " --metrics" : "",
        run->options.gpu.reuse && run->options.gpu.reuse->plan ? " --plan plan" : "");
    return true;
}

void hd_paper_weigh(struct hd_paper *p)
{
    const char *key = hd_arena_printf(p->arena, "seconds.%s", p->size);

    for (unsigned i = 0; i < p->study.n_runs; i++)
        for (unsigned k = 0; k < p->n_apps; k++)
            if (p->apps[k].work == p->study.runs[i].work)
                hd_paper_number(p->apps[k].section, key, &p->study.runs[i].weight);
}

const struct hd_study_run *hd_paper_run(const struct hd_paper *p, unsigned app, unsigned policy,
                                        enum hd_paper_with with)
{
    unsigned of = *slot(p, app, policy, with);

    return of ? &p->study.runs[of - 1] : NULL;
}

const char *hd_paper_why(const struct hd_paper *p, unsigned app, unsigned policy,
                         enum hd_paper_with with)
{
    const struct hd_study_run *run = hd_paper_run(p, app, policy, with);

    if (!p->apps[app].word)
        return "missing";
    if (!run || !run->done)
        return "not run";
    return strcmp(run->result, "ok") != 0 ? run->result : "no cycles";
}

static double number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

// Did a kernel launch one of the first n?
static bool launched(const json_t *kernels, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (json_is_object(json_object_get(json_array_get(kernels, i), "parent")))
            return true;
    return false;
}

// Cycles from the start of the first of n kernels to the end of the last. Some of them ran at the
// same time, so that the sum of their cycles is no time.
static double span(const json_t *kernels, size_t n)
{
    double from = HUGE_VAL, to = 0;

    for (size_t i = 0; i < n; i++) {
        const json_t *k = json_array_get(kernels, i);
        from = fmin(from, number_at(k, "start_cycle"));
        to = fmax(to, number_at(k, "start_cycle") + number_at(k, "cycles"));
    }
    return to > from ? to - from : 0;
}

static void add_classes(const json_t *from, double to[HD_PAPER_CLASSES])
{
    static const char *const names[HD_PAPER_CLASSES] = {"memory_conflict", "memory_dependency",
                                                        "fetch", "other"};

    for (int i = 0; i < HD_PAPER_CLASSES; i++)
        to[i] += number_at(from, names[i]);
}

struct hd_paper_sums hd_paper_sum(const struct hd_paper *p, unsigned app, unsigned policy,
                                  enum hd_paper_with with)
{
    const struct hd_study_run *run = hd_paper_run(p, app, policy, with);
    const json_t *kernels = run ? json_object_get(run->json, "kernels") : NULL;
    const json_t *totals = run ? json_object_get(run->json, "totals") : NULL;
    size_t n = json_array_size(kernels), most = p->apps[app].launches;
    size_t counted = most && most < n ? most : n;
    struct hd_paper_sums sums = {.cut = run && run->cut};

    sums.good = run && run->timed && (sums.cut || !strcmp(run->result, "ok"));

    for (size_t i = 0; i < counted; i++) {
        const json_t *k = json_array_get(kernels, i), *stalls = json_object_get(k, "stalls");
        sums.cycles += number_at(k, "cycles");
        sums.insts += number_at(k, "thread_insts");
        sums.long_insts += number_at(k, "long_insts");
        sums.issued += number_at(stalls, "issued");
        sums.idle += number_at(stalls, "idle");
        sums.scoreboard += number_at(stalls, "scoreboard");
        sums.pipeline += number_at(stalls, "pipeline");
        sums.inactive += number_at(stalls, "inactive");
        sums.l1d_accesses += number_at(json_object_get(k, "l1d"), "accesses");
        sums.l1d_misses += number_at(json_object_get(k, "l1d"), "misses");
        sums.l1d_reads += number_at(json_object_get(k, "counters"), "l1d_reads");
        sums.l1d_read_hits += number_at(json_object_get(k, "counters"), "l1d_read_hits");
        sums.l2_accesses += number_at(json_object_get(k, "l2"), "accesses");
        sums.l2_misses += number_at(json_object_get(k, "l2"), "misses");
        const json_t *m = json_object_get(k, "metrics");
        add_classes(json_object_get(k, "stalls_elf"), sums.lost[HD_PAPER_FIRST]);
        add_classes(json_object_get(m, "stalls_elf_head"), sums.lost[HD_PAPER_HEAD]);
        add_classes(json_object_get(m, "stalls_elf_share"), sums.lost[HD_PAPER_SHARE]);
    }
    if (launched(kernels, counted))
        sums.cycles = counted < n ? span(kernels, counted) : number_at(totals, "elapsed_cycles");
    sums.good = sums.good && sums.cycles > 0 && sums.insts > 0;
    return sums;
}

static double points_at(const json_t *kernel, const char *key)
{
    const json_t *v = json_object_get(json_object_get(kernel, "points"), key);

    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

static void add_kernel(const json_t *k, struct hd_paper_kernel *out)
{
    const json_t *grid = json_object_get(k, "grid");

    if (!out->name)
        out->blocks = (uint64_t)(json_integer_value(json_array_get(grid, 0)) *
                                 json_integer_value(json_array_get(grid, 1)) *
                                 json_integer_value(json_array_get(grid, 2)));
    out->name = json_string_value(json_object_get(k, "name"));
    out->cycles += json_number_value(json_object_get(k, "cycles"));
    out->points = points_at(k, "before");
    out->after = points_at(k, "after");
}

bool hd_paper_kernel_named(const struct hd_study_run *run, const char *name,
                           struct hd_paper_kernel *out)
{
    const json_t *kernels = run ? json_object_get(run->json, "kernels") : NULL;

    *out = (struct hd_paper_kernel){.points = (double)NAN, .after = (double)NAN};
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        const char *own = json_string_value(json_object_get(k, "name"));
        if (own && !strcmp(own, name))
            add_kernel(k, out);
    }
    return out->name != NULL;
}

bool hd_paper_kernel(const struct hd_study_run *run, unsigned index, struct hd_paper_kernel *out)
{
    const json_t *kernels = run ? json_object_get(run->json, "kernels") : NULL;
    const char *seen[64];
    unsigned n = 0;

    *out = (struct hd_paper_kernel){.points = (double)NAN, .after = (double)NAN};
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        const char *name = json_string_value(json_object_get(k, "name"));
        unsigned at = 0;
        while (name && at < n && strcmp(seen[at], name) != 0)
            at++;
        if (!name || at == 64)
            return false;
        if (at == n)
            seen[n++] = name;
        if (at == index)
            add_kernel(k, out);
    }
    return out->name != NULL;
}

unsigned hd_paper_n_kernels(const struct hd_paper *p, unsigned app)
{
    const struct hd_paper_section *s = p->apps[app].section;
    unsigned n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += !strncmp(s->pairs[i].key, "kernel.", 7);
    return n;
}

const char *hd_paper_kernel_text(const struct hd_paper *p, unsigned app, unsigned index)
{
    const struct hd_paper_section *s = p->apps[app].section;

    for (size_t i = 0; i < s->n; i++)
        if (!strncmp(s->pairs[i].key, "kernel.", 7) && !index--)
            return s->pairs[i].value;
    return "";
}

bool hd_paper_kernel_listed(const struct hd_paper *p, const struct hd_study_run *run, unsigned app,
                            unsigned index, struct hd_paper_kernel *out)
{
    const char *ours = hd_paper_field(p->arena, hd_paper_kernel_text(p, app, index), 3);

    return *ours ? hd_paper_kernel_named(run, ours, out) : hd_paper_kernel(run, index, out);
}

struct hd_sheet *hd_paper_sheet(struct hd_paper *p, const struct hd_paper_section *f,
                                const char *suffix, const char *title, const char *layout)
{
    // A part of file names and of links.
    char *id = hd_arena_printf(p->arena, "%s%s%s", f->name, *suffix ? "-" : "", suffix);
    const char *own = hd_paper_text(f, "title"), *place = hd_paper_text(f, "place");
    for (char *c = id; *c; c++)
        if (strchr(" ()/+.", *c))
            *c = '-';
    struct hd_sheet *s = hd_sheet_new(
        &p->sheets, id,
        hd_arena_printf(p->arena, "%s%s%s", own ? own : f->name, *title ? ": " : "", title),
        layout);

    for (size_t i = 0; i < f->n && !*suffix; i++)
        if (!strncmp(f->pairs[i].key, "note.", 5))
            hd_sheet_note(s, f->pairs[i].value);
    if (hd_study_limit(&p->study) && hd_paper_text(f, "apps"))
        hd_sheet_note(s, hd_study_limit(&p->study));
    if (place && !*suffix)
        hd_sheet_note(s, hd_arena_printf(p->arena, "In the paper: %s.", place));
    return s;
}
