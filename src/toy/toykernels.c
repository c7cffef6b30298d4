// toykernels.c - the kernels of an example: which of them runs, and which SM gets which block.
//
// It asks the policies what src/gpu asks them: admit, mark and remark about kernels, next_kernel,
// place and feed about blocks. All kernels are ready at once after their launch has taken its time;
// blocks never leave an SM before they end.
#include "toy/toy_internal.h"

#include "base/blame.h"
#include "base/bug.h"

static const struct hd_policy *policy_of(const struct hd_toy_machine *m, enum hd_slot slot)
{
    return m->of[slot] ? m->of[slot]->policy : NULL;
}

static struct hd_pstate state_of(const struct hd_toy_machine *m, enum hd_slot slot, uint32_t sm)
{
    return hd_toysm_state(m, m->of[slot], sm);
}

static void tell_all(struct hd_toy_machine *m, struct hd_event e)
{
    for (uint32_t i = 0; i < m->toy->sms; i++)
        hd_toysm_tell(&m->sms[i], e);
}

static void show_pending(struct hd_toy_machine *m)
{
    for (uint32_t i = 0; i < m->toy->sms; i++)
        m->sms[i].v.tbs_pending = m->pending;
}

// --- kernels

static struct hd_ready ready_of(const struct hd_toy_machine *m, uint32_t kernel)
{
    const struct hd_toy_launch *l = &m->launches[kernel];

    return (struct hd_ready){.id = l->id,
                             .mark = l->mark,
                             .tbs = m->toy->kernels[kernel].n_tbs,
                             .depth = l->depth,
                             .parent_kernel = l->parent_kernel,
                             .parent_tb = l->parent_tb,
                             .since = l->when,
                             .key = kernel + 1};
}

void hd_toykernels_launch(struct hd_toy_sm *t, int w, uint32_t kernel)
{
    struct hd_toy_machine *m = t->m;
    struct hd_toy_launch *l = &m->launches[kernel];
    const struct hd_policy *p = policy_of(m, HD_SLOT_KERNEL_POLICY);
    struct hd_event e = hd_toysm_event(t, HD_EV_CHILD_LAUNCH, w);
    struct hd_toy_launch *parent = &m->launches[m->toy->tbs[t->tb_at[e.tb]].kernel];

    if (l->state != HD_TOY_ASLEEP)
        return;
    e.kernel = m->n_launched++;
    *l = (struct hd_toy_launch){.state = HD_TOY_COMING,
                                .when = t->v.cycle + m->toy->launch,
                                .id = e.kernel,
                                .depth = parent->depth + 1,
                                .parent_kernel = parent->id,
                                .parent_tb = t->tbs[e.tb].global_id,
                                .parent_sm = t->index,
                                .parent = (uint32_t)(parent - m->launches),
                                .given = l->given};
    parent->children++;
    parent->open++;
    m->running[parent->slot].children++;
    if (p && p->mark)
        l->mark = p->mark(state_of(m, HD_SLOT_KERNEL_POLICY, t->index), &m->v, &e, (int)t->index);
    hd_toysm_tell(t, e);
}

static void remark(struct hd_toy_machine *m, uint32_t kernel, enum hd_mark_time now)
{
    struct hd_toy_launch *l = &m->launches[kernel];
    const struct hd_policy *p = policy_of(m, HD_SLOT_KERNEL_POLICY);
    struct hd_ready r = ready_of(m, kernel);

    if (p && p->remark && l->parent_sm != HD_NO_SM)
        l->mark = p->remark(state_of(m, HD_SLOT_KERNEL_POLICY, l->parent_sm), &m->v, &r, now,
                            (int)l->parent_sm);
}

static void start_kernel(struct hd_toy_machine *m, uint32_t kernel)
{
    struct hd_toy_launch *l = &m->launches[kernel];
    const struct hd_toy_kernel *k = &m->toy->kernels[kernel];

    remark(m, kernel, HD_MARK_SLOT);
    l->state = HD_TOY_RUNNING;
    l->slot = hd_first(~m->v.running);
    HD_BUG_IF(l->slot == HD_NONE, "no running slot is free");
    m->in_slot[l->slot] = kernel;
    m->v.running |= hd_bit(l->slot);
    m->running[l->slot] = (struct hd_kernel_view){.id = l->id,
                                                  .tbs = k->n_tbs,
                                                  .parent_kernel = l->parent_kernel,
                                                  .parent_tb = l->parent_tb,
                                                  .start_cycle = m->v.cycle,
                                                  .key = kernel + 1,
                                                  .mark = l->mark,
                                                  .depth = l->depth,
                                                  .parent_sm = l->parent_sm,
                                                  .children = l->children,
                                                  .launches = k->launches};
    m->pending += k->n_tbs;
    show_pending(m);
    tell_all(m, (struct hd_event){.kind = HD_EV_KERNEL_START, .kernel = l->id});
}

