// ldst.c - the load/store unit, one instruction at a time (timing-model 7.4, 7.6, 7.7).
//
// In each cycle, in this order: writeback, the operand collectors of all sub-cores (not here with
// sm.collector_late), the shared-memory pipe, one reply from the response FIFO, the queues in front
// of the L1D (l1queue.c), then the instruction in the dispatch register: shared memory waits for
// its bank conflicts, other spaces send one access per cycle. This instruction blocks all later
// ones, unless the machine has a re-execution queue (requeue.c): then an instruction that is
// refused goes there. The unit serves all sub-cores, the oldest of their instructions first.
//
// Loads marked .cg and atomics bypass the data cache; if it is switched off, everything does.
#include "sm/sm_internal.h"

void hd_ldst_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_sm *c = &sm->cfg->sm;
    struct hd_ldst *u = &sm->ldst;
    unsigned collectors = c->collectors_any ? c->collectors_any : c->collectors_mem;
    unsigned n =
        c->subcores * (c->id_oc_mem + collectors + c->oc_ex_mem) + 1 + sm->cfg->requeue.entries;

    HD_BUG_IF(n > UINT8_MAX, "%u memory instructions in an SM", n); // hd_uop.memop
    hd_req_ring_init(&u->fifo, a, c->ldst_fifo);
    u->ops = HD_ARRAY(a, struct hd_memop, n);
    u->free_ops = HD_ARRAY(a, uint8_t, n);
    while (n)
        u->free_ops[u->n_free_ops++] = (uint8_t)--n;
    u->loads = HD_ARRAY(a, struct hd_load, HD_LOADS);
    for (unsigned i = 0; i < HD_LOADS; i++)
        u->loads[i].next = (uint16_t)(i + 1);
    hd_requeue_init(sm, a);
    hd_l1queue_init(sm, a);
}

unsigned hd_ldst_issue(struct hd_sm *sm, unsigned warp, uint32_t pc, const struct hd_effects *e)
{
    const struct hd_deps *d = &sm->program->deps[pc];
    struct hd_memop *op;
    unsigned i;

    HD_BUG_IF(!sm->ldst.n_free_ops, "more memory instructions than there are places before LDST");
    i = sm->ldst.free_ops[--sm->ldst.n_free_ops];
    op = &sm->ldst.ops[i];
    op->kind = d->kind;
    op->space = e->exec_mask ? e->space : (uint8_t)HD_SPACE_NONE;
    op->load = HD_NO_LOAD;
    op->copy = 0;
    if (d->flags & HD_DEP_ASYNC)
        hd_async_issue(sm, op, warp, d, e);
    else
        hd_coalesce(sm, op, e, warp, d->flags);
    if (op->space == HD_SPACE_SHARED && op->wait > 1)
        sm->stats.shared_conflict_cycles += op->wait - 1u;
    if (op->kind == HD_KIND_ATOMIC && e->exec_mask)
        hd_warps_wait(sm, &sm->atomic, warp, true);
    return i;
}

static void leave_pipe(struct hd_sm *sm, unsigned w)
{
    if (!--sm->warps[w].in_pipe)
        sm->pipe_busy &= ~hd_bit((int)w);
}

// The values of the destination registers have arrived: counts, releases registers, reports.
static void load_done(struct hd_sm *sm, uint32_t pc, unsigned w, uint32_t lanes, bool clear_long)
{
    const struct hd_deps *d = &sm->program->deps[pc];

    hd_warps_complete(sm, pc, lanes);
    hd_warps_release(sm, w, d, clear_long);
    if (hd_notify_wanted(sm, HD_EV_LOAD_DONE))
        hd_notify_event(sm, &(struct hd_event){.kind = HD_EV_LOAD_DONE,
                                               .sched = (uint8_t)hd_sched_of(sm, w),
                                               .warp = (uint8_t)w,
                                               .tb = sm->tb_of[w],
                                               .pc = pc,
                                               .kernel = hd_kernel_of(sm, w)});
}

