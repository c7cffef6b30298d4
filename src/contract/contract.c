// contract.c - runs a policy in a random world and checks every rule. See contract.h.
#include "contract/contract.h"

#include "base/bug.h"
#include "base/fields.h"
#include "contract/world.h"
#include "registry/registry.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_SKIP 200
#define GUARD 64 // bytes around each piece of state
#define GUARD_BYTE 0xa5
#define N_STATES 7

struct state { // everything a policy may write: gpu, SM, schedulers, with guards around each
    char *bytes;
};

#define FEED_SLOTS 6
#define FEED_BLOCKS 64 // of a kernel, at most

struct life {
    struct hd_contract *out;
    const struct hd_policy *policy;
    void *params, *params_before;
    size_t used; // bytes of a state
    struct state state, before, copy, one_by_one, at_once, once, call;
    struct world *world, *seen;
    struct hd_kernel_view kernels[FEED_SLOTS]; // of the machine, by running slot
    uint64_t started[FEED_SLOTS];              // their blocks that have started
    uint32_t next_kernel;
    uint64_t seed, hash; // hash: of all answers
    bool look;           // compare the world around each call
    bool over;           // an invalid answer, after which the run cannot continue
};

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

static void broken(struct life *x, enum hd_contract_rule rule, const char *what)
{
    struct hd_contract *c = x->out;

    if (c->broken[rule])
        return;
    c->broken[rule] = what;
    snprintf(c->where[rule], sizeof c->where[rule], "%s(), seed %llu, cycle %llu", c->doing,
             (unsigned long long)x->seed, (unsigned long long)x->world->v.cycle);
    if (!c->failure)
        c->failure = what;
}

static size_t whole(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static size_t piece(const struct hd_policy *p, unsigned i)
{
    return i == 0 ? p->gpu_bytes : i == 1 ? p->sm_bytes : HD_MAX_SCHEDULERS * p->sched_bytes;
}

static char *piece_at(const struct life *x, const struct state *st, unsigned i)
{
    char *at = st->bytes + GUARD;

    for (unsigned k = 0; k < i; k++)
        at += whole(piece(x->policy, k)) + GUARD;
    return at;
}

static struct hd_pstate pstate(const struct life *x, const struct state *st, int s)
{
    return (struct hd_pstate){piece_at(x, st, 0), piece_at(x, st, 1),
                              piece_at(x, st, 2) + (size_t)s * x->policy->sched_bytes, x->params};
}

static void new_state(struct life *x, struct hd_arena *a, struct state *st)
{
    st->bytes = hd_arena_get(a, x->used, 1);
    memset(st->bytes, GUARD_BYTE, x->used);
    for (unsigned i = 0; i < 3; i++)
        memset(piece_at(x, st, i), 0, piece(x->policy, i));
}

static bool guards_hold(const struct life *x, const struct state *st)
{
    const char *at = st->bytes, *end = st->bytes + x->used;

    for (unsigned i = 0; i <= 3; i++) {
        const char *next = i < 3 ? piece_at(x, st, i) : end;
        for (; at < next; at++)
            if (*at != (char)GUARD_BYTE)
                return false;
        if (i < 3)
            at = next + piece(x->policy, i);
    }
    return true;
}

static void copy_state(const struct life *x, struct state *to, const struct state *from)
{
    memcpy(to->bytes, from->bytes, x->used);
}

static bool same_state(const struct life *x, const struct state *a, const struct state *b)
{
    return !memcmp(a->bytes, b->bytes, x->used);
}

// Called before and after each call of the policy.
static void enter(struct life *x, const struct state *st, const char *function)
{
    x->out->doing = function;
    x->out->calls++;
    if (x->look) {
        memcpy(x->seen, x->world, sizeof *x->world);
        copy_state(x, &x->call, st);
    }
}

#define ALL_LOOKED_AT 4096 // calls

// s: the scheduler that was called, HD_NONE: all may have been written.
static void leave(struct life *x, const struct state *st, int s)
{
    size_t bytes = x->policy->sched_bytes;

    if (!guards_hold(x, st)) {
        broken(x, HD_CONTRACT_STATE, "bytes outside its state have changed");
        x->over = true;
    }
    if (memcmp(x->params, x->params_before, x->policy->params_bytes) != 0) {
        broken(x, HD_CONTRACT_VIEW, "its parameters have changed");
        memcpy(x->params, x->params_before, x->policy->params_bytes);
    }
    if (!x->look)
        return;
    // Both are copies made by memcpy, padding included.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(x->seen, x->world, sizeof *x->world) != 0) {
        broken(x, HD_CONTRACT_VIEW, "the view has changed");
        memcpy(x->world, x->seen, sizeof *x->world);
    }
    for (int k = 0; k < HD_MAX_SCHEDULERS && s != HD_NONE; k++)
        if (k != s && memcmp(pstate(x, st, k).sched, pstate(x, &x->call, k).sched, bytes) != 0)
            broken(x, HD_CONTRACT_STATE, "another scheduler's state has changed");
}

