// pipeview.c - finds out where each instruction of an SM is, by looking into its registers and
// queues after each cycle. See pipeview.h.
//
// An instruction that was issued has a number (hd_uop.order) wherever it waits; in the pipes, where
// only its end is known, it is planned ahead, and in memory it is found by its entry in ldst.loads.
// Before its issue it is one of the next instructions of its warp. Instructions that were issued
// before the recording began are not shown.
#include "sm/pipeview.h"

#include "sm/sm_internal.h"
#include "sm/waits.h"

#include <string.h>

#define NOWHERE UINT8_MAX
#define NOBODY UINT32_MAX

struct live { // an instruction that has not ended
    uint32_t id, pc, order, needed;
    uint64_t written_at, done_at; // in a pipe: the cycles in which its writeback begins and ends
    uint16_t load;
    uint8_t warp, stage, wait, pipe;
    bool issued, seen, planned, over;
    bool shown; // its stage was recorded
};

struct hd_pipeview {
    struct hd_arena *arena;
    const struct hd_sm *sm;
    struct live *live; // the older ones first
    size_t n_live, cap_live;
    struct hd_pipeview_insn *insns;
    struct hd_pipeview_event *events;
    size_t n_insns, cap_insns, n_events, cap_events;
    uint32_t order;           // of the next instruction to be issued
    uint32_t owner[HD_LOADS]; // instruction that an entry of ldst.loads belongs to
    uint8_t level[HD_LOADS];  // where the last of its accesses is: a stage, NOWHERE
    uint64_t issued;          // schedulers that have issued in this cycle
    bool before;              // the recording has not begun
};

struct hd_pipeview *hd_pipeview_new(struct hd_arena *a, const struct hd_sm *sm)
{
    struct hd_pipeview *v = HD_NEW(a, hd_pipeview);

    v->arena = a;
    v->sm = sm;
    memset(v->level, NOWHERE, sizeof v->level);
    return v;
}

static void put(struct hd_pipeview *v, uint64_t cycle, const struct live *l,
                enum hd_pipeview_what what, unsigned which)
{
    *HD_PUSH(v->arena, v->events, v->n_events, v->cap_events) =
        (struct hd_pipeview_event){.cycle = cycle,
                                   .insn = l->id,
                                   .other = l->needed,
                                   .what = (uint8_t)what,
                                   .which = (uint8_t)which};
}

static void enter(struct hd_pipeview *v, struct live *l, enum hd_pipeview_stage stage,
                  uint64_t cycle)
{
    bool same = l->shown && l->stage == stage;

    l->stage = (uint8_t)stage;
    if (v->before || same)
        return;
    l->shown = true;
    put(v, cycle, l, HD_PIPEVIEW_ENTERS, stage);
}

// `why` is a reason, or NOWHERE if it does not wait.
static void wait_for(struct hd_pipeview *v, struct live *l, unsigned why, uint64_t cycle)
{
    if (v->before || l->wait == why)
        return;
    if (l->wait != NOWHERE)
        put(v, cycle, l, HD_PIPEVIEW_GOES_ON, l->wait);
    if (why != NOWHERE)
        put(v, cycle, l, HD_PIPEVIEW_WAITS_FOR, why);
    l->wait = (uint8_t)why;
}

static void finish(struct hd_pipeview *v, struct live *l, enum hd_pipeview_what how, uint64_t cycle)
{
    l->over = true;
    if (!l->shown) // it ended before the recording began
        return;
    wait_for(v, l, NOWHERE, cycle);
    put(v, cycle, l, how, 0);
}

static struct live *begin(struct hd_pipeview *v, unsigned w, uint32_t pc)
{
    const struct hd_sm *sm = v->sm;
    const struct hd_tb_view *tb = &sm->tbs[sm->tb_of[w]];
    struct live *l = HD_PUSH(v->arena, v->live, v->n_live, v->cap_live);

