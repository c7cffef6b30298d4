// engine.c - runs an example under a policy, in the order of heddle/policy.h.
//
// A cycle: results arrive, blocks end and start; on each SM each scheduler issues; one fetch. The
// view is computed from the warps' state whenever that changes: examples are small, and one place
// is easy to check. This file is also the shortest complete implementation of the core's side of
// policies.
#include "toy/toy_internal.h"

#include "base/blame.h"

#include <string.h>

#define LINE_BYTES 128

static const struct hd_toy_player *sched_of(const struct hd_toy_sm *t)
{
    return t->m->of[HD_SLOT_SCHED];
}

// The state of one scheduler.
static struct hd_pstate state_for(const struct hd_toy_sm *t, int s)
{
    struct hd_pstate st = hd_toysm_state(t->m, sched_of(t), t->index);

    st.sched = (char *)st.sched + (size_t)s * sched_of(t)->policy->sched_bytes;
    return st;
}

static void show_all(struct hd_toy_sm *t)
{
    for (int w = 0; w < t->v.n_warps; w++)
        hd_toysm_show(t, w);
}

// Blocks whose last result has arrived leave. In an example with a single kernel and SM, others
// take their place at once.
static void turn_blocks(struct hd_toy_sm *t)
{
    for (unsigned slot = 0; slot < t->toy->resident; slot++) {
        struct hd_tb_view *tb = &t->tbs[slot];
        bool live = hd_has(t->v.tb_live, (int)slot), busy = false;
        int w;
        HD_EACH(w, tb->warps)
            busy |= !t->slots[w].ended || t->slots[w].ready > t->v.cycle;
        if (live && !busy) {
            HD_EACH(w, tb->warps) {
                t->slots[w].used = false;
                hd_toysm_show(t, w);
            }
            t->v.tb_live &= ~hd_bit((int)slot);
            live = false;
            hd_toysm_tell(t, (struct hd_event){
                                 .kind = HD_EV_TB_END, .tb = (uint8_t)slot, .kernel = tb->kernel});
            hd_toykernels_tb_ended(t, t->toy->tbs[t->tb_at[slot]].kernel);
            t->active |= t->toy->whole;
        }
        if (!live && !t->toy->whole && hd_toysm_room(t))
            hd_toykernels_start_next(t, slot);
    }
}

static void results_arrive(struct hd_toy_sm *t)
{
    show_all(t);
    for (int w = 0; w < t->v.n_warps; w++)
        if (t->slots[w].loading && t->slots[w].ready <= t->v.cycle) {
            t->slots[w].loading = false;
            hd_toysm_tell(t, hd_toysm_event(t, HD_EV_LOAD_DONE, w));
        }
}

// The line of its set that holds the number, or the one to be replaced.
static struct hd_toy_line *look_up(struct hd_toy_sm *t, uint64_t number)
{
    struct hd_toy_line *set = t->l1 + (number % t->toy->l1_sets) * t->toy->l1_ways, *oldest = set;

    for (struct hd_toy_line *l = set; l < set + t->toy->l1_ways; l++) {
        if (l->valid && l->number == number)
            return l;
        if (!l->valid ? oldest->valid : oldest->valid && l->used < oldest->used)
            oldest = l;
    }
    return oldest;
}

// A load through the L1: returns its latency.
static uint32_t read_line(struct hd_toy_sm *t, int w, uint64_t number, uint32_t miss_latency)
{
    struct hd_toy_line *l = look_up(t, number);
    struct hd_event e = hd_toysm_event(t, HD_EV_L1_READ, w);
    uint32_t latency = t->toy->l1_hit;

    e.line = number * LINE_BYTES;
    if (l->valid && l->number == number) {
        e.flags = l->ready > t->v.cycle ? HD_L1_PENDING : HD_L1_HIT;
        if (e.flags == HD_L1_PENDING)
            latency = (uint32_t)(l->ready - t->v.cycle);
        t->m->r->l1_hits += e.flags == HD_L1_HIT;
    } else {
        if (l->valid) {
            struct hd_event evict = hd_toysm_event(t, HD_EV_L1_EVICT, w);
            evict.line = l->number * LINE_BYTES;
            evict.owner = l->owner;
            hd_toysm_tell(t, evict);
        }
        *l = (struct hd_toy_line){
            .number = number, .ready = t->v.cycle + miss_latency, .valid = true};
        l->owner = (uint32_t)w;
        latency = miss_latency;
        e.flags = HD_L1_MISS;
        t->m->r->l1_misses++;
    }
    l->used = ++t->l1_clock;
    hd_toysm_tell(t, e);
    return latency;
}

