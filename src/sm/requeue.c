// requeue.c - the re-execution queue of the load/store unit: memory instructions that a cache or
// the network refused wait here, so that those of other warps, and other caches, go on.
//
// It is NewCAR of ELF (Park et al., SC 2015, section 3.4), or CAR of Mascar (Sethia et al., HPCA
// 2015) with requeue.per_warp=1 and requeue.order=fifo. An instruction enters if one of its
// accesses was refused, or if it must not pass an entry of its own warp: a load may pass loads, and
// nothing else passes anything (ELF, Figure 6). Entries are served while the queue is full or the
// unit is idle, or after they have waited for requeue.patience cycles: without that, warps that
// read one place again and again until another warp has written it would leave that warp's entry no
// turn. Once refused, an entry is tried again only after something has changed, so that cycles in
// which the SM sleeps would have done nothing.
//
// This file has the queue itself. ldst.c sends the accesses, in and outside the queue.
#include "sm/sm_internal.h"

void hd_requeue_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_requeue *c = &sm->cfg->requeue;

    if (!c->entries)
        return;
    sm->ldst.queue = HD_NEW(a, hd_requeue);
    sm->ldst.queue->capacity = (uint8_t)c->entries;
    sm->ldst.queue->per_warp = (uint8_t)c->per_warp;
}

static struct hd_memop *memop_at(const struct hd_sm *sm, unsigned place)
{
    return &sm->ldst.ops[sm->ldst.queue->entries[place].uop.memop];
}

static bool by_access(const struct hd_sm *sm)
{
    return sm->cfg->requeue.unit == HD_REQUEUE_ACCESS;
}

// Entries that an instruction takes with the accesses that it has left. A fence has none.
static unsigned entries_of(const struct hd_sm *sm, const struct hd_memop *op)
{
    return by_access(sm) && op->n ? op->n : 1;
}

// Whether an instruction may pass all entries of its warp. Other warps do not matter.
static bool passes_all(const struct hd_requeue *q, unsigned w, unsigned kind)
{
    return !q->others[w] && (kind == HD_KIND_LOAD || !q->loads[w]);
}

// An instruction in shared memory or without an active lane needs no cache, and the completion of
// asynchronous copies is ordered by async.c.
static bool is_apart(const struct hd_sm *sm, const struct hd_uop *uop, const struct hd_memop *op)
{
    return op->space == HD_SPACE_SHARED || (sm->program->deps[uop->pc].flags & HD_DEP_ASYNC) ||
           (!op->n && op->kind != HD_KIND_MEMBAR);
}

enum hd_requeue_turn hd_requeue_turn(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;
    const struct hd_requeue *q = u->queue;
    const struct hd_uop *uop = &u->dispatch;
    const struct hd_memop *op = &u->ops[uop->memop];

    if (!u->dispatch_full)
        return HD_TURN_EMPTY;
    if (is_apart(sm, uop, op))
        return HD_TURN_APART;
    if (q->n == q->capacity || (q->per_warp && q->insts[uop->warp] >= q->per_warp))
        return HD_TURN_HELD;
    if (!(u->asleep & HD_ASLEEP_HERE) && passes_all(q, uop->warp, op->kind))
        return HD_TURN_TRY;
    return q->n + entries_of(sm, op) <= q->capacity ? HD_TURN_QUEUE : HD_TURN_HELD;
}

// Finds the eligible entries of a warp again.
static void look_at_warp(struct hd_requeue *q, const struct hd_ldst *u, unsigned w)
{
    bool loads = false, others = false; // older entries

    for (unsigned i = 0; i < q->n; i++) {
        bool load = u->ops[q->entries[i].uop.memop].kind == HD_KIND_LOAD;
        if (q->entries[i].uop.warp != w)
            continue;
        if (others || (loads && !load))
            q->eligible &= ~hd_bit((int)i);
        else
            q->eligible |= hd_bit((int)i);
        loads |= load;
        others |= !load;
    }
}

