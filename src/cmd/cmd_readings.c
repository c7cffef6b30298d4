// cmd_readings.c - heddle paper --readings: a paper's claims under every reading of its file.
#include "cmd/cmd.h"

#include "cmd/cmd_paper.h"
#include "paper/readings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_seed(const char *text, uint64_t *out, struct hd_diag *d)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && !errno)
        return true;
    hd_diag_add(d, NULL, 0, 0, "seed %.60s: expected a number", text);
    return false;
}

static bool good_works(const struct hd_paper *p, struct hd_diag *d)
{
    for (unsigned i = 0; i < p->n_apps; i++)
        if (p->apps[i].word && !p->apps[i].work->good) {
            *d = *p->apps[i].work->error;
            return false;
        }
    return true;
}

// A reading's machine and inputs are those of the command line with its own options after them.
static bool set_up(void *ctx, struct hd_paper *own, const struct hd_readings_machine *m,
                   struct hd_diag *d)
{
    const struct hd_cmd_options *o = ctx;
    struct hd_cmd_options mine = *o;

    mine.sets = (struct hd_cmd_list){0};
    for (size_t i = 0; i < o->sets.n; i++)
        *HD_PUSH(o->arena, mine.sets.items, mine.sets.n, mine.sets.cap) = o->sets.items[i];
    for (size_t i = 0; i < m->n_sets; i++)
        *HD_PUSH(o->arena, mine.sets.items, mine.sets.n, mine.sets.cap) = m->sets[i];
    mine.gpu = m->gpu ? m->gpu : o->gpu;
    mine.regs = m->regs ? m->regs : o->regs;
    mine.ptx = m->ptx ? m->ptx : o->ptx;
    mine.size = m->size ? m->size : o->size;
    mine.seed_given = m->seed || o->seed_given;
    if (m->seed && !read_seed(m->seed, &mine.seed, d))
        return false;
    if (!hd_cmd_paper_machine(&mine, own, d))
        return false;
    // Otherwise the readings share their inputs, and recordings of them.
    if (m->size || m->seed || m->ptx || m->apps)
        hd_cmd_paper_apps(&mine, own);
    return good_works(own, d);
}

static void announce_pairs(const struct hd_readings *r, const struct hd_study *s)
{
    unsigned runs;
    double seconds;

    hd_readings_expect(r, s, &runs, &seconds);
    if (!runs)
        return;
    fprintf(
        stderr,
        "heddle: then pairs of readings of the two axes that turn out strongest: at most %u runs",
        runs);
    if (seconds > 0)
        fprintf(stderr, ", about %s", hd_cmd_paper_time(s->arena, seconds / s->at_once));
    fputc('\n', stderr);
}

// Runs of both studies, each once.
static struct hd_study all_of(struct hd_arena *a, const struct hd_study *const *parts, unsigned n)
{
    struct hd_study all = *parts[0];
    size_t runs = 0, cap = 0;

    all.runs = NULL;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < parts[i]->n_runs; k++)
            if (!parts[i]->runs[k].same)
                *HD_PUSH(a, all.runs, runs, cap) = parts[i]->runs[k];
    all.n_runs = (unsigned)runs;
    return all;
}

static bool run_study(struct hd_cmd_options *o, struct hd_readings *r, struct hd_study *s,
                      const struct hd_study *before, int *status, struct hd_diag *d)
{
    hd_readings_study(r, s);
    if (!hd_study_plan(s, d)) {
        *status = hd_cmd_options_fail(d);
        return false;
    }
    if (before)
        hd_study_adopt(s, before);
    if (!o->quiet) {
        size_t n = r->points.n - r->planned;
        fprintf(stderr, "heddle: %zu %s%s: ", n, before ? "pair" : "reading", n == 1 ? "" : "s");
        hd_cmd_paper_announce(s);
        if (!before)
            announce_pairs(r, s);
    }
    if (!hd_study_start(s)) {
        *status = hd_cmd_study_interrupted(o, s);
        return false;
    }
    hd_readings_take(r, s);
    return true;
}

static int run(struct hd_cmd_options *o, struct hd_readings *r, struct hd_study *first,
               struct hd_study *second, struct hd_diag *d)
{
    const struct hd_study *parts[] = {first, second};
    struct hd_paper *p = r->paper;
    int status;
    bool more;

    *second = *first; // the same database
    if (!run_study(o, r, first, NULL, &status, d))
        return status;
    if (!hd_readings_pair(r, &more, d))
        return hd_cmd_options_fail(d);
    if (more && !run_study(o, r, second, first, &status, d))
        return status;
    p->study = all_of(o->arena, parts, 2);
    hd_readingssheets_make(r);
    return hd_cmd_paper_results(o, p);
}

int hd_cmd_readings(struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d)
{
    struct hd_readings r = {.paper = p,
                            .full = *o->readings,
                            .chosen = o->claim ? hd_cmd_paper_list(o, o->claim) : NULL,
                            .set_up = set_up,
                            .ctx = o};
    struct hd_study first = {0}, second = {0};
    int status;

    if (!hd_readings_plan(&r, d) || !hd_cmd_study_open(o, &first, d))
        status = hd_cmd_options_fail(d);
    else
        status = run(o, &r, &first, &second, d);
    hd_study_end(&second);
    hd_study_end(&first);
    p->study = (struct hd_study){.db = first.db}; // its runs were those of the two
    return status;
}