// A store goes through and leaves no copy in the cache.
static void write_line(struct hd_toy_sm *t, int w, uint64_t number)
{
    struct hd_toy_line *l = look_up(t, number);
    struct hd_event e = hd_toysm_event(t, HD_EV_L1_WRITE, w);

    if (l->valid && l->number == number)
        l->valid = false;
    e.line = number * LINE_BYTES;
    hd_toysm_tell(t, e);
}

// Returns the operation's latency.
static uint32_t access_memory(struct hd_toy_sm *t, int w, const struct hd_toy_op *op)
{
    uint64_t number = op->line + (uint64_t)op->line_per_warp * t->slots[w].warp;

    if (!op->has_line || !t->toy->l1_sets)
        return op->latency;
    if (op->kind == HD_TOY_LOAD)
        return read_line(t, w, number, op->latency);
    write_line(t, w, number);
    return op->latency;
}

static void end_warp(struct hd_toy_sm *t, int w)
{
    t->slots[w].ended = true;
    t->tbs[t->slots[w].tb].finished++;
    hd_toysm_show(t, w);
    hd_toysm_tell(t, hd_toysm_event(t, HD_EV_WARP_EXIT, w));
}

// All warps of the block that have not ended are there: the barrier opens.
static void try_release(struct hd_toy_sm *t, unsigned slot)
{
    struct hd_tb_view *tb = &t->tbs[slot];
    int w;

    if (!tb->at_barrier || tb->at_barrier + tb->finished < tb->n_warps)
        return;
    tb->at_barrier = 0;
    HD_EACH(w, tb->warps) {
        t->slots[w].at_barrier = false;
        hd_toysm_show(t, w);
    }
    hd_toysm_tell(t, (struct hd_event){.kind = HD_EV_BAR_RELEASE, .tb = (uint8_t)slot});
    HD_EACH(w, tb->warps)
        if (!t->slots[w].ended && t->slots[w].pc >= t->slots[w].end)
            end_warp(t, w); // the barrier was its last instruction
}

static uint32_t next_pc(struct hd_toy_sm *t, int w, const struct hd_toy_op *op, uint32_t *flags)
{
    struct hd_toy_slot *s = &t->slots[w];

    if (op->kind == HD_TOY_END)
        return s->end;
    if (op->kind != HD_TOY_BRANCH)
        return s->pc + 1;
    uint32_t *count = &t->m->count[s->warp * t->toy->n_ops + s->pc];
    if (op->trips && ++*count == op->trips) {
        *count = 0;
        return s->pc + 1;
    }
    *flags |= HD_ISSUE_TAKEN;
    return op->target;
}

static void record(struct hd_toy_sm *t, int w, uint32_t latency)
{
    struct hd_toy_result *r = t->m->r;
    const struct hd_toy_slot *s = &t->slots[w];

    *HD_PUSH(t->m->arena, r->issues, r->n_issues, t->m->cap_issues) = (struct hd_toy_issue){
        t->v.cycle, t->v.cycle + latency - 1, s->warp, s->pc, (uint32_t)w % t->toy->schedulers};
    if (t->v.cycle + latency - 1 > r->finish)
        r->finish = t->v.cycle + latency - 1;
}

