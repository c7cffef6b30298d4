// async.c - asynchronous copies under way, the groups and mbarriers that count them, and warps that
// wait for these.
//
// A copy goes through the load/store unit like a load without a register, or like a store; this
// file only counts what is complete. Copies of a warp are numbered in batches: committing a group
// ends a batch, and so does an arrival at an mbarrier that depends on the earlier copies. The last
// HD_BATCHES batches have separate counts, older ones have one together.
//
// A wait for the phase of an mbarrier sleeps, after it has left the load/store unit, until an
// arrival on this SM ends the phase, or for sm.try_wait cycles.
#include "sm/sm_internal.h"

#include <string.h>

#define LANDINGS 16            // copies whose last data arrive in one cycle, at most
#define FIRST_BATCH HD_BATCHES // so that no earlier batch was ever counted

void hd_async_init(struct hd_sm *sm, struct hd_arena *a)
{
    sm->copies = HD_ARRAY(a, struct hd_copies, HD_MAX_WARPS);
    for (unsigned w = 0; w < HD_MAX_WARPS; w++)
        hd_async_start(sm, w);
    if (sm->cfg->sm.copy_latency)
        hd_landed_ring_init(&sm->landed, a, LANDINGS * (sm->cfg->sm.copy_latency + 1));
}

void hd_async_start(struct hd_sm *sm, unsigned w)
{
    struct hd_copies *c = &sm->copies[w];

    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < HD_N_COPY_ORDERS; i++)
        c->order[i].batch = FIRST_BATCH;
    sm->copied &= ~hd_bit((int)w);
}

static void next_batch(struct hd_copy_order *o)
{
    uint16_t *out = &o->out[++o->batch % HD_BATCHES];

    o->older = (uint16_t)(o->older + *out);
    *out = 0;
}

static void complete(struct hd_copy_order *o, uint32_t batch)
{
    if (o->batch - batch < HD_BATCHES)
        o->out[batch % HD_BATCHES]--;
    else
        o->older--;
}

// Are all copies of this batch and those before it complete?
static bool done_through(const struct hd_copy_order *o, uint32_t batch)
{
    if (o->older)
        return false;
    for (uint32_t b = o->batch - (HD_BATCHES - 1); b <= batch; b++)
        if (o->out[b % HD_BATCHES])
            return false;
    return true;
}

static struct hd_copy_order *order_of(struct hd_sm *sm, unsigned w, unsigned kind)
{
    return &sm->copies[w].order[kind == HD_KIND_STORE ? HD_COPY_OUT : HD_COPY_IN];
}

static bool is_bulk_load(const struct hd_deps *d)
{
    return d->kind == HD_KIND_LOAD && !d->bytes;
}

// An arrival does not move data: it is due now, or after the copies in progress.
static void mark(struct hd_sm *sm, unsigned w, uint32_t later)
{
    struct hd_copies *c = &sm->copies[w];
    struct hd_copy_order *o = &c->order[HD_COPY_IN];

    if (c->n_marks == HD_COPY_MARKS || done_through(o, o->batch)) {
        sm->source.ops->complete_async(sm->source.self, later);
        return;
    }
    c->marks[c->n_marks++] = (struct hd_copy_mark){o->batch, later};
    next_batch(o);
}

// Lists the lines of all lanes.
static void spread(struct hd_memop *op, const struct hd_effects *e)
{
    uint32_t total = 0;
    unsigned k = 0;
    int lane;

    HD_EACH(lane, e->exec_mask) {
        uint64_t first = e->addr[lane] / HD_BULK_LINE;
        if (!e->moved[lane])
            continue;
        total += (uint32_t)((e->addr[lane] + e->moved[lane] - 1) / HD_BULK_LINE - first) + 1;
        op->a[++k] = (struct hd_access){
            .addr = e->addr[lane], .lanes = e->moved[lane], .bytes = (uint8_t)lane};
    }
    op->n = 0;
    op->wait = 0;
    op->lines = total;
    op->bulk = (uint8_t)k;
    if (k)
        hd_async_next_piece(op);
}

void hd_async_issue(struct hd_sm *sm, struct hd_memop *op, unsigned w, const struct hd_deps *d,
                    const struct hd_effects *e)
{
    struct hd_copy_order *o = order_of(sm, w, d->kind);

    sm->copied |= hd_bit((int)w);
    if (!d->bytes && e->exec_mask)
        spread(op, e);
    else
        hd_coalesce(sm, op, e, w, d->flags);
    if (d->kind == HD_KIND_ATOMIC) {
        if (e->exec_mask && e->completion)
            mark(sm, w, e->completion);
        return;
    }
    sm->warps[w].stores++; // keeps the warp's slot until it is complete
    sm->stores_out |= hd_bit((int)w);
    if (is_bulk_load(d)) {
        op->copy = HD_COPY_BULK | (e->exec_mask ? e->completion : 0);
        return;
    }
    o->out[o->batch % HD_BATCHES]++;
    op->copy = o->batch;
}

// Puts the next line of the last lane that has any into the first place of the list.
void hd_async_next_piece(struct hd_memop *op)
{
    struct hd_access *from = &op->a[op->bulk];
    uint32_t skew = (uint32_t)(from->addr % HD_BULK_LINE), bytes = HD_BULK_LINE - skew;

    bytes = bytes < from->lanes ? bytes : from->lanes;
    uint32_t room = skew % 32 + bytes <= 32 ? 32 : skew % 64 + bytes <= 64 ? 64 : HD_BULK_LINE;
    op->a[0] = (struct hd_access){.addr = from->addr & ~(uint64_t)(room - 1),
                                  .lanes = 1u << from->bytes,
                                  .bytes = (uint8_t)room};
    op->n++;
    from->addr += bytes;
    from->lanes -= bytes;
    if (!from->lanes)
        op->bulk--;
}