    *l = (struct live){.id = (uint32_t)v->n_insns,
                       .pc = pc,
                       .needed = NOBODY,
                       .load = HD_NO_LOAD,
                       .warp = (uint8_t)w,
                       .stage = NOWHERE,
                       .wait = NOWHERE};
    *HD_PUSH(v->arena, v->insns, v->n_insns, v->cap_insns) = (struct hd_pipeview_insn){
        .launch = tb->kernel,
        .block = tb->global_id,
        .pc = pc,
        .warp = (uint8_t)w,
        .number = (uint8_t)hd_count(tb->warps & hd_low(w)),
        .sched = (uint8_t)hd_sched_of(sm, w),
        .begun_before = v->before,
    };
    return l;
}

// The front end: what each warp has fetched and not issued.

struct group {
    uint32_t pc, n;
    enum hd_pipeview_stage stage;
};

static struct group group_of(const struct hd_sm *sm, unsigned w)
{
    const struct hd_warp *warp = &sm->warps[w];
    struct group g = {.pc = warp->ibuf_pc, .n = warp->ibuf_n, .stage = HD_PIPEVIEW_BUFFER};
    uint32_t most = sm->cfg->sm.fetch_insts, left;

    if (g.n)
        return g;
    if (sm->fetch_full && sm->fetched_warp == w)
        g = (struct group){.pc = sm->fetched_pc, .n = most, .stage = HD_PIPEVIEW_FETCH};
    else if (hd_has(sm->view.imiss & sm->view.live, (int)w))
        g = (struct group){.pc = warp->fetch_pc, .n = most, .stage = HD_PIPEVIEW_LINE};
    else
        return g;
    left = g.pc < sm->program->n_insns ? sm->program->n_insns - g.pc : 1;
    g.n = left < most ? left : most;
    return g;
}

// Whether the registers that p writes are among those that d needs or writes.
static bool among(const uint16_t *ids, unsigned most, uint16_t id)
{
    for (unsigned i = 0; i < most && ids[i] != HD_SB_NONE; i++)
        if (ids[i] == id)
            return true;
    return false;
}

static bool uses(const struct hd_program *p, const struct hd_deps *d, uint16_t id)
{
    if (among(d->dst, 4, id) || among(d->src, 4, id) || d->addr[0] == id || d->addr[1] == id ||
        d->guard == id)
        return true;
    return d->flags & HD_DEP_WIDE &&
           (among(p->wides[d->wide].dst, 9, id) || among(p->wides[d->wide].src, 33, id));
}

static bool feeds(const struct hd_program *p, const struct hd_deps *from, const struct hd_deps *to)
{
    for (unsigned i = 0; i < 4 && from->dst[i] != HD_SB_NONE; i++)
        if (uses(p, to, from->dst[i]))
            return true;
    for (unsigned i = 0; from->flags & HD_DEP_WIDE && i < 9; i++) {
        uint16_t id = p->wides[from->wide].dst[i];
        if (id == HD_SB_NONE)
            break;
        if (uses(p, to, id))
            return true;
    }
    return false;
}

// The youngest instruction of the warp that l waits for.
static uint32_t needed_by(const struct hd_pipeview *v, const struct live *l)
{
    const struct hd_program *p = v->sm->program;
    uint32_t found = NOBODY;

    for (size_t i = 0; i < v->n_live && v->live[i].id != l->id; i++) {
        const struct live *from = &v->live[i];
        if (from->warp == l->warp && from->issued && !from->over && from->shown &&
            feeds(p, &p->deps[from->pc], &p->deps[l->pc]))
            found = from->id;
    }
    return found;
}

// Why the next instruction of the warp was not issued in this cycle.
static enum hd_pipeview_wait why_not(struct hd_pipeview *v, struct live *l)
{
    bool taken = hd_has(v->issued, (int)hd_sched_of(v->sm, l->warp));
    enum hd_pipeview_wait why = hd_waits_reason(v->sm, l->warp, l->pc, taken);