static void issue(struct hd_toy_sm *t, int w)
{
    struct hd_toy_slot *s = &t->slots[w];
    const struct hd_toy_op *op = &t->toy->ops[s->pc];
    struct hd_event e = hd_toysm_event(t, HD_EV_ISSUE, w);
    uint32_t latency = access_memory(t, w, op);

    record(t, w, latency);
    s->pc = next_pc(t, w, op, &e.flags);
    e.next_pc = s->pc < s->end ? s->pc : UINT32_MAX;
    e.lanes = (uint32_t)hd_low(op->lanes);
    s->ready = t->v.cycle + latency;
    s->loading = op->kind == HD_TOY_LOAD;
    if (t->toy->fetch)
        s->buffered--, s->buffer_pc++;
    else
        hd_toysm_refill(t, s);
    t->progress[w] += op->lanes;
    t->tbs[s->tb].progress += op->lanes;
    hd_toysm_show(t, w);
    t->v.last_issued[e.sched] = (int8_t)w;
    hd_toysm_tell(t, e);
    if (op->kind == HD_TOY_LAUNCH)
        hd_toykernels_launch(t, w, op->target);

    if (op->kind == HD_TOY_BARRIER) {
        s->at_barrier = true;
        t->tbs[s->tb].at_barrier++;
        hd_toysm_show(t, w);
        hd_toysm_tell(t, hd_toysm_event(t, HD_EV_BAR_ARRIVE, w));
    }
    if (s->pc >= s->end && !s->at_barrier)
        end_warp(t, w);
    try_release(t, s->tb);
}

// The first warp of a set in the policy's order.
static int first_of(struct hd_toy_sm *t, int s, uint64_t among)
{
    const struct hd_policy *p = sched_of(t)->policy;
    int w = p->first(state_for(t, s), &t->v, s, among);

    if (!hd_toy_answers(among, w))
        hd_blame_policy(p, "first",
                        "answered %d for scheduler %d in cycle %llu; it was asked for one of %s", w,
                        s, (unsigned long long)t->v.cycle, hd_blame_set(among));
    return w;
}

// The policy's order from its head up to `last`, or all of it.
static uint64_t visited_until(struct hd_toy_sm *t, int s, uint64_t eligible, int last)
{
    const struct hd_policy *p = sched_of(t)->policy;
    uint64_t left = eligible, visited = 0;
    int w = HD_NONE;

    if (!p->end || !(p->needs & HD_NEED_VISITED))
        return 0;
    while (left && w != last) {
        w = first_of(t, s, left);
        visited |= hd_bit(w);
        left &= ~hd_bit(w);
    }
    return visited;
}

static uint64_t eligible(struct hd_toy_sm *t, int s)
{
    const struct hd_policy *p = sched_of(t)->policy;

    return t->v.mine[s] & (p->eligible ? p->eligible(state_for(t, s), &t->v, s) : UINT64_MAX);
}

static unsigned stall_class(const struct hd_toy_sm *t, uint64_t looked_at)
{
    uint64_t valid = looked_at & hd_valid(&t->v) & ~t->v.wrong_path;
    unsigned outcome = valid & ~t->v.sb_block ? HD_STALL_PIPELINE
                       : valid                ? HD_STALL_SCOREBOARD
                                              : HD_STALL_IDLE;

    if (t->v.live && !(t->v.live & ~t->v.long_mark))
        outcome |= HD_OUTCOME_ALL_WAIT_MEMORY;
    return outcome;
}

static void count_stall(struct hd_toy_sm *t, unsigned outcome, uint64_t n)
{
    uint64_t *const classes[] = {[HD_STALL_IDLE] = &t->m->r->idle,
                                 [HD_STALL_SCOREBOARD] = &t->m->r->scoreboard,
                                 [HD_STALL_PIPELINE] = &t->m->r->pipeline};

    *classes[outcome & HD_OUTCOME_CLASS] += n;
}

static void flush(struct hd_toy_sm *t, int w)
{
    t->slots[w].buffered = 0;
    hd_toysm_show(t, w);
    t->active = true;
}

