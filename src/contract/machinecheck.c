// machinecheck.c - see machinecheck.h.
#include "contract/machinecheck.h"

#include "contract/world.h"

#include <string.h>

#define FEED_BLOCKS 64 // of a kernel, at most

struct hd_gpu_view hd_machinecheck_view(struct hd_life *x, const struct hd_view **views)
{
    struct hd_gpu_view v = {.cycle = x->world->v.cycle,
                            .n_sms = HD_MACHINECHECK_SMS,
                            .sms = views,
                            .kernels = x->kernels,
                            .running = x->next_kernel ? hd_low(HD_LIFE_SLOTS) : 0,
                            .last_kernel = HD_NONE};

    for (unsigned i = 0; i < HD_MACHINECHECK_SMS; i++)
        views[i] = &x->world->v;
    return v;
}

// A policy for blocks: it names an SM with room or none, whatever was placed in this cycle.
static int ask_place(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                     const uint64_t *room)
{
    hd_life_enter(x, st, "place");
    int sm = x->policy->place(hd_life_pstate(x, st, 0), v, 0, room);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, (uint64_t)sm);
    return sm;
}

void hd_machinecheck_place(struct hd_life *x)
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
        hd_life_copy(x, &x->copy, &x->state);
        memcpy(kept, room, sizeof room);
        int sm = ask_place(x, &x->state, &v, room);
        x->out->masks++;
        if (memcmp(kept, room, sizeof room) != 0) {
            hd_life_broken(x, HD_CONTRACT_VIEW, "the set of SMs with room has changed");
            return;
        }
        if (ask_place(x, &x->copy, &v, room) != sm)
            hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state places on another SM");
        if (sm == HD_NONE)
            return;
        if (sm < 0 || sm >= (int)v.n_sms || !hd_has(room[sm / 64], sm % 64)) {
            hd_life_broken(x, HD_CONTRACT_CANDIDATES, "places on an SM without room");
            return;
        }
        room[sm / 64] &= ~hd_bit(sm % 64);
        v.last_sm = (uint32_t)sm;
        kernel.tbs_started++;
    }
}

static int ask_kernel(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                      uint64_t runnable)
{
    hd_life_enter(x, st, "next_kernel");
    int k = x->policy->next_kernel(hd_life_pstate(x, st, 0), v, runnable);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, (uint64_t)k);
    return k;
}

// A policy for kernels: it names one that has blocks.
void hd_machinecheck_next_kernel(struct hd_life *x)
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
    hd_life_copy(x, &x->copy, &x->state);
    int k = ask_kernel(x, &x->state, &v, runnable);
    x->out->masks++;
    if (ask_kernel(x, &x->copy, &v, runnable) != k)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state chooses another kernel");
    if (!hd_life_among(runnable, k))
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "chooses a kernel without blocks");
}

// Kernels all of whose blocks have started end at some time, and others start in their slots.
static void renew_kernels(struct hd_life *x)
{
    struct world *w = x->world;

    for (uint32_t k = 0; k < HD_LIFE_SLOTS; k++) {
        struct hd_kernel_view *v = &x->kernels[k];
        bool child = world_below(w, 4) != 0;
        if (x->next_kernel >= HD_LIFE_SLOTS && (v->tbs_started < v->tbs || world_below(w, 3)))
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
                                     .parent_sm =
                                         child ? world_below(w, HD_MACHINECHECK_SMS) : HD_NO_SM,
                                     .children = world_below(w, 2),
                                     .launches = world_below(w, 2)};
        x->started[k] = 0;
    }
}

static bool ask_feed(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                     int sm, uint64_t fits, struct hd_pick *pick)
{
    *pick = (struct hd_pick){HD_NONE, HD_NEXT_TB};
    hd_life_enter(x, st, "feed");
    bool fed = x->policy->feed(hd_life_pstate(x, st, 0), v, sm, fits, pick);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, fed ? (uint64_t)pick->slot << 32 | pick->tb : UINT64_MAX);
    return fed;
}

static void note_start(struct hd_life *x, const struct hd_pick *pick)
{
    struct hd_kernel_view *k = &x->kernels[pick->slot];
    uint32_t tb = pick->tb;

    if (tb == HD_NEXT_TB)
        tb = (uint32_t)hd_first(~x->started[pick->slot]);
    if (tb >= k->tbs || hd_has(x->started[pick->slot], (int)tb)) {
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "starts a block that does not exist, or twice");
        x->over = true;
        return;
    }
    x->started[pick->slot] |= hd_bit((int)tb);
    k->tbs_started++;
}

