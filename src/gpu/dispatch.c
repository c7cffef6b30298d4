// dispatch.c - which SM gets the next thread block (timing-model 2.2, 2.3).
//
// Once per cycle, after the SMs have stepped, SMs are visited, beginning after the one that
// received the last block; each takes at most one. The pointer is not reset between kernels; it
// starts in front of launch.first_sm, which is SM 1 in the reference. A policy in the slot `tb` may
// choose the SM instead (hd_policy.place), or which block of which kernel the SM takes
// (hd_policy.feed). With sm.share an SM takes blocks of every kernel that fits beside those it
// holds.
#include "gpu/gpu_internal.h"

#include "base/blame.h"
#include "emu/parked_block.h"

static uint32_t blocks_of(const struct hd_gpu *g, const struct hd_running *k)
{
    return k->launch && !k->opens ? k->n_tbs - k->given + g->queue[k->launch->id].n_back : 0;
}

// What policies see as the number of blocks that wait for the SM of a kernel.
static uint32_t pending(const struct hd_gpu *g, const struct hd_running *k)
{
    return g->residents ? g->tbs_left : blocks_of(g, k);
}

static bool has_blocks(const struct hd_gpu *g, const struct hd_running *k)
{
    return blocks_of(g, k) != 0;
}

// The kernels with blocks, in their running slots.
static uint64_t with_blocks(const struct hd_gpu *g)
{
    uint64_t all = 0;

    for (int k = 0; k < (int)g->n_slots; k++)
        if (has_blocks(g, &g->running[k]))
            all |= hd_bit(k);
    return all;
}

// Those of these kernels of which SM i, which is shared, could take a block.
static uint64_t that_fit(const struct hd_gpu *g, unsigned i, uint64_t kernels)
{
    uint64_t fit = 0;
    int k;

    HD_EACH(k, kernels)
        if (hd_residents_fits(g, i, k))
            fit |= hd_bit(k);
    return fit;
}

// Whether SM i could take a block of the kernel it is bound to, or be bound to a kernel that has
// blocks.
static bool could_take(const struct hd_gpu *g, unsigned i)
{
    if (g->residents)
        return that_fit(g, i, with_blocks(g)) != 0;
    if (g->bound[i] == HD_NONE)
        return true;
    return has_blocks(g, &g->running[g->bound[i]]) && hd_sm_free_tbs(g->sms[i]);
}

// Whether it could take one of this kernel, which has blocks.
static bool could_take_of(const struct hd_gpu *g, unsigned i, int slot)
{
    if (g->residents)
        return hd_residents_fits(g, i, slot);
    return g->bound[i] == HD_NONE || (g->bound[i] == slot && could_take(g, i));
}

bool hd_dispatch_possible(struct hd_gpu *g)
{
    if (!g->tbs_left || g->full)
        return false;
    for (unsigned i = 0; i < g->n_sms; i++)
        if (could_take(g, i))
            return true;
    g->full = !g->limited;
    return false;
}

// The kernel whose block an SM receives: of a set, the policy's choice, or the next slot in turn.
// HD_NONE if the set is empty.
static int choose_kernel(struct hd_gpu *g, uint64_t runnable)
{
    int own = g->slot[HD_SLOT_KERNEL_POLICY];

    if (runnable && own != HD_NONE && g->policies[own].choice.policy->next_kernel) {
        const struct hd_gpu_policy *p = &g->policies[own];
        struct hd_kernel_view kernels[HD_RUNNING];
        struct hd_gpu_view v;
        hd_view_machine(g, &v, kernels);
        int k = p->choice.policy->next_kernel(hd_gpu_policy_machine(p), &v, runnable);
        if (k < 0 || k >= (int)g->n_slots || !hd_has(runnable, k))
            hd_blame_policy(p->choice.policy, "next_kernel",
                            "answered %d in cycle %llu; it was asked for one of %s", k,
                            (unsigned long long)g->cycle, hd_blame_set(runnable));
        return k;
    }
    return hd_rotate_from(runnable, g->last_kernel + 1);
}

static bool has_started(const struct hd_running *k, uint32_t tb)
{
    return tb < k->next_tb || (k->named && hd_has(k->named[tb / 64], (int)(tb % 64)));
}

// A block that starts now: this one, which has not started, or the next in order.
static uint32_t start_block(struct hd_gpu *g, struct hd_running *k, uint32_t tb)
{
    if (tb == HD_NEXT_TB)
        tb = k->next_tb;
    else if (tb != k->next_tb && !k->named)
        k->named = HD_ARRAY(g->arena, uint64_t, (k->n_tbs + UINT64_C(63)) / 64);
    if (k->named)
        k->named[tb / 64] |= hd_bit((int)(tb % 64));
    k->next_tb += tb == k->next_tb;
    while (k->named && k->next_tb < k->n_tbs && has_started(k, k->next_tb))
        k->next_tb++;
    k->given++;
    return tb;
}

