// metrics.c - records metrics.h from the SMs' events. None of it runs unless metrics are requested.
//
// Every SM has its own recorder. When the SM's counters are charged to a kernel, so are its sums:
// those of blocks to the blocks' kernels, the others to the kernel of the SM.
// Blocks that had not ended when a run stopped are in no sum.
#include "gpu/metrics.h"

#include "base/words.h"
#include "gpu/gpu_internal.h"

#include <string.h>

#define NEVER UINT64_MAX

struct warp {
    uint64_t since;             // start of its phase
    uint64_t arrival;           // at the barrier it waits at, or its end; NEVER: runs
    uint64_t ended, at_barrier; // cycle of its end; cycles spent at barriers
    uint16_t phase;
};

struct recorder {                      // of one SM
    struct hd_metrics_sums sums;       // not yet settled; of the SM as a whole
    struct hd_metrics_sums *of_blocks; // the same, of the blocks in each slot
    uint64_t changed;                  // slots for which there are any
    uint32_t launch[HD_MAX_TBS];       // of the block that was in a slot last
    struct warp warps[HD_MAX_WARPS];
    uint64_t arrived, ended, counted; // warps: at a barrier; ended; ended and in a phase
    uint64_t block_start[HD_MAX_TBS];
    uint32_t sequence[HD_MAX_TBS], next_sequence;
    struct hd_metrics_block *blocks;
    struct hd_metrics_records records;
};

struct hd_gpu_metrics {
    struct recorder *recorders; // by SM
    struct hd_sm_watch *watches;
    struct hd_metrics_warp *warps; // of the SM that is recorded in detail
    struct hd_metrics_sample *samples;
    struct hd_metrics_sums *kernels; // by launch
    size_t n_kernels, cap_kernels;
    uint32_t max_blocks; // maximum number of records of an SM
    uint64_t due;        // cycle of the next sample
};

// Are the warps of this launch recorded?
static bool chosen(const struct hd_gpu *g, uint32_t launch)
{
    const char *list = g->options.metrics_kernels;

    return !list || hd_words_has(list, g->queue[launch].result.name);
}

static void record_warp(struct hd_gpu *g, unsigned sm, int w, const struct hd_tb_view *tb,
                        uint64_t end)
{
    struct hd_gpu_metrics *m = g->metrics;
    struct hd_metrics_records *r = &m->recorders[sm].records;
    const struct warp *warp = &m->recorders[sm].warps[w];

    if (sm != g->options.metrics_sm || !chosen(g, tb->kernel))
        return;
    if (r->n_warps == HD_METRICS_WARPS) {
        r->warps_lost++;
        return;
    }
    m->warps[r->n_warps++] = (struct hd_metrics_warp){.start = warp->since,
                                                      .arrival = warp->arrival,
                                                      .end = end,
                                                      .launch = tb->kernel,
                                                      .block = tb->global_id,
                                                      .phase = warp->phase,
                                                      .warp = (uint8_t)w,
                                                      .ended = hd_has(m->recorders[sm].ended, w)};
}

static struct hd_metrics_sums *sums_of(struct recorder *r, unsigned slot)
{
    r->changed |= hd_bit((int)slot);
    return &r->of_blocks[slot];
}

// Ends a phase of these warps of a block in this cycle.
static void end_phase(struct hd_gpu *g, unsigned sm, const struct hd_tb_view *tb, uint64_t group)
{
    struct recorder *r = &g->metrics->recorders[sm];
    uint64_t now = g->views[sm]->cycle, times[HD_MAX_WARPS], longest = 0;
    unsigned phase = HD_METRICS_PHASES, n = 0;
    struct hd_metrics_phases *p;
    int w;

    if (!group)
        return;
    HD_EACH(w, group)
        phase = r->warps[w].phase < phase ? r->warps[w].phase : phase;
    p = &sums_of(r, (unsigned)(tb - g->views[sm]->tbs))->phases[phase - 1];
    HD_EACH(w, group) {
        uint64_t t = times[n++] = r->warps[w].arrival - r->warps[w].since;
        longest = t > longest ? t : longest;
        p->time += t;
        p->waits += now - r->warps[w].arrival;
        record_warp(g, sm, w, tb, now);
    }
    p->groups++;
    p->warps += n;
    p->longest += longest;
    p->rtru += hd_metrics_rtru(times, n);
}

static void start_block(struct hd_gpu *g, unsigned sm, unsigned slot)
{
    struct recorder *r = &g->metrics->recorders[sm];
    const struct hd_view *v = g->views[sm];
    uint64_t warps = v->tbs[slot].warps;
    int w;

    r->block_start[slot] = v->cycle;
    r->sequence[slot] = r->next_sequence++;
    r->launch[slot] = v->tbs[slot].kernel;
    r->arrived &= ~warps;
    r->ended &= ~warps;
    r->counted &= ~warps;
    HD_EACH(w, warps)
        r->warps[w] = (struct warp){.since = v->cycle, .arrival = NEVER, .phase = 1};
}