    if (why == HD_PIPEVIEW_WAIT_MEMORY || why == HD_PIPEVIEW_WAIT_REGISTER)
        l->needed = needed_by(v, l);
    return why;
}

// The stages of the front end in their order; a group that is in an earlier one is a new group.
static unsigned rank(unsigned stage)
{
    return stage == HD_PIPEVIEW_LINE ? 0 : stage == HD_PIPEVIEW_FETCH ? 1 : 2;
}

// The next instruction of the warp that was not issued, in the list from `from` on; n_live if there
// is none.
static size_t next_of(const struct hd_pipeview *v, size_t from, unsigned w)
{
    while (from < v->n_live &&
           (v->live[from].warp != w || v->live[from].issued || v->live[from].over))
        from++;
    return from;
}

static void drop(struct hd_pipeview *v, struct live *l, uint64_t cycle)
{
    if (v->sm->trapped && v->sm->issue_cycle == cycle && rank(l->stage) == 2 &&
        v->sm->warps[l->warp].ibuf_pc == l->pc + 1) {
        wait_for(v, l, NOWHERE, cycle);
        enter(v, l, HD_PIPEVIEW_ISSUE, cycle);
        finish(v, l, HD_PIPEVIEW_FAULTED, cycle);
        return;
    }
    finish(v, l, HD_PIPEVIEW_FLUSHED, cycle);
}

static void look_at_warp(struct hd_pipeview *v, unsigned w, uint64_t cycle)
{
    const struct hd_sm *sm = v->sm;
    const struct group g = group_of(sm, w);
    size_t i = next_of(v, 0, w);

    if (!g.n && i < v->n_live && v->live[i].stage == HD_PIPEVIEW_LINE &&
        hd_has(sm->view.live, (int)w) && sm->warps[w].fetch_pc == v->live[i].pc)
        return; // its line has arrived, and its fetch has not had its turn
    for (; i < v->n_live; i = next_of(v, i + 1, w)) {
        const struct live *l = &v->live[i];
        if (g.n && l->pc == g.pc && rank(l->stage) <= rank(g.stage))
            break;
        drop(v, &v->live[i], cycle);
    }
    for (uint32_t k = 0; k < g.n; k++, i = next_of(v, i + 1, w)) {
        struct live *l = i < v->n_live ? &v->live[i] : begin(v, w, g.pc + k);
        enum hd_pipeview_stage stage = g.stage;
        if (stage == HD_PIPEVIEW_BUFFER && l->stage != NOWHERE && rank(l->stage) < 2)
            stage = HD_PIPEVIEW_DECODE;
        enter(v, l, stage, cycle);
        wait_for(v, l, !k && stage == HD_PIPEVIEW_BUFFER ? why_not(v, l) : NOWHERE, cycle);
    }
    for (; i < v->n_live; i = next_of(v, i + 1, w))
        drop(v, &v->live[i], cycle);
}

// Of the instructions in the registers after issue, those that were issued in this cycle.
static void look_at_issue(struct hd_pipeview *v, const struct hd_uop *u, uint64_t cycle)
{
    size_t i;

    if (u->order - v->order > UINT32_MAX / 2)
        return;
    v->issued |= hd_bit((int)hd_sched_of(v->sm, u->warp));
    i = next_of(v, 0, u->warp);
    HD_BUG_IF(i == v->n_live || v->live[i].pc != u->pc,
              "an instruction of warp %u was issued that was not in its buffer", u->warp);
    struct live *l = &v->live[i];
    l->issued = true;
    l->order = u->order;
    v->insns[l->id].lanes = u->lanes;
    if (v->before) {
        l->over = true; // what was issued before is not shown
        return;
    }
    wait_for(v, l, NOWHERE, cycle);
    enter(v, l, HD_PIPEVIEW_ISSUE, cycle);
    if (l->needed != NOBODY)
        put(v, cycle, l, HD_PIPEVIEW_NEEDED, 0);
}