static uint16_t new_load(struct hd_sm *sm, const struct hd_uop *u, const struct hd_memop *op)
{
    struct hd_ldst *ld = &sm->ldst;
    uint16_t i = ld->free_load;

    HD_BUG_IF(i >= HD_LOADS, "more than %d loads in flight", HD_LOADS);
    ld->free_load = ld->loads[i].next;
    ld->n_loads++;
    ld->loads[i] = (struct hd_load){.pc = u->pc,
                                    .lanes = u->lanes,
                                    .waiting = op->n,
                                    .warp = u->warp,
                                    .copy = op->copy,
                                    .unserved = op->kind == HD_KIND_ATOMIC
                                                    ? (uint8_t)__builtin_popcount(u->lanes)
                                                    : (uint8_t)0};
    return i;
}

static void free_load(struct hd_sm *sm, uint16_t i)
{
    const struct hd_load *l = &sm->ldst.loads[i];

    if (l->copy)
        hd_async_landed(sm, l->warp, l->copy);
    sm->ldst.loads[i].next = sm->ldst.free_load;
    sm->ldst.free_load = i;
    sm->ldst.n_loads--;
}

// The queues in front of the L1D. The loads that hit have their data.
static __attribute__((noinline)) void pass_queues(struct hd_sm *sm, uint64_t cycle)
{
    uint16_t hits[HD_L1_BANKS];
    unsigned n = hd_l1queue_cycle(sm, cycle, hits);

    for (unsigned i = 0; i < n; i++) {
        struct hd_load *l = &sm->ldst.loads[hits[i]];
        if (--l->waiting)
            continue;
        load_done(sm, l->pc, l->warp, l->lanes, sm->cfg->sm.clear_long);
        free_load(sm, hits[i]);
    }
}

// Puts an access that came back through a cache into the writeback register.
static void take_cached(struct hd_sm *sm, uint32_t load)
{
    const struct hd_load *l = &sm->ldst.loads[load];

    sm->ldst.wb = (struct hd_uop){.pc = l->pc, .lanes = l->lanes, .warp = l->warp};
    sm->ldst.wb_load = (uint16_t)load;
}

// Takes from the slot of uncached replies: a load, or part of an atomic.
static void take_uncached(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    struct hd_load *l = &u->loads[u->global_load];

    u->wb = (struct hd_uop){.pc = l->pc, .lanes = l->lanes, .warp = l->warp};
    u->wb_load = u->global_load;
    u->global_full = false;
    if (!l->unserved)
        return;
    l->unserved = (uint8_t)(l->unserved - __builtin_popcount(u->global_lanes));
    if (!l->unserved) {
        sm->source.ops->finish(sm->source.self, l->warp);
        hd_warps_wait(sm, &sm->atomic, l->warp, false);
    }
}

static void take_shared(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;

    u->wb = u->pipe[u->pipe_head++ % HD_SHARED_STAGES];
    u->wb_load = HD_NO_LOAD;
    u->pipe_full &= ~UINT64_C(1);
    if (sm->program->deps[u->wb.pc].kind == HD_KIND_ATOMIC) {
        hd_warps_wait(sm, &sm->atomic, u->wb.warp, false);
        if (sm->phases)
            hd_async_arrived(sm);
    }
    if (sm->program->deps[u->wb.pc].flags & HD_DEP_PHASE)
        hd_async_try(sm, u->wb.warp);
    leave_pipe(sm, u->wb.warp);
}

// Which sources have something for the writeback register: a set of enum hd_wb_source.
static uint64_t clients_of(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;

    if (!(u->pipe_full | u->textures | u->global_full | sm->l1c.mshr.ready_n |
          sm->l1d.mshr.ready_n))
        return 0;
    return (uint64_t)(u->pipe_full & 1) << HD_WB_SHARED |
           (unsigned)(u->textures && !hd_load_ring_empty(&sm->l1t.results)) << HD_WB_TEX |
           (unsigned)hd_mshr_pending(&sm->l1c.mshr) << HD_WB_CONST |
           (unsigned)u->global_full << HD_WB_GLOBAL |
           (unsigned)hd_mshr_pending(&sm->l1d.mshr) << HD_WB_L1D;
}

static void take_from(struct hd_sm *sm, enum hd_wb_source client)
{
    uint32_t load;

    switch (client) {
    case HD_WB_SHARED:
        take_shared(sm);
        break;
    case HD_WB_GLOBAL:
        take_uncached(sm);
        break;
    case HD_WB_TEX:
        take_cached(sm, hd_load_ring_pop(&sm->l1t.results));
        sm->ldst.textures--;
        break;
    case HD_WB_CONST:
        hd_mshr_next(&sm->l1c.mshr, &load);
        hd_requeue_wake(&sm->ldst);
        take_cached(sm, load);
        break;
    case HD_WB_L1D:
        hd_mshr_next(&sm->l1d.mshr, &load);
        hd_l1_used(sm);
        if (sm->ldst.l1d_refused & HD_LACKS_REGISTER)
            sm->ldst.l1d_refused = 0;
        hd_requeue_wake(&sm->ldst);
        take_cached(sm, load);
        break;
    case HD_N_WB:
        HD_BUG("writeback client %d", client);
    }
}