// One scheduler's cycle.
static void schedule(struct hd_toy_sm *t, int s)
{
    const struct hd_policy *p = sched_of(t)->policy;
    struct hd_pstate st = state_for(t, s);
    int chosen = HD_NONE;

    if (p->begin)
        p->begin(st, &t->v, s, 1);
    uint64_t looked_at = eligible(t, s), among = looked_at & hd_ready(&t->v);
    unsigned outcome = stall_class(t, looked_at);
    while (among) {
        int w = first_of(t, s, among);
        if (!hd_has(t->v.wrong_path, w)) {
            chosen = w;
            break;
        }
        flush(t, w);
        among &= ~hd_bit(w);
    }
    uint64_t visited = visited_until(t, s, looked_at, chosen);
    if (chosen != HD_NONE) {
        outcome = HD_ISSUED;
        issue(t, chosen);
        t->active = true;
    } else {
        count_stall(t, outcome, 1);
    }
    if (p->end)
        p->end(st, &t->v, s, 1, outcome, visited);
}

// One fetch a cycle, for a live warp with nothing buffered.
static void fetch(struct hd_toy_sm *t)
{
    uint64_t among = t->v.live & t->v.ibuf_empty;

    if (!t->toy->fetch || !among)
        return;
    const struct hd_toy_player *p = t->m->of[HD_SLOT_FETCH];
    int w = p ? p->policy->fetch(hd_toysm_state(t->m, p, t->index), &t->v, among)
              : hd_rotate_from(among, t->v.last_fetch + 1);
    if (p && !hd_toy_answers(among, w))
        hd_blame_policy(p->policy, "fetch", "answered %d in cycle %llu; it was asked for one of %s",
                        w, (unsigned long long)t->v.cycle, hd_blame_set(among));
    struct hd_toy_slot *s = &t->slots[w];
    uint32_t left = s->end - s->pc;
    s->buffer_pc = s->pc;
    s->buffered = left < t->toy->fetch ? left : t->toy->fetch;
    t->v.last_fetch = (int8_t)w;
    t->m->r->fetches++;
    t->active = true;
    hd_toysm_show(t, w);
}

// The next cycle in which anything can happen on the SM, UINT64_MAX if nothing ever will.
static uint64_t next_cycle(struct hd_toy_sm *t)
{
    const struct hd_policy *p = sched_of(t)->policy;
    uint64_t next = UINT64_MAX;

    if (t->active)
        return t->v.cycle + 1;
    for (int w = 0; w < t->v.n_warps; w++)
        if (t->slots[w].used && t->slots[w].ready > t->v.cycle && t->slots[w].ready < next)
            next = t->slots[w].ready;
    for (int s = 0; s < t->v.n_sched && t->v.tb_live; s++) {
        // What is eligible may change without an event.
        bool changes = p->flags & (HD_EVERY_CYCLE | HD_LOST_SINGLY);
        if ((changes ? t->v.mine[s] : eligible(t, s)) & hd_ready(&t->v))
            return t->v.cycle + 1;
        uint64_t wakes = p->wakes ? p->wakes(state_for(t, s), &t->v, s) : UINT64_MAX;
        if (wakes <= t->v.cycle)
            hd_blame_policy(p, "wakes", "answered %llu in cycle %llu, which is not later",
                            (unsigned long long)wakes, (unsigned long long)t->v.cycle);
        next = wakes < next ? wakes : next;
    }
    return next;
}

