// engine.c - runs an example under a policy, in the order of heddle/policy.h.
//
// A cycle: results arrive, blocks end and start; each scheduler issues; one fetch. The view is
// computed from the warps' state whenever that changes: examples are small, and one place is easy
// to check. This file is also the shortest complete implementation of the core's side of policies.
#include "toy/toy.h"

#include "base/bug.h"

#include <string.h>

#define LINE_BYTES 128

struct slot { // a warp slot and the warp in it
    bool used, ended, at_barrier, loading;
    uint32_t warp; // of the example
    uint32_t tb;   // block slot
    uint32_t pc, end;
    uint32_t buffered, buffer_pc; // instructions fetched, and the PC of the first
    uint64_t ready;               // cycle in which the last result is there
};
struct line {
    uint64_t number, used, ready; // ready: cycle in which the fill has arrived
    uint32_t owner;
    bool valid;
};
struct player { // a policy and its memory
    const struct hd_policy *policy;
    struct hd_pstate st; // .sched is the array
};
struct run {
    const struct hd_toy *toy;
    struct hd_toy_result *r;
    struct hd_arena *arena;
    struct player sched, fetch; // fetch.policy NULL: round robin
    bool fetch_apart;           // fetch has a state of its own
    bool never_skip;            // a policy has HD_EVERY_CYCLE
    struct hd_view v;
    struct hd_static_view columns;
    struct slot slots[HD_MAX_WARPS];
    struct hd_tb_view tbs[HD_MAX_TBS];
    uint32_t pc[HD_MAX_WARPS], age[HD_MAX_WARPS];
    uint64_t progress[HD_MAX_WARPS];
    uint8_t tb_of[HD_MAX_WARPS];
    uint32_t *count; // times a warp of the example has executed a branch: [warp * n_ops + pc]
    struct line *l1;
    uint64_t l1_clock;
    uint32_t next_tb, next_age;
    size_t cap_issues;
    bool active; // something other than time happened in this cycle
};

static struct hd_pstate state_for(const struct player *p, int s)
{
    struct hd_pstate st = p->st;

    st.sched = (char *)st.sched + (size_t)s * p->policy->sched_bytes;
    return st;
}

static void tell(struct run *t, struct hd_event e)
{
    const struct player *const players[] = {&t->sched, t->fetch_apart ? &t->fetch : NULL};

    for (unsigned i = 0; i < 2; i++)
        if (players[i] && players[i]->policy->on && players[i]->policy->events & HD_ON(e.kind))
            players[i]->policy->on(players[i]->st, &t->v, &e);
}

static struct hd_event warp_event(const struct run *t, enum hd_event_kind kind, int w)
{
    HD_BUG_IF(!t->toy->schedulers, "a toy without schedulers");
    return (struct hd_event){.kind = (uint8_t)kind,
                             .sched = (uint8_t)((unsigned)w % t->toy->schedulers),
                             .warp = (uint8_t)w,
                             .tb = (uint8_t)t->slots[w].tb,
                             .pc = t->slots[w].pc};
}

static void put(uint64_t *mask, int w, bool value)
{
    *mask = value ? *mask | hd_bit(w) : *mask & ~hd_bit(w);
}

// Sets the view's masks and columns of one slot.
static void show(struct run *t, int w)
{
    const struct slot *s = &t->slots[w];
    struct hd_view *v = &t->v;
    bool live = s->used && !s->ended, waits = live && s->ready > v->cycle;
    const struct hd_toy_op *head = live && s->buffered ? &t->toy->ops[s->buffer_pc] : NULL;
    bool load = head && head->kind == HD_TOY_LOAD, store = head && head->kind == HD_TOY_STORE;

    put(&v->live, w, live);
    put(&v->at_barrier, w, s->at_barrier);
    put(&v->waiting, w, !live || s->at_barrier);
    put(&v->ibuf_empty, w, !head);
    put(&v->wrong_path, w, head && s->buffer_pc != s->pc);
    put(&v->sb_block, w, head && waits);
    put(&v->long_mark, w, head && waits && s->loading);
    put(&v->head_load, w, load);
    put(&v->head_store, w, store);
    put(&v->head_declared, w, load || store);
    t->pc[w] = live && s->pc < s->end ? s->pc : UINT32_MAX;
}

static void show_all(struct run *t)
{
    for (int w = 0; w < t->v.n_warps; w++)
        show(t, w);
}

// Without a front end the next instruction is always available.
static void refill(struct run *t, struct slot *s)
{
    if (!t->toy->fetch) {
        s->buffered = s->pc < s->end;
        s->buffer_pc = s->pc;
    }
}

