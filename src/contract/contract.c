// contract.c - runs a policy in a random world and checks every rule. See contract.h. The checks of
// what it answers about warps and about time are here, those of the whole machine in
// machinecheck.c, and what both are made of in life.c.
#include "contract/contract.h"

#include "base/fields.h"
#include "contract/life.h"
#include "contract/machinecheck.h"
#include "contract/world.h"
#include "registry/registry.h"

#include <string.h>

#define LONGEST_SKIP 200
#define ALL_LOOKED_AT 4096 // calls

static const char *const titles[HD_N_CONTRACT] = {
    [HD_CONTRACT_CANDIDATES] = "answers are among the candidates",
    [HD_CONTRACT_ORDER] = "first and fetch are orders",
    [HD_CONTRACT_PURE] = "pure functions leave the state alone",
    [HD_CONTRACT_AGAIN] = "asked again, or with copied state: the same answer",
    [HD_CONTRACT_INSTANCES] = "what it knows is in its state",
    [HD_CONTRACT_STATE] = "writes nothing outside its state",
    [HD_CONTRACT_VIEW] = "writes nothing into view and parameters",
    [HD_CONTRACT_SKIP] = "n cycles at once are n times one",
    [HD_CONTRACT_WAKES] = "wakes is not too late",
    [HD_CONTRACT_ELIGIBLE] = "eligible depends on what it may",
};

const char *hd_contract_title(enum hd_contract_rule rule)
{
    return titles[rule];
}

static void on_event(struct world *w, const struct hd_event *e)
{
    struct hd_life *x = w->teller;

    if (x->policy->gpu_events & HD_ON(e->kind) && x->policy->on_gpu) {
        const struct hd_view *views[HD_MACHINECHECK_SMS];
        struct hd_gpu_view v = hd_machinecheck_view(x, views);
        hd_life_enter(x, &x->state, "on_gpu");
        x->policy->on_gpu(hd_life_pstate(x, &x->state, 0), &v, e, 0);
        hd_life_leave(x, &x->state, HD_NONE);
    }
    if (x->policy->events & HD_ON(e->kind) && x->policy->on) {
        hd_life_enter(x, &x->state, "on");
        x->policy->on(hd_life_pstate(x, &x->state, 0), &w->v, e);
        hd_life_leave(x, &x->state, HD_NONE);
    }
}

// first() and fetch() have the same rules. s = HD_NONE: fetch.
static int ask(struct hd_life *x, struct hd_life_state *st, int s, uint64_t mask)
{
    const struct hd_view *v = &x->world->v;

    x->out->masks++;
    hd_life_enter(x, st, s == HD_NONE ? "fetch" : "first");
    int w = s == HD_NONE ? x->policy->fetch(hd_life_pstate(x, st, 0), v, mask)
                         : x->policy->first(hd_life_pstate(x, st, s), v, s, mask);
    hd_life_leave(x, st, s);
    hd_life_mix(x, st, (uint64_t)w);
    return w;
}

static void check_order(struct hd_life *x, int s)
{
    struct world *w = x->world;
    uint64_t own = s == HD_NONE ? hd_low(w->v.n_warps) : w->v.mine[s];
    uint64_t m1 = own & world_draw(w) & world_draw(w), m2 = own & world_draw(w);

    if (!m1 || !m2)
        return;
    hd_life_copy(x, &x->before, &x->state);
    hd_life_copy(x, &x->copy, &x->state);
    int both = ask(x, &x->state, s, m1 | m2), one = ask(x, &x->state, s, m1);
    if (!hd_life_among(m1 | m2, both) || !hd_life_among(m1, one))
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "chooses a warp outside the mask");
    else if (hd_has(m1, both) && one != both)
        hd_life_broken(x, HD_CONTRACT_ORDER, "its choices are not an order");
    hd_life_expect_pure(x, s == HD_NONE ? "fetch is not pure" : "first is not pure");
    if (ask(x, &x->copy, s, m1 | m2) != both)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state chooses another warp");
}