void hd_requeue_push(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    struct hd_requeue *q = u->queue;
    const struct hd_memop *op = &u->ops[u->dispatch.memop];
    unsigned n = entries_of(sm, op), w = u->dispatch.warp;
    bool refused = u->asleep & HD_ASLEEP_HERE;
    uint8_t *of_kind;

    HD_BUG_IF(q->n + n > q->capacity, "%u entries for a re-execution queue with %u of %u in use", n,
              q->n, q->capacity);
    u->asleep &= ~HD_ASLEEP_HERE;
    if (refused)
        u->asleep |= hd_bit(q->n); // the access that goes first
    for (unsigned i = 0; i < n; i++) {
        if (op->way == HD_PAST_L1D)
            q->outside |= hd_bit(q->n);
        q->entries[q->n++] = (struct hd_requeue_entry){
            .uop = u->dispatch, .access = (uint16_t)(op->n ? op->n - 1 - i : 0)};
    }
    *(refused ? &sm->stats.requeue_refused : &sm->stats.requeue_ordered) += n;
    of_kind = op->kind == HD_KIND_LOAD ? &q->loads[w] : &q->others[w];
    *of_kind = (uint8_t)(*of_kind + n);
    q->insts[w]++;
    look_at_warp(q, u, w);
    u->dispatch_full = false;
}

int hd_requeue_next(const struct hd_sm *sm)
{
    const struct hd_requeue *q = sm->ldst.queue;
    uint64_t among = q->eligible;

    if (sm->cfg->requeue.order == HD_REQUEUE_FIFO)
        among &= 1;
    else if (sm->cfg->requeue.retry == HD_REQUEUE_OLDEST)
        among &= ~among + 1; // its lowest bit
    return hd_rotate_from(among & ~sm->ldst.asleep, q->next);
}

bool hd_requeue_impatient(const struct hd_sm *sm)
{
    uint32_t patience = sm->cfg->requeue.patience;

    return patience && sm->ldst.queue->waited >= patience && hd_requeue_next(sm) != HD_NONE;
}

uint64_t hd_requeue_forced(const struct hd_sm *sm, uint64_t cycle)
{
    uint64_t patience = sm->cfg->requeue.patience, waited = sm->ldst.queue->waited;

    if (!patience)
        return UINT64_MAX;
    return cycle + 1 + (waited < patience ? patience - waited : 0);
}

unsigned hd_requeue_access(const struct hd_sm *sm, int place)
{
    return by_access(sm) ? sm->ldst.queue->entries[place].access
                         : memop_at(sm, (unsigned)place)->n - 1u;
}

void hd_requeue_refused(struct hd_sm *sm, int place)
{
    sm->ldst.asleep |= hd_bit(place);
    sm->ldst.queue->next = (uint8_t)(place + 1);
    sm->ldst.queue->waited = 0;
}

// A set without the place, after which the later places have moved by one.
static uint64_t without(uint64_t set, int place)
{
    uint64_t low = hd_low((unsigned)place);

    return (set & low) | (set >> 1 & ~low);
}

void hd_requeue_sent(struct hd_sm *sm, int place)
{
    struct hd_ldst *u = &sm->ldst;
    struct hd_requeue *q = u->queue;
    const struct hd_memop *op = memop_at(sm, (unsigned)place);
    unsigned w = q->entries[place].uop.warp;

    q->next = (uint8_t)place;
    if (op->n && !by_access(sm))
        return;
    q->waited = 0;
    sm->stats.requeue_completed++;
    --*(op->kind == HD_KIND_LOAD ? &q->loads[w] : &q->others[w]);
    if (!op->n)
        q->insts[w]--;
    q->n--;
    for (unsigned i = (unsigned)place; i < q->n; i++)
        q->entries[i] = q->entries[i + 1];
    q->eligible = without(q->eligible, place);
    q->outside = without(q->outside, place);
    u->asleep = without(u->asleep & ~HD_ASLEEP_HERE, place) | (u->asleep & HD_ASLEEP_HERE);
    look_at_warp(q, u, w);
}

uint32_t hd_requeue_waits_for(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;
    const struct hd_memop *here = &u->ops[u->dispatch.memop];
    uint64_t waiting = u->asleep & u->queue->outside;
    uint32_t least = HD_NO_ROOM_NEEDED;
    int i;

    if (u->asleep & HD_ASLEEP_HERE && here->way == HD_PAST_L1D)
        least = hd_memop_sends(here, here->n - 1u);
    HD_EACH(i, waiting) {
        uint32_t bytes = hd_memop_sends(memop_at(sm, (unsigned)i), hd_requeue_access(sm, i));
        least = bytes < least ? bytes : least;
    }
    return least;
}

void hd_requeue_look_at_network(struct hd_sm *sm)
{
    uint32_t bytes;

    if (!sm->ldst.asleep)
        return;
    bytes = hd_requeue_waits_for(sm);
    if (bytes != HD_NO_ROOM_NEEDED &&
        sm->mem.ops->room(sm->mem.self, sm->index, HD_REQ_WRITE, bytes))
        hd_requeue_wake(&sm->ldst);
}