static void start_tb(struct run *t, unsigned slot)
{
    const struct hd_toy_tb *from = &t->toy->tbs[t->next_tb];
    struct hd_tb_view *tb = &t->tbs[slot];
    int first = (int)(slot * t->toy->widest_tb), w;

    *tb = (struct hd_tb_view){.warps = hd_low(from->n_warps) << first,
                              .global_id = t->next_tb,
                              .parent_kernel = UINT32_MAX,
                              .parent_tb = UINT32_MAX,
                              .n_warps = (uint8_t)from->n_warps};
    t->v.tb_live |= hd_bit((int)slot);
    t->v.tbs_pending--;
    HD_EACH(w, tb->warps) {
        uint32_t warp = from->first_warp + (uint32_t)(w - first);
        const struct hd_toy_warp *origin = &t->toy->warps[warp];
        t->slots[w] = (struct slot){
            .used = true, .warp = warp, .tb = slot, .pc = origin->pc, .end = origin->end};
        t->slots[w].ended = origin->pc >= origin->end;
        tb->finished = (uint8_t)(tb->finished + t->slots[w].ended);
        t->progress[w] = 0;
        t->age[w] = t->next_age++;
        t->tb_of[w] = (uint8_t)slot;
        t->r->start[warp] = t->v.cycle;
        refill(t, &t->slots[w]);
        show(t, w);
    }
    t->next_tb++;
    tell(t, (struct hd_event){.kind = HD_EV_TB_START, .tb = (uint8_t)slot});
    HD_EACH(w, tb->warps)
        if (!t->slots[w].ended)
            tell(t, warp_event(t, HD_EV_WARP_START, w));
    if (!t->v.tbs_pending)
        tell(t, (struct hd_event){.kind = HD_EV_PHASE_SLOW});
}

// Whether another block may start. Both policies may limit how many are resident.
static bool room(const struct run *t)
{
    const struct player *const players[] = {&t->sched, t->fetch_apart ? &t->fetch : NULL};
    unsigned limit = t->toy->resident;

    for (unsigned i = 0; i < 2; i++)
        if (players[i] && players[i]->policy->tb_limit) {
            unsigned wanted = players[i]->policy->tb_limit(players[i]->st, &t->v);
            limit = wanted < limit ? wanted : limit;
        }
    return t->next_tb < t->toy->n_tbs && (unsigned)hd_count(t->v.tb_live) < limit;
}

// Blocks whose last result has arrived leave, and others take their place.
static void turn_blocks(struct run *t)
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
                show(t, w);
            }
            t->v.tb_live &= ~hd_bit((int)slot);
            live = false;
            tell(t, (struct hd_event){.kind = HD_EV_TB_END, .tb = (uint8_t)slot});
        }
        if (!live && room(t)) {
            start_tb(t, slot);
            t->active = true;
        }
    }
}

static void results_arrive(struct run *t)
{
    show_all(t);
    for (int w = 0; w < t->v.n_warps; w++)
        if (t->slots[w].loading && t->slots[w].ready <= t->v.cycle) {
            t->slots[w].loading = false;
            tell(t, warp_event(t, HD_EV_LOAD_DONE, w));
        }
}

// The line of its set that holds the number, or the one to be replaced.
static struct line *look_up(struct run *t, uint64_t number)
{
    struct line *set = t->l1 + (number % t->toy->l1_sets) * t->toy->l1_ways, *oldest = set;

    for (struct line *l = set; l < set + t->toy->l1_ways; l++) {
        if (l->valid && l->number == number)
            return l;
        if (!l->valid ? oldest->valid : oldest->valid && l->used < oldest->used)
            oldest = l;
    }
    return oldest;
}

// A load through the L1: returns its latency.
static uint32_t read_line(struct run *t, int w, uint64_t number, uint32_t miss_latency)
{
    struct line *l = look_up(t, number);
    struct hd_event e = warp_event(t, HD_EV_L1_READ, w);
    uint32_t latency = t->toy->l1_hit;

    e.line = number * LINE_BYTES;
    if (l->valid && l->number == number) {
        e.flags = l->ready > t->v.cycle ? HD_L1_PENDING : HD_L1_HIT;
        if (e.flags == HD_L1_PENDING)
            latency = (uint32_t)(l->ready - t->v.cycle);
        t->r->l1_hits += e.flags == HD_L1_HIT;
    } else {
        if (l->valid) {
            struct hd_event evict = warp_event(t, HD_EV_L1_EVICT, w);
            evict.line = l->number * LINE_BYTES;
            evict.owner = l->owner;
            tell(t, evict);
        }
        *l = (struct line){.number = number, .ready = t->v.cycle + miss_latency, .valid = true};
        l->owner = (uint32_t)w;
        latency = miss_latency;
        e.flags = HD_L1_MISS;
        t->r->l1_misses++;
    }
    l->used = ++t->l1_clock;
    tell(t, e);
    return latency;
}