static unsigned ask_limit(struct hd_life *x, struct hd_life_state *st)
{
    hd_life_enter(x, st, "tb_limit");
    unsigned limit = x->policy->tb_limit(hd_life_pstate(x, st, 0), &x->world->v);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, limit);
    return limit;
}

static void check_tb_limit(struct hd_life *x)
{
    hd_life_copy(x, &x->before, &x->state);
    hd_life_copy(x, &x->copy, &x->state);
    unsigned limit = ask_limit(x, &x->state);
    if (!limit)
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "allows no block at all");
    hd_life_expect_pure(x, "tb_limit is not pure");
    if (ask_limit(x, &x->copy) != limit)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state has another limit");
}

static uint64_t eligible(struct hd_life *x, struct hd_life_state *st, int s)
{
    const struct hd_view *v = &x->world->v;

    if (!x->policy->eligible)
        return v->mine[s];
    hd_life_enter(x, st, "eligible");
    uint64_t e = x->policy->eligible(hd_life_pstate(x, st, s), v, s);
    hd_life_leave(x, st, s);
    hd_life_mix(x, st, e);
    return e;
}

// What may change while nothing happens to the warps.
static void change_passing(struct hd_view *v)
{
    v->last_fetch = (int8_t)(v->last_fetch + 1);
    v->imiss = ~v->imiss;
    v->l1d_mshr ^= 1;
    v->l1i_mshr ^= 1;
    v->mem_saturated ^= 1;
    v->tbs_pending ^= 1;
}

static void check_eligible(struct hd_life *x, int s)
{
    struct hd_view *v = &x->world->v;

    hd_life_copy(x, &x->before, &x->state);
    hd_life_copy(x, &x->copy, &x->state);
    uint64_t e = eligible(x, &x->state, s);
    if (e & ~v->mine[s])
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "eligible names slots of another scheduler");
    hd_life_expect_pure(x, "eligible is not pure");
    if (eligible(x, &x->copy, s) != e)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state has other eligible warps");
    // Otherwise the core remembers the answer while the warps stay as they are.
    if (!x->policy->begin && !(x->policy->flags & HD_EVERY_CYCLE)) {
        struct hd_view kept = *v;
        change_passing(v);
        if (eligible(x, &x->state, s) != e)
            hd_life_broken(x, HD_CONTRACT_ELIGIBLE,
                           "eligible depends on what only begin may look at");
        *v = kept;
    }
}

static unsigned lost_class(const struct hd_life *x, uint64_t e)
{
    const struct hd_view *v = &x->world->v;

    return e & hd_ready(v)   ? HD_STALL_PIPELINE
           : e & hd_valid(v) ? HD_STALL_SCOREBOARD
                             : HD_STALL_IDLE;
}

static void begin(struct hd_life *x, struct hd_life_state *st, int s, uint64_t n)
{
    if (!x->policy->begin)
        return;
    hd_life_enter(x, st, "begin");
    x->policy->begin(hd_life_pstate(x, st, s), &x->world->v, s, n);
    hd_life_leave(x, st, s);
}

static void end(struct hd_life *x, struct hd_life_state *st, int s, uint64_t n, unsigned outcome,
                uint64_t visited)
{
    if (!x->policy->end)
        return;
    hd_life_enter(x, st, "end");
    x->policy->end(hd_life_pstate(x, st, s), &x->world->v, s, n, outcome, visited);
    hd_life_leave(x, st, s);
}

// n cycles without issue, in one call.
static void pass(struct hd_life *x, struct hd_life_state *st, uint64_t n)
{
    for (; n > 1 && (x->policy->flags & HD_LOST_SINGLY); n--)
        pass(x, st, 1);
    for (int s = 0; s < x->world->v.n_sched; s++) {
        begin(x, st, s, n);
        uint64_t e = eligible(x, st, s);
        end(x, st, s, n, lost_class(x, e), e);
    }
}