static void expect_pure(struct life *x, const char *what)
{
    if (!same_state(x, &x->state, &x->before)) {
        broken(x, HD_CONTRACT_PURE, what);
        copy_state(x, &x->state, &x->before);
    }
}

static void mix(struct life *x, const struct state *st, uint64_t answer)
{
    if (st == &x->state)
        x->hash = (x->hash ^ answer) * UINT64_C(0x100000001b3);
}

#define FEED_SMS 5

// The machine as its policies see it: every SM looks like this one. `views` has FEED_SMS entries.
static struct hd_gpu_view machine_view(struct life *x, const struct hd_view **views)
{
    struct hd_gpu_view v = {.cycle = x->world->v.cycle,
                            .n_sms = FEED_SMS,
                            .sms = views,
                            .kernels = x->kernels,
                            .running = x->next_kernel ? hd_low(FEED_SLOTS) : 0,
                            .last_kernel = HD_NONE};

    for (unsigned i = 0; i < FEED_SMS; i++)
        views[i] = &x->world->v;
    return v;
}

static void on_event(struct world *w, const struct hd_event *e)
{
    struct life *x = w->teller;

    if (x->policy->gpu_events & HD_ON(e->kind) && x->policy->on_gpu) {
        const struct hd_view *views[FEED_SMS];
        struct hd_gpu_view v = machine_view(x, views);
        enter(x, &x->state, "on_gpu");
        x->policy->on_gpu(pstate(x, &x->state, 0), &v, e, 0);
        leave(x, &x->state, HD_NONE);
    }
    if (x->policy->events & HD_ON(e->kind) && x->policy->on) {
        enter(x, &x->state, "on");
        x->policy->on(pstate(x, &x->state, 0), &w->v, e);
        leave(x, &x->state, HD_NONE);
    }
}

// first() and fetch() have the same rules. s = HD_NONE: fetch.
static int ask(struct life *x, struct state *st, int s, uint64_t mask)
{
    const struct hd_view *v = &x->world->v;

    x->out->masks++;
    enter(x, st, s == HD_NONE ? "fetch" : "first");
    int w = s == HD_NONE ? x->policy->fetch(pstate(x, st, 0), v, mask)
                         : x->policy->first(pstate(x, st, s), v, s, mask);
    leave(x, st, s);
    mix(x, st, (uint64_t)w);
    return w;
}

static bool among(uint64_t mask, int w)
{
    return w >= 0 && w < 64 && hd_has(mask, w);
}

static void check_order(struct life *x, int s)
{
    struct world *w = x->world;
    uint64_t own = s == HD_NONE ? hd_low(w->v.n_warps) : w->v.mine[s];
    uint64_t m1 = own & world_draw(w) & world_draw(w), m2 = own & world_draw(w);

    if (!m1 || !m2)
        return;
    copy_state(x, &x->before, &x->state);
    copy_state(x, &x->copy, &x->state);
    int both = ask(x, &x->state, s, m1 | m2), one = ask(x, &x->state, s, m1);
    if (!among(m1 | m2, both) || !among(m1, one))
        broken(x, HD_CONTRACT_CANDIDATES, "chooses a warp outside the mask");
    else if (hd_has(m1, both) && one != both)
        broken(x, HD_CONTRACT_ORDER, "its choices are not an order");
    expect_pure(x, s == HD_NONE ? "fetch is not pure" : "first is not pure");
    if (ask(x, &x->copy, s, m1 | m2) != both)
        broken(x, HD_CONTRACT_AGAIN, "a copied state chooses another warp");
}