// A barrier opened: ends the phase of the warps that waited there, and of those that ended before
// it.
static void open_barrier(struct hd_gpu *g, unsigned sm, unsigned slot)
{
    struct recorder *r = &g->metrics->recorders[sm];
    const struct hd_view *v = g->views[sm];
    const struct hd_tb_view *tb = &v->tbs[slot];
    uint64_t freed = r->arrived & tb->warps & ~v->at_barrier;
    uint64_t ended = r->ended & tb->warps & ~r->counted;
    int w;

    end_phase(g, sm, tb, freed | ended);
    r->counted |= ended;
    r->arrived &= ~freed;
    HD_EACH(w, freed) {
        struct warp *warp = &r->warps[w];
        warp->at_barrier += v->cycle - warp->arrival;
        warp->since = v->cycle;
        warp->arrival = NEVER;
        warp->phase = (uint16_t)(warp->phase + (warp->phase < UINT16_MAX));
    }
}

static void end_block(struct hd_gpu *g, unsigned sm, unsigned slot)
{
    struct recorder *r = &g->metrics->recorders[sm];
    const struct hd_view *v = g->views[sm];
    const struct hd_tb_view *tb = &v->tbs[slot];
    uint64_t life = v->cycle - r->block_start[slot];
    int w;

    end_phase(g, sm, tb, tb->warps & ~r->counted);
    struct hd_metrics_sums *sums = sums_of(r, slot);
    HD_EACH(w, tb->warps) {
        sums->warps++;
        sums->barrier += hd_metrics_share(r->warps[w].at_barrier, life);
        sums->exit += hd_metrics_share(v->cycle - r->warps[w].ended, life);
    }
    if (r->records.n_blocks == g->metrics->max_blocks) {
        r->records.blocks_lost++;
        return;
    }
    r->blocks[r->records.n_blocks++] = (struct hd_metrics_block){.start = r->block_start[slot],
                                                                 .end = v->cycle,
                                                                 .thread_insts = tb->progress,
                                                                 .launch = tb->kernel,
                                                                 .block = tb->global_id,
                                                                 .sequence = r->sequence[slot],
                                                                 .slot = (uint8_t)slot,
                                                                 .warps = tb->n_warps};
}

static void watch(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct hd_gpu *g = ctx;
    struct recorder *r = &g->metrics->recorders[sm];

    switch (e->kind) {
    case HD_EV_KERNEL_START:
        if (!g->views[sm]->tb_live) // no block of another kernel is here
            r->next_sequence = 0;
        break;
    case HD_EV_TB_START:
        start_block(g, sm, e->tb);
        break;
    case HD_EV_TB_END:
        end_block(g, sm, e->tb);
        break;
    case HD_EV_BAR_ARRIVE:
        r->arrived |= hd_bit(e->warp);
        r->warps[e->warp].arrival = g->views[sm]->cycle;
        break;
    case HD_EV_BAR_RELEASE:
        open_barrier(g, sm, e->tb);
        break;
    case HD_EV_WARP_EXIT:
        r->ended |= hd_bit(e->warp);
        r->warps[e->warp].ended = r->warps[e->warp].arrival = g->views[sm]->cycle;
        break;
    default:
        break;
    }
}

#define EVENTS                                                                                     \
    (HD_ON(HD_EV_KERNEL_START) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END) |                     \
     HD_ON(HD_EV_BAR_ARRIVE) | HD_ON(HD_EV_BAR_RELEASE) | HD_ON(HD_EV_WARP_EXIT))

void hd_metrics_new(struct hd_gpu *g)
{
    struct hd_arena *a = g->arena;
    struct hd_gpu_metrics *m = g->metrics = HD_NEW(a, hd_gpu_metrics);

    m->recorders = HD_ARRAY(a, struct recorder, g->n_sms);
    m->watches = HD_ARRAY(a, struct hd_sm_watch, g->n_sms);
    m->warps = HD_ARRAY(a, struct hd_metrics_warp, HD_METRICS_WARPS);
    m->samples = HD_ARRAY(a, struct hd_metrics_sample, HD_METRICS_SAMPLES);
    m->max_blocks = HD_METRICS_BLOCKS / g->n_sms;
    for (unsigned i = 0; i < g->n_sms; i++) {
        struct recorder *r = &m->recorders[i];
        r->blocks = HD_ARRAY(a, struct hd_metrics_block, m->max_blocks);
        r->of_blocks = HD_ARRAY(a, struct hd_metrics_sums, g->config.sm.tbs);
        r->records.blocks = r->blocks;
        if (i == g->options.metrics_sm) {
            r->records.warps = m->warps;
            r->records.samples = m->samples;
        }
        m->watches[i] = (struct hd_sm_watch){.on = watch, .ctx = g, .events = EVENTS};
        hd_sm_add_watch(g->sms[i], &m->watches[i]);
        hd_sm_count_rules(g->sms[i], &r->sums.lost);
    }
}

