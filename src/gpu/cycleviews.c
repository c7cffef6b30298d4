// cycleviews.c - recordings of cycles: in which cycles the machine looks at its SMs.
//
// In the chosen cycles every SM is stepped in each cycle. Before and after them the machine skips
// what it may, and only the counters are read now and then: at intervals that double when there are
// too many.
#include "gpu/cycleviews.h"

#include "gpu/gpu_internal.h"
#include "sm/cycleview.h"

#include <string.h>

#define FIRST_INTERVAL 64

struct hd_gpu_cycleviews {
    struct hd_cycleviews_options options;
    struct hd_cycleview **of; // by SM; NULL: it is not recorded
    uint64_t first, end;      // recorded, as far as it has come
    uint64_t look_at, sample_at, interval;
    struct hd_cycleview_sample samples[HD_CYCLEVIEW_STRETCHES + 2];
    uint32_t n_samples;
    uint64_t uncharged[HD_N_CYCLEVIEW_CLASSES]; // counted by SMs, charged to no kernel
    bool every_cycle;                           // what the machine does outside of the recording
    bool begun, ended, full;
};

static void begin(struct hd_gpu *g, uint64_t cycle)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;

    for (unsigned i = 0; i < g->n_sms; i++)
        if (v->of[i])
            hd_cycleview_begin(v->of[i], cycle);
    v->begun = true;
    v->first = v->end = v->look_at = cycle;
    g->every_cycle = true;
}

static void end(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;

    for (unsigned i = 0; i < g->n_sms && v->begun && !v->ended; i++)
        if (v->of[i])
            hd_cycleview_end(v->of[i], v->end);
    v->ended = true;
    v->look_at = UINT64_MAX;
    g->every_cycle = v->every_cycle;
}

void hd_cycleviews_new(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews = HD_NEW(g->arena, hd_gpu_cycleviews);

    v->options = *g->options.cycleviews;
    v->of = HD_ARRAY(g->arena, struct hd_cycleview *, g->n_sms);
    v->interval = v->sample_at = FIRST_INTERVAL;
    v->n_samples = 1; // of cycle 0
    v->every_cycle = g->every_cycle;
    v->look_at = v->options.where.first - 1; // in which the SMs are as before the first cycle
    for (unsigned i = 0; i < g->n_sms; i++)
        if (hd_has(v->options.where.sms[i / 64], (int)(i % 64)))
            v->of[i] = hd_cycleview_new(g->arena, g->sms[i]);
    if (!v->options.where.first)
        begin(g, 0);
}

uint64_t hd_cycleviews_due(const struct hd_gpu *g)
{
    const struct hd_gpu_cycleviews *v = g->cycleviews;

    return v->look_at < v->sample_at ? v->look_at : v->sample_at;
}

// Adds one SM's counters, or takes them away.
static void add(uint64_t sums[HD_N_CYCLEVIEW_CLASSES], const struct hd_sm_stats *s, bool minus)
{
#define ADD(name) sums[HD_CYCLEVIEW_##name] += minus ? -s->name : s->name;
    HD_CYCLEVIEW_CLASSES(ADD)
#undef ADD
}

void hd_cycleviews_uncharged(struct hd_gpu *g, const struct hd_sm_stats *more)
{
    add(g->cycleviews->uncharged, more, false);
}

// What was charged to kernels, or will be.
static void take_sample(struct hd_gpu *g, uint64_t cycle)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;
    struct hd_cycleview_sample *s = &v->samples[v->n_samples - 1];

    if (s->cycle != cycle)
        s = &v->samples[v->n_samples++];
    *s = (struct hd_cycleview_sample){.cycle = cycle};
    for (unsigned i = 0; i < g->n_sms; i++) // without a kernel, nothing since it was last settled
        add(s->counts, g->n_running ? hd_sm_stats(g->sms[i]) : &g->settled[i], false);
    for (unsigned c = 0; c < HD_N_CYCLEVIEW_CLASSES; c++)
        s->counts[c] -= v->uncharged[c];
}

// Every second sample is dropped.
static void thin_out(struct hd_gpu_cycleviews *v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < v->n_samples; i += 2)
        v->samples[n++] = v->samples[i];
    v->n_samples = n;
    v->interval *= 2;
}

static void sample(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;

    for (unsigned i = 0; i < g->n_sms; i++)
        hd_machine_catch_up(g, i);
    take_sample(g, g->cycle);
    if (v->n_samples > HD_CYCLEVIEW_STRETCHES)
        thin_out(v);
    v->sample_at = (g->cycle / v->interval + 1) * v->interval;
}

static void look(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;
    uint32_t n = 0;

    if (!v->begun) {
        for (unsigned i = 0; i < g->n_sms; i++)
            if (v->of[i])
                hd_machine_catch_up(g, i);
        begin(g, g->cycle);
        return;
    }
    for (unsigned i = 0; i < g->n_sms; i++)
        if (v->of[i]) {
            hd_machine_catch_up(g, i);
            hd_cycleview_look(v->of[i], g->cycle - 1, g->n_running > 0);
            n += hd_cycleview_pieces(v->of[i]);
        }
    v->look_at = v->end = g->cycle;
    v->full = n >= v->options.pieces;
    if (g->cycle >= v->options.where.end || v->full)
        end(g);
}

void hd_cycleviews_look(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;

    if (g->cycle > v->look_at)
        look(g);
    if (g->cycle > v->sample_at)
        sample(g);
}

const struct hd_cycleviews_options *hd_gpu_cycleviews(const struct hd_gpu *g)
{
    return g->cycleviews ? &g->cycleviews->options : NULL;
}

struct hd_cycleviews_records hd_gpu_cycleviews_records(struct hd_gpu *g)
{
    struct hd_gpu_cycleviews *v = g->cycleviews;

    end(g);
    take_sample(g, g->cycle);
    return (struct hd_cycleviews_records){.first = v->first,
                                          .end = v->end,
                                          .full = v->full,
                                          .samples = v->samples,
                                          .n_samples = v->n_samples};
}

struct hd_cycleview_records hd_gpu_cycleview(const struct hd_gpu *g, unsigned sm)
{
    return hd_cycleview_records(g->cycleviews->of[sm]);
}
