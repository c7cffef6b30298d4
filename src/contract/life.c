// life.c - see life.h.
#include "contract/life.h"

#include "contract/world.h"

#include <stdio.h>
#include <string.h>

#define GUARD 64 // bytes around each piece of state
#define GUARD_BYTE 0xa5

void hd_life_broken(struct hd_life *x, enum hd_contract_rule rule, const char *what)
{
    struct hd_contract *c = x->out;

    if (c->broken[rule])
        return;
    c->broken[rule] = what;
    int n = snprintf(c->where[rule], sizeof c->where[rule], "%s(), seed %llu, ", c->doing,
                     (unsigned long long)x->seed);
    size_t room = sizeof c->where[rule] - (size_t)n;
    if (x->world->v.cycle == UINT64_MAX) // the events before cycle 0
        snprintf(c->where[rule] + n, room, "before the first cycle");
    else
        snprintf(c->where[rule] + n, room, "cycle %llu", (unsigned long long)x->world->v.cycle);
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

static char *piece_at(const struct hd_life *x, const struct hd_life_state *st, unsigned i)
{
    char *at = st->bytes + GUARD;

    for (unsigned k = 0; k < i; k++)
        at += whole(piece(x->policy, k)) + GUARD;
    return at;
}

struct hd_pstate hd_life_pstate(const struct hd_life *x, const struct hd_life_state *st, int s)
{
    return (struct hd_pstate){piece_at(x, st, 0), piece_at(x, st, 1),
                              piece_at(x, st, 2) + (size_t)s * x->policy->sched_bytes, x->params};
}

static void new_state(struct hd_life *x, struct hd_arena *a, struct hd_life_state *st)
{
    st->bytes = hd_arena_get(a, x->used, 1);
    memset(st->bytes, GUARD_BYTE, x->used);
    for (unsigned i = 0; i < 3; i++)
        memset(piece_at(x, st, i), 0, piece(x->policy, i));
}

void hd_life_new_states(struct hd_life *x, struct hd_arena *a)
{
    struct hd_life_state *const states[] = {&x->state,   &x->before, &x->copy, &x->one_by_one,
                                            &x->at_once, &x->once,   &x->call};

    x->used = GUARD;
    for (unsigned i = 0; i < 3; i++)
        x->used += whole(piece(x->policy, i)) + GUARD;
    for (unsigned i = 0; i < sizeof states / sizeof *states; i++)
        new_state(x, a, states[i]);
}

static bool guards_hold(const struct hd_life *x, const struct hd_life_state *st)
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

void hd_life_copy(const struct hd_life *x, struct hd_life_state *to,
                  const struct hd_life_state *from)
{
    memcpy(to->bytes, from->bytes, x->used);
}

bool hd_life_same(const struct hd_life *x, const struct hd_life_state *a,
                  const struct hd_life_state *b)
{
    return !memcmp(a->bytes, b->bytes, x->used);
}

void hd_life_enter(struct hd_life *x, const struct hd_life_state *st, const char *function)
{
    x->out->doing = function;
    x->out->calls++;
    if (x->look) {
        memcpy(x->seen, x->world, sizeof *x->world);
        hd_life_copy(x, &x->call, st);
    }
}

void hd_life_leave(struct hd_life *x, const struct hd_life_state *st, int s)
{
    size_t bytes = x->policy->sched_bytes;

    if (!guards_hold(x, st)) {
        hd_life_broken(x, HD_CONTRACT_STATE, "bytes outside its state have changed");
        x->over = true;
    }
    if (memcmp(x->params, x->params_before, x->policy->params_bytes) != 0) {
        hd_life_broken(x, HD_CONTRACT_VIEW, "its parameters have changed");
        memcpy(x->params, x->params_before, x->policy->params_bytes);
    }
    if (!x->look)
        return;
    // Both are copies made by memcpy, padding included.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(x->seen, x->world, sizeof *x->world) != 0) {
        hd_life_broken(x, HD_CONTRACT_VIEW, "the view has changed");
        memcpy(x->world, x->seen, sizeof *x->world);
    }
    for (int k = 0; k < HD_MAX_SCHEDULERS && s != HD_NONE; k++)
        if (k != s && memcmp(hd_life_pstate(x, st, k).sched, hd_life_pstate(x, &x->call, k).sched,
                             bytes) != 0)
            hd_life_broken(x, HD_CONTRACT_STATE, "another scheduler's state has changed");
}

void hd_life_expect_pure(struct hd_life *x, const char *what)
{
    if (!hd_life_same(x, &x->state, &x->before)) {
        hd_life_broken(x, HD_CONTRACT_PURE, what);
        hd_life_copy(x, &x->state, &x->before);
    }
}

void hd_life_mix(struct hd_life *x, const struct hd_life_state *st, uint64_t answer)
{
    if (st == &x->state)
        x->hash = (x->hash ^ answer) * UINT64_C(0x100000001b3);
}