// A store goes through and leaves no copy in the cache.
static void write_line(struct run *t, int w, uint64_t number)
{
    struct line *l = look_up(t, number);
    struct hd_event e = warp_event(t, HD_EV_L1_WRITE, w);

    if (l->valid && l->number == number)
        l->valid = false;
    e.line = number * LINE_BYTES;
    tell(t, e);
}

// Returns the operation's latency.
static uint32_t access_memory(struct run *t, int w, const struct hd_toy_op *op)
{
    uint64_t number = op->line + (uint64_t)op->line_per_warp * t->slots[w].warp;

    if (!op->has_line || !t->toy->l1_sets)
        return op->latency;
    if (op->kind == HD_TOY_LOAD)
        return read_line(t, w, number, op->latency);
    write_line(t, w, number);
    return op->latency;
}

static void end_warp(struct run *t, int w)
{
    t->slots[w].ended = true;
    t->tbs[t->slots[w].tb].finished++;
    show(t, w);
    tell(t, warp_event(t, HD_EV_WARP_EXIT, w));
}

// All warps of the block that have not ended are there: the barrier opens.
static void try_release(struct run *t, unsigned slot)
{
    struct hd_tb_view *tb = &t->tbs[slot];
    int w;

    if (!tb->at_barrier || tb->at_barrier + tb->finished < tb->n_warps)
        return;
    tb->at_barrier = 0;
    HD_EACH(w, tb->warps) {
        t->slots[w].at_barrier = false;
        show(t, w);
    }
    tell(t, (struct hd_event){.kind = HD_EV_BAR_RELEASE, .tb = (uint8_t)slot});
    HD_EACH(w, tb->warps)
        if (!t->slots[w].ended && t->slots[w].pc >= t->slots[w].end)
            end_warp(t, w); // the barrier was its last instruction
}

static uint32_t next_pc(struct run *t, int w, const struct hd_toy_op *op, uint32_t *flags)
{
    struct slot *s = &t->slots[w];

    if (op->kind == HD_TOY_END)
        return s->end;
    if (op->kind != HD_TOY_BRANCH)
        return s->pc + 1;
    uint32_t *count = &t->count[s->warp * t->toy->n_ops + s->pc];
    if (op->trips && ++*count == op->trips) {
        *count = 0;
        return s->pc + 1;
    }
    *flags |= HD_ISSUE_TAKEN;
    return op->target;
}

static void record(struct run *t, int w, uint32_t latency)
{
    struct hd_toy_result *r = t->r;
    const struct slot *s = &t->slots[w];

    *HD_PUSH(t->arena, r->issues, r->n_issues, t->cap_issues) = (struct hd_toy_issue){
        t->v.cycle, t->v.cycle + latency - 1, s->warp, s->pc, (uint32_t)w % t->toy->schedulers};
    if (t->v.cycle + latency - 1 > r->finish)
        r->finish = t->v.cycle + latency - 1;
}

static void issue(struct run *t, int w)
{
    struct slot *s = &t->slots[w];
    const struct hd_toy_op *op = &t->toy->ops[s->pc];
    struct hd_event e = warp_event(t, HD_EV_ISSUE, w);
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
        refill(t, s);
    t->progress[w] += op->lanes;
    t->tbs[s->tb].progress += op->lanes;
    show(t, w);
    t->v.last_issued[e.sched] = (int8_t)w;
    tell(t, e);

    if (op->kind == HD_TOY_BARRIER) {
        s->at_barrier = true;
        t->tbs[s->tb].at_barrier++;
        show(t, w);
        tell(t, warp_event(t, HD_EV_BAR_ARRIVE, w));
    }
    if (s->pc >= s->end && !s->at_barrier)
        end_warp(t, w);
    try_release(t, s->tb);
}

// The policy's order from its head up to `last`, or all of it.
static uint64_t visited_until(struct run *t, int s, uint64_t eligible, int last)
{
    const struct hd_policy *p = t->sched.policy;
    uint64_t left = eligible, visited = 0;
    int w = HD_NONE;

    if (!p->end || !(p->needs & HD_NEED_VISITED))
        return 0;
    while (left && w != last) {
        w = p->first(state_for(&t->sched, s), &t->v, s, left);
        HD_BUG_IF(!hd_has(left, w), "policy %s chose warp %d out of %llx", p->name, w,
                  (unsigned long long)left);
        visited |= hd_bit(w);
        left &= ~hd_bit(w);
    }
    return visited;
}

