// papermeasures.c - what a claim may measure: of applications, kernels, the blocks of one SM, the
// warps of one block. See paperclaims.h.
//
// Applications and kernels come from any run; the others, and what warps did at barriers, from runs
// with metrics (gpu/metrics.h); reuse from runs in which it is analysed.
#include "paper/paperclaims.h"

#include "present/json.h"

#include <math.h>
#include <string.h>

// One application under one policy.
struct subject {
    const struct hd_paper *paper;
    const struct hd_paper_claim *claim;
    const struct hd_study_run *run;
    struct hd_paper_sums sums;
    const struct hd_config *config;
    struct hd_paper_launches all;
    size_t launches; // that count
    size_t launch;   // whose blocks and warps are meant; SIZE_MAX: there is none
};

struct hd_paper_measure {
    const char *name;
    enum hd_paper_unit unit;
    enum hd_paper_with with;
    double (*of)(const struct subject *); // of applications; NULL: items have code of their own
};

static double over(double a, double b)
{
    return b > 0 ? a / b : (double)NAN;
}

static double stalls(const struct subject *s)
{
    return s->sums.idle + s->sums.scoreboard + s->sums.pipeline;
}

static double ipc(const struct subject *s)
{
    return over(s->sums.insts, s->sums.cycles);
}

static double cycles(const struct subject *s)
{
    return s->sums.cycles;
}

static double instructions(const struct subject *s)
{
    return s->sums.insts;
}

static double long_share(const struct subject *s)
{
    return 100 * over(s->sums.long_insts, s->sums.insts);
}

static double idle(const struct subject *s)
{
    return s->sums.idle;
}

static double scoreboard(const struct subject *s)
{
    return s->sums.scoreboard;
}

static double pipeline(const struct subject *s)
{
    return s->sums.pipeline;
}

static double idle_share(const struct subject *s)
{
    return 100 * over(s->sums.idle, stalls(s));
}

static double l1d_miss(const struct subject *s)
{
    return 100 * over(s->sums.l1d_misses, s->sums.l1d_accesses);
}

// Of loads alone; one that waits for a line on its way is a miss.
static double l1d_hits(const struct subject *s)
{
    return 100 * over(s->sums.l1d_read_hits, s->sums.l1d_reads);
}

static double l2_miss(const struct subject *s)
{
    return 100 * over(s->sums.l2_misses, s->sums.l2_accesses);
}

static double at_once(const struct hd_paper_launch *l, const struct hd_config *c)
{
    return fmin(l->tbs_per_sm, ceil(l->blocks / (double)c->sm.sms));
}

// Warps that an SM holds at once: of blocks that fit, and are there if all SMs get as many. Mean
// over launches, by their cycles.
static double warps(const struct subject *s)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < s->launches; i++) {
        const struct hd_paper_launch *l = &s->all.of[i];
        sum += l->cycles * at_once(l, s->config) * ceil(l->threads / 32);
        weight += l->cycles;
    }
    return over(sum, weight);
}

// Cycles from the launch's start to this time of a record: launches before it take other times
// under other policies.
static double since(const struct subject *s, const json_t *record, const char *time)
{
    return hd_json_number(record, time) - s->all.of[s->launch].start;
}

// Blocks of the launch that an SM may hold at once.
static double resident(const struct subject *s)
{
    return s->launch < s->all.n ? s->all.of[s->launch].tbs_per_sm : (double)NAN;
}

// Launches whose blocks are single threads, and all launches, of the whole run.
static double single_threads(const struct subject *s)
{
    double n = 0;

    for (size_t i = 0; i < s->all.n; i++)
        n += s->all.of[i].threads < 1.5;
    return n;
}

// How deep kernels launch kernels.
static double depth(const struct subject *s)
{
    double most = 0;

    for (size_t i = 0; i < s->all.n; i++)
        most = fmax(most, s->all.of[i].depth);
    return most;
}

// What the analyser of reuse found (paperreuse.c).
static double reuse(const struct subject *s)
{
    return hd_paperreuse_measure(s->run->json, s->claim->measure->name, s->claim->section);
}

static double launches(const struct subject *s)
{
    return (double)s->all.n;
}