// The back end.

static struct live *find(struct hd_pipeview *v, uint32_t order)
{
    for (size_t i = 0; i < v->n_live; i++)
        if (v->live[i].issued && !v->live[i].planned && v->live[i].order == order &&
            !v->live[i].over)
            return &v->live[i];
    return NULL;
}

// The instruction is in this place after the cycle. NULL: it was issued before the recording.
static struct live *at(struct hd_pipeview *v, const struct hd_uop *u, enum hd_pipeview_stage stage,
                       uint64_t cycle)
{
    struct live *l = find(v, u->order);

    if (!l || l->seen)
        return NULL;
    l->seen = true;
    enter(v, l, stage, cycle);
    return l;
}

static void look_at_subcore(struct hd_pipeview *v, const struct hd_subcore *sub, uint64_t cycle)
{
    int k;

    for (unsigned p = 0; p < HD_N_PIPES; p++) {
        for (unsigned i = 0; i < sub->id_oc[p].n; i++)
            at(v, &sub->id_oc[p].slots[i], HD_PIPEVIEW_ISSUE, cycle);
        for (unsigned i = 0; i < sub->oc_ex[p].n; i++) {
            struct live *l = at(v, &sub->oc_ex[p].slots[i], HD_PIPEVIEW_DISPATCH, cycle);
            if (l)
                l->pipe = (uint8_t)p;
        }
    }
    HD_EACH(k, sub->operands.busy)
        at(v, &sub->operands.units[k].uop, HD_PIPEVIEW_COLLECT, cycle);
}

// An instruction in the load/store unit, in front of the caches.
static void look_at_memop(struct hd_pipeview *v, const struct hd_uop *u,
                          enum hd_pipeview_stage stage, bool refused, uint64_t cycle)
{
    const struct hd_memop *op = &v->sm->ldst.ops[u->memop];
    bool shared = op->space == HD_SPACE_SHARED;
    struct live *l = at(v, u, shared ? HD_PIPEVIEW_SHARED : stage, cycle);

    if (!l)
        return;
    l->load = op->load;
    if (op->load != HD_NO_LOAD)
        v->owner[op->load] = l->id;
    wait_for(v, l, refused && !shared ? HD_PIPEVIEW_WAIT_REFUSED : NOWHERE, cycle);
}

static void look_at_ldst(struct hd_pipeview *v, uint64_t cycle)
{
    const struct hd_ldst *u = &v->sm->ldst;
    const struct hd_requeue *q = u->queue;

    if (u->dispatch_full)
        look_at_memop(v, &u->dispatch, HD_PIPEVIEW_LDST, u->refused || u->asleep & HD_ASLEEP_HERE,
                      cycle);
    for (unsigned i = 0; q && i < q->n; i++)
        look_at_memop(v, &q->entries[i].uop, HD_PIPEVIEW_REQUEUE, hd_has(u->asleep, (int)i), cycle);
    for (unsigned i = 0; i < 3; i++)
        if (u->pipe_full >> i & 1)
            at(v, &u->pipe[i], HD_PIPEVIEW_SHARED, cycle);
    if (u->wb_full && u->wb_load == HD_NO_LOAD)
        at(v, &u->wb, HD_PIPEVIEW_WRITEBACK, cycle);
}

static void note(struct hd_pipeview *v, uint32_t load, enum hd_pipeview_stage stage)
{
    if (load < HD_LOADS && stage < v->level[load])
        v->level[load] = (uint8_t)stage;
}

static void note_line(struct hd_pipeview *v, const struct hd_cache *c, uint64_t addr,
                      enum hd_pipeview_stage stage)
{
    const struct hd_mshr *m = &c->mshr;
    int i = hd_mshr_find(m, hd_tags_line(&c->tags, addr));

