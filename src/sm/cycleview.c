// cycleview.c - the state of each scheduler and warp of an SM, cycle by cycle. See cycleview.h.
//
// A scheduler that issued has left an instruction in the registers after issue. The class of one
// that did not is in its memo. What both give is compared with the SM's counters in each cycle.
#include "sm/cycleview.h"

#include "sm/sm_internal.h"
#include "sm/waits.h"

#define NO_CLASS HD_N_CYCLEVIEW_CLASSES
#define NO_STAY UINT32_MAX

struct sched {
    uint64_t since;
    unsigned class;
};

struct row { // a warp's slot
    uint64_t since;
    uint32_t stay, pc, last; // last: the last instruction issued
    unsigned state;
};

struct hd_cycleview {
    struct hd_arena *arena;
    const struct hd_sm *sm;
    struct hd_cycleview_piece *scheds, *warps;
    struct hd_cycleview_stay *stays;
    size_t n_scheds, cap_scheds, n_warps, cap_warps, n_stays, cap_stays;
    struct sched sched[HD_MAX_SCHEDULERS];
    struct row row[HD_MAX_WARPS];
    uint64_t until; // the first cycle that was not looked at
    uint64_t totals[HD_N_CYCLEVIEW_CLASSES];
    uint64_t counted[HD_N_CYCLEVIEW_CLASSES]; // by the SM, up to `until`
    uint32_t order;                           // of the next instruction to be issued
    uint64_t issued_warps, issued_scheds;     // in this cycle
    uint32_t issued_pc[HD_MAX_WARPS];
};

struct hd_cycleview *hd_cycleview_new(struct hd_arena *a, const struct hd_sm *sm)
{
    struct hd_cycleview *v = HD_NEW(a, hd_cycleview);

    v->arena = a;
    v->sm = sm;
    return v;
}

static void read_counters(const struct hd_sm *sm, uint64_t out[HD_N_CYCLEVIEW_CLASSES])
{
#define READ(name) out[HD_CYCLEVIEW_##name] = sm->stats.name;
    HD_CYCLEVIEW_CLASSES(READ)
#undef READ
}

void hd_cycleview_begin(struct hd_cycleview *v, uint64_t cycle)
{
    for (unsigned s = 0; s < HD_MAX_SCHEDULERS; s++)
        v->sched[s] = (struct sched){.since = cycle, .class = NO_CLASS};
    for (unsigned w = 0; w < HD_MAX_WARPS; w++)
        v->row[w] = (struct row){.since = cycle,
                                 .stay = NO_STAY,
                                 .pc = HD_CYCLEVIEW_NO_PC,
                                 .last = HD_CYCLEVIEW_NO_PC,
                                 .state = HD_CYCLEVIEW_EMPTY};
    v->until = cycle;
    v->order = v->sm->order;
    read_counters(v->sm, v->counted);
}

static void set_class(struct hd_cycleview *v, unsigned s, unsigned class, uint64_t cycle)
{
    struct sched *now = &v->sched[s];

    if (now->class == class && cycle - now->since < UINT32_MAX)
        return;
    if (now->class != NO_CLASS && cycle > now->since)
        *HD_PUSH(v->arena, v->scheds, v->n_scheds, v->cap_scheds) =
            (struct hd_cycleview_piece){.start = now->since,
                                        .cycles = (uint32_t)(cycle - now->since),
                                        .stay = NO_STAY,
                                        .pc = HD_CYCLEVIEW_NO_PC,
                                        .row = (uint8_t)s,
                                        .what = (uint8_t)now->class};
    *now = (struct sched){.since = cycle, .class = class};
}