// Shares of the warps' lives at barriers, and with `exits` at exit points, too, weighted by warps.
static double life(const struct subject *s, bool exits)
{
    double sum = 0, all = 0;

    for (size_t i = 0; i < s->launches; i++) {
        const struct hd_paper_launch *l = &s->all.of[i];
        sum += l->warps * (l->barrier_share + (exits ? l->exit_share : 0));
        all += l->warps;
    }
    return 100 * over(sum, all);
}

static double barrier_share(const struct subject *s)
{
    return life(s, false);
}

static double waiting_share(const struct subject *s)
{
    return life(s, true);
}

static double rtru(const struct subject *s)
{
    double sum = 0, all = 0;

    for (size_t i = 0; i < s->launches; i++) {
        sum += s->all.of[i].rtru;
        all += s->all.of[i].phases;
    }
    return 100 * over(sum, all);
}

static const json_t *recorded(const struct subject *s, const char *what)
{
    return json_object_get(json_object_get(s->run->json, "metrics"), what);
}

// Is this a record of the launch that is meant?
static bool of_launch(const struct subject *s, const json_t *record)
{
    return fabs(hd_json_number(record, "launch") - (double)s->launch) < 0.5;
}

// The block of the launch that came to the SM as number `sequence`; NULL: there is none.
static const json_t *block_at(const struct subject *s, size_t sequence)
{
    const json_t *all = recorded(s, "blocks");

    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *b = json_array_get(all, i);
        if (of_launch(s, b) && fabs(hd_json_number(b, "sequence") - (double)sequence) < 0.5)
            return b;
    }
    return NULL;
}

static double n_blocks(const struct subject *s)
{
    size_t n = 0;

    while (block_at(s, n))
        n++;
    return (double)n;
}

// The end of the last block that the SM had of the launch.
static double sm_end(const struct subject *s)
{
    double end = (double)NAN;

    for (size_t i = 0; block_at(s, i); i++)
        end = fmax(end, since(s, block_at(s, i), "end"));
    return end;
}

// Of the time in which blocks run, the part in which some of one batch run beside some of another:
// a batch is as many blocks as the SM holds at once. In per cent.
static double overlap(const struct subject *s)
{
    double held = resident(s), both = 0, end = sm_end(s);
    size_t batch = held >= 1 ? (size_t)held : 0, n = (size_t)n_blocks(s);

    if (!batch || n <= batch)
        return (double)NAN;
    for (size_t first = batch; first < n; first += batch) {
        double start = HUGE_VAL, last = 0;
        for (size_t i = first - batch; i < first; i++)
            last = fmax(last, since(s, block_at(s, i), "end"));
        for (size_t i = first; i < n && i < first + batch; i++)
            start = fmin(start, since(s, block_at(s, i), "start"));
        both += fmax(0, last - start);
    }
    return 100 * over(both, end);
}

static double order_changes(const struct subject *s)
{
    return hd_json_number(json_object_get(s->run->json, "metrics"), "order_changes");
}

// A warp of the claim's block in a phase; NULL after the last. `phase` 0: in any.
static const json_t *warp_at(const struct subject *s, unsigned phase, size_t *i)
{
    const json_t *all = recorded(s, "warps"), *block = block_at(s, s->claim->block);
    double number = hd_json_number(block, "block");

    while (block && *i < json_array_size(all)) {
        const json_t *w = json_array_get(all, (*i)++);
        if (of_launch(s, w) && fabs(hd_json_number(w, "block") - number) < 0.5 &&
            (!phase || fabs(hd_json_number(w, "phase") - phase) < 0.5))
            return w;
    }
    return NULL;
}

static double block_warps(const struct subject *s)
{
    return hd_json_number(block_at(s, s->claim->block), "warps");
}

static double block_phases(const struct subject *s)
{
    double most = (double)NAN;
    const json_t *w;

    for (size_t i = 0; (w = warp_at(s, 0, &i));)
        most = fmax(most, hd_json_number(w, "phase"));
    return most;
}