// A policy for blocks: it names an SM with room or none, whatever was placed in this cycle.
static int ask_place(struct life *x, struct state *st, const struct hd_gpu_view *v,
                     const uint64_t *room)
{
    enter(x, st, "place");
    int sm = x->policy->place(pstate(x, st, 0), v, 0, room);
    leave(x, st, HD_NONE);
    mix(x, st, (uint64_t)sm);
    return sm;
}

static void check_place(struct life *x)
{
    enum { SMS = 130, WORDS = (SMS + 63) / 64 };
    struct world *w = x->world;
    const struct hd_view *views[SMS];
    uint64_t room[WORDS] = {0}, kept[WORDS];
    struct hd_kernel_view kernel = {.tbs = 1000, .tbs_started = w->next_tb};
    struct hd_gpu_view v = {.cycle = w->v.cycle,
                            .n_sms = 1 + world_below(w, SMS),
                            .sms = views,
                            .kernels = &kernel,
                            .running = 1};

    for (unsigned i = 0; i < v.n_sms; i++) {
        views[i] = &w->v;
        room[i / 64] |= world_below(w, 4) ? 0 : hd_bit((int)(i % 64));
    }
    while (!x->over) {
        copy_state(x, &x->copy, &x->state);
        memcpy(kept, room, sizeof room);
        int sm = ask_place(x, &x->state, &v, room);
        x->out->masks++;
        if (memcmp(kept, room, sizeof room) != 0) {
            broken(x, HD_CONTRACT_VIEW, "the set of SMs with room has changed");
            return;
        }
        if (ask_place(x, &x->copy, &v, room) != sm)
            broken(x, HD_CONTRACT_AGAIN, "a copied state places on another SM");
        if (sm == HD_NONE)
            return;
        if (sm < 0 || sm >= (int)v.n_sms || !hd_has(room[sm / 64], sm % 64)) {
            broken(x, HD_CONTRACT_CANDIDATES, "places on an SM without room");
            return;
        }
        room[sm / 64] &= ~hd_bit(sm % 64);
        v.last_sm = (uint32_t)sm;
        kernel.tbs_started++;
    }
}

static int ask_kernel(struct life *x, struct state *st, const struct hd_gpu_view *v,
                      uint64_t runnable)
{
    enter(x, st, "next_kernel");
    int k = x->policy->next_kernel(pstate(x, st, 0), v, runnable);
    leave(x, st, HD_NONE);
    mix(x, st, (uint64_t)k);
    return k;
}

// A policy for kernels: it names one that has blocks.
static void check_next_kernel(struct life *x)
{
    enum { SLOTS = 8 };
    struct world *w = x->world;
    struct hd_kernel_view kernels[SLOTS];
    struct hd_gpu_view v = {.cycle = w->v.cycle,
                            .n_sms = 1,
                            .kernels = kernels,
                            .running = hd_low(SLOTS),
                            .last_kernel = (int32_t)world_below(w, SLOTS + 1u) - 1};
    uint64_t runnable = 1 + world_below(w, (1u << SLOTS) - 1);

    for (unsigned k = 0; k < SLOTS; k++)
        kernels[k] = (struct hd_kernel_view){.id = k * 7 % SLOTS + w->next_tb,
                                             .stream = world_below(w, 4),
                                             .tbs = 100,
                                             .tbs_started = world_below(w, 100),
                                             .start_cycle = world_below(w, 5)};
    copy_state(x, &x->copy, &x->state);
    int k = ask_kernel(x, &x->state, &v, runnable);
    x->out->masks++;
    if (ask_kernel(x, &x->copy, &v, runnable) != k)
        broken(x, HD_CONTRACT_AGAIN, "a copied state chooses another kernel");
    if (!among(runnable, k))
        broken(x, HD_CONTRACT_CANDIDATES, "chooses a kernel without blocks");
}