// Whether the writeback register has written all of its registers.
static inline bool writes_banks(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    const struct hd_banks *b = &sm->program->banks[u->wb.pc];
    struct hd_subcore *sub = hd_subcore_of(sm, u->wb.warp);

    if (b->n_dst > 1 && sm->cfg->sm.writes_apart)
        return hd_operands_write_rest(sm, sub, u->wb.warp, b, &u->wb_done);
    return hd_operands_write(sm, sub, u->wb.warp, b);
}

// The writeback register writes its banks, or tries again in the next cycle; then it takes from the
// next client in turn.
static void writeback(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    uint64_t clients;
    int client;

    if (u->wb_full && writes_banks(sm)) {
        u->wb_full = false;
        if (u->wb_load == HD_NO_LOAD) {
            load_done(sm, u->wb.pc, u->wb.warp, u->wb.lanes, sm->cfg->sm.clear_long);
        } else if (!--u->loads[u->wb_load].waiting) {
            load_done(sm, u->wb.pc, u->wb.warp, u->loads[u->wb_load].lanes, sm->cfg->sm.clear_long);
            free_load(sm, u->wb_load);
        }
    }
    if (u->wb_full || !(clients = clients_of(sm)))
        return;
    client = hd_rotate_from(clients, u->wb_turn);
    take_from(sm, (enum hd_wb_source)client);
    u->wb_full = true;
    u->wb_turn = (uint8_t)(client + 1); // after the last client comes the first
}

// What is above the first empty stage moves down by one.
static void shift_shared_pipe(struct hd_ldst *u)
{
    uint64_t gap = ~u->pipe_full & (u->pipe_full + 1), below = gap - 1;

    u->pipe_full = (u->pipe_full & below) | (u->pipe_full & ~below) >> 1;
}

static void take_reply(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    const struct hd_req *r;

    r = hd_req_ring_head(&u->fifo);
    switch ((enum hd_client)HD_TAG_CLIENT(r->tag)) {
    case HD_CLIENT_STORE:
        hd_l1_stored(sm, HD_TAG_INDEX(r->tag), 1);
        break;
    case HD_CLIENT_LOAD:
    case HD_CLIENT_ATOMIC:
        if (u->global_full)
            return;
        u->global_full = true;
        u->global_load = (uint16_t)HD_TAG_INDEX(r->tag);
        u->global_lanes = r->lanes;
        break;
    case HD_CLIENT_CONST:
        hd_l1c_fill(sm, r->addr, sm->view.cycle);
        break;
    case HD_CLIENT_TEX:
        hd_l1t_fill(sm, HD_TAG_INDEX(r->tag));
        break;
    case HD_CLIENT_L1D:
        hd_l1d_fill(sm, r->addr);
        if (u->l1_queue)
            hd_l1queue_fill(sm, r->addr);
        break;
    case HD_CLIENT_INST:
        HD_BUG("an instruction line in the LDST response FIFO");
    }
    hd_req_ring_pop(&u->fifo);
}

// A store that will have `n` acknowledgements.
static void store_sent(struct hd_sm *sm, unsigned w, unsigned n)
{
    sm->warps[w].stores += n;
    sm->stores_out |= hd_bit((int)w);
}

// The request of an access that bypasses the data cache.
static struct hd_req packet(const struct hd_sm *sm, unsigned w, const struct hd_memop *op,
                            const struct hd_access *a)
{
    struct hd_req r = {.addr = a->addr,
                       .lanes = a->lanes,
                       .port = (uint16_t)sm->index,
                       .owner = (uint8_t)w,
                       .warp = (uint8_t)w};

    switch (op->kind) {
    case HD_KIND_STORE:
        r.kind = HD_REQ_WRITE;
        r.bytes = a->bytes;
        r.tag = HD_TAG(HD_CLIENT_STORE, w);
        break;
    case HD_KIND_ATOMIC:
        r.kind = HD_REQ_ATOMIC;
        r.bytes = r.reply_bytes = a->bytes;
        r.tag = HD_TAG(HD_CLIENT_ATOMIC, op->load);
        break;
    default:
        r.kind = HD_REQ_READ;
        r.reply_bytes = a->bytes;
        r.tag = HD_TAG(HD_CLIENT_LOAD, op->load);
        break;
    }
    return r;
}

