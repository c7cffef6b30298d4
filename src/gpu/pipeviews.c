// pipeviews.c - recordings of pipelines: which SMs, in which cycles, and what of them is in memory.
#include "gpu/pipeviews.h"

#include "gpu/gpu_internal.h"
#include "sm/pipeview.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct hd_gpu_pipeviews {
    struct hd_pipeviews_options options;
    struct hd_pipeview **of; // by SM; NULL: it is not recorded
    uint64_t due, end;
    bool begun, ended;
};

static bool number(const char *at, char **end, uint64_t *out)
{
    errno = 0;
    *out = strtoull(at, end, 10);
    return *at >= '0' && *at <= '9' && !errno;
}

static bool refuse_sms(const char *option, const char *text, const struct hd_config *c,
                       struct hd_diag *d)
{
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s %.60s: expected SMs of this machine", option, text),
                 "numbers from 0 to %" PRIu32 " such as 0,2,5-7, or all", c->sm.sms - 1);
    return false;
}

bool hd_pipeviews_read_sms(const char *option, const char *text, const struct hd_config *c,
                           struct hd_pipeviews_options *out, struct hd_diag *d)
{
    const char *at = text;
    uint64_t from, to;
    char *end;

    memset(out->sms, 0, sizeof out->sms);
    if (!strcmp(text, "all")) {
        for (unsigned i = 0; i < c->sm.sms; i++)
            out->sms[i / 64] |= hd_bit((int)(i % 64));
        return true;
    }
    do {
        if (!number(at, &end, &from))
            return refuse_sms(option, text, c, d);
        to = from;
        if (*end == '-' && !number(end + 1, &end, &to))
            return refuse_sms(option, text, c, d);
        if (from > to || to >= c->sm.sms || (*end && *end != ','))
            return refuse_sms(option, text, c, d);
        for (; from <= to; from++)
            out->sms[from / 64] |= hd_bit((int)(from % 64));
        at = end + 1;
    } while (*end);
    return true;
}

bool hd_pipeviews_read_cycles(const char *option, const char *text,
                              struct hd_pipeviews_options *out, struct hd_diag *d)
{
    const char *colon = strchr(text, ':');
    char *end = NULL;
    bool good = colon != NULL;

    out->first = 0;
    out->end = UINT64_MAX;
    if (good && colon != text)
        good = number(text, &end, &out->first) && end == colon;
    if (good && colon[1])
        good = number(colon + 1, &end, &out->end) && !*end;
    if (good && out->first < out->end)
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s %.60s: expected cycles as FIRST:END", option, text),
                 good ? "END is the first cycle that is not recorded, and must be after FIRST"
                      : "such as 1000:3000, or 1000: up to the end of the run");
    return false;
}

void hd_pipeviews_new(struct hd_gpu *g)
{
    struct hd_gpu_pipeviews *p = g->pipeviews = HD_NEW(g->arena, hd_gpu_pipeviews);

    p->options = *g->options.pipeviews;
    p->of = HD_ARRAY(g->arena, struct hd_pipeview *, g->n_sms);
    p->end = p->options.end;
    p->begun = !p->options.first;
    p->due = p->begun ? 0 : p->options.first - 1; // what is in the SMs before the first cycle
    for (unsigned i = 0; i < g->n_sms; i++)
        if (hd_has(p->options.sms[i / 64], (int)(i % 64)))
            p->of[i] = hd_pipeview_new(g->arena, g->sms[i]);
}

uint64_t hd_pipeviews_due(const struct hd_gpu *g)
{
    return g->pipeviews->due;
}

static void see(void *ctx, const struct hd_req *r, enum hd_mem_level level)
{
    const struct hd_gpu *g = ctx;

    if (r->port < g->n_sms && g->pipeviews->of[r->port])
        hd_pipeview_see(g->pipeviews->of[r->port], r, level);
}

static void end(struct hd_gpu *g, uint64_t cycle)
{
    struct hd_gpu_pipeviews *p = g->pipeviews;

    for (unsigned i = 0; i < g->n_sms && !p->ended; i++)
        if (p->of[i])
            hd_pipeview_end(p->of[i], cycle);
    p->end = p->ended ? p->end : cycle;
    p->ended = true;
    p->due = UINT64_MAX;
}

void hd_pipeviews_look(struct hd_gpu *g)
{
    struct hd_gpu_pipeviews *p = g->pipeviews;
    uint64_t cycle = g->cycle - 1; // that has run
    uint32_t n = 0;

    if (!p->begun && cycle > p->due) // the cycles before were between two kernels
        p->begun = true;
    if (!p->begun) {
        for (unsigned i = 0; i < g->n_sms; i++)
            if (p->of[i])
                hd_pipeview_begin(p->of[i]);
        p->begun = true;
        p->due = g->cycle;
        return;
    }
    g->mem.ops->look(g->mem.self, see, g);
    for (unsigned i = 0; i < g->n_sms; i++)
        if (p->of[i]) {
            hd_pipeview_look(p->of[i], cycle);
            n += hd_pipeview_records(p->of[i]).n_insns;
        }
    p->due = g->cycle;
    if (g->cycle >= p->options.end || n >= HD_PIPEVIEW_INSNS)
        end(g, g->cycle);
}

const struct hd_pipeviews_options *hd_gpu_pipeviews(const struct hd_gpu *g)
{
    return g->pipeviews ? &g->pipeviews->options : NULL;
}

struct hd_pipeview_records hd_gpu_pipeview(struct hd_gpu *g, unsigned sm, uint64_t *last)
{
    end(g, g->cycle);
    *last = g->pipeviews->end;
    return hd_pipeview_records(g->pipeviews->of[sm]);
}