// Kernels all of whose blocks have started end at some time, and others start in their slots.
static void renew_kernels(struct life *x)
{
    struct world *w = x->world;

    for (uint32_t k = 0; k < FEED_SLOTS; k++) {
        struct hd_kernel_view *v = &x->kernels[k];
        bool child = world_below(w, 4) != 0;
        if (x->next_kernel >= FEED_SLOTS && (v->tbs_started < v->tbs || world_below(w, 3)))
            continue;
        *v = (struct hd_kernel_view){.id = x->next_kernel++,
                                     .stream = world_below(w, 3),
                                     .tbs = 1 + world_below(w, FEED_BLOCKS),
                                     .parent_kernel = child ? v->id : UINT32_MAX,
                                     .parent_tb = child ? world_below(w, 4) : UINT32_MAX,
                                     .start_cycle = w->v.cycle,
                                     .key = x->next_kernel,
                                     .mark = child ? world_below(w, 7) : 0,
                                     .depth = child ? 1 + world_below(w, 6) : 0,
                                     .parent_sm = child ? world_below(w, FEED_SMS) : HD_NO_SM,
                                     .children = world_below(w, 2),
                                     .launches = world_below(w, 2)};
        x->started[k] = 0;
    }
}

static bool ask_feed(struct life *x, struct state *st, const struct hd_gpu_view *v, int sm,
                     uint64_t fits, struct hd_pick *pick)
{
    *pick = (struct hd_pick){HD_NONE, HD_NEXT_TB};
    enter(x, st, "feed");
    bool fed = x->policy->feed(pstate(x, st, 0), v, sm, fits, pick);
    leave(x, st, HD_NONE);
    mix(x, st, fed ? (uint64_t)pick->slot << 32 | pick->tb : UINT64_MAX);
    return fed;
}

static void note_start(struct life *x, const struct hd_pick *pick)
{
    struct hd_kernel_view *k = &x->kernels[pick->slot];
    uint32_t tb = pick->tb;

    if (tb == HD_NEXT_TB)
        tb = (uint32_t)hd_first(~x->started[pick->slot]);
    if (tb >= k->tbs || hd_has(x->started[pick->slot], (int)tb)) {
        broken(x, HD_CONTRACT_CANDIDATES, "starts a block that does not exist, or twice");
        x->over = true;
        return;
    }
    x->started[pick->slot] |= hd_bit((int)tb);
    k->tbs_started++;
}

// A policy that feeds SMs: it names a kernel that fits and a block that has not started, or none.
static void check_feed(struct life *x)
{
    struct world *w = x->world;
    const struct hd_view *views[FEED_SMS];
    struct hd_kernel_view kept[FEED_SLOTS];
    struct hd_pick pick, again;

    renew_kernels(x);
    for (int sm = 0; sm < FEED_SMS && !x->over; sm++) {
        struct hd_gpu_view v = machine_view(x, views);
        uint64_t fits = world_draw(w) & hd_low(FEED_SLOTS);
        for (int k = 0; k < FEED_SLOTS; k++)
            if (x->kernels[k].tbs_started == x->kernels[k].tbs)
                fits &= ~hd_bit(k);
        if (!fits)
            continue;
        copy_state(x, &x->copy, &x->state);
        memcpy(kept, x->kernels, sizeof kept);
        bool fed = ask_feed(x, &x->state, &v, sm, fits, &pick);
        x->out->masks++;
        if (ask_feed(x, &x->copy, &v, sm, fits, &again) != fed ||
            (fed && (again.slot != pick.slot || again.tb != pick.tb)))
            broken(x, HD_CONTRACT_AGAIN, "a copied state feeds another block");
        for (int k = 0; k < FEED_SLOTS; k++)
            if (kept[k].tbs_started != x->kernels[k].tbs_started || kept[k].id != x->kernels[k].id)
                broken(x, HD_CONTRACT_VIEW, "the view of the kernels has changed");
        if (fed && !among(fits, pick.slot)) {
            broken(x, HD_CONTRACT_CANDIDATES, "feeds a block of a kernel that does not fit");
            x->over = true;
        } else if (fed) {
            note_start(x, &pick);
        }
    }
}

static size_t ask_admit(struct life *x, struct state *st, const struct hd_gpu_view *v,
                        const struct hd_ready *ready, size_t n)
{
    enter(x, st, "admit");
    size_t i = x->policy->admit(pstate(x, st, 0), v, ready, n);
    leave(x, st, HD_NONE);
    mix(x, st, i);
    return i;
}