// Sends an access that bypasses the data cache; the network must have room for its whole packet.
static enum hd_l1_answer bypass(struct hd_sm *sm, unsigned w, const struct hd_memop *op,
                                const struct hd_access *a, uint64_t cycle)
{
    struct hd_req r = packet(sm, w, op, a);

    if (!sm->mem.ops->room(sm->mem.self, sm->index, r.kind, r.bytes))
        return HD_L1_REFUSE;
    r.issued = cycle;
    hd_sm_push(sm, &r);
    if (op->kind == HD_KIND_STORE)
        store_sent(sm, r.warp, 1);
    return HD_L1_SENT;
}

// `a` is one of op->a. Where accesses are sectors, those of a line are reported once, with the last
// of them that is sent.
static __attribute__((noinline)) void
report_access(struct hd_sm *sm, unsigned w, const struct hd_memop *op, const struct hd_access *a)
{
    bool sectors = sm->cfg->sm.segment < 128 || sm->cfg->sm.segment_uncached < 128;
    bool more = sectors && op->way != HD_BULK && a > op->a && a[-1].addr / 128 == a->addr / 128 &&
                a[-1].addr != a->addr;
    uint32_t flags = op->kind == HD_KIND_STORE    ? HD_ACCESS_STORE
                     : op->kind == HD_KIND_ATOMIC ? HD_ACCESS_ATOMIC
                                                  : 0;

    if (more)
        return;
    if (op->space == HD_SPACE_LOCAL)
        flags |= HD_ACCESS_LOCAL;
    hd_notify_event(sm, &(struct hd_event){.kind = HD_EV_ACCESS,
                                           .sched = (uint8_t)hd_sched_of(sm, w),
                                           .warp = (uint8_t)w,
                                           .tb = sm->tb_of[w],
                                           .flags = flags,
                                           .line = a->addr & ~UINT64_C(127),
                                           .kernel = sm->tbs[sm->tb_of[w]].kernel});
}

static inline void note_access(struct hd_sm *sm, unsigned w, const struct hd_memop *op,
                               const struct hd_access *a, enum hd_l1_answer answer)
{
    if (hd_notify_wanted(sm, HD_EV_ACCESS) && answer != HD_L1_REFUSE)
        report_access(sm, w, op, a);
}

// All accesses of an instruction to constants but one, which the caller counts.
static void read_rest(struct hd_sm *sm, struct hd_memop *op)
{
    unsigned rest = op->n - 1u;

    sm->stats.l1c_accesses += rest;
    sm->stats.mem_accesses += rest;
    if (op->load != HD_NO_LOAD)
        sm->ldst.loads[op->load].waiting = (uint16_t)(sm->ldst.loads[op->load].waiting - rest);
    op->n = 1;
}

// Accesses of the instruction enter the queues in front of the L1D until a bank has no place.
// Counts all but the last, which is the caller's. A store is outstanding from then on.
static enum hd_l1_answer enter_queues(struct hd_sm *sm, unsigned w, struct hd_memop *op)
{
    bool store = op->kind == HD_KIND_STORE;
    unsigned n = 0;

    while (n < sm->cfg->l1d.banks && n < op->n) {
        struct hd_l1_access in = {.access = op->a[op->n - 1 - n],
                                  .load = store ? HD_NO_LOAD : op->load,
                                  .warp = (uint8_t)w,
                                  .local = op->space == HD_SPACE_LOCAL};
        if (!hd_l1queue_enter(sm, &in))
            break;
        if (store)
            store_sent(sm, w, hd_l1_parts(sm, in.access.bytes));
        note_access(sm, w, op, &op->a[op->n - 1 - n], HD_L1_SENT);
        n++;
    }
    if (!n)
        return HD_L1_REFUSE;
    op->n = (uint16_t)(op->n - (n - 1));
    sm->stats.mem_accesses += n - 1;
    return HD_L1_SENT;
}

