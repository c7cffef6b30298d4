// sm.c - building an SM, its cycle in the reference's stage order, sleeping.
#include "sm/sm.h"

#include "sm/sm_internal.h"

#include <string.h>

// The parts of the state that the policy has when it is called for a scheduler.
static struct hd_pstate state_of(const struct hd_sm_policy *p, unsigned sched)
{
    struct hd_pstate st = p->state;

    if (st.sched)
        st.sched = (char *)st.sched + p->policy->sched_bytes * sched;
    return st;
}

struct hd_sm *hd_sm_new(struct hd_arena *a, const struct hd_sm_setup *s)
{
    struct hd_sm *sm = HD_NEW(a, hd_sm);
    const struct hd_config_sm *c = &s->config->sm;

    sm->cfg = s->config;
    sm->index = s->index;
    sm->source = s->source;
    sm->mem = s->mem;
    memcpy(sm->policies, s->policies, sizeof sm->policies);
    sm->n_policies = s->n_policies;
    sm->sched = s->sched;
    sm->policy = s->policies[s->sched].policy;
    for (unsigned i = 0; i < c->schedulers; i++)
        sm->scheds[i].state = state_of(&s->policies[s->sched], i);
    sm->fetch = s->fetch;
    sm->held_next = UINT64_MAX;
    for (unsigned i = 0; i < s->n_policies; i++) {
        sm->events |= s->policies[i].policy->events;
        sm->never_skip |= (s->policies[i].policy->flags & HD_EVERY_CYCLE) != 0;
    }
    sm->report_stalls = sm->policy->end && !(sm->policy->flags & HD_LOST_ONCE);
    memset(sm->view.last_issued, HD_NONE, sizeof sm->view.last_issued);
    sm->view.n_warps = (uint8_t)c->warps;
    sm->view.n_sched = (uint8_t)c->schedulers;
    sm->all_scheds = (uint32_t)hd_low(c->schedulers);
    sm->view.tb_max = sm->view.tb_fits = c->share ? (uint8_t)c->tbs : 0; // until it is bound
    sm->view.waiting = hd_low(c->warps);
    sm->view.pc = sm->source.pc;
    sm->view.age = sm->age;
    sm->view.progress = sm->progress;
    sm->view.tb_of = sm->tb_of;
    sm->view.tbs = sm->tbs;
    sm->part_shift =
        sm->cfg->gpu.memory == HD_MEM_CROSSBAR && sm->cfg->l2.sector < sm->cfg->l2.line ? 5 : 7;
    hd_fetch_init(sm, a);
    hd_subcores_new(sm, a);
    hd_ldst_init(sm, a);
    hd_l1c_init(sm, a);
    hd_l1d_init(sm, a);
    hd_l1t_init(sm, a);
    hd_async_init(sm, a);
    return sm;
}

void hd_sm_resume(struct hd_sm *sm, uint64_t start)
{
    sm->stepped = start - 1;
    sm->progress_cycle = sm->issue_cycle = sm->ask_at = start;
}

// What a block of the launch needs of shared memory, as occupancy counts it.
static uint32_t shared_of(const struct hd_sm *sm, const struct hd_launch *l)
{
    return l->shared_static + (sm->cfg->sm.dynamic_shared ? l->dynamic_shared : 0);
}

void hd_sm_prepare(struct hd_sm *sm, struct hd_arena *a, const struct hd_launch *l,
                   const struct hd_static_view *prog, const uint8_t *units, unsigned max_tbs,
                   unsigned fits, uint64_t start)
{
    uint32_t ids = 0;

    for (uint32_t i = 0; i < l->program->n_funcs; i++)
        if (l->program->funcs[i].n_sb > ids)
            ids = l->program->funcs[i].n_sb;
    hd_scoreboard_fit(sm, a, ids);
    hd_sm_resume(sm, start);
    sm->code_base = l->code_base;
    sm->stalls_known = 0;
    sm->program = l->program;
    sm->units = units;
    if (sm->l1d_sectors && sm->cfg->l1d.unified)
        hd_l1sectors_fit(sm, (uint64_t)max_tbs * shared_of(sm, l));
    sm->view.tb_max = (uint8_t)max_tbs;
    sm->view.tb_fits = (uint8_t)fits;
    sm->view.kernel = l->id;
    sm->view.prog = prog;
}

void hd_sm_set_kernel(struct hd_sm *sm, uint32_t launch)
{
    sm->view.kernel = launch;
    sm->stalls_known = 0;
}

void hd_sm_set_pending(struct hd_sm *sm, uint32_t tbs)
{
    sm->view.tbs_pending = tbs;
    sm->stalls_known = 0;
}