// The number of warps of the block that are the last to arrive in some phase.
static double critical_warps(const struct subject *s)
{
    double phases = block_phases(s), n = 0;
    uint64_t seen = 0;

    for (unsigned phase = 1; phase <= phases; phase++) {
        double latest = -1, who = 0;
        const json_t *w;
        for (size_t i = 0; (w = warp_at(s, phase, &i));)
            if (hd_json_number(w, "arrival") > latest) {
                latest = hd_json_number(w, "arrival");
                who = hd_json_number(w, "warp");
            }
        if (latest < 0 || !(who >= 0 && who < 64) || seen >> (unsigned)who & 1)
            continue;
        seen |= (uint64_t)1 << (unsigned)who;
        n++;
    }
    return n > 0 ? n : (double)NAN;
}

// ELF: how many look-ups of the distance to the next load are spared, against one for each issued
// instruction. The paper knows look-ups after loads and at branches; `jumps` counts those after
// jumps without a branch, too.
static double spared(const struct subject *s, bool jumps)
{
    const json_t *c = json_object_get(json_object_get(s->run->json, "policy_counters"), "sched");
    double n = hd_json_number(c, "by_load") + hd_json_number(c, "by_branch") +
               (jumps ? hd_json_number(c, "by_jump") : 0);

    return 100 * (1 - over(n, hd_json_number(c, "issued")));
}

static double recalculations(const struct subject *s)
{
    return spared(s, false);
}

static double recalculations_jumps(const struct subject *s)
{
    return spared(s, true);
}

// ELF: a class of the cycles without issue, in per cent of all scheduler cycles in which there were
// warps, by one of three rules.
static double lost(const struct subject *s, unsigned rule, unsigned class)
{
    return 100 * over(s->sums.lost[rule][class], s->sums.issued + stalls(s));
}

#define LOST(name, rule, class)                                                                    \
    static double name(const struct subject *s)                                                    \
    {                                                                                              \
        return lost(s, rule, class);                                                               \
    }
LOST(conflict, HD_PAPER_FIRST, HD_PAPER_CONFLICT)
LOST(dependency, HD_PAPER_FIRST, HD_PAPER_DEPENDENCY)
LOST(fetch, HD_PAPER_FIRST, HD_PAPER_FETCH)
LOST(other, HD_PAPER_FIRST, HD_PAPER_OTHER)
LOST(conflict_head, HD_PAPER_HEAD, HD_PAPER_CONFLICT)
LOST(dependency_head, HD_PAPER_HEAD, HD_PAPER_DEPENDENCY)
LOST(fetch_head, HD_PAPER_HEAD, HD_PAPER_FETCH)
LOST(other_head, HD_PAPER_HEAD, HD_PAPER_OTHER)
LOST(conflict_share, HD_PAPER_SHARE, HD_PAPER_CONFLICT)
LOST(dependency_share, HD_PAPER_SHARE, HD_PAPER_DEPENDENCY)
LOST(fetch_share, HD_PAPER_SHARE, HD_PAPER_FETCH)
LOST(other_share, HD_PAPER_SHARE, HD_PAPER_OTHER)