// A policy that feeds SMs: it names a kernel that fits and a block that has not started, or none.
void hd_machinecheck_feed(struct hd_life *x)
{
    struct world *w = x->world;
    const struct hd_view *views[HD_MACHINECHECK_SMS];
    struct hd_kernel_view kept[HD_LIFE_SLOTS];
    struct hd_pick pick, again;

    renew_kernels(x);
    for (int sm = 0; sm < HD_MACHINECHECK_SMS && !x->over; sm++) {
        struct hd_gpu_view v = hd_machinecheck_view(x, views);
        uint64_t fits = world_draw(w) & hd_low(HD_LIFE_SLOTS);
        for (int k = 0; k < HD_LIFE_SLOTS; k++)
            if (x->kernels[k].tbs_started == x->kernels[k].tbs)
                fits &= ~hd_bit(k);
        if (!fits)
            continue;
        hd_life_copy(x, &x->copy, &x->state);
        memcpy(kept, x->kernels, sizeof kept);
        bool fed = ask_feed(x, &x->state, &v, sm, fits, &pick);
        x->out->masks++;
        if (ask_feed(x, &x->copy, &v, sm, fits, &again) != fed ||
            (fed && (again.slot != pick.slot || again.tb != pick.tb)))
            hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state feeds another block");
        for (int k = 0; k < HD_LIFE_SLOTS; k++)
            if (kept[k].tbs_started != x->kernels[k].tbs_started || kept[k].id != x->kernels[k].id)
                hd_life_broken(x, HD_CONTRACT_VIEW, "the view of the kernels has changed");
        if (fed && !hd_life_among(fits, pick.slot)) {
            hd_life_broken(x, HD_CONTRACT_CANDIDATES,
                           "feeds a block of a kernel that does not fit");
            x->over = true;
        } else if (fed) {
            note_start(x, &pick);
        }
    }
}

static size_t ask_admit(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                        const struct hd_ready *ready, size_t n)
{
    hd_life_enter(x, st, "admit");
    size_t i = x->policy->admit(hd_life_pstate(x, st, 0), v, ready, n);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, i);
    return i;
}

// A kernel that may start, with the number i after all others.
static struct hd_ready some_ready(struct hd_life *x, uint32_t i, bool child)
{
    struct world *w = x->world;

    return (struct hd_ready){.id = x->next_kernel + i,
                             .mark = child ? world_below(w, 7) : 0,
                             .stream = world_below(w, 3),
                             .tbs = 1 + world_below(w, 100),
                             .depth = child ? 1 + world_below(w, 6) : 0,
                             .parent_kernel = child ? world_below(w, 9) : UINT32_MAX,
                             .parent_tb = child ? world_below(w, 4) : UINT32_MAX,
                             .since = i,
                             .key = i + 1};
}

// A policy that admits kernels: it names one of the list.
void hd_machinecheck_admit(struct hd_life *x)
{
    enum { READY = 20 };
    struct world *w = x->world;
    const struct hd_view *views[HD_MACHINECHECK_SMS];
    struct hd_gpu_view v = hd_machinecheck_view(x, views);
    struct hd_ready ready[READY];
    size_t n = 1 + world_below(w, READY);

    for (size_t i = 0; i < n; i++)
        ready[i] = some_ready(x, (uint32_t)i, world_below(w, 3) != 0);
    hd_life_copy(x, &x->copy, &x->state);
    size_t i = ask_admit(x, &x->state, &v, ready, n);
    x->out->masks++;
    if (ask_admit(x, &x->copy, &v, ready, n) != i)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state admits another kernel");
    if (i >= n)
        hd_life_broken(x, HD_CONTRACT_CANDIDATES, "admits a kernel that is not in the list");
}

static uint32_t ask_mark(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                         const struct hd_event *e)
{
    hd_life_enter(x, st, "mark");
    uint32_t word = x->policy->mark(hd_life_pstate(x, st, 0), v, e, 0);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, word);
    return word;
}

// A policy that marks launches: any word will do.
void hd_machinecheck_mark(struct hd_life *x)
{
    struct world *w = x->world;
    int warp = world_pick(w, w->v.live);
    const struct hd_view *views[HD_MACHINECHECK_SMS];
    struct hd_gpu_view v = hd_machinecheck_view(x, views);
    struct hd_event e = {.kind = HD_EV_CHILD_LAUNCH, .kernel = x->next_kernel};

    if (warp == HD_NONE)
        return;
    e.warp = (uint8_t)warp;
    e.tb = w->tb_of[warp];
    e.sched = (uint8_t)((unsigned)warp % w->v.n_sched);
    hd_life_copy(x, &x->copy, &x->state);
    uint32_t word = ask_mark(x, &x->state, &v, &e);
    if (ask_mark(x, &x->copy, &v, &e) != word)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state marks with another word");
}

static uint32_t ask_remark(struct hd_life *x, struct hd_life_state *st, const struct hd_gpu_view *v,
                           const struct hd_ready *kernel, enum hd_mark_time now)
{
    hd_life_enter(x, st, "remark");
    uint32_t word = x->policy->remark(hd_life_pstate(x, st, 0), v, kernel, now, 0);
    hd_life_leave(x, st, HD_NONE);
    hd_life_mix(x, st, word);
    return word;
}

// One that marks them again.
void hd_machinecheck_remark(struct hd_life *x)
{
    const struct hd_view *views[HD_MACHINECHECK_SMS];
    struct hd_gpu_view v = hd_machinecheck_view(x, views);
    struct hd_ready kernel = some_ready(x, 0, true);
    enum hd_mark_time now = world_below(x->world, 2) ? HD_MARK_SLOT : HD_MARK_READY;

    hd_life_copy(x, &x->copy, &x->state);
    uint32_t word = ask_remark(x, &x->state, &v, &kernel, now);
    if (ask_remark(x, &x->copy, &v, &kernel, now) != word)
        hd_life_broken(x, HD_CONTRACT_AGAIN, "a copied state marks again with another word");
}