// The acknowledgement of a store, if its warp waits for others, too: it changes nothing but their
// number, and would leave the empty FIFO of the load/store unit in this very cycle. So it need not
// end a sleep.
static inline bool take_acknowledgement(struct hd_sm *sm, const struct hd_req *r)
{
    uint32_t w = HD_TAG_INDEX(r->tag);

    if (HD_TAG_CLIENT(r->tag) != HD_CLIENT_STORE || !hd_req_ring_empty(&sm->ldst.fifo) ||
        sm->warps[w].stores < 2 || hd_has(sm->copied, (int)w))
        return false;
    sm->warps[w].stores--;
    return true;
}

// Replies go through a FIFO in front of the SM, one in and one out per cycle. The head leaves
// first, so that a reply spends at least a cycle there (timing-model 8.6). Only a reply that leaves
// the FIFO ends a sleep.
unsigned hd_sm_replies(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_req r;
    unsigned did = 0;

    if (!hd_req_ring_empty(&sm->cluster)) {
        const struct hd_req *head = hd_req_ring_head(&sm->cluster);
        if (HD_TAG_CLIENT(head->tag) == HD_CLIENT_INST) {
            hd_fetch_fill(sm, head->addr, cycle);
            hd_req_ring_pop(&sm->cluster);
            did = HD_SM_MOVED | HD_SM_REACHED;
        } else if (take_acknowledgement(sm, head)) {
            hd_req_ring_pop(&sm->cluster);
            did = HD_SM_MOVED;
        } else if (!hd_req_ring_full(&sm->ldst.fifo)) {
            hd_req_ring_push(&sm->ldst.fifo, *head);
            hd_req_ring_pop(&sm->cluster);
            did = HD_SM_MOVED | HD_SM_REACHED;
        }
    }
    if ((!sm->mem.arrived || hd_bits_has(sm->mem.arrived, sm->index)) &&
        !hd_req_ring_full(&sm->cluster) && sm->mem.ops->pop(sm->mem.self, sm->index, &r)) {
        hd_req_ring_push(&sm->cluster, r);
        did |= HD_SM_MOVED;
    }
    return did | (hd_req_ring_empty(&sm->cluster) ? 0 : HD_SM_HOLDS);
}

static void catch_up(struct hd_sm *sm, uint64_t cycle, bool active)
{
    uint64_t n = cycle - sm->stepped;

    if (active) {
        sm->view.cycle = sm->stepped + 1; // the next n cycles are reported to the policies
        if (sm->cfg->sm.issue_rotates && sm->view.tb_live)
            hd_issue_turn(sm, n);
        if (!hd_issue_again(sm, sm->view.cycle, n))
            hd_issue_idle(sm, n);
        hd_ldst_idle(sm, n);
        sm->diagonal = (uint32_t)((sm->diagonal + n * sm->cfg->sm.collector_steps) % sm->square);
        sm->view.cycle = cycle; // events between cycles see the last cycle, as without skipping
    } else {
        sm->stats.inactive += n * sm->view.n_sched;
        if (sm->profile)
            hd_profile_inactive(sm, n);
    }
    sm->stepped = cycle;
}

// In a replay, which has no values, an issued instruction is progress: a trace ends.
static void note_progress(struct hd_sm *sm, uint64_t cycle)
{
    if (!sm->source.progress) {
        if (sm->issue_cycle > sm->progress_cycle)
            sm->progress_cycle = sm->issue_cycle;
    } else if (*sm->source.progress) {
        sm->progress_cycle = cycle;
        *sm->source.progress = 0;
    }
}

static inline void front_end(struct hd_sm *sm, uint64_t cycle)
{
    if (sm->fetch_full)
        hd_fetch_decode(sm);
    if (hd_fetch_due(sm))
        hd_fetch_cycle(sm, cycle);
}

// Accesses of the SM's loads, atomics and stores that are not complete, wherever they are.
static uint64_t waiting_anywhere(const struct hd_sm *sm)
{
    uint64_t n = 0;
    int w;

    HD_EACH(w, sm->stores_out)
        n += sm->warps[w].stores;
    for (unsigned i = 0; i < HD_LOADS; i++)
        n += sm->ldst.loads[i].waiting;
    return n;
}

static bool pipes_empty(const struct hd_sm *sm)
{
    HD_EACH_SUBCORE(sub, sm)
        if (!hd_wheel_empty(&sub->wheel) || sub->executes)
            return false;
    return hd_operands_quiet(sm);
}

// Whether the SM does nothing any more, by itself or because of a reply, and gets no block, while
// accesses in the queues in front of the L1D have no place there.
static __attribute__((noinline)) bool waits_for_l1_alone(const struct hd_sm *sm)
{
    const struct hd_ldst *u = &sm->ldst;

    return !u->dispatch_full && !sm->mem_ready && !u->wb_full && !u->pipe_full && !u->textures &&
           !sm->l1c.mshr.n_used && !sm->fetch_full && !sm->view.imiss && !hd_fetch_works(sm) &&
           !(sm->phases | sm->held | sm->children | sm->copied) &&
           !(sm->view.tbs_pending && hd_sm_free_tbs(sm)) && hd_issue_finds_nothing(sm) &&
           pipes_empty(sm) && waiting_anywhere(sm) == hd_l1queue_accesses(sm);
}