// Gives the SM, which is bound to the kernel, a block that returns, else this block.
static void place(struct hd_gpu *g, unsigned sm, int slot, uint32_t tb)
{
    struct hd_running *k = &g->running[slot];
    const struct hd_launch *l = k->launch;
    struct hd_parked_block *parked = hd_parked_take_back(g, l->id); // before new ones
    uint32_t id = parked ? parked->linear : start_block(g, k, tb);
    uint32_t index[3] = {id % l->grid[0], id / l->grid[0] % l->grid[1],
                         id / l->grid[0] / l->grid[1]};
    unsigned tb_slot;

    g->tbs_left--;
    hd_sm_set_pending(g->sms[sm], pending(g, k));
    if (parked) {
        struct hd_tb back = {
            .launch = l, .index = {index[0], index[1], index[2]}, .linear = id, .parked = parked};
        tb_slot = hd_sm_place_again(g->sms[sm], &back, &parked->barriers);
    } else {
        tb_slot = hd_sm_place(g->sms[sm], l, index, id);
    }
    if (g->residents)
        hd_running_placed(g, sm, slot, tb_slot);
    g->live[sm]++;
    hd_machine_wake(g, sm);
    g->last_sm = sm;
}

// The reference's round; it reads `from` once.
static void round_robin(struct hd_gpu *g)
{
    unsigned from = g->last_sm + 1;

    for (unsigned i = 0; i < g->n_sms && g->tbs_left; i++) {
        unsigned sm = (from + i) % g->n_sms;
        if (g->bound[sm] == HD_NONE)
            hd_running_bind(g, sm, choose_kernel(g, with_blocks(g)));
        if (has_blocks(g, &g->running[g->bound[sm]]) && hd_sm_free_tbs(g->sms[sm]))
            place(g, sm, g->bound[sm], HD_NEXT_TB);
    }
}

// The same for SMs that are shared.
static void round_robin_shared(struct hd_gpu *g)
{
    unsigned from = g->last_sm + 1;

    for (unsigned i = 0; i < g->n_sms && g->tbs_left; i++) {
        unsigned sm = (from + i) % g->n_sms;
        int slot = choose_kernel(g, that_fit(g, sm, with_blocks(g)));
        if (slot == HD_NONE)
            continue;
        hd_running_bind(g, sm, slot);
        place(g, sm, slot, HD_NEXT_TB);
    }
}

// The policy chooses an SM for the next block of a kernel, until it chooses none for any kernel. An
// SM receives at most one block per cycle.
static void by_policy(struct hd_gpu *g)
{
    const struct hd_gpu_policy *p = &g->policies[g->slot[HD_SLOT_TB]];
    struct hd_pstate st = hd_gpu_policy_machine(p);
    uint64_t taken[HD_MAX_SMS / 64] = {0}, room[HD_MAX_SMS / 64] = {0};
    struct hd_kernel_view kernels[HD_RUNNING];
    uint64_t refused = 0; // kernels
    struct hd_gpu_view v;
    int slot, sm;

    while (g->tbs_left && (slot = choose_kernel(g, with_blocks(g) & ~refused)) != HD_NONE) {
        for (unsigned i = 0; i < g->n_sms; i++) {
            bool free = could_take_of(g, i, slot);
            uint64_t bit = hd_bit((int)(i % 64));
            room[i / 64] =
                free && !(taken[i / 64] & bit) ? room[i / 64] | bit : room[i / 64] & ~bit;
        }
        hd_view_machine(g, &v, kernels);
        sm = p->choice.policy->place(st, &v, slot, room);
        if (sm == HD_NONE) {
            refused |= hd_bit(slot);
            continue;
        }
        if (sm < 0 || (unsigned)sm >= g->n_sms || !hd_has(room[sm / 64], sm % 64))
            hd_blame_policy(p->choice.policy, "place",
                            "answered %d in cycle %llu: an SM without room, or none of the %u", sm,
                            (unsigned long long)g->cycle, g->n_sms);
        taken[sm / 64] |= hd_bit(sm % 64);
        if (g->residents || g->bound[sm] == HD_NONE)
            hd_running_bind(g, (unsigned)sm, slot);
        place(g, (unsigned)sm, slot, HD_NEXT_TB);
    }
}

// The kernels of which the SM could take a block now.
static uint64_t takes(const struct hd_gpu *g, unsigned sm)
{
    if (g->residents)
        return that_fit(g, sm, with_blocks(g));
    if (g->bound[sm] == HD_NONE)
        return with_blocks(g);
    return could_take(g, sm) ? hd_bit(g->bound[sm]) : 0;
}