static uint64_t ask_wakes(struct hd_life *x, struct hd_life_state *st, int s)
{
    hd_life_enter(x, st, "wakes");
    uint64_t at = x->policy->wakes(hd_life_pstate(x, st, s), &x->world->v, s);
    hd_life_leave(x, st, s);
    hd_life_mix(x, st, at);
    return at;
}

static uint64_t earliest_wake(struct hd_life *x)
{
    uint64_t wake = UINT64_MAX;

    hd_life_copy(x, &x->before, &x->state);
    hd_life_copy(x, &x->copy, &x->state);
    for (int s = 0; s < x->world->v.n_sched && x->policy->wakes; s++) {
        uint64_t at = ask_wakes(x, &x->state, s);
        if (at <= x->world->v.cycle) {
            hd_life_broken(x, HD_CONTRACT_WAKES, "wakes in the past");
            x->over = true;
        }
        if (ask_wakes(x, &x->copy, s) != at)
            hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state wakes in another cycle");
        wake = at < wake ? at : wake;
    }
    hd_life_expect_pure(x, "wakes is not pure");
    return wake;
}

struct seen { // of a scheduler's warps, by the core
    uint64_t ready;
    bool valid;
};

static struct seen see(struct hd_life *x, struct hd_life_state *st, int s)
{
    const struct hd_view *v = &x->world->v;
    uint64_t e = eligible(x, st, s);

    return (struct seen){e & hd_ready(v), (e & hd_valid(v)) != 0};
}

// One by one, into x->one_by_one; x->once is the state after the first. `before`: what the core saw
// before them, which must not change, or NULL.
static void step(struct hd_life *x, uint64_t n, const struct seen *before)
{
    struct world *w = x->world;

    for (uint64_t k = 0; k < n; k++) {
        w->v.cycle++;
        for (int s = 0; s < w->v.n_sched; s++) {
            begin(x, &x->one_by_one, s, 1);
            struct seen now = see(x, &x->one_by_one, s);
            if (before && (now.ready != before[s].ready || now.valid != before[s].valid))
                hd_life_broken(x, HD_CONTRACT_WAKES, "wakes too late");
            uint64_t e = eligible(x, &x->one_by_one, s);
            end(x, &x->one_by_one, s, 1, lost_class(x, e), e);
        }
        if (!k)
            hd_life_copy(x, &x->once, &x->one_by_one);
    }
}

// The cycles up to the next wake: nothing the core relies on may change in them, and one call for
// all must be the same as one by one, or as the first alone if that was promised.
static void check_skip(struct hd_life *x)
{
    struct world *w = x->world;
    uint64_t now = w->v.cycle, wake = earliest_wake(x), n = 1 + world_below(w, LONGEST_SKIP);
    struct seen before[HD_MAX_SCHEDULERS] = {0};

    if (x->over || wake <= now + 1)
        return;
    n = n < wake - now - 1 ? n : wake - now - 1;
    hd_life_copy(x, &x->one_by_one, &x->state);
    hd_life_copy(x, &x->at_once, &x->state);
    for (int s = 0; s < w->v.n_sched; s++)
        before[s] = see(x, &x->state, s);
    step(x, n, before);
    if (n && (x->policy->flags & HD_LOST_ONCE) && !hd_life_same(x, &x->one_by_one, &x->once))
        hd_life_broken(x, HD_CONTRACT_SKIP,
                       "HD_LOST_ONCE, but a lost cycle repeated changes something");
    w->v.cycle = now + 1;
    pass(x, &x->at_once, n);
    w->v.cycle = now;
    if (!hd_life_same(x, &x->one_by_one, &x->at_once)) {
        x->out->doing = "begin, end";
        hd_life_broken(x, HD_CONTRACT_SKIP, "n cycles at once differ from n single ones");
    }
}