static uint64_t eligible(struct run *t, int s)
{
    const struct hd_policy *p = t->sched.policy;

    return t->v.mine[s] &
           (p->eligible ? p->eligible(state_for(&t->sched, s), &t->v, s) : UINT64_MAX);
}

static unsigned stall_class(const struct run *t, uint64_t looked_at)
{
    uint64_t valid = looked_at & hd_valid(&t->v) & ~t->v.wrong_path;
    unsigned outcome = valid & ~t->v.sb_block ? HD_STALL_PIPELINE
                       : valid                ? HD_STALL_SCOREBOARD
                                              : HD_STALL_IDLE;

    if (t->v.live && !(t->v.live & ~t->v.long_mark))
        outcome |= HD_OUTCOME_ALL_WAIT_MEMORY;
    return outcome;
}

static void count_stall(struct run *t, unsigned outcome, uint64_t n)
{
    uint64_t *const classes[] = {[HD_STALL_IDLE] = &t->r->idle,
                                 [HD_STALL_SCOREBOARD] = &t->r->scoreboard,
                                 [HD_STALL_PIPELINE] = &t->r->pipeline};

    *classes[outcome & HD_OUTCOME_CLASS] += n;
}

static void flush(struct run *t, int w)
{
    t->slots[w].buffered = 0;
    show(t, w);
    t->active = true;
}