// Those of them with a block that returns.
static uint64_t returning(const struct hd_gpu *g, uint64_t kernels)
{
    uint64_t back = 0;
    int k;

    HD_EACH(k, kernels)
        if (g->queue[g->running[k].launch->id].n_back)
            back |= hd_bit(k);
    return back;
}

// The policy chooses a block for the SM; false if it wants none.
static bool ask_feed(struct hd_gpu *g, unsigned sm, uint64_t fits, struct hd_pick *pick)
{
    const struct hd_gpu_policy *p = &g->policies[g->slot[HD_SLOT_TB]];
    struct hd_kernel_view kernels[HD_RUNNING];
    struct hd_gpu_view v;

    *pick = (struct hd_pick){HD_NONE, HD_NEXT_TB};
    hd_view_machine(g, &v, kernels);
    if (!p->choice.policy->feed(hd_gpu_policy_state(p, sm), &v, (int)sm, fits, pick))
        return false;
    if (pick->slot < 0 || pick->slot >= (int)g->n_slots || !hd_has(fits, pick->slot))
        hd_blame_policy(p->choice.policy, "feed",
                        "chose the kernel in slot %d in cycle %llu; SM %u can take a block of one "
                        "of %s",
                        pick->slot, (unsigned long long)g->cycle, sm, hd_blame_set(fits));
    const struct hd_running *k = &g->running[pick->slot];
    if (pick->tb != HD_NEXT_TB && (pick->tb >= k->n_tbs || has_started(k, pick->tb)))
        hd_blame_policy(p->choice.policy, "feed",
                        "chose block %u of the kernel in slot %d in cycle %llu, which %s", pick->tb,
                        pick->slot, (unsigned long long)g->cycle,
                        pick->tb >= k->n_tbs ? "it does not have" : "has started already");
    return true;
}

// Each SM asks the policy for a block. One that returns goes to the first SM with room for it.
static void by_feed(struct hd_gpu *g)
{
    unsigned from = g->last_sm + 1;

    for (unsigned i = 0; i < g->n_sms && g->tbs_left; i++) {
        unsigned sm = (from + i) % g->n_sms;
        uint64_t could = takes(g, sm), back = returning(g, could), fresh = 0;
        struct hd_pick pick = {hd_first(back), HD_NEXT_TB};
        int k;
        HD_EACH(k, could)
            if (g->running[k].given < g->running[k].n_tbs)
                fresh |= hd_bit(k);
        if (!back && (!fresh || !ask_feed(g, sm, fresh, &pick)))
            continue;
        if (g->residents || g->bound[sm] == HD_NONE)
            hd_running_bind(g, sm, pick.slot);
        place(g, sm, pick.slot, pick.tb);
    }
}

// Informs policies that no block of a kernel is left, on SMs that have received blocks of it.
static void report_slow_shared(struct hd_gpu *g)
{
    for (int slot = 0; slot < (int)g->n_slots; slot++) {
        struct hd_running *k = &g->running[slot];
        for (unsigned w = 0; k->launch && !has_blocks(g, k) && w < HD_MAX_SMS / 64; w++) {
            uint64_t news = k->started_on[w] & ~k->slow_on[w];
            int i;
            k->slow_on[w] |= news;
            HD_EACH(i, news)
                hd_sm_event(g->sms[w * 64 + (unsigned)i],
                            &(struct hd_event){.kind = HD_EV_PHASE_SLOW, .kernel = k->launch->id});
        }
    }
}

void hd_dispatch_cycle(struct hd_gpu *g)
{
#ifdef HD_DEBUG
    if (g->residents)
        hd_residents_check(g);
#endif
    if (!hd_dispatch_possible(g))
        return;
    for (unsigned i = 0; i < g->n_sms; i++)
        hd_machine_catch_up(g, i);
    if (g->slot[HD_SLOT_TB] != HD_NONE && g->policies[g->slot[HD_SLOT_TB]].choice.policy->place)
        by_policy(g);
    else if (g->slot[HD_SLOT_TB] != HD_NONE)
        by_feed(g);
    else if (g->residents)
        round_robin_shared(g);
    else
        round_robin(g);
    if (g->residents)
        report_slow_shared(g);
    for (unsigned i = 0; i < g->n_sms; i++) {
        if (g->bound[i] == HD_NONE)
            continue;
        const struct hd_running *k = &g->running[g->bound[i]];
        hd_sm_set_pending(g->sms[i], pending(g, k));
        if (!g->residents && !has_blocks(g, k) && g->reported_slow[i] != k->launch->id + 1) {
            g->reported_slow[i] = k->launch->id + 1;
            hd_sm_event(g->sms[i],
                        &(struct hd_event){.kind = HD_EV_PHASE_SLOW, .kernel = k->launch->id});
        }
    }
}