// The same for a policy with HD_LOST_SINGLY: the core makes up for lost cycles later.
static void check_lost_singly(struct hd_life *x)
{
    struct world *w = x->world;
    uint64_t now = w->v.cycle, n = 1 + world_below(w, LONGEST_SKIP);
    uint64_t seen[HD_MAX_SCHEDULERS];
    bool same = true;

    hd_life_copy(x, &x->one_by_one, &x->state);
    hd_life_copy(x, &x->at_once, &x->state);
    step(x, n, NULL);
    for (int s = 0; s < w->v.n_sched; s++)
        seen[s] = eligible(x, &x->one_by_one, s);
    w->v.cycle = now;
    const struct hd_view kept = w->v;
    w->v.cycle += 1 + world_below(w, 1000);
    change_passing(&w->v);
    pass(x, &x->at_once, n);
    for (int s = 0; s < w->v.n_sched; s++)
        same = eligible(x, &x->at_once, s) == seen[s] && same;
    w->v = kept;
    if (!same || !hd_life_same(x, &x->one_by_one, &x->at_once)) {
        x->out->doing = "begin, end";
        hd_life_broken(x, HD_CONTRACT_SKIP,
                       "HD_LOST_SINGLY, but a lost cycle depends on more than the warps");
    }
}

// A scheduler's cycle as the core runs it.
static void schedule(struct hd_life *x, int s)
{
    struct world *w = x->world;

    if (!x->policy->first) { // it only observes
        int first = hd_first(w->v.mine[s] & hd_ready(&w->v));
        if (first != HD_NONE)
            world_issue(w, first);
        return;
    }
    begin(x, &x->state, s, 1);
    check_eligible(x, s);
    check_order(x, s);
    uint64_t seen = eligible(x, &x->state, s) & w->v.mine[s], ready = seen & hd_ready(&w->v);
    unsigned outcome = lost_class(x, seen);
    if (ready && world_below(w, 8)) {
        int chosen = ask(x, &x->state, s, ready);
        if (!hd_life_among(ready, chosen)) {
            hd_life_broken(x, HD_CONTRACT_CANDIDATES, "chooses a warp outside the mask");
            x->over = true;
            return;
        }
        seen = hd_bit(chosen);
        outcome = HD_ISSUED;
        world_issue(w, chosen);
    }
    end(x, &x->state, s, 1, outcome, seen);
}

static void let_time_pass(struct hd_life *x)
{
    struct world *w = x->world;
    uint64_t wake = earliest_wake(x), left = wake - w->v.cycle - 1, n = left < 30 ? left : 30;

    if (x->over)
        return;
    w->v.cycle++;
    if (n)
        pass(x, &x->state, n);
    w->v.cycle += n ? n - 1 : UINT64_MAX;
}

static void one_cycle(struct hd_life *x)
{
    const struct hd_policy *p = x->policy;
    struct world *w = x->world;

    w->v.cycle++;
    // This costs more than all the rest, and a policy that writes where it must not does so early.
    x->look = x->out->calls < ALL_LOOKED_AT || w->v.cycle % 8 == 0;
    world_end_blocks(w);
    if (!world_below(w, 4))
        world_start_block(w);
    for (unsigned k = world_below(w, 6); k; k--)
        world_stir(w);
    for (int s = 0; s < w->v.n_sched && !x->over; s++)
        schedule(x, s);
    w->v.last_fetch = (int8_t)((int)world_below(w, w->v.n_warps + 1u) - 1);
    if (p->fetch && !x->over)
        check_order(x, HD_NONE);
    if (p->place && !x->over)
        hd_machinecheck_place(x);
    if (p->next_kernel && !x->over)
        hd_machinecheck_next_kernel(x);
    if (p->feed && !x->over)
        hd_machinecheck_feed(x);
    if (p->admit && !x->over)
        hd_machinecheck_admit(x);
    if (p->mark && !x->over)
        hd_machinecheck_mark(x);
    if (p->remark && !x->over)
        hd_machinecheck_remark(x);
    if (p->tb_limit && !x->over)
        check_tb_limit(x);
    bool skips = !(p->flags & HD_EVERY_CYCLE);
    if (!x->over && !world_below(w, 4) && skips) {
        if (p->flags & HD_LOST_SINGLY)
            check_lost_singly(x);
        else
            check_skip(x);
    }
    if (!x->over && !world_below(w, 50) && skips)
        let_time_pass(x);
}