static void wake(struct hd_sm *sm, unsigned w)
{
    sm->phases &= ~hd_bit((int)w);
    hd_warps_wait(sm, &sm->asleep, w, false);
}

static bool group_done(struct hd_sm *sm, unsigned w)
{
    const struct hd_copies *c = &sm->copies[w];

    return done_through(&c->order[c->waits_in], c->waits_through) &&
           !(c->waits_for_stores && sm->warps[w].stores);
}

void hd_async_look_at_group(struct hd_sm *sm, unsigned w)
{
    if (hd_has(sm->asleep & ~sm->phases, (int)w) && group_done(sm, w))
        wake(sm, w);
}

void hd_async_done(struct hd_sm *sm, unsigned w, unsigned direction, uint32_t copy)
{
    struct hd_copies *c = &sm->copies[w];
    uint32_t later = copy & HD_COPY_BULK ? copy & ~HD_COPY_BULK : 0;
    unsigned n = 0;

    if (later)
        sm->source.ops->complete_async(sm->source.self, later);
    else if (!(copy & HD_COPY_BULK))
        complete(&c->order[direction], copy);
    for (; n < c->n_marks && done_through(&c->order[HD_COPY_IN], c->marks[n].batch); n++)
        sm->source.ops->complete_async(sm->source.self, c->marks[n].later);
    if (n) {
        c->n_marks = (uint8_t)(c->n_marks - n);
        memmove(c->marks, c->marks + n, c->n_marks * sizeof *c->marks);
    }
    if (!--sm->warps[w].stores)
        sm->stores_out &= ~hd_bit((int)w);
    hd_async_look_at_group(sm, w);
    if (later || n)
        hd_async_arrived(sm);
}

void hd_async_landed(struct hd_sm *sm, unsigned w, uint32_t copy)
{
    if (!sm->cfg->sm.copy_latency) {
        hd_async_done(sm, w, HD_COPY_IN, copy);
        return;
    }
    hd_landed_ring_push(&sm->landed,
                        (struct hd_landed){.due = sm->view.cycle + sm->cfg->sm.copy_latency,
                                           .copy = copy,
                                           .warp = (uint8_t)w});
}

void hd_async_late(struct hd_sm *sm, uint64_t cycle)
{
    while (!hd_landed_ring_empty(&sm->landed) && hd_landed_ring_head(&sm->landed)->due <= cycle) {
        struct hd_landed l = hd_landed_ring_pop(&sm->landed);
        hd_async_done(sm, l.warp, HD_COPY_IN, l.copy);
    }
}

static void end_group(struct hd_copy_order *o)
{
    o->ends[o->groups++ % (HD_COPIES_MOST + 1)] = o->batch;
    next_batch(o);
}

void hd_async_group(struct hd_sm *sm, unsigned w, const struct hd_effects *e)
{
    struct hd_copies *c = &sm->copies[w];
    bool bulk = e->bar_op >= HD_COPIES_BULK_COMMIT;
    struct hd_copy_order *o = &c->order[bulk ? HD_COPY_OUT : HD_COPY_IN];
    unsigned left = e->barrier;

    if (!e->exec_mask)
        return;
    sm->copied |= hd_bit((int)w);
    if (e->bar_op == HD_COPIES_COMMIT || e->bar_op == HD_COPIES_BULK_COMMIT ||
        e->bar_op == HD_COPIES_ALL)
        end_group(o);
    if (e->bar_op == HD_COPIES_COMMIT || e->bar_op == HD_COPIES_BULK_COMMIT || left >= o->groups)
        return;
    c->waits_in = bulk ? HD_COPY_OUT : HD_COPY_IN;
    c->waits_through = o->ends[(o->groups - 1 - left) % (HD_COPIES_MOST + 1)];
    c->waits_for_stores = e->bar_op == HD_COPIES_BULK_WAIT;
    if (!group_done(sm, w))
        hd_warps_wait(sm, &sm->asleep, w, true);
}

// --- phases

void hd_async_try(struct hd_sm *sm, unsigned w)
{
    if (sm->source.ops->poll(sm->source.self, w, false))
        return;
    sm->phases |= hd_bit((int)w);
    sm->copies[w].until = sm->view.cycle + sm->cfg->sm.try_wait;
    hd_warps_wait(sm, &sm->asleep, w, true);
}

void hd_async_arrived(struct hd_sm *sm)
{
    uint64_t left = sm->phases;
    int w;

    HD_EACH(w, left) {
        if (sm->source.ops->poll(sm->source.self, (unsigned)w, false))
            wake(sm, (unsigned)w);
    }
}

void hd_async_cycle(struct hd_sm *sm, uint64_t cycle)
{
    uint64_t left = sm->phases;
    int w;

    HD_EACH(w, left) {
        if (sm->copies[w].until > cycle)
            continue;
        sm->source.ops->poll(sm->source.self, (unsigned)w, true);
        wake(sm, (unsigned)w);
    }
}

uint64_t hd_async_wakes(const struct hd_sm *sm)
{
    uint64_t earliest = UINT64_MAX;
    int w;

    if (!hd_landed_ring_empty(&sm->landed))
        earliest = hd_landed_ring_head(&sm->landed)->due;
    HD_EACH(w, sm->phases) {
        if (sm->copies[w].until < earliest)
            earliest = sm->copies[w].until;
    }
    return earliest;
}

const char *hd_async_waits_for(const struct hd_sm *sm, int w, char *buf, size_t bytes)
{
    const char *text = hd_has(sm->phases, w)
                           ? sm->source.ops->waits_for(sm->source.self, (unsigned)w, buf, bytes)
                           : NULL;

    return text ? text : "waits for its asynchronous copies";
}