    for (uint32_t k = i < 0 ? 0 : m->entries[i].next; i >= 0 && k < m->entries[i].n; k++)
        note(v, m->merged[(uint32_t)i * m->max_merge + k], stage);
}

// The texture cache's misses wait in the order of their requests.
static void note_texture(struct hd_pipeview *v, uint32_t place, enum hd_pipeview_stage stage)
{
    const struct hd_l1t *c = &v->sm->l1t;
    uint32_t misses = ((place - c->rob.head) & 0xffffff) + 1;

    for (uint32_t i = 0; i < hd_fragment_ring_fill(&c->fragments) && misses; i++) {
        const struct hd_fragment *f = hd_fragment_ring_at(&c->fragments, i);
        if (f->miss && !--misses)
            note(v, f->load, stage);
    }
}

static void see(struct hd_pipeview *v, const struct hd_req *r, enum hd_pipeview_stage stage)
{
    switch ((enum hd_client)HD_TAG_CLIENT(r->tag)) {
    case HD_CLIENT_LOAD:
    case HD_CLIENT_ATOMIC:
        note(v, HD_TAG_INDEX(r->tag), stage);
        break;
    case HD_CLIENT_L1D:
        note_line(v, &v->sm->l1d, r->addr, stage);
        break;
    case HD_CLIENT_CONST:
        note_line(v, &v->sm->l1c, r->addr, stage);
        break;
    case HD_CLIENT_TEX:
        note_texture(v, HD_TAG_INDEX(r->tag), stage);
        break;
    case HD_CLIENT_INST:
    case HD_CLIENT_STORE:
        break;
    }
}

void hd_pipeview_see(struct hd_pipeview *v, const struct hd_req *r, enum hd_mem_level level)
{
    static const uint8_t stages[] = {[HD_LEVEL_NETWORK] = HD_PIPEVIEW_NETWORK,
                                     [HD_LEVEL_L2] = HD_PIPEVIEW_L2,
                                     [HD_LEVEL_DRAM] = HD_PIPEVIEW_DRAM,
                                     [HD_LEVEL_RETURN] = HD_PIPEVIEW_RETURN};

    if (r->port == v->sm->index && r->kind != HD_REQ_WRITEBACK)
        see(v, r, (enum hd_pipeview_stage)stages[level]);
}

static void see_ring(struct hd_pipeview *v, const struct hd_req_ring *ring,
                     enum hd_pipeview_stage stage)
{
    for (uint32_t i = 0; i < hd_req_ring_fill(ring); i++)
        see(v, hd_req_ring_at(ring, i), stage);
}

// A memory instruction that has left the load/store unit.
static void look_at_memory(struct hd_pipeview *v, struct live *l, uint64_t cycle)
{
    const struct hd_ldst *u = &v->sm->ldst;
    unsigned stage;

    wait_for(v, l, NOWHERE, cycle);
    if (l->load == HD_NO_LOAD || v->owner[l->load] != l->id || !u->loads[l->load].waiting) {
        finish(v, l, HD_PIPEVIEW_RETIRES, cycle);
        return;
    }
    stage = v->level[l->load];
    if (stage == NOWHERE) // its data are in the SM, in the order of writebacks
        stage = HD_PIPEVIEW_RETURN;
    if (u->wb_full && u->wb_load == l->load && u->loads[l->load].waiting == 1)
        stage = HD_PIPEVIEW_WRITEBACK;
    enter(v, l, (enum hd_pipeview_stage)stage, cycle);
}

// A pipe has taken the instruction in this cycle.
static void plan(struct hd_pipeview *v, struct live *l, uint64_t cycle)
{
    unsigned interval, latency = hd_pipes_latency(v->sm, &v->sm->program->deps[l->pc], &interval);

    enter(v, l, HD_PIPEVIEW_EXECUTE, cycle);
    l->planned = true;
    l->written_at = cycle + latency + 1;
    l->done_at = cycle + latency + 2;
}