// Tries to send one of the accesses that the instruction has left.
static inline enum hd_l1_answer send_access(struct hd_sm *sm, unsigned w, struct hd_memop *op,
                                            const struct hd_access *a, uint64_t cycle)
{
    enum hd_l1_answer answer = HD_L1_REFUSE;

    switch ((enum hd_way)op->way) {
    case HD_TO_L1C:
        answer = hd_l1c_read(sm, a->addr, w, op->load, cycle);
        if (sm->cfg->l1c.at_once)
            read_rest(sm, op);
        break;
    case HD_TO_L1T:
        answer = hd_l1t_read(sm, a->addr, w, op->load, cycle);
        break;
    case HD_PAST_L1D:
        answer = bypass(sm, w, op, a, cycle);
        note_access(sm, w, op, a, answer);
        break;
    case HD_BULK:
        answer = bypass(sm, w, op, a, cycle);
        note_access(sm, w, op, a, answer);
        if (answer != HD_L1_REFUSE && op->bulk)
            hd_async_next_piece(op);
        break;
    case HD_TO_L1_QUEUE:
        answer = enter_queues(sm, w, op);
        break;
    case HD_TO_L1D:
        if (op->kind != HD_KIND_STORE) {
            answer = hd_l1d_read(sm, a->addr, w, op->load, cycle);
            note_access(sm, w, op, a, answer);
            break;
        }
        answer = hd_l1d_write(sm, a, op->space == HD_SPACE_LOCAL, w, cycle);
        note_access(sm, w, op, a, answer);
        if (answer == HD_L1_SENT)
            store_sent(sm, w, hd_l1_parts(sm, a->bytes));
        break;
    }
    sm->view.mem_saturated = answer == HD_L1_REFUSE;
    if (answer == HD_L1_REFUSE)
        return answer;
    if (answer == HD_L1_DONE && op->load != HD_NO_LOAD)
        sm->ldst.loads[op->load].waiting--;
    sm->stats.mem_accesses++;
    op->n--;
    return answer;
}

// Sends the last access of the instruction; false if it must be tried again.
static bool send_last(struct hd_sm *sm, const struct hd_uop *uop, struct hd_memop *op,
                      uint64_t cycle)
{
    if (sm->ldst.l1d_refused) { // trying again would change nothing
        sm->stats.l1d_reservation_fails++;
        return false;
    }
    sm->ldst.refused = send_access(sm, uop->warp, op, &op->a[op->n - 1], cycle) == HD_L1_REFUSE;
    if (sm->ldst.refused && op->way == HD_TO_L1D)
        sm->ldst.l1d_refused =
            sm->ldst.queue || sm->l1d_sectors ? HD_LACKS_ANYTHING : sm->l1d.lacks;
    if (op->way == HD_TO_L1_QUEUE && sm->ldst.refused) {
        sm->ldst.refused = false; // it may enter in the next cycle
        return false;
    }
    return !sm->ldst.refused;
}

static void free_memop(struct hd_ldst *u, unsigned i)
{
    u->free_ops[u->n_free_ops++] = (uint8_t)i;
}

// All accesses of an instruction are sent: it leaves the unit.
static inline void complete(struct hd_sm *sm, const struct hd_uop *uop)
{
    struct hd_ldst *u = &sm->ldst;
    const struct hd_memop *op = &u->ops[uop->memop];

    if (op->load != HD_NO_LOAD && !u->loads[op->load].waiting) {
        load_done(sm, uop->pc, uop->warp, uop->lanes, true);
        free_load(sm, op->load);
    } else if (op->kind == HD_KIND_STORE || op->kind == HD_KIND_MEMBAR) {
        hd_warps_complete(sm, uop->pc, uop->lanes);
        if (op->copy)
            hd_async_done(sm, uop->warp, HD_COPY_OUT, op->copy);
    }
    leave_pipe(sm, uop->warp);
    free_memop(u, uop->memop);
}

// One cycle of the instruction in the dispatch register. It is inlined because it is most of the
// unit's work in machines without a queue.
static inline __attribute__((always_inline)) void process(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_ldst *u = &sm->ldst;
    const struct hd_uop *uop = &u->dispatch;
    struct hd_memop *op = &u->ops[uop->memop];

    if (op->space == HD_SPACE_SHARED) {
        if (op->wait > 1) {
            op->wait--;
            return;
        }
        if (op->kind != HD_KIND_STORE) {
            unsigned last = sm->cfg->sm.shared_latency - 1;
            if (u->pipe_full >> last & 1)
                return;
            u->pipe[u->pipe_end++ % HD_SHARED_STAGES] = *uop;
            u->pipe_full |= UINT64_C(1) << last;
            u->dispatch_full = false;
            free_memop(u, uop->memop);
            return;
        }
    } else if (op->n && (!send_last(sm, uop, op, cycle) || op->n)) {
        return;
    }
    u->dispatch_full = false;
    complete(sm, uop);
}