// Pass over n cycles in which nothing happens; the clock stands on the last of them.
static void skip(struct hd_toy_sm *t, uint64_t n)
{
    const struct hd_policy *p = sched_of(t)->policy;
    uint64_t first = t->v.cycle + 1;

    t->v.cycle = first;
    for (int s = 0; s < t->v.n_sched; s++) {
        struct hd_pstate st = state_for(t, s);
        if (!t->v.tb_live) { // without work there is nothing to schedule
            count_stall(t, HD_STALL_IDLE, n);
            continue;
        }
        if (p->begin)
            p->begin(st, &t->v, s, n);
        uint64_t looked_at = eligible(t, s);
        unsigned outcome = stall_class(t, looked_at);
        if (looked_at & hd_ready(&t->v))
            hd_blame_policy(p, p->wakes ? "wakes" : "eligible",
                            "lets warps in before an event or the cycle of wakes(): in cycle %llu "
                            "%s could issue, and the cycle was skipped",
                            (unsigned long long)t->v.cycle,
                            hd_blame_set(looked_at & hd_ready(&t->v)));
        count_stall(t, outcome, n);
        if (p->end)
            p->end(st, &t->v, s, n, outcome, visited_until(t, s, looked_at, HD_NONE));
    }
    t->v.cycle = first + n - 1;
}

// The SMs in the state in which they schedule: blocks have ended and started.
static void begin_cycle(struct hd_toy_machine *m, uint64_t cycle)
{
    m->v.cycle = cycle;
    for (uint32_t i = 0; i < m->toy->sms; i++) {
        m->sms[i].v.cycle = cycle;
        m->sms[i].active = false;
    }
    for (uint32_t i = 0; i < m->toy->sms && cycle; i++)
        results_arrive(&m->sms[i]);
    if (!cycle)
        hd_toykernels_step(m);
    for (uint32_t i = 0; i < m->toy->sms; i++)
        turn_blocks(&m->sms[i]);
    if (cycle)
        hd_toykernels_step(m);
}

static void schedule_all(struct hd_toy_machine *m)
{
    for (uint32_t i = 0; i < m->toy->sms; i++) {
        struct hd_toy_sm *t = &m->sms[i];
        for (int s = 0; s < t->v.n_sched; s++) {
            if (t->v.tb_live)
                schedule(t, s);
            else
                count_stall(t, HD_STALL_IDLE, 1);
        }
        fetch(t);
    }
}

static bool ended(const struct hd_toy_machine *m)
{
    return m->toy->whole ? hd_toykernels_idle(m) : !m->sms[0].v.tb_live;
}

static void cycles(struct hd_toy_machine *m, bool no_skip)
{
    for (uint64_t cycle = 1;; cycle++) {
        begin_cycle(m, cycle);
        if (ended(m))
            return;
        schedule_all(m);
        uint64_t next = hd_toykernels_next_cycle(m);
        for (uint32_t i = 0; i < m->toy->sms; i++) {
            uint64_t own = next_cycle(&m->sms[i]);
            next = own < next ? own : next;
        }
        if (next == UINT64_MAX || cycle >= m->toy->limit) {
            m->r->status = next == UINT64_MAX ? HD_TOY_DEADLOCK : HD_TOY_LIMIT;
            m->r->finish = cycle;
            return;
        }
        if (next > m->toy->limit)
            next = m->toy->limit;
        if (no_skip || m->never_skip || next <= cycle + 1)
            continue;
        for (uint32_t i = 0; i < m->toy->sms; i++)
            skip(&m->sms[i], next - cycle - 1);
        cycle = next - 1;
    }
}

// The memory of a policy; one that fills several slots with the same parameters has it once.
static const struct hd_toy_player *player_for(struct hd_toy_machine *m,
                                              const struct hd_policy_choice *c)
{
    const struct hd_policy *p = c->policy;
    size_t sms = m->toy->sms;

    if (!p)
        return NULL;
    for (unsigned i = 0; i < m->n_players; i++)
        if (m->players[i].policy == p && !strcmp(m->players[i].choice->resolved, c->resolved))
            return &m->players[i];
    m->never_skip |= (p->flags & (HD_EVERY_CYCLE | HD_LOST_SINGLY)) != 0;
    m->players[m->n_players] = (struct hd_toy_player){
        .policy = p,
        .choice = c,
        .gpu = hd_arena_get(m->arena, 1, p->gpu_bytes + 1),
        .sm = hd_arena_get(m->arena, sms, p->sm_bytes + 1),
        .sched = hd_arena_get(m->arena, sms * m->toy->schedulers, p->sched_bytes + 1)};
    return &m->players[m->n_players++];
}