// What was planned for the cycles before `end`.
static void carry_out(struct hd_pipeview *v, uint64_t end)
{
    for (size_t i = 0; i < v->n_live; i++) {
        struct live *l = &v->live[i];
        if (l->planned && l->written_at < end)
            enter(v, l, HD_PIPEVIEW_WRITEBACK, l->written_at);
        if (l->planned && l->done_at < end)
            finish(v, l, HD_PIPEVIEW_RETIRES, l->done_at);
    }
}

static void forget_ended(struct hd_pipeview *v)
{
    size_t n = 0;

    for (size_t i = 0; i < v->n_live; i++)
        if (!v->live[i].over)
            v->live[n++] = v->live[i];
    v->n_live = n;
}

static void look_at_back_end(struct hd_pipeview *v, uint64_t cycle)
{
    const struct hd_sm *sm = v->sm;

    HD_EACH_SUBCORE(sub, sm)
        look_at_subcore(v, sub, cycle);
    look_at_ldst(v, cycle);
    see_ring(v, &sm->l1d.out, HD_PIPEVIEW_L1_QUEUE);
    see_ring(v, &sm->l1c.out, HD_PIPEVIEW_L1_QUEUE);
    see_ring(v, &sm->l1t.cache.out, HD_PIPEVIEW_L1_QUEUE);
    see_ring(v, &sm->cluster, HD_PIPEVIEW_RETURN);
    see_ring(v, &sm->ldst.fifo, HD_PIPEVIEW_RETURN);
    for (size_t i = 0; i < v->n_live; i++) {
        struct live *l = &v->live[i];
        if (!l->issued || l->seen || l->planned || l->over)
            continue;
        if (l->stage == HD_PIPEVIEW_DISPATCH && l->pipe != HD_PIPE_MEM)
            plan(v, l, cycle);
        else
            look_at_memory(v, l, cycle);
    }
    memset(v->level, NOWHERE, sizeof v->level);
}

void hd_pipeview_look(struct hd_pipeview *v, uint64_t cycle)
{
    const struct hd_sm *sm = v->sm;

    if (!sm->program) // it has had no kernel
        return;
    carry_out(v, cycle + 1);
    v->issued = 0;
    for (size_t i = 0; i < v->n_live; i++)
        v->live[i].seen = false;
    HD_EACH_SUBCORE(sub, sm)
        for (unsigned p = 0; p < HD_N_PIPES; p++)
            for (unsigned i = 0; i < sub->id_oc[p].n; i++)
                look_at_issue(v, &sub->id_oc[p].slots[i], cycle);
    v->order = sm->order;
    for (unsigned w = 0; w < sm->view.n_warps; w++)
        look_at_warp(v, w, cycle);
    look_at_back_end(v, cycle);
    forget_ended(v);
}

void hd_pipeview_begin(struct hd_pipeview *v)
{
    if (!v->sm->program)
        return;
    v->before = true;
    v->order = v->sm->order;
    for (unsigned w = 0; w < v->sm->view.n_warps; w++)
        look_at_warp(v, w, v->sm->view.cycle);
    v->before = false;
    memset(v->level, NOWHERE, sizeof v->level);
}

void hd_pipeview_end(struct hd_pipeview *v, uint64_t cycle)
{
    carry_out(v, cycle);
    for (size_t i = 0; i < v->n_live; i++)
        if (!v->live[i].over)
            finish(v, &v->live[i], HD_PIPEVIEW_CUT, cycle);
    v->n_live = 0;
}

struct hd_pipeview_records hd_pipeview_records(const struct hd_pipeview *v)
{
    return (struct hd_pipeview_records){.insns = v->insns,
                                        .events = v->events,
                                        .n_insns = (uint32_t)v->n_insns,
                                        .n_events = v->n_events};
}