// The stages of a machine with a key of GPGPU-Sim 4, or sm.copy_latency (hd_sm.newer). They are a
// function of their own, so that the steps of other machines need not test these keys.
static __attribute__((noinline)) void stages_newer(struct hd_sm *sm, uint64_t cycle)
{
    bool turns = sm->cfg->sm.issue_rotates && sm->view.tb_live;
    unsigned pipes = 0;

    HD_EACH_SUBCORE(sub, sm) {
        if (hd_wheel_due(&sub->wheel, cycle))
            hd_pipes_writeback(sm, sub, cycle);
        pipes |= sub->executes;
    }
    if (pipes && sm->exits)
        hd_pipes_execute_shared(sm, pipes, cycle);
    else if (pipes)
        HD_EACH_SUBCORE(sub, sm)
            hd_pipes_execute(sm, sub, cycle);
    if (!hd_landed_ring_empty(&sm->landed))
        hd_async_late(sm, cycle);
    hd_ldst_cycle(sm, cycle);
    if (sm->cfg->sm.collector_late)
        hd_operands_steps(sm);
    if (!hd_issue_again(sm, cycle, 1))
        hd_issue_cycle(sm, cycle);
    if (turns)
        hd_issue_turn(sm, 1);
    for (unsigned n = sm->cfg->sm.fetch_steps; n && (sm->fetch_full || hd_fetch_due(sm)); n--)
        front_end(sm, cycle);
}

// Whether it is plain that the SM may not sleep after this cycle.
static inline bool is_awake(const struct hd_sm *sm, uint64_t cycle)
{
    return sm->issue_cycle == cycle || sm->ldst.wb_full || hd_mshr_pending(&sm->l1d.mshr) ||
           sm->fetch_full || cycle < sm->ask_at || sm->never_skip;
}

unsigned hd_sm_step(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_subcore *sub = sm->subcores;
    uint64_t blocks = sm->view.tb_live;

    if (sm->stepped + 1 != cycle)
        catch_up(sm, cycle - 1, true);
    sm->view.cycle = cycle;
    sm->pushed = false;
    if (cycle > sm->held_next)
        hd_warps_let_go(sm);
    if (__builtin_expect(sm->newer, 0)) {
        stages_newer(sm, cycle);
    } else {
        do {
            if (hd_wheel_due(&sub->wheel, cycle))
                hd_pipes_writeback(sm, sub, cycle);
            if (sub->executes)
                hd_pipes_execute(sm, sub, cycle);
        } while (++sub != sm->subcores_end);
        hd_ldst_cycle(sm, cycle);
        if (!hd_issue_again(sm, cycle, 1))
            hd_issue_cycle(sm, cycle);
        front_end(sm, cycle);
    }
    if (sm->ldst.l1_queue)
        sm->ldst.l1_queue->alone = sm->ldst.l1_queue->without_place && waits_for_l1_alone(sm);
    sm->stepped = cycle;
    note_progress(sm, cycle);
    return (unsigned)sm->trapped * HD_SM_TRAPPED |
           (unsigned)(sm->view.tb_live != blocks) * HD_SM_ENDED |
           (unsigned)(*sm->source.pending_stores != 0) * HD_SM_STORES |
           (unsigned)sm->pushed * HD_SM_PUSHED | (unsigned)is_awake(sm, cycle) * HD_SM_AWAKE;
}

void hd_sm_catch_up(struct hd_sm *sm, uint64_t cycle, bool active)
{
    if (cycle != sm->stepped)
        catch_up(sm, cycle, active);
    hd_issue_settle(sm);
}

// A policy that changes its lists by itself may request to be woken all the time. Asking it costs
// more than a step, so after such an answer it is not asked for some cycles.
#define RESTLESS 4
#define ASK_PAUSE 16

// If there is room for any waiting packet, there is room for the smallest.
bool hd_sm_can_send(const struct hd_sm *sm)
{
    return sm->waits_for != HD_NO_ROOM_NEEDED &&
           sm->mem.ops->room(sm->mem.self, sm->index, HD_REQ_WRITE, sm->waits_for);
}

bool hd_sm_asks_for_room(const struct hd_sm *sm)
{
    return sm->waits_for != HD_NO_ROOM_NEEDED;
}