static const struct hd_paper_measure measures[] = {
    {"ipc", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, ipc},
    {"spread", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, ipc},
    {"cycles", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, cycles},
    {"instructions", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, instructions},
    {"long-share", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, long_share},
    {"stalls", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, stalls},
    {"idle", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, idle},
    {"scoreboard", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, scoreboard},
    {"pipeline", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, pipeline},
    {"idle-share", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, idle_share},
    {"l1d-miss", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, l1d_miss},
    {"l1d-hits", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, l1d_hits},
    {"l2-miss", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, l2_miss},
    {"warps", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, warps},
    {"resident", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, resident},
    {"conflict", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, conflict},
    {"dependency", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, dependency},
    {"fetch", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, fetch},
    {"other", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, other},
    {"conflict-head", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, conflict_head},
    {"dependency-head", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, dependency_head},
    {"fetch-head", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, fetch_head},
    {"other-head", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, other_head},
    {"conflict-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, conflict_share},
    {"dependency-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, dependency_share},
    {"fetch-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, fetch_share},
    {"other-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, other_share},
    {"recalculations", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, recalculations},
    {"recalculations-jumps", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, recalculations_jumps},
    {"launches", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, launches},
    {"depth", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, depth},
    {"single-threads", HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, single_threads},
    {"barrier-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, barrier_share},
    {"waiting-share", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, waiting_share},
    {"rtru", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, rtru},
    {"sm-blocks", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, n_blocks},
    {"sm-end", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, sm_end},
    {"overlap", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, overlap},
    {"order-changes", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, order_changes},
    {"block-warps", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, block_warps},
    {"block-phases", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, block_phases},
    {"critical-warps", HD_PAPER_APPLICATIONS, HD_PAPER_METRICS, critical_warps},
    {"children-at-once", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"reuse-self", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"reuse-repeated", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"reuse-parent-child", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"reuse-sibling", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"beyond-l1", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"beyond-l2", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"distance", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"pairs", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"fullest", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"differ", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"chain-kernels", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"chain-kernels-mean", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"chain-blocks", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"chain-blocks-mean", HD_PAPER_APPLICATIONS, HD_PAPER_REUSE, reuse},
    {"speed", HD_PAPER_KERNELS, HD_PAPER_PLAIN, NULL},
    {"blocks", HD_PAPER_KERNELS, HD_PAPER_PLAIN, NULL},
    {"points", HD_PAPER_KERNELS, HD_PAPER_PLAIN, NULL},
    {"time", HD_PAPER_BLOCKS, HD_PAPER_METRICS, NULL},
    {"start", HD_PAPER_BLOCKS, HD_PAPER_METRICS, NULL},
    {"end", HD_PAPER_BLOCKS, HD_PAPER_METRICS, NULL},
    {"wait", HD_PAPER_WARPS, HD_PAPER_METRICS, NULL},
    {"arrival", HD_PAPER_WARPS, HD_PAPER_METRICS, NULL},
    {NULL, HD_PAPER_APPLICATIONS, HD_PAPER_PLAIN, NULL},
};

// name NULL: the one that is measured if nothing is said.
const struct hd_paper_measure *hd_papermeasures_find(const char *name, enum hd_paper_unit unit,
                                                     struct hd_diag_entry *e)
{
    const char *names[sizeof measures / sizeof *measures];
    unsigned n = 0;

    for (const struct hd_paper_measure *m = measures; m->name; m++) {
        if (m->unit == unit && (!name || !strcmp(m->name, name)))
            return m;
        if (m->unit == unit)
            names[n++] = m->name;
    }
    names[n] = NULL;
    if (e)
        hd_diag_nearest(e, name, names);
    return NULL;
}

enum hd_paper_with hd_papermeasures_with(const struct hd_paper_measure *m)
{
    return m->with;
}

const char *hd_papermeasures_name(const struct hd_paper_measure *m)
{
    return m->name;
}

bool hd_papermeasures_spread(const struct hd_paper_measure *m)
{
    return !strcmp(m->name, "spread");
}

static struct subject subject_of(const struct hd_paper *p, const struct hd_paper_claim *c,
                                 unsigned app, unsigned policy)
{
    enum hd_paper_with with = c->measure->with;
    struct subject s = {.paper = p,
                        .claim = c,
                        .run = hd_paper_run(p, app, policy, with),
                        .sums = hd_paper_sum(p, app, policy, with),
                        .config = hd_paperpolicies_config(p, policy)};
    unsigned most = p->apps[app].launches;

    s.all = hd_paper_launches(s.run);
    s.launches = most && most < s.all.n ? most : s.all.n;
    s.launch = hd_paper_launch_of(s.run, c->kernel);
    return s;
}

static void add(const struct hd_paper *p, struct hd_paper_items *v, size_t *cap, double value,
                const char *name)
{
    size_t n = v->n, names_cap = *cap;

    *HD_PUSH(p->arena, v->values, n, *cap) = value;
    n = v->n;
    *HD_PUSH(p->arena, v->names, n, names_cap) = name;
    v->n = (unsigned)n;
}

// The kernels that the paper's file lists: their speed, blocks or program points.
static void add_kernels(const struct subject *s, unsigned app, struct hd_paper_items *v,
                        size_t *cap)
{
    const char *what = s->claim->measure->name;
    const unsigned n = hd_paper_n_kernels(s->paper, app);

    for (unsigned k = 0; k < n; k++) {
        struct hd_paper_kernel one;
        double value = (double)NAN;
        if (s->sums.good && hd_paper_kernel_listed(s->paper, s->run, app, k, &one))
            value = !strcmp(what, "blocks")   ? (double)one.blocks
                    : !strcmp(what, "points") ? one.points
                                              : over(1, one.cycles);
        add(s->paper, v, cap, value,
            hd_paper_field(s->paper->arena, hd_paper_kernel_text(s->paper, app, k), 0));
    }
}

static void add_blocks(const struct subject *s, struct hd_paper_items *v, size_t *cap)
{
    const struct hd_paper_claim *c = s->claim;
    const char *what = c->measure->name;
    unsigned n = s->sums.good ? (unsigned)n_blocks(s) : 0;
    unsigned from = c->last ? (n > c->to ? n - c->to - 1 : 0) : c->from;
    unsigned to = c->last ? n - 1 : c->to;

    for (unsigned i = from; i <= to && (n || !c->last); i++) {
        const json_t *b = i < n ? block_at(s, i) : NULL;
        double start = b ? since(s, b, "start") : (double)NAN;
        double end = b ? since(s, b, "end") : (double)NAN;
        add(s->paper, v, cap,
            !strcmp(what, "time")    ? end - start
            : !strcmp(what, "start") ? start
                                     : end,
            hd_arena_printf(s->paper->arena, "%u", i));
    }
}

static void add_warps(const struct subject *s, struct hd_paper_items *v, size_t *cap)
{
    bool wait = !strcmp(s->claim->measure->name, "wait");
    const json_t *w;

    for (size_t i = 0; s->sums.good && (w = warp_at(s, s->claim->phase, &i));)
        add(s->paper, v, cap,
            wait ? hd_json_number(w, "end") - hd_json_number(w, "arrival") : since(s, w, "arrival"),
            hd_arena_printf(s->paper->arena, "%.0f", hd_json_number(w, "warp")));
}

// What the best of several policies has over the worst, in per cent.
static double spread(const struct hd_paper *p, const struct hd_paper_claim *c, unsigned app,
                     bool *cut)
{
    double best = 0, worst = HUGE_VAL;

    for (unsigned k = 0; k < c->policies.n; k++) {
        struct subject s = subject_of(p, c, app, c->policies.items[k]);
        double v = s.sums.good ? ipc(&s) : (double)NAN;
        *cut = *cut || s.sums.cut;
        if (isnan(v))
            return v;
        best = fmax(best, v);
        worst = fmin(worst, v);
    }
    return 100 * (over(best, worst) - 1);
}

double hd_papermeasures_value(const struct hd_paper *p, const struct hd_paper_measure *m,
                              unsigned app, unsigned policy)
{
    const struct hd_paper_claim all = {.measure = m};
    struct subject s = subject_of(p, &all, app, policy);

    return s.sums.good && m->of ? m->of(&s) : (double)NAN;
}

struct hd_paper_items hd_papermeasures_items(const struct hd_paper *p,
                                             const struct hd_paper_claim *c, unsigned policy)
{
    struct hd_paper_items v = {0};
    size_t cap = 0;

    for (unsigned i = 0; i < c->apps.n; i++) {
        unsigned app = c->apps.items[i];
        struct subject s = subject_of(p, c, app, policy);
        v.cut = v.cut || s.sums.cut;
        if (c->unit == HD_PAPER_KERNELS)
            add_kernels(&s, app, &v, &cap);
        else if (c->unit == HD_PAPER_BLOCKS)
            add_blocks(&s, &v, &cap);
        else if (c->unit == HD_PAPER_WARPS)
            add_warps(&s, &v, &cap);
        else if (hd_papermeasures_spread(c->measure))
            add(p, &v, &cap, spread(p, c, app, &v.cut), p->apps[app].label);
        else
            add(p, &v, &cap, s.sums.good ? c->measure->of(&s) : (double)NAN, p->apps[app].label);
    }
    return v;
}