// The instruction in the dispatch register tries its next access, or is a fence and has none.
// Returns whether it used the port to the caches and the network.
static bool try_register(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_ldst *u = &sm->ldst;
    const struct hd_uop uop = u->dispatch;
    struct hd_memop *op = &u->ops[uop.memop];
    bool used = op->n != 0;

    if (used && send_access(sm, uop.warp, op, &op->a[op->n - 1], cycle) == HD_L1_REFUSE) {
        u->asleep |= HD_ASLEEP_HERE;
        if (hd_requeue_turn(sm) == HD_TURN_QUEUE)
            hd_requeue_push(sm);
    } else if (!op->n) {
        u->dispatch_full = false;
        complete(sm, &uop);
    }
    return used;
}

// One cycle of an entry of the re-execution queue, if one can be served.
static void serve_entry(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_ldst *u = &sm->ldst;
    int place = hd_requeue_next(sm);

    if (place == HD_NONE)
        return;
    const struct hd_uop uop = u->queue->entries[place].uop;
    struct hd_memop *op = &u->ops[uop.memop];
    if (op->n) { // a fence has no access
        const struct hd_access *a = &op->a[hd_requeue_access(sm, place)];
        enum hd_l1_answer answer = send_access(sm, uop.warp, op, a, cycle);
        if (answer == HD_L1_REFUSE) {
            hd_requeue_refused(sm, place);
            return;
        }
        sm->stats.requeue_hits += answer == HD_L1_DONE;
    }
    hd_requeue_sent(sm, place);
    if (!op->n)
        complete(sm, &uop);
}

static void count_queue(struct hd_sm *sm, uint64_t n)
{
    const struct hd_requeue *q = sm->ldst.queue;

    sm->stats.requeue_used += n * q->n;
    sm->stats.requeue_full += q->n == q->capacity ? n : 0;
}

// n cycles in which no entry had a turn.
static void count_waiting(struct hd_sm *sm, uint64_t n)
{
    if (hd_requeue_next(sm) != HD_NONE)
        sm->ldst.queue->waited += n;
}

// The dispatch register has an instruction that is never queued, and it tries an access now.
static bool sends_apart(const struct hd_ldst *u, const struct hd_memop *op)
{
    return op->space != HD_SPACE_SHARED && op->n && !u->l1d_refused;
}

// Whether entries are served while the dispatch register tries nothing.
static bool entries_may_go(const struct hd_sm *sm, enum hd_requeue_turn turn)
{
    const struct hd_requeue *q = sm->ldst.queue;

    return turn == HD_TURN_EMPTY || turn == HD_TURN_HELD || q->n == q->capacity ||
           sm->cfg->requeue.idle == HD_REQUEUE_PORT;
}

// The turn of the dispatch register. Returns whether it tried an access.
static bool serve_register(struct hd_sm *sm, enum hd_requeue_turn turn, uint64_t cycle)
{
    struct hd_ldst *u = &sm->ldst;
    bool tries;

    switch (turn) {
    case HD_TURN_EMPTY:
    case HD_TURN_HELD:
        break;
    case HD_TURN_APART:
        tries = sends_apart(u, &u->ops[u->dispatch.memop]);
        process(sm, cycle);
        return tries;
    case HD_TURN_QUEUE:
        hd_requeue_push(sm);
        break;
    case HD_TURN_TRY:
        return try_register(sm, cycle);
    }
    return false;
}

// One cycle of a unit with a re-execution queue. At most one access is tried: one of the dispatch
// register's instruction, or else one of an entry.
static __attribute__((noinline)) void process_with_queue(struct hd_sm *sm, uint64_t cycle)
{
    enum hd_requeue_turn turn;
    bool tried;

    count_queue(sm, 1);
    hd_requeue_look_at_network(sm);
    if (hd_requeue_impatient(sm)) {
        serve_entry(sm, cycle);
        sm->ldst.refused = false; // the register was not tried although something may have changed
        return;
    }
    turn = hd_requeue_turn(sm);
    tried = serve_register(sm, turn, cycle);
    if (!tried && entries_may_go(sm, turn))
        serve_entry(sm, cycle);
    else
        count_waiting(sm, 1);
}