// One scheduler's cycle.
static void schedule(struct run *t, int s)
{
    const struct hd_policy *p = t->sched.policy;
    struct hd_pstate st = state_for(&t->sched, s);
    int chosen = HD_NONE;

    if (p->begin)
        p->begin(st, &t->v, s, 1);
    uint64_t looked_at = eligible(t, s), among = looked_at & hd_ready(&t->v);
    unsigned outcome = stall_class(t, looked_at);
    while (among) {
        int w = p->first(st, &t->v, s, among);
        HD_BUG_IF(!hd_has(among, w), "policy %s chose warp %d out of %llx", p->name, w,
                  (unsigned long long)among);
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
static void fetch(struct run *t)
{
    uint64_t among = t->v.live & t->v.ibuf_empty;

    if (!t->toy->fetch || !among)
        return;
    int w = t->fetch.policy ? t->fetch.policy->fetch(t->fetch.st, &t->v, among)
                            : hd_rotate_from(among, t->v.last_fetch + 1);
    HD_BUG_IF(!hd_has(among, w), "fetch policy chose warp %d out of %llx", w,
              (unsigned long long)among);
    struct slot *s = &t->slots[w];
    uint32_t left = s->end - s->pc;
    s->buffer_pc = s->pc;
    s->buffered = left < t->toy->fetch ? left : t->toy->fetch;
    t->v.last_fetch = (int8_t)w;
    t->r->fetches++;
    t->active = true;
    show(t, w);
}

// The next cycle in which anything can happen, UINT64_MAX if nothing ever will.
static uint64_t next_cycle(struct run *t)
{
    const struct hd_policy *p = t->sched.policy;
    uint64_t next = UINT64_MAX;

    if (t->active || room(t))
        return t->v.cycle + 1;
    for (int w = 0; w < t->v.n_warps; w++)
        if (t->slots[w].used && t->slots[w].ready > t->v.cycle && t->slots[w].ready < next)
            next = t->slots[w].ready;
    for (int s = 0; s < t->v.n_sched; s++) {
        if (eligible(t, s) & hd_ready(&t->v))
            return t->v.cycle + 1;
        uint64_t wakes = p->wakes ? p->wakes(state_for(&t->sched, s), &t->v, s) : UINT64_MAX;
        HD_BUG_IF(wakes <= t->v.cycle, "policy %s wakes in the past", p->name);
        next = wakes < next ? wakes : next;
    }
    return next;
}

// Pass over n cycles in which nothing happens; the clock stands on the last of them.
static void skip(struct run *t, uint64_t n)
{
    const struct hd_policy *p = t->sched.policy;
    uint64_t first = t->v.cycle + 1;

    t->v.cycle = first;
    for (int s = 0; s < t->v.n_sched; s++) {
        struct hd_pstate st = state_for(&t->sched, s);
        if (p->begin)
            p->begin(st, &t->v, s, n);
        uint64_t looked_at = eligible(t, s);
        unsigned outcome = stall_class(t, looked_at);
        HD_BUG_IF(looked_at & hd_ready(&t->v), "policy %s woke too late", p->name);
        count_stall(t, outcome, n);
        if (p->end)
            p->end(st, &t->v, s, n, outcome, visited_until(t, s, looked_at, HD_NONE));
    }
    t->v.cycle = first + n - 1;
}

static void cycles(struct run *t, bool no_skip)
{
    for (;;) {
        t->v.cycle++;
        t->active = false;
        results_arrive(t);
        turn_blocks(t);
        if (!t->v.tb_live)
            return;
        for (int s = 0; s < t->v.n_sched; s++)
            schedule(t, s);
        fetch(t);
        uint64_t next = next_cycle(t);
        if (next == UINT64_MAX || t->v.cycle >= t->toy->limit) {
            t->r->status = next == UINT64_MAX ? HD_TOY_DEADLOCK : HD_TOY_LIMIT;
            t->r->finish = t->v.cycle;
            return;
        }
        if (next > t->toy->limit)
            next = t->toy->limit;
        if (!no_skip && !t->never_skip && next > t->v.cycle + 1)
            skip(t, next - t->v.cycle - 1);
    }
}

static struct player new_player(struct hd_arena *a, const struct hd_policy_choice *c, unsigned n)
{
    const struct hd_policy *p = c->policy;
    struct player out = {.policy = p};

    if (p) {
        out.st.gpu = hd_arena_get(a, 1, p->gpu_bytes + 1);
        out.st.sm = hd_arena_get(a, 1, p->sm_bytes + 1);
        out.st.sched = hd_arena_get(a, n, p->sched_bytes + 1);
        out.st.params = c->params;
    }
    return out;
}

static void set_up(struct run *t, const struct hd_toy_options *o)
{
    const struct hd_toy *toy = t->toy;

    t->sched = new_player(t->arena, &o->sched, toy->schedulers);
    t->fetch_apart = o->fetch.policy && (o->fetch.policy != o->sched.policy ||
                                         strcmp(o->fetch.resolved, o->sched.resolved) != 0);
    t->fetch = t->fetch_apart    ? new_player(t->arena, &o->fetch, toy->schedulers)
               : o->fetch.policy ? t->sched
                                 : (struct player){0};
    t->never_skip = ((o->sched.policy->flags | (o->fetch.policy ? o->fetch.policy->flags : 0)) &
                     HD_EVERY_CYCLE) != 0;
    t->columns = (struct hd_static_view){.n = toy->n_ops,
                                         .kind = toy->kind,
                                         .load_distance = toy->load_distance,
                                         .recalc = toy->recalc};
    t->v = (struct hd_view){.pc = t->pc,
                            .age = t->age,
                            .progress = t->progress,
                            .tb_of = t->tb_of,
                            .tbs = t->tbs,
                            .tbs_pending = toy->n_tbs,
                            .tb_max = (uint8_t)toy->resident,
                            .tb_fits = (uint8_t)toy->resident,
                            .n_sched = (uint8_t)toy->schedulers,
                            .n_warps = (uint8_t)(toy->resident * toy->widest_tb),
                            .prog = &t->columns,
                            .last_fetch = HD_NONE};
    memset(t->v.last_issued, HD_NONE, sizeof t->v.last_issued);
    for (unsigned w = 0; w < t->v.n_warps; w++)
        t->v.mine[w % toy->schedulers] |= hd_bit((int)w);
    t->count = HD_ARRAY(t->arena, uint32_t, (size_t)toy->n_warps * toy->n_ops + 1);
    t->l1 = HD_ARRAY(t->arena, struct line, (size_t)toy->l1_sets * toy->l1_ways + 1);
    t->r->start = HD_ARRAY(t->arena, uint64_t, toy->n_warps);
}

void hd_toy_run(struct hd_arena *a, const struct hd_toy *toy, const struct hd_toy_options *o,
                struct hd_toy_result *r)
{
    struct run *t = HD_NEW(a, run);

    *r = (struct hd_toy_result){.status = HD_TOY_DONE};
    t->toy = toy;
    t->r = r;
    t->arena = a;
    set_up(t, o);
    show_all(t);
    tell(t, (struct hd_event){.kind = HD_EV_KERNEL_START});
    turn_blocks(t); // cycle 0: the first blocks are placed
    cycles(t, o->no_skip);
    tell(t, (struct hd_event){.kind = HD_EV_KERNEL_END});
    r->stalls = r->finish * toy->schedulers - r->n_issues;
    r->state = t->sched.st;
}
