// paperruns.c - the runs that a paper's figures ask for, each once, what they came to, and the
// sheets that show it. See paper.h.
#include "paper/paper.h"

#include "base/words.h"
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
        .plan = plan,
    };
    p->study.n_runs = (unsigned)n;
    *of = (unsigned)n;
    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++)
        if (how->slot[i].spec)
            run->options.gpu.slot[i] = how->slot[i];
    run->options.gpu.metrics = with == HD_PAPER_METRICS;
    run->options.gpu.metrics_kernels = with == HD_PAPER_METRICS ? a->kernels : NULL;
    run->options.gpu.reuse = with == HD_PAPER_REUSE ? reuse_of(p, policy) : NULL;
    hd_registry_preset(run->options.gpu.slot);
    run->label = hd_arena_printf(p->arena, "%s under %s%s%s%s%s%s", a->label, how->label,
                                 how->figure ? " in " : "", how->figure ? how->figure->name : "",
                                 p->reading ? ", reading " : "", p->reading ? p->reading : "",
                                 with == HD_PAPER_REUSE ? ", its reuse" : "");
    run->command = hd_arena_printf(
        p->arena, "%s%sheddle %s %s --sched %s%s%s%s%s%s%s",
        plan ? p->study.runs[plan - 1].command : "", plan ? " --quiet && " : "",
        with == HD_PAPER_REUSE ? "reuse" : "run", a->word, hd_paperpolicies_spec(p->arena, how),
        how->machine ? how->machine->words : p->words, a->work->item.job ? "" : p->input,
        with == HD_PAPER_METRICS ? " --metrics" : "",
        run->options.gpu.metrics_kernels ? " --metrics-kernels " : "",
        run->options.gpu.metrics_kernels ? run->options.gpu.metrics_kernels : "",
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

// Did a kernel launch one of the first n?
static bool launched(const struct hd_paper_launch *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (of[i].child)
            return true;
    return false;
}

// Cycles from the start of the first of n launches to the end of the last. Some of them ran at the
// same time, so that the sum of their cycles is no time.
static double span(const struct hd_paper_launch *of, size_t n)
{
    double from = HUGE_VAL, to = 0;

    for (size_t i = 0; i < n; i++) {
        from = fmin(from, of[i].start);
        to = fmax(to, of[i].start + of[i].cycles);
    }
    return to > from ? to - from : 0;
}

// Does a launch of this kernel count for the application?
static bool counts(const struct hd_paper_app *a, const char *kernel)
{
    return !a->only || (kernel && hd_words_has(a->only, kernel));
}

static void add_launch(struct hd_paper_sums *sums, const struct hd_paper_launch *l)
{
    sums->cycles += l->cycles;
    sums->insts += l->insts;
    sums->long_insts += l->long_insts;
    sums->issued += l->issued;
    sums->idle += l->idle;
    sums->scoreboard += l->scoreboard;
    sums->pipeline += l->pipeline;
    sums->inactive += l->inactive;
    sums->l1d_accesses += l->l1d_accesses;
    sums->l1d_misses += l->l1d_misses;
    sums->l1d_reads += l->l1d_reads;
    sums->l1d_read_hits += l->l1d_read_hits;
    sums->l2_accesses += l->l2_accesses;
    sums->l2_misses += l->l2_misses;
    for (int rule = 0; rule < HD_PAPER_RULES; rule++)
        for (int c = 0; c < HD_PAPER_CLASSES; c++)
            sums->lost[rule][c] += l->lost[rule][c];
}

struct hd_paper_sums hd_paper_sum(const struct hd_paper *p, unsigned app, unsigned policy,
                                  enum hd_paper_with with)
{
    const struct hd_study_run *run = hd_paper_run(p, app, policy, with);
    const json_t *totals = run ? json_object_get(run->json, "totals") : NULL;
    struct hd_paper_launches all = hd_paper_launches(run);
    size_t most = p->apps[app].launches, counted = most && most < all.n ? most : all.n;
    struct hd_paper_sums sums = {.cut = run && run->cut};
    bool only = p->apps[app].only;

    sums.good = run && run->timed && (sums.cut || !strcmp(run->result, "ok"));
    for (size_t i = 0; i < counted; i++)
        if (counts(&p->apps[app], all.of[i].name))
            add_launch(&sums, &all.of[i]);
    // Of chosen kernels it is the time of their launches, without what lies between.
    if (!only && counted < all.n && launched(all.of, counted))
        sums.cycles = span(all.of, counted);
    else if (!only && counted == all.n &&
             json_is_integer(json_object_get(totals, "elapsed_cycles")))
        sums.cycles = json_number_value(json_object_get(totals, "elapsed_cycles"));
    sums.good = sums.good && sums.cycles > 0 && sums.insts > 0;
    return sums;
}

static void add_kernel(const struct hd_paper_launch *l, struct hd_paper_kernel *out)
{
    if (!out->name)
        out->blocks = l->blocks > 0 ? (uint64_t)l->blocks : 0;
    out->name = l->name;
    out->cycles += l->cycles;
    out->points = l->points;
    out->after = l->after;
}

bool hd_paper_kernel_named(const struct hd_study_run *run, const char *name,
                           struct hd_paper_kernel *out)
{
    struct hd_paper_launches all = hd_paper_launches(run);

    *out = (struct hd_paper_kernel){.points = (double)NAN, .after = (double)NAN};
    for (size_t i = 0; i < all.n; i++)
        if (all.of[i].name && !strcmp(all.of[i].name, name))
            add_kernel(&all.of[i], out);
    return out->name != NULL;
}

bool hd_paper_kernel(const struct hd_study_run *run, unsigned index, struct hd_paper_kernel *out)
{
    struct hd_paper_launches all = hd_paper_launches(run);
    const char *seen[64];
    unsigned n = 0;

    *out = (struct hd_paper_kernel){.points = (double)NAN, .after = (double)NAN};
    for (size_t i = 0; i < all.n; i++) {
        const char *name = all.of[i].name;
        unsigned at = 0;
        while (name && at < n && strcmp(seen[at], name) != 0)
            at++;
        if (!name || at == 64)
            return false;
        if (at == n)
            seen[n++] = name;
        if (at == index)
            add_kernel(&all.of[i], out);
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