static struct hd_life *new_life(struct hd_arena *a, struct hd_contract *out,
                                const struct hd_policy *p, const void *params, uint64_t seed)
{
    struct hd_life *x = HD_NEW(a, hd_life);
    size_t bytes = p->params_bytes + 1;

    *x = (struct hd_life){.out = out, .policy = p, .seed = seed, .hash = 1};
    x->params = hd_arena_get(a, bytes, 1);
    x->params_before = hd_arena_get(a, bytes, 1);
    if (params) {
        memcpy(x->params, params, p->params_bytes);
        memcpy(x->params_before, params, p->params_bytes);
    }
    hd_life_new_states(x, a);
    x->world = HD_NEW(a, world);
    x->seen = HD_NEW(a, world);
    world_init(x->world, seed, on_event, x);
    world_event(x->world, HD_EV_KERNEL_START, HD_NONE, (struct hd_event){0});
    return x;
}

void hd_contract_live(struct hd_contract *out, const struct hd_policy *p, const void *params,
                      uint64_t seed, unsigned n_cycles)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_life *x = new_life(a, out, p, params, seed);

    for (unsigned i = 0; i < n_cycles && !x->over; i++)
        one_cycle(x);
    hd_arena_free(a);
}

void hd_contract_interleave(struct hd_contract *out, const struct hd_policy *p, const void *params,
                            uint64_t seed, unsigned n_cycles)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_contract unseen = {.doing = ""};
    struct hd_life *alone = new_life(a, &unseen, p, params, seed), *again, *other;

    for (unsigned i = 0; i < n_cycles && !alone->over; i++)
        one_cycle(alone);
    again = new_life(a, &unseen, p, params, seed);
    other = new_life(a, &unseen, p, params, seed + 1);
    for (unsigned i = 0; i < n_cycles && !again->over; i++) {
        one_cycle(again);
        if (!other->over)
            one_cycle(other);
    }
    again->out = out;
    out->doing = "any of its functions";
    if (again->hash != alone->hash || !hd_life_same(again, &again->state, &alone->state))
        hd_life_broken(again, HD_CONTRACT_INSTANCES,
                       "the same life beside another SM's gives other answers");
    hd_arena_free(a);
}

const char *hd_contract_tables(const struct hd_policy *p)
{
    const struct hd_field *const counters[] = {p->counters, p->sm_counters};
    const size_t bytes[] = {p->sched_bytes, p->sm_bytes};
    bool decides = p->tb_limit != NULL;

    if (!p->name || !p->brief || !p->source)
        return "it has no name, brief or source";
    if (p->abi != HD_POLICY_ABI)
        return "it is of another interface";
    for (enum hd_slot slot = 0; slot < HD_N_SLOTS && !decides; slot++)
        decides = hd_registry_decides(p, slot);
    if (!decides)
        return "it decides nothing";
    if ((p->flags & HD_FETCH_TOO) && !(p->first && p->fetch))
        return "HD_FETCH_TOO, but first or fetch is missing";
    if (hd_registry_slip(p))
        return hd_registry_slip(p);
    if (p->place && p->feed)
        return "it has place and feed, which are two answers to one question";
    for (unsigned i = 0; i < 2; i++)
        for (const struct hd_field *f = counters[i]; f && f->name; f++)
            if (f->type != HD_FIELD_U64 || f->offset + 8 > bytes[i] || !f->help || !f->unit)
                return "a row of its counters is not a uint64_t of its state, or lacks unit or "
                       "help";
    for (const struct hd_field *f = p->params; f && f->name; f++)
        if (f->offset + 4 > p->params_bytes || !f->help || !f->default_text)
            return "a row of its parameters lies outside, or lacks default or help";
    for (const struct hd_reading *r = p->readings; r && r->param; r++)
        if (!hd_fields_find(hd_registry_original(p)->params, r->param) || !r->sentence)
            return "a sentence of its readings is missing, or is about no parameter";
    return NULL;
}