static enum hd_way way_of(const struct hd_sm *sm, const struct hd_uop *uop,
                          const struct hd_memop *op)
{
    if (op->space == HD_SPACE_CONST || op->space == HD_SPACE_PARAM)
        return HD_TO_L1C;
    if (op->space == HD_SPACE_TEX)
        return HD_TO_L1T;
    if (!sm->cfg->l1d.enabled || op->kind == HD_KIND_ATOMIC ||
        (sm->program->deps[uop->pc].flags & HD_DEP_NO_L1))
        return op->bulk ? HD_BULK : HD_PAST_L1D;
    return sm->ldst.l1_queue ? HD_TO_L1_QUEUE : HD_TO_L1D;
}

// The sub-core with the oldest memory instruction; at least one sub-core must have one.
static struct hd_subcore *oldest_subcore(const struct hd_sm *sm)
{
    struct hd_subcore *best = &sm->subcores[hd_first(sm->mem_ready)];
    uint32_t order = 0;
    int i;

    if (!(sm->mem_ready & (sm->mem_ready - 1)))
        return best;
    HD_EACH(i, sm->mem_ready) {
        const struct hd_latch *in = &sm->subcores[i].oc_ex[HD_PIPE_MEM];
        uint32_t own = in->slots[hd_latch_oldest(in)].order;
        if (&sm->subcores[i] == best || own - order > UINT32_MAX / 2) {
            best = &sm->subcores[i];
            order = own;
        }
    }
    return best;
}

static void take_instruction(struct hd_sm *sm)
{
    struct hd_ldst *u = &sm->ldst;
    struct hd_subcore *sub;
    struct hd_latch *in;
    struct hd_memop *op;

    if (u->dispatch_full || !sm->mem_ready || u->n_loads == HD_LOADS)
        return;
    sub = oldest_subcore(sm);
    in = &sub->oc_ex[HD_PIPE_MEM];
    u->dispatch = hd_latch_take(in, hd_latch_oldest(in));
    if (!in->n)
        sm->mem_ready &= (uint8_t)~sub->bit;
    u->dispatch_full = true;
    sub->operands.stuck = false;
    op = &u->ops[u->dispatch.memop];
    op->way = (uint8_t)way_of(sm, &u->dispatch, op);
    if (op->space != HD_SPACE_SHARED && (op->kind == HD_KIND_LOAD || op->kind == HD_KIND_ATOMIC))
        op->load = new_load(sm, &u->dispatch, op);
    if (op->way == HD_BULK && op->load != HD_NO_LOAD)
        u->loads[op->load].waiting = op->lines;
}

void hd_ldst_cycle(struct hd_sm *sm, uint64_t cycle)
{
    writeback(sm);
    hd_operands_cycle(sm);
    if (sm->ldst.pipe_full)
        shift_shared_pipe(&sm->ldst);
    if (!hd_req_ring_empty(&sm->ldst.fifo))
        take_reply(sm);
    if (sm->ldst.textures)
        hd_l1t_cycle(sm, cycle);
    hd_l1_send(sm, &sm->l1c, cycle);
    hd_l1_send(sm, &sm->l1d, cycle);
    if (sm->ldst.l1_queue && !hd_l1queue_empty(sm))
        pass_queues(sm, cycle);
    if (sm->ldst.queue)
        process_with_queue(sm, cycle);
    else if (sm->ldst.dispatch_full)
        process(sm, cycle);
    take_instruction(sm);
}

// n cycles in which the instruction in the dispatch register waited.
static inline void idle_register(struct hd_sm *sm, uint64_t n)
{
    struct hd_ldst *u = &sm->ldst;
    struct hd_memop *op = &u->ops[u->dispatch.memop];

    if (op->space == HD_SPACE_SHARED) {
        op->wait = (uint8_t)(op->wait - n);
        return;
    }
    switch ((enum hd_way)op->way) {
    case HD_TO_L1C:
        sm->stats.l1c_reservation_fails += n;
        break;
    case HD_TO_L1T:
        sm->stats.l1t_reservation_fails += n;
        break;
    case HD_TO_L1D:
        sm->stats.l1d_reservation_fails += n;
        break;
    case HD_TO_L1_QUEUE:
    case HD_PAST_L1D:
    case HD_BULK:
        break;
    }
}