// A policy that admits kernels: it names one of the list.
static void check_admit(struct life *x)
{
    enum { READY = 20 };
    struct world *w = x->world;
    const struct hd_view *views[FEED_SMS];
    struct hd_gpu_view v = machine_view(x, views);
    struct hd_ready ready[READY];
    size_t n = 1 + world_below(w, READY);

    for (size_t i = 0; i < n; i++) {
        bool child = world_below(w, 3) != 0;
        ready[i] = (struct hd_ready){.id = x->next_kernel + (uint32_t)i,
                                     .mark = child ? world_below(w, 7) : 0,
                                     .stream = world_below(w, 3),
                                     .tbs = 1 + world_below(w, 100),
                                     .depth = child ? 1 + world_below(w, 6) : 0,
                                     .parent_kernel = child ? world_below(w, 9) : UINT32_MAX,
                                     .parent_tb = child ? world_below(w, 4) : UINT32_MAX,
                                     .since = i,
                                     .key = i + 1};
    }
    copy_state(x, &x->copy, &x->state);
    size_t i = ask_admit(x, &x->state, &v, ready, n);
    x->out->masks++;
    if (ask_admit(x, &x->copy, &v, ready, n) != i)
        broken(x, HD_CONTRACT_AGAIN, "a copied state admits another kernel");
    if (i >= n)
        broken(x, HD_CONTRACT_CANDIDATES, "admits a kernel that is not in the list");
}

static uint32_t ask_mark(struct life *x, struct state *st, const struct hd_gpu_view *v,
                         const struct hd_event *e)
{
    enter(x, st, "mark");
    uint32_t word = x->policy->mark(pstate(x, st, 0), v, e, 0);
    leave(x, st, HD_NONE);
    mix(x, st, word);
    return word;
}

// A policy that marks launches: any word will do.
static void check_mark(struct life *x)
{
    struct world *w = x->world;
    int warp = world_pick(w, w->v.live);
    const struct hd_view *views[FEED_SMS];
    struct hd_gpu_view v = machine_view(x, views);
    struct hd_event e = {.kind = HD_EV_CHILD_LAUNCH, .kernel = x->next_kernel};

    if (warp == HD_NONE)
        return;
    e.warp = (uint8_t)warp;
    e.tb = w->tb_of[warp];
    e.sched = (uint8_t)((unsigned)warp % w->v.n_sched);
    copy_state(x, &x->copy, &x->state);
    uint32_t word = ask_mark(x, &x->state, &v, &e);
    if (ask_mark(x, &x->copy, &v, &e) != word)
        broken(x, HD_CONTRACT_AGAIN, "a copied state marks with another word");
}

static unsigned ask_limit(struct life *x, struct state *st)
{
    enter(x, st, "tb_limit");
    unsigned limit = x->policy->tb_limit(pstate(x, st, 0), &x->world->v);
    leave(x, st, HD_NONE);
    mix(x, st, limit);
    return limit;
}

static void check_tb_limit(struct life *x)
{
    copy_state(x, &x->before, &x->state);
    copy_state(x, &x->copy, &x->state);
    unsigned limit = ask_limit(x, &x->state);
    if (!limit)
        broken(x, HD_CONTRACT_CANDIDATES, "allows no block at all");
    expect_pure(x, "tb_limit is not pure");
    if (ask_limit(x, &x->copy) != limit)
        broken(x, HD_CONTRACT_AGAIN, "a copied state has another limit");
}