// Moves these sums to those of a launch.
static void move(struct hd_gpu *g, uint32_t launch, struct hd_metrics_sums *from)
{
    struct hd_gpu_metrics *m = g->metrics;

    while (m->n_kernels <= launch)
        *HD_PUSH(g->arena, m->kernels, m->n_kernels, m->cap_kernels) = (struct hd_metrics_sums){0};
    for (size_t i = 0; i < sizeof *from / sizeof(uint64_t); i++)
        ((uint64_t *)&m->kernels[launch])[i] += ((const uint64_t *)from)[i];
    *from = (struct hd_metrics_sums){0};
}

void hd_metrics_settle(struct hd_gpu *g, unsigned sm, uint32_t launch)
{
    struct hd_gpu_metrics *m = g->metrics;
    struct recorder *r = &m->recorders[sm];
    struct hd_metrics_sums *from = &r->sums;
    int slot;

    hd_sm_watch_mshrs(&m->watches[sm], g->views[sm]);
    from->mshr_cycles = m->watches[sm].mshr_cycles;
    from->mshr_busy = m->watches[sm].mshr_busy;
    m->watches[sm].mshr_cycles = m->watches[sm].mshr_busy = 0;
    move(g, launch, from);
    HD_EACH(slot, r->changed)
        move(g, r->launch[slot], &r->of_blocks[slot]);
    r->changed = 0;
}

void hd_metrics_kernel_starts(struct hd_gpu *g)
{
    if (!g->n_running) // kernels that run at the same time share the sample times of the first
        g->metrics->due = g->cycle + HD_METRICS_INTERVAL;
}

uint64_t hd_metrics_due(const struct hd_gpu *g)
{
    return g->metrics->due;
}

// The blocks of an SM in the policy's order: by the place of their first warp in the orders of the
// schedulers; for a block with warps of several schedulers, the best place.
static unsigned order_blocks(const struct hd_gpu *g, unsigned sm, uint8_t slots[HD_MAX_TBS])
{
    const struct hd_view *v = g->views[sm];
    const struct hd_gpu_policy *p = &g->policies[g->slot[HD_SLOT_SCHED]];
    uint64_t left[HD_MAX_SCHEDULERS] = {0}, seen = 0;
    unsigned n = 0;
    int tb, w;

    for (int s = 0; s < v->n_sched; s++)
        HD_EACH(tb, v->tb_live)
            left[s] |= v->tbs[tb].warps & v->mine[s];
    for (unsigned place = 0; place < v->n_warps; place++)
        for (int s = 0; s < v->n_sched; s++) {
            struct hd_pstate st = p->states[sm];
            if (!left[s])
                continue;
            st.sched = (char *)st.sched + p->choice.policy->sched_bytes * (size_t)s;
            w = p->choice.policy->first ? p->choice.policy->first(st, v, s, left[s])
                                        : hd_first(left[s]);
            left[s] &= ~hd_bit(w);
            if (!hd_has(seen, v->tb_of[w]))
                slots[n++] = v->tb_of[w];
            seen |= hd_bit(v->tb_of[w]);
        }
    return n;
}

void hd_metrics_sample(struct hd_gpu *g)
{
    struct hd_gpu_metrics *m = g->metrics;
    unsigned sm = g->options.metrics_sm;
    struct hd_metrics_records *r = &m->recorders[sm].records;
    const struct hd_view *v = g->views[sm];
    struct hd_metrics_sample *s = &m->samples[r->n_samples];

    m->due += HD_METRICS_INTERVAL;
    if (!v->tb_live)
        return;
    if (r->n_samples == HD_METRICS_SAMPLES) {
        r->samples_lost++;
        return;
    }
    hd_machine_catch_up(g, sm);
    s->cycle = g->cycle - 1;
    s->launch = v->kernel;
    s->n = order_blocks(g, sm, s->slot);
    for (unsigned i = 0; i < s->n; i++) {
        s->sequence[i] = m->recorders[sm].sequence[s->slot[i]];
        s->thread_insts[i] = v->tbs[s->slot[i]].progress;
    }
    r->n_samples++;
}

const struct hd_metrics_sums *hd_gpu_metrics_sums(const struct hd_gpu *g, unsigned launch)
{
    static const struct hd_metrics_sums none;

    if (!g->metrics)
        return NULL;
    return launch < g->metrics->n_kernels ? &g->metrics->kernels[launch] : &none;
}

const struct hd_metrics_records *hd_gpu_metrics_records(const struct hd_gpu *g, unsigned sm)
{
    return g->metrics ? &g->metrics->recorders[sm].records : NULL;
}