static void set_state(struct hd_cycleview *v, unsigned w, unsigned state, uint32_t pc,
                      uint64_t cycle)
{
    struct row *now = &v->row[w];

    if (now->state == state && now->pc == pc && cycle - now->since < UINT32_MAX)
        return;
    if (now->state != HD_CYCLEVIEW_EMPTY && cycle > now->since)
        *HD_PUSH(v->arena, v->warps, v->n_warps, v->cap_warps) =
            (struct hd_cycleview_piece){.start = now->since,
                                        .cycles = (uint32_t)(cycle - now->since),
                                        .stay = now->stay,
                                        .pc = now->pc,
                                        .row = (uint8_t)w,
                                        .what = (uint8_t)now->state};
    now->since = cycle;
    now->state = state;
    now->pc = pc;
}

// The warp in the slot leaves it.
static void end_stay(struct hd_cycleview *v, unsigned w, uint64_t cycle)
{
    struct row *now = &v->row[w];

    if (now->stay == NO_STAY)
        return;
    set_state(v, w, HD_CYCLEVIEW_EMPTY, HD_CYCLEVIEW_NO_PC, cycle);
    v->stays[now->stay].end = cycle;
    now->stay = NO_STAY;
    now->last = HD_CYCLEVIEW_NO_PC;
}

// A warp is in the slot after the cycle.
static void set_stay(struct hd_cycleview *v, unsigned w, uint64_t cycle)
{
    const struct hd_tb_view *tb = &v->sm->tbs[v->sm->tb_of[w]];
    struct row *now = &v->row[w];

    if (now->stay != NO_STAY && v->stays[now->stay].launch == tb->kernel &&
        v->stays[now->stay].block == tb->global_id)
        return;
    end_stay(v, w, cycle);
    now->since = cycle;
    now->stay = (uint32_t)v->n_stays;
    *HD_PUSH(v->arena, v->stays, v->n_stays, v->cap_stays) =
        (struct hd_cycleview_stay){.start = cycle,
                                   .launch = tb->kernel,
                                   .block = tb->global_id,
                                   .row = (uint8_t)w,
                                   .number = (uint8_t)hd_count(tb->warps & hd_low(w))};
}

static void find_issued(struct hd_cycleview *v)
{
    const struct hd_sm *sm = v->sm;

    v->issued_warps = v->issued_scheds = 0;
    HD_EACH_SUBCORE(sub, sm)
        for (unsigned p = 0; p < HD_N_PIPES; p++)
            for (unsigned i = 0; i < sub->id_oc[p].n; i++) {
                const struct hd_uop *u = &sub->id_oc[p].slots[i];
                if (u->order - v->order > UINT32_MAX / 2)
                    continue; // of an earlier cycle
                v->issued_warps |= hd_bit(u->warp);
                v->issued_scheds |= hd_bit((int)hd_sched_of(sm, u->warp));
                v->issued_pc[u->warp] = u->pc;
            }
    v->order = sm->order;
}

static unsigned class_of(const struct hd_cycleview *v, unsigned s)
{
    if (hd_has(v->issued_scheds, (int)s))
        return HD_CYCLEVIEW_issued;
    switch (v->sm->scheds[s].lost.outcome & HD_OUTCOME_CLASS) {
    case HD_STALL_IDLE:
        return HD_CYCLEVIEW_idle;
    case HD_STALL_SCOREBOARD:
        return HD_CYCLEVIEW_scoreboard;
    default:
        return HD_CYCLEVIEW_pipeline;
    }
}

static void look_at_schedulers(struct hd_cycleview *v, uint64_t cycle, bool charged)
{
    const struct hd_sm *sm = v->sm;
    uint64_t now[HD_N_CYCLEVIEW_CLASSES], more[HD_N_CYCLEVIEW_CLASSES] = {0};
    unsigned n = (unsigned)sm->view.n_sched;

    read_counters(sm, now);
    bool inactive = now[HD_CYCLEVIEW_inactive] != v->counted[HD_CYCLEVIEW_inactive];
    for (unsigned s = 0; s < n; s++) {
        unsigned class = inactive ? (unsigned)HD_CYCLEVIEW_inactive : class_of(v, s);
        if (!charged || (!inactive && sm->stepped != cycle))
            class = NO_CLASS;
        else
            more[class]++;
        set_class(v, s, class, cycle);
    }
    for (unsigned c = 0; c < HD_N_CYCLEVIEW_CLASSES; c++) {
        HD_BUG_IF(charged && v->counted[c] + more[c] != now[c],
                  "the schedulers of SM %u were seen in other classes than were counted",
                  sm->index);
        v->counted[c] = now[c];
        v->totals[c] += more[c];
    }
}