static uint64_t eligible(struct life *x, struct state *st, int s)
{
    const struct hd_view *v = &x->world->v;

    if (!x->policy->eligible)
        return v->mine[s];
    enter(x, st, "eligible");
    uint64_t e = x->policy->eligible(pstate(x, st, s), v, s);
    leave(x, st, s);
    mix(x, st, e);
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

static void check_eligible(struct life *x, int s)
{
    struct hd_view *v = &x->world->v;

    copy_state(x, &x->before, &x->state);
    copy_state(x, &x->copy, &x->state);
    uint64_t e = eligible(x, &x->state, s);
    if (e & ~v->mine[s])
        broken(x, HD_CONTRACT_CANDIDATES, "eligible names slots of another scheduler");
    expect_pure(x, "eligible is not pure");
    if (eligible(x, &x->copy, s) != e)
        broken(x, HD_CONTRACT_AGAIN, "a copied state has other eligible warps");
    // Otherwise the core remembers the answer while the warps stay as they are.
    if (!x->policy->begin && !(x->policy->flags & HD_EVERY_CYCLE)) {
        struct hd_view kept = *v;
        change_passing(v);
        if (eligible(x, &x->state, s) != e)
            broken(x, HD_CONTRACT_ELIGIBLE, "eligible depends on what only begin may look at");
        *v = kept;
    }
}

static unsigned lost_class(const struct life *x, uint64_t e)
{
    const struct hd_view *v = &x->world->v;

    return e & hd_ready(v)   ? HD_STALL_PIPELINE
           : e & hd_valid(v) ? HD_STALL_SCOREBOARD
                             : HD_STALL_IDLE;
}

static void begin(struct life *x, struct state *st, int s, uint64_t n)
{
    if (!x->policy->begin)
        return;
    enter(x, st, "begin");
    x->policy->begin(pstate(x, st, s), &x->world->v, s, n);
    leave(x, st, s);
}

static void end(struct life *x, struct state *st, int s, uint64_t n, unsigned outcome,
                uint64_t visited)
{
    if (!x->policy->end)
        return;
    enter(x, st, "end");
    x->policy->end(pstate(x, st, s), &x->world->v, s, n, outcome, visited);
    leave(x, st, s);
}

// n cycles without issue, in one call.
static void pass(struct life *x, struct state *st, uint64_t n)
{
    for (; n > 1 && (x->policy->flags & HD_LOST_SINGLY); n--)
        pass(x, st, 1);
    for (int s = 0; s < x->world->v.n_sched; s++) {
        begin(x, st, s, n);
        uint64_t e = eligible(x, st, s);
        end(x, st, s, n, lost_class(x, e), e);
    }
}

static uint64_t ask_wakes(struct life *x, struct state *st, int s)
{
    enter(x, st, "wakes");
    uint64_t at = x->policy->wakes(pstate(x, st, s), &x->world->v, s);
    leave(x, st, s);
    mix(x, st, at);
    return at;
}

static uint64_t earliest_wake(struct life *x)
{
    uint64_t wake = UINT64_MAX;

    copy_state(x, &x->before, &x->state);
    copy_state(x, &x->copy, &x->state);
    for (int s = 0; s < x->world->v.n_sched && x->policy->wakes; s++) {
        uint64_t at = ask_wakes(x, &x->state, s);
        if (at <= x->world->v.cycle) {
            broken(x, HD_CONTRACT_WAKES, "wakes in the past");
            x->over = true;
        }
        if (ask_wakes(x, &x->copy, s) != at)
            broken(x, HD_CONTRACT_AGAIN, "a copied state wakes in another cycle");
        wake = at < wake ? at : wake;
    }
    expect_pure(x, "wakes is not pure");
    return wake;
}

struct seen { // of a scheduler's warps, by the core
    uint64_t ready;
    bool valid;
};

static struct seen see(struct life *x, struct state *st, int s)
{
    const struct hd_view *v = &x->world->v;
    uint64_t e = eligible(x, st, s);

    return (struct seen){e & hd_ready(v), (e & hd_valid(v)) != 0};
}

// One by one, into x->one_by_one; x->once is the state after the first. `before`: what the core saw
// before them, which must not change, or NULL.
static void step(struct life *x, uint64_t n, const struct seen *before)
{
    struct world *w = x->world;

    for (uint64_t k = 0; k < n; k++) {
        w->v.cycle++;
        for (int s = 0; s < w->v.n_sched; s++) {
            begin(x, &x->one_by_one, s, 1);
            struct seen now = see(x, &x->one_by_one, s);
            if (before && (now.ready != before[s].ready || now.valid != before[s].valid))
                broken(x, HD_CONTRACT_WAKES, "wakes too late");
            uint64_t e = eligible(x, &x->one_by_one, s);
            end(x, &x->one_by_one, s, 1, lost_class(x, e), e);
        }
        if (!k)
            copy_state(x, &x->once, &x->one_by_one);
    }
}

// The cycles up to the next wake: nothing the core relies on may change in them, and one call for
// all must be the same as one by one, or as the first alone if that was promised.
static void check_skip(struct life *x)
{
    struct world *w = x->world;
    uint64_t now = w->v.cycle, wake = earliest_wake(x), n = 1 + world_below(w, LONGEST_SKIP);
    struct seen before[HD_MAX_SCHEDULERS] = {0};

    if (x->over || wake <= now + 1)
        return;
    n = n < wake - now - 1 ? n : wake - now - 1;
    copy_state(x, &x->one_by_one, &x->state);
    copy_state(x, &x->at_once, &x->state);
    for (int s = 0; s < w->v.n_sched; s++)
        before[s] = see(x, &x->state, s);
    step(x, n, before);
    if (n && (x->policy->flags & HD_LOST_ONCE) && !same_state(x, &x->one_by_one, &x->once))
        broken(x, HD_CONTRACT_SKIP, "HD_LOST_ONCE, but a lost cycle repeated changes something");
    w->v.cycle = now + 1;
    pass(x, &x->at_once, n);
    w->v.cycle = now;
    if (!same_state(x, &x->one_by_one, &x->at_once)) {
        x->out->doing = "begin, end";
        broken(x, HD_CONTRACT_SKIP, "n cycles at once differ from n single ones");
    }
}

// The same for a policy with HD_LOST_SINGLY: the core makes up for lost cycles later.
static void check_lost_singly(struct life *x)
{
    struct world *w = x->world;
    uint64_t now = w->v.cycle, n = 1 + world_below(w, LONGEST_SKIP);
    uint64_t seen[HD_MAX_SCHEDULERS];
    bool same = true;

    copy_state(x, &x->one_by_one, &x->state);
    copy_state(x, &x->at_once, &x->state);
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
    if (!same || !same_state(x, &x->one_by_one, &x->at_once)) {
        x->out->doing = "begin, end";
        broken(x, HD_CONTRACT_SKIP,
               "HD_LOST_SINGLY, but a lost cycle depends on more than the warps");
    }
}

// A scheduler's cycle as the core runs it.
static void schedule(struct life *x, int s)
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
        if (!among(ready, chosen)) {
            broken(x, HD_CONTRACT_CANDIDATES, "chooses a warp outside the mask");
            x->over = true;
            return;
        }
        seen = hd_bit(chosen);
        outcome = HD_ISSUED;
        world_issue(w, chosen);
    }
    end(x, &x->state, s, 1, outcome, seen);
}