static void set_up_sm(struct hd_toy_machine *m, uint32_t index)
{
    const struct hd_toy *toy = m->toy;
    struct hd_toy_sm *t = &m->sms[index];

    t->m = m;
    t->toy = toy;
    t->index = index;
    t->v = (struct hd_view){.pc = t->pc,
                            .age = t->age,
                            .progress = t->progress,
                            .tb_of = t->tb_of,
                            .tbs = t->tbs,
                            .tb_max = (uint8_t)toy->resident,
                            .tb_fits = (uint8_t)toy->resident,
                            .n_sched = (uint8_t)toy->schedulers,
                            .n_warps = (uint8_t)(toy->resident * toy->widest_tb),
                            .prog = &m->columns,
                            .last_fetch = HD_NONE};
    memset(t->v.last_issued, HD_NONE, sizeof t->v.last_issued);
    for (unsigned w = 0; w < t->v.n_warps; w++)
        t->v.mine[w % toy->schedulers] |= hd_bit((int)w);
    t->l1 = HD_ARRAY(m->arena, struct hd_toy_line, (size_t)toy->l1_sets * toy->l1_ways + 1);
    m->views[index] = &t->v;
    show_all(t);
}

static void set_up(struct hd_toy_machine *m, const struct hd_toy_options *o)
{
    const struct hd_toy *toy = m->toy;
    const struct hd_policy_choice *const choices[HD_N_SLOTS] = {[HD_SLOT_SCHED] = &o->sched,
                                                                [HD_SLOT_FETCH] = &o->fetch,
                                                                [HD_SLOT_TB] = &o->tb,
                                                                [HD_SLOT_KERNEL_POLICY] =
                                                                    &o->kernel_policy};

    for (unsigned i = 0; i < HD_N_SLOTS; i++)
        m->of[i] = player_for(m, choices[i]);
    m->columns = (struct hd_static_view){.n = toy->n_ops,
                                         .kind = toy->kind,
                                         .load_distance = toy->load_distance,
                                         .recalc = toy->recalc};
    m->sms = HD_ARRAY(m->arena, struct hd_toy_sm, toy->sms);
    m->views = HD_ARRAY(m->arena, const struct hd_view *, toy->sms);
    m->launches = HD_ARRAY(m->arena, struct hd_toy_launch, toy->n_kernels + 1);
    m->v = (struct hd_gpu_view){.n_sms = toy->sms,
                                .sms = m->views,
                                .kernels = m->running,
                                .last_sm = toy->sms - 1,
                                .last_kernel = HD_NONE};
    m->count = HD_ARRAY(m->arena, uint32_t, (size_t)toy->n_warps * toy->n_ops + 1);
    m->r->start = HD_ARRAY(m->arena, uint64_t, toy->n_warps);
    m->r->sm = HD_ARRAY(m->arena, uint32_t, toy->n_warps);
    for (uint32_t i = 0; i < toy->sms; i++)
        set_up_sm(m, i);
}

void hd_toy_run(struct hd_arena *a, const struct hd_toy *toy, const struct hd_toy_options *o,
                struct hd_toy_result *r)
{
    struct hd_toy_machine *m = HD_NEW(a, hd_toy_machine);

    *r = (struct hd_toy_result){.status = HD_TOY_DONE};
    m->toy = toy;
    m->r = r;
    m->arena = a;
    set_up(m, o);
    hd_toykernels_begin(m);
    begin_cycle(m, 0); // the first blocks are placed
    cycles(m, o->no_skip);
    r->stalls = r->finish * toy->schedulers * toy->sms - r->n_issues;
    r->state = hd_toysm_state(m, m->of[HD_SLOT_SCHED], 0);
}