static unsigned state_of(struct hd_cycleview *v, unsigned w, uint32_t *pc)
{
    const struct hd_sm *sm = v->sm;
    const struct hd_warp *warp = &sm->warps[w];
    enum hd_pipeview_wait apart;

    *pc = HD_CYCLEVIEW_NO_PC;
    if (hd_has(v->issued_warps, (int)w)) {
        *pc = v->row[w].last = v->issued_pc[w];
        return HD_CYCLEVIEW_ISSUED;
    }
    if (!hd_has(sm->resident, (int)w))
        return HD_CYCLEVIEW_EMPTY;
    if (!hd_has(sm->view.live, (int)w))
        return HD_CYCLEVIEW_ENDED;
    apart = hd_waits_apart(sm, w);
    if (apart != HD_N_PIPEVIEW_WAITS) { // at the instruction that it waits in
        *pc = v->row[w].last;
        return apart;
    }
    *pc = warp->ibuf_n ? warp->ibuf_pc : warp->fetch_pc;
    if (!warp->ibuf_n)
        return HD_CYCLEVIEW_FETCH;
    return hd_waits_reason(sm, w, *pc, hd_has(v->issued_scheds, (int)hd_sched_of(sm, w)));
}

void hd_cycleview_look(struct hd_cycleview *v, uint64_t cycle, bool charged)
{
    const struct hd_sm *sm = v->sm;
    uint32_t pc;

    if (sm->trapped) // a part of this cycle did not happen
        return;
    if (cycle != v->until) {
        for (unsigned s = 0; s < (unsigned)sm->view.n_sched; s++)
            set_class(v, s, NO_CLASS, v->until);
        for (unsigned w = 0; w < sm->view.n_warps; w++)
            end_stay(v, w, v->until);
    }
    find_issued(v);
    look_at_schedulers(v, cycle, charged);
    for (unsigned w = 0; sm->program && w < sm->view.n_warps; w++) {
        unsigned state = state_of(v, w, &pc);
        if (state == HD_CYCLEVIEW_EMPTY)
            end_stay(v, w, cycle);
        else if (hd_has(sm->resident, (int)w))
            set_stay(v, w, cycle);
        if (v->row[w].stay != NO_STAY)
            set_state(v, w, state, pc, cycle);
    }
    v->until = cycle + 1;
}

uint32_t hd_cycleview_pieces(const struct hd_cycleview *v)
{
    return (uint32_t)(v->n_scheds + v->n_warps);
}

void hd_cycleview_end(struct hd_cycleview *v, uint64_t cycle)
{
    uint64_t end = cycle < v->until ? cycle : v->until;

    for (unsigned s = 0; s < (unsigned)v->sm->view.n_sched; s++)
        set_class(v, s, NO_CLASS, end);
    for (unsigned w = 0; w < v->sm->view.n_warps; w++)
        end_stay(v, w, end);
}

struct hd_cycleview_records hd_cycleview_records(const struct hd_cycleview *v)
{
    struct hd_cycleview_records r = {.scheds = v->scheds,
                                     .warps = v->warps,
                                     .stays = v->stays,
                                     .n_scheds = (uint32_t)v->n_scheds,
                                     .n_warps = (uint32_t)v->n_warps,
                                     .n_stays = (uint32_t)v->n_stays,
                                     .sched_of = v->sm->sched_of};

    for (unsigned c = 0; c < HD_N_CYCLEVIEW_CLASSES; c++)
        r.totals[c] = v->totals[c];
    return r;
}