// What waits in the queue, or for it, is not tried in these cycles.
static __attribute__((noinline)) void idle_with_queue(struct hd_sm *sm, uint64_t n)
{
    count_queue(sm, n);
    count_waiting(sm, n);
    if (hd_requeue_turn(sm) == HD_TURN_APART)
        idle_register(sm, n);
}

void hd_ldst_idle(struct hd_sm *sm, uint64_t n)
{
    if (sm->ldst.queue)
        idle_with_queue(sm, n);
    else if (sm->ldst.dispatch_full)
        idle_register(sm, n);
    if (sm->ldst.l1_queue)
        hd_l1queue_idle(sm, n);
}

// The first cycle after `cycle` in which the dispatch register can do anything, apart from the
// queue.
static inline uint64_t register_wakes(const struct hd_sm *sm, uint64_t cycle)
{
    const struct hd_ldst *u = &sm->ldst;
    const struct hd_memop *op = &u->ops[u->dispatch.memop];

    if (!u->dispatch_full)
        return sm->mem_ready ? cycle + 1 : UINT64_MAX;
    if (op->space == HD_SPACE_SHARED)
        return cycle + (op->wait > 1 ? op->wait : 1u);
    return u->refused ? UINT64_MAX : cycle + 1;
}

static __attribute__((noinline)) uint64_t wakes_with_queue(const struct hd_sm *sm, uint64_t cycle)
{
    enum hd_requeue_turn turn = hd_requeue_turn(sm);
    uint64_t own, forced;

    if (turn == HD_TURN_QUEUE || turn == HD_TURN_TRY)
        return cycle + 1;
    if (hd_requeue_next(sm) == HD_NONE)
        return turn == HD_TURN_HELD ? UINT64_MAX : register_wakes(sm, cycle);
    if (entries_may_go(sm, turn))
        return cycle + 1;
    own = register_wakes(sm, cycle);
    forced = hd_requeue_forced(sm, cycle);
    return own < forced ? own : forced;
}

static __attribute__((noinline)) uint64_t wakes_with_l1_queue(const struct hd_sm *sm,
                                                              uint64_t cycle)
{
    uint64_t own = register_wakes(sm, cycle), asked = hd_l1queue_wakes(sm, cycle);

    return own < asked ? own : asked;
}

// The first cycle after `cycle` in which anything can happen without a reply or room in the
// network. A refused access is not tried again until one of them comes.
uint64_t hd_ldst_wakes(const struct hd_sm *sm, uint64_t cycle)
{
    const struct hd_ldst *u = &sm->ldst;

    if (u->wb_full || u->pipe_full || clients_of(sm) || !hd_req_ring_empty(&u->fifo) ||
        (u->textures && !hd_l1t_quiet(sm)))
        return cycle + 1;
    if (u->l1_queue)
        return wakes_with_l1_queue(sm, cycle);
    return u->queue ? wakes_with_queue(sm, cycle) : register_wakes(sm, cycle);
}

static inline uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t hd_ldst_waits_for(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;
    const struct hd_memop *op = &u->ops[u->dispatch.memop];
    uint32_t least = hd_l1_waits_for(&sm->l1d.out);

    least = lower(least, hd_l1_waits_for(&sm->l1c.out));
    if (u->textures)
        least = lower(least, hd_l1_waits_for(&sm->l1t.cache.out));
    if (u->refused && (op->way == HD_PAST_L1D || op->way == HD_BULK))
        least = lower(least, hd_memop_sends(op, op->n - 1u));
    if (u->queue)
        least = lower(least, hd_requeue_waits_for(sm));
    return least;
}

bool hd_ldst_empty(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;

    return !u->dispatch_full && !(u->queue && u->queue->n) && !u->wb_full && !u->pipe_full &&
           !clients_of(sm) && hd_req_ring_empty(&u->fifo) && !sm->mem_ready &&
           hd_req_ring_empty(&sm->l1c.out) && hd_req_ring_empty(&sm->l1d.out) &&
           hd_req_ring_empty(&sm->l1t.cache.out) && hd_l1t_quiet(sm) &&
           (!u->l1_queue || hd_l1queue_empty(sm));
}