static void let_time_pass(struct life *x)
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

static void one_cycle(struct life *x)
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
        check_place(x);
    if (p->next_kernel && !x->over)
        check_next_kernel(x);
    if (p->feed && !x->over)
        check_feed(x);
    if (p->admit && !x->over)
        check_admit(x);
    if (p->mark && !x->over)
        check_mark(x);
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

static struct life *new_life(struct hd_arena *a, struct hd_contract *out, const struct hd_policy *p,
                             const void *params, uint64_t seed)
{
    struct life *x = HD_NEW(a, life);
    size_t bytes = p->params_bytes + 1;

    *x = (struct life){.out = out, .policy = p, .seed = seed, .hash = 1};
    x->params = hd_arena_get(a, bytes, 1);
    x->params_before = hd_arena_get(a, bytes, 1);
    if (params) {
        memcpy(x->params, params, p->params_bytes);
        memcpy(x->params_before, params, p->params_bytes);
    }
    for (unsigned i = 0; i < 3; i++)
        x->used += whole(piece(p, i)) + GUARD;
    x->used += GUARD;
    struct state *const states[N_STATES] = {&x->state,   &x->before, &x->copy, &x->one_by_one,
                                            &x->at_once, &x->once,   &x->call};
    for (unsigned i = 0; i < N_STATES; i++)
        new_state(x, a, states[i]);
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
    struct life *x = new_life(a, out, p, params, seed);

    for (unsigned i = 0; i < n_cycles && !x->over; i++)
        one_cycle(x);
    hd_arena_free(a);
}

void hd_contract_interleave(struct hd_contract *out, const struct hd_policy *p, const void *params,
                            uint64_t seed, unsigned n_cycles)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_contract unseen = {.doing = ""};
    struct life *alone = new_life(a, &unseen, p, params, seed), *again, *other;

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
    if (again->hash != alone->hash || !same_state(again, &again->state, &alone->state))
        broken(again, HD_CONTRACT_INSTANCES,
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
    if (hd_registry_flags_slip(p))
        return hd_registry_flags_slip(p);
    if (p->events && !p->on)
        return "it asks for events, but on is missing";
    if (!p->events && p->on)
        return "it has on, but asks for no events";
    if (p->gpu_events && !p->on_gpu)
        return "it asks for gpu_events, but on_gpu is missing";
    if (!p->gpu_events && p->on_gpu)
        return "it has on_gpu, but asks for no gpu_events";
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