void hd_toykernels_begin(struct hd_toy_machine *m)
{
    for (uint32_t i = 0; i < m->toy->n_kernels; i++) {
        struct hd_toy_launch *l = &m->launches[i];
        l->given = HD_ARRAY(m->arena, bool, m->toy->kernels[i].n_tbs + 1);
        if (m->toy->kernels[i].child)
            continue;
        l->state = HD_TOY_READY;
        l->id = m->n_launched++;
        l->parent_kernel = l->parent_tb = UINT32_MAX;
        l->parent_sm = HD_NO_SM;
    }
}

// Whether ready kernel x stands before y in the list that policies are shown.
static bool precedes(const struct hd_toy_launch *x, const struct hd_toy_launch *y)
{
    if (x->when != y->when)
        return x->when < y->when;
    if (!x->depth != !y->depth)
        return !x->depth;
    return x->id < y->id;
}

// The kernels that may start, in that order; `which` has their numbers in the example.
static size_t list_ready(const struct hd_toy_machine *m, struct hd_ready *list, uint32_t *which)
{
    size_t n = 0, at;

    for (uint32_t i = 0; i < m->toy->n_kernels; i++) {
        if (m->launches[i].state != HD_TOY_READY)
            continue;
        for (at = n++; at && precedes(&m->launches[i], &m->launches[which[at - 1]]); at--)
            which[at] = which[at - 1];
        which[at] = i;
    }
    for (size_t i = 0; i < n; i++)
        list[i] = ready_of(m, which[i]);
    return n;
}

static void start_kernels(struct hd_toy_machine *m)
{
    const struct hd_policy *p = policy_of(m, HD_SLOT_KERNEL_POLICY);
    struct hd_ready list[HD_TOY_KERNELS];
    uint32_t which[HD_TOY_KERNELS];
    size_t n, i;

    for (uint32_t k = 0; k < m->toy->n_kernels; k++)
        if (m->launches[k].state == HD_TOY_COMING && m->launches[k].when <= m->v.cycle) {
            m->launches[k].state = HD_TOY_READY;
            remark(m, k, HD_MARK_READY);
        }
    while ((uint32_t)hd_count(m->v.running) < m->toy->slots &&
           (n = list_ready(m, list, which)) != 0) {
        if (p && p->admit) {
            i = p->admit(state_of(m, HD_SLOT_KERNEL_POLICY, 0), &m->v, list, n);
            if (i >= n)
                hd_blame_policy(p, "admit",
                                "answered %zu in cycle %llu; it was asked for one of %zu kernels",
                                i, (unsigned long long)m->v.cycle, n);
        } else {
            for (i = 0; i < n && list[i].depth; i++)
                ;
            i = i < n ? i : 0;
        }
        start_kernel(m, which[i]);
    }
}

// --- blocks

// Running slots whose kernels have blocks that have not started.
static uint64_t waiting(const struct hd_toy_machine *m)
{
    uint64_t set = 0;
    int k;

    HD_EACH(k, m->v.running)
        if (m->running[k].tbs_started < m->running[k].tbs)
            set |= hd_bit(k);
    return set;
}

static uint32_t next_tb(const struct hd_toy_machine *m, uint32_t kernel)
{
    struct hd_toy_launch *l = &m->launches[kernel];

    while (l->given[l->next])
        l->next++;
    return l->next;
}

static void count_start(struct hd_toy_sm *t, uint32_t kernel, uint32_t tb)
{
    struct hd_toy_machine *m = t->m;
    struct hd_toy_launch *l = &m->launches[kernel];

    l->given[tb] = true;
    l->started++;
    m->running[l->slot].tbs_started++;
    m->pending--;
    m->v.last_sm = t->index;
    m->v.last_kernel = l->slot;
    show_pending(m);
}

// Starts a block of a running kernel in a free slot of the SM.
static void start_tb(struct hd_toy_sm *t, unsigned slot, uint32_t kernel, uint32_t tb)
{
    count_start(t, kernel, tb);
    hd_toysm_start(t, slot, kernel, tb);
}

void hd_toykernels_start_next(struct hd_toy_sm *t, unsigned slot)
{
    uint64_t set = waiting(t->m);

    if (set) {
        uint32_t kernel = t->m->in_slot[hd_first(set)];
        start_tb(t, slot, kernel, next_tb(t->m, kernel));
    }
}

// A kernel may be complete, and then its parent, too.
static void complete(struct hd_toy_machine *m, struct hd_toy_launch *l)
{
    while (l->state == HD_TOY_ENDED && !l->open) {
        tell_all(m, (struct hd_event){.kind = HD_EV_KERNEL_COMPLETE,
                                      .kernel = l->id,
                                      .flags = l->children ? HD_KERNEL_PARENT : 0});
        if (l->parent_kernel == UINT32_MAX)
            return;
        l = &m->launches[l->parent];
        l->open--;
    }
}

void hd_toykernels_tb_ended(struct hd_toy_sm *t, uint32_t kernel)
{
    struct hd_toy_machine *m = t->m;
    struct hd_toy_launch *l = &m->launches[kernel];

    m->running[l->slot].tbs_done++;
    if (++l->done < m->toy->kernels[kernel].n_tbs)
        return;
    tell_all(m, (struct hd_event){.kind = HD_EV_KERNEL_END, .kernel = l->id});
    l->state = HD_TOY_ENDED;
    m->v.running &= ~hd_bit(l->slot);
    complete(m, l);
}