// An SM sleeps not only when it is empty but whenever a step would repeat the last one: everything
// in it waits for a time, for a reply, or for room in the network. A stage is quiet if it could do
// nothing in the next cycle; hd_sm_catch_up adds what it counts in such a cycle.
uint64_t hd_sm_sleeps_until(struct hd_sm *sm, uint64_t cycle)
{
    uint64_t next, at;

    next = hd_ldst_wakes(sm, cycle);
    if (next <= cycle + 1 || !hd_issue_quiet(sm) || sm->fetch_full || hd_fetch_works(sm))
        return cycle + 1;
    if (!hd_operands_quiet(sm))
        return cycle + 1;
    sm->waits_for = hd_l1_waits_for(&sm->l1i.out);
    at = hd_ldst_waits_for(sm);
    sm->waits_for = at < sm->waits_for ? (uint32_t)at : sm->waits_for;
    if (hd_sm_can_send(sm))
        return cycle + 1;
    HD_EACH_SUBCORE(sub, sm) {
        at = hd_pipes_wakes(sub, cycle);
        next = at < next ? at : next;
    }
    at = sm->phases || !hd_landed_ring_empty(&sm->landed) ? hd_async_wakes(sm) : UINT64_MAX;
    next = at < next ? at : next;
    if (sm->held)
        next = sm->held_next < next ? sm->held_next + 1 : next;
    at = hd_issue_wakes(sm);
    if (at <= cycle + RESTLESS && !(at == cycle + 1 && (sm->policy->flags & HD_LOST_SINGLY)))
        sm->ask_at = cycle + ASK_PAUSE;
    return at < next ? at : next;
}

uint64_t hd_sm_wakes(struct hd_sm *sm, uint64_t cycle)
{
    return is_awake(sm, cycle) ? cycle + 1 : hd_sm_sleeps_until(sm, cycle);
}

unsigned hd_sm_sched_of(const struct hd_sm *sm, unsigned warp)
{
    return hd_sched_of(sm, warp);
}

unsigned hd_sm_live_tbs(const struct hd_sm *sm)
{
    return (unsigned)hd_count(sm->view.tb_live);
}

unsigned hd_sm_commit(struct hd_sm *sm)
{
    bool good = sm->source.ops->commit(sm->source.self);

    note_progress(sm, sm->view.cycle);
    sm->trapped |= !good;
    return good ? 0 : HD_SM_TRAPPED;
}

const struct hd_trap *hd_sm_trap(const struct hd_sm *sm)
{
    return sm->source.ops->trap(sm->source.self);
}

bool hd_sm_trapped(const struct hd_sm *sm)
{
    return sm->trapped;
}

uint64_t hd_sm_progress(const struct hd_sm *sm)
{
    return sm->progress_cycle;
}

uint64_t hd_sm_going(const struct hd_sm *sm)
{
    return sm->view.live & ~(sm->view.at_barrier | sm->children);
}

uint64_t hd_sm_at_barriers(const struct hd_sm *sm)
{
    return sm->view.live & sm->view.at_barrier;
}

uint64_t hd_sm_last_issue(const struct hd_sm *sm)
{
    return sm->issue_cycle;
}

void hd_sm_add_watch(struct hd_sm *sm, struct hd_sm_watch *w)
{
    struct hd_sm_watch **end = &sm->watches;

    while (*end)
        end = &(*end)->next;
    *end = w;
    sm->events |= w->events;
}

const struct hd_view *hd_sm_view(const struct hd_sm *sm)
{
    return &sm->view;
}

const struct hd_sm_stats *hd_sm_stats(const struct hd_sm *sm)
{
    return &sm->stats;
}

void hd_sm_event(struct hd_sm *sm, const struct hd_event *e)
{
    if (hd_notify_wanted(sm, (enum hd_event_kind)e->kind))
        hd_notify_event(sm, e);
}

void hd_sm_serve(struct hd_sm *sm, const struct hd_req *req, uint64_t cycle)
{
    sm->source.ops->serve(sm->source.self, req->warp, req->lanes);
    note_progress(sm, cycle);
}

void hd_sm_check_empty(const struct hd_sm *sm)
{
    HD_BUG_IF(sm->view.live || sm->resident || sm->view.tb_live, "SM %u still holds warps",
              sm->index);
    HD_EACH_SUBCORE(sub, sm)
        HD_BUG_IF(!hd_wheel_empty(&sub->wheel) || !hd_operands_empty(sub),
                  "SM %u still has instructions in its pipeline", sm->index);
    HD_BUG_IF(!hd_ldst_empty(sm), "SM %u still has instructions in its load/store unit", sm->index);
    HD_BUG_IF(!hd_landed_ring_empty(&sm->landed), "SM %u still has copies that are not complete",
              sm->index);
    HD_BUG_IF(sm->ldst.n_loads, "SM %u still has %u loads in flight", sm->index, sm->ldst.n_loads);
}