static void start(struct hd_toy_machine *m, uint32_t sm, int slot, uint32_t tb)
{
    struct hd_toy_sm *t = &m->sms[sm];
    uint32_t kernel = m->in_slot[slot];

    start_tb(t, (unsigned)hd_first(~t->v.tb_live), kernel,
             tb == HD_NEXT_TB ? next_tb(m, kernel) : tb);
}

// Each SM with room asks the policy, the one after the last served first.
static void feed(struct hd_toy_machine *m, const struct hd_policy *p)
{
    uint32_t first = m->v.last_sm + 1;

    for (uint32_t i = 0; i < m->toy->sms; i++) {
        uint32_t sm = (first + i) % m->toy->sms;
        struct hd_pick pick = {HD_NONE, HD_NEXT_TB};
        uint64_t fits = hd_toysm_room(&m->sms[sm]) ? waiting(m) : 0;
        if (!fits || !p->feed(state_of(m, HD_SLOT_TB, sm), &m->v, (int)sm, fits, &pick))
            continue;
        if (!hd_toy_answers(fits, pick.slot))
            hd_blame_policy(p, "feed",
                            "chose the kernel in slot %d in cycle %llu; SM %u can take a block of "
                            "one of %s",
                            pick.slot, (unsigned long long)m->v.cycle, sm, hd_blame_set(fits));
        const struct hd_toy_launch *l = &m->launches[m->in_slot[pick.slot]];
        if (pick.tb != HD_NEXT_TB && (pick.tb >= m->running[pick.slot].tbs || l->given[pick.tb]))
            hd_blame_policy(p, "feed",
                            "chose block %u of the kernel in slot %d in cycle %llu, which it does "
                            "not have or which has started already",
                            pick.tb, pick.slot, (unsigned long long)m->v.cycle);
        start(m, sm, pick.slot, pick.tb);
    }
}

// The kernel's policy chooses a kernel, and the blocks' policy an SM for it.
static void place(struct hd_toy_machine *m)
{
    const struct hd_policy *blocks = policy_of(m, HD_SLOT_TB),
                           *kernels = policy_of(m, HD_SLOT_KERNEL_POLICY);
    uint64_t room = 0, later = 0, runnable;
    int slot, sm;

    for (uint32_t i = 0; i < m->toy->sms; i++)
        room |= hd_toysm_room(&m->sms[i]) ? hd_bit((int)i) : 0;
    while (room && (runnable = waiting(m) & ~later) != 0) {
        slot = kernels && kernels->next_kernel
                   ? kernels->next_kernel(state_of(m, HD_SLOT_KERNEL_POLICY, 0), &m->v, runnable)
                   : hd_rotate_from(runnable, m->v.last_kernel + 1);
        if (kernels && !hd_toy_answers(runnable, slot))
            hd_blame_policy(kernels, "next_kernel",
                            "answered %d in cycle %llu; it was asked for one of %s", slot,
                            (unsigned long long)m->v.cycle, hd_blame_set(runnable));
        sm = blocks && blocks->place ? blocks->place(state_of(m, HD_SLOT_TB, 0), &m->v, slot, &room)
                                     : hd_rotate_from(room, (int)(m->v.last_sm + 1));
        if (sm == HD_NONE) {
            later |= hd_bit(slot);
            continue;
        }
        if (blocks && !hd_toy_answers(room, sm))
            hd_blame_policy(blocks, "place", "answered SM %d in cycle %llu; room is on %s", sm,
                            (unsigned long long)m->v.cycle, hd_blame_set(room));
        start(m, (uint32_t)sm, slot, HD_NEXT_TB);
        room &= ~hd_bit(sm);
    }
}

void hd_toykernels_step(struct hd_toy_machine *m)
{
    const struct hd_policy *p = policy_of(m, HD_SLOT_TB);

    start_kernels(m);
    if (m->toy->whole && p && p->feed)
        feed(m, p);
    else if (m->toy->whole)
        place(m);
}

bool hd_toykernels_idle(const struct hd_toy_machine *m)
{
    for (uint32_t i = 0; i < m->toy->n_kernels; i++)
        if (m->launches[i].state != HD_TOY_ASLEEP && m->launches[i].state != HD_TOY_ENDED)
            return false;
    return true;
}

uint64_t hd_toykernels_next_cycle(const struct hd_toy_machine *m)
{
    uint64_t next = UINT64_MAX;

    for (uint32_t i = 0; i < m->toy->n_kernels; i++) {
        const struct hd_toy_launch *l = &m->launches[i];
        if (l->state == HD_TOY_COMING && l->when < next)
            next = l->when > m->v.cycle ? l->when : m->v.cycle + 1;
        if (l->state == HD_TOY_READY && (uint32_t)hd_count(m->v.running) < m->toy->slots)
            return m->v.cycle + 1;
    }
    for (uint32_t i = 0; i < m->toy->sms && m->pending; i++)
        if (hd_toysm_room(&m->sms[i]))
            return m->v.cycle + 1;
    return next;
}
