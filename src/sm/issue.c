// issue.c - the warp schedulers' cycle: walk the policy's order, flush, issue one, classify.
//
// The walk is first() on (issuable | wrong path) among the eligible warps, so only warps that
// change something are visited one by one; the stall class follows from masks (timing-model 5.2,
// 5.3).
#include "base/blame.h"
#include "sm/sm_internal.h"

#include <string.h>

#define LOST_STATE 128 // bytes of a scheduler's state, at most, that is compared with earlier ones
#define FAR 64         // cycles that are looked ahead for a state that does not occur again

// Warps whose head finds no room in its pipe's register, if they belong to this sub-core.
static uint64_t pipe_full(const struct hd_sm *sm, const struct hd_subcore *sub)
{
    unsigned full = sub->full;
    uint64_t heads = 0;

    if (!full)
        return 0;
#define HEADS(UNIT, pipes)                                                                         \
    if (!(~full & (pipes)))                                                                        \
        heads |= sm->head_unit[HD_UNIT_##UNIT];
    HEADS(SP, 1u << HD_PIPE_SP)
    HEADS(SFU, 1u << HD_PIPE_SFU)
    HEADS(SP_OR_SFU, 1u << HD_PIPE_SP | 1u << HD_PIPE_SFU)
    HEADS(LDST, 1u << HD_PIPE_MEM)
    if (!(full >> (HD_PIPE_MEM + 1)))
        return heads;
    HEADS(TENSOR, 1u << HD_PIPE_TENSOR)
    HEADS(DP, 1u << HD_PIPE_DP)
    HEADS(INT, 1u << HD_PIPE_INT)
#undef HEADS
    return heads;
}

// Warps that have an instruction of their path in the buffer and wait for no barrier, fence or
// atomic.
static uint64_t valid_warps(const struct hd_sm *sm)
{
    const struct hd_view *v = &sm->view;

    return v->live & ~v->waiting & ~v->ibuf_empty & ~v->wrong_path;
}

static inline enum hd_pipe pick_pipe(const struct hd_subcore *sub, enum hd_unit unit)
{
    static const uint8_t pipes[HD_N_UNITS] = {
        [HD_UNIT_SP] = HD_PIPE_SP,         [HD_UNIT_SFU] = HD_PIPE_SFU,
        [HD_UNIT_SP_OR_SFU] = HD_PIPE_SP,  [HD_UNIT_LDST] = HD_PIPE_MEM,
        [HD_UNIT_TENSOR] = HD_PIPE_TENSOR, [HD_UNIT_DP] = HD_PIPE_DP,
        [HD_UNIT_INT] = HD_PIPE_INT};

    if (unit == HD_UNIT_SP_OR_SFU && (sub->full >> HD_PIPE_SP & 1))
        return HD_PIPE_SFU;
    return (enum hd_pipe)pipes[unit];
}

static __attribute__((noinline)) void report_issue(struct hd_sm *sm, int s, unsigned w, uint32_t pc)
{
    const struct hd_effects *e = &sm->effects;
    struct hd_event ev = {.kind = HD_EV_ISSUE,
                          .sched = (uint8_t)s,
                          .warp = (uint8_t)w,
                          .tb = sm->tb_of[w],
                          .pc = pc,
                          .next_pc = e->next_pc,
                          .lanes = e->exec_mask,
                          .kernel = hd_kernel_of(sm, w)};

    if (e->flags & HD_EFF_TAKEN)
        ev.flags |= HD_ISSUE_TAKEN;
    if (e->flags & HD_EFF_DIVERGED)
        ev.flags |= HD_ISSUE_DIVERGENT;
    if (hd_notify_wanted(sm, HD_EV_ISSUE))
        hd_notify_event(sm, &ev);
    if ((e->flags & HD_EFF_JUMPED) && hd_notify_wanted(sm, HD_EV_PC_JUMP)) {
        ev.kind = HD_EV_PC_JUMP;
        hd_notify_event(sm, &ev);
    }
}

// Loads from global, local, parameter and texture space, and atomics there, mark their registers
// "long". For a generic address the space that was accessed decides.
static bool marks_long(const struct hd_deps *d, const struct hd_effects *e)
{
    if (d->space != HD_SPACE_GENERIC)
        return d->flags & HD_DEP_LONG;
    return (d->kind == HD_KIND_LOAD || d->kind == HD_KIND_ATOMIC) &&
           (e->space == HD_SPACE_GLOBAL || e->space == HD_SPACE_LOCAL);
}

// The path of the warp that ran waits, and another one continues after what the change costs; or
// all lanes wait for barriers.
static __attribute__((noinline, cold)) void change_path(struct hd_sm *sm, unsigned w,
                                                        const struct hd_effects *e, uint64_t cycle)
{
    if (e->flags & HD_EFF_BLOCKED)
        hd_blocks_block(sm, w);
    else if (sm->cfg->sm.path_switch)
        hd_warps_switch(sm, w, cycle + sm->cfg->sm.path_switch);
}

// Executes an instruction and sends it to the pipe. The order of these steps is the reference's
// (timing-model 5.2).
static void issue(struct hd_sm *sm, int s, unsigned w, uint64_t cycle)
{
    uint32_t pc = sm->warps[w].ibuf_pc;
    const struct hd_deps *d = &sm->program->deps[pc];
    struct hd_effects *e = &sm->effects;
    struct hd_subcore *sub = sm->scheds[s].subcore;
    enum hd_pipe pipe = pick_pipe(sub, (enum hd_unit)sm->units[pc]);
    struct hd_uop u = {.pc = pc, .order = sm->order++, .warp = (uint8_t)w};
    unsigned lanes;

    sm->issue_cycle = cycle;
    sm->warps[w].ibuf_pc++;
    sm->warps[w].ibuf_n--;
    sm->source.ops->exec(sm->source.self, w, cycle, e);
    if (e->flags & HD_EFF_TRAP) {
        sm->trapped = true;
        return;
    }
    if (sm->profile)
        hd_profile_issue(sm, w, pc, e->exec_mask);
    u.lanes = e->exec_mask;
    lanes = (unsigned)__builtin_popcount(e->exec_mask);
    sm->progress[w] += lanes;
    sm->tbs[sm->tb_of[w]].progress += lanes;
    if (pipe == HD_PIPE_MEM)
        u.memop = (uint8_t)hd_ldst_issue(sm, w, pc, e);
    hd_scoreboard_reserve(sm, w, d, marks_long(d, e));
    hd_subcore_issue(sub, pipe, &u);
    sm->warps[w].fetch_pc = pc + 1;
    if (d->kind == HD_KIND_MEMBAR && sm->warps[w].n_reserved)
        hd_warps_wait(sm, &sm->membar, w, true);
    if (d->kind == HD_KIND_COPIES)
        hd_async_group(sm, w, e);
    sm->view.last_issued[s] = (int8_t)w;
    sm->stalls_known = 0; // the classes of other schedulers may change because of this issue
    if (hd_notify_wanted(sm, HD_EV_ISSUE) || hd_notify_wanted(sm, HD_EV_PC_JUMP))
        report_issue(sm, s, w, pc);
    if (d->kind == HD_KIND_BARRIER && e->exec_mask)
        hd_blocks_arrive(sm, w, e);
    if (e->flags & (HD_EFF_BLOCKED | HD_EFF_SWITCHED))
        change_path(sm, w, e, cycle);
    if (e->flags &
        HD_EFF_EXITED) { // the buffer is emptied, but fetch continues after the instruction
        hd_warps_flush(sm, w);
        sm->warps[w].fetch_pc = pc + 1;
        if (e->next_pc == HD_PC_NONE)
            hd_blocks_exit(sm, w);
    }
    if (e->flags & HD_EFF_WAITS)
        hd_blocks_await(sm, w);
    hd_warps_refresh(sm, w);
}

// The live warps of a scheduler that are in this class of ELF's in a cycle without issue. A warp
// may be in several; all are in the last one.
static inline uint64_t elf_warps(const struct hd_sm *sm, int s, enum hd_elf class)
{
    const struct hd_view *v = &sm->view;
    bool full = sm->scheds[s].subcore->full >> HD_PIPE_MEM & 1;
    uint64_t live = v->mine[s] & v->live;

    switch (class) {
    case HD_ELF_MEMORY_CONFLICT:
        return full ? live & valid_warps(sm) & ~v->sb_block & sm->head_unit[HD_UNIT_LDST] : 0;
    case HD_ELF_MEMORY_DEPENDENCY:
        return live & (sm->mem_block | sm->atomic | sm->membar | sm->asleep);
    case HD_ELF_FETCH:
        return live & ~v->waiting & (v->ibuf_empty | v->wrong_path);
    case HD_ELF_OTHER:
    case HD_N_ELF: // never
        break;
    }
    return live;
}

// ELF's class of a cycle without issue: the first class that any live warp of the scheduler is in.
static uint64_t *elf_class(struct hd_sm *sm, int s)
{
    if (elf_warps(sm, s, HD_ELF_MEMORY_CONFLICT))
        return &sm->stats.elf_memory_conflict;
    if (elf_warps(sm, s, HD_ELF_MEMORY_DEPENDENCY))
        return &sm->stats.elf_memory_dependency;
    if (elf_warps(sm, s, HD_ELF_FETCH))
        return &sm->stats.elf_fetch;
    return &sm->stats.elf_other;
}

static enum hd_elf elf_of(const struct hd_sm *sm, const uint64_t *counter)
{
    return counter == &sm->stats.elf_memory_conflict     ? HD_ELF_MEMORY_CONFLICT
           : counter == &sm->stats.elf_memory_dependency ? HD_ELF_MEMORY_DEPENDENCY
           : counter == &sm->stats.elf_fetch             ? HD_ELF_FETCH
                                                         : HD_ELF_OTHER;
}

// The policy's first warp of a non-empty set. The answer of a plug-in is checked.
static int first_of(const struct hd_policy *p, struct hd_pstate st, const struct hd_view *v, int s,
                    uint64_t among)
{
    int w = p->first ? p->first(st, v, s, among) : hd_first(among);

    if (__builtin_expect(w < 0 || w >= HD_MAX_WARPS || !hd_has(among, w), 0))
        hd_blame_policy(p, "first",
                        "answered %d for scheduler %d in cycle %llu; it was asked for one of %s", w,
                        s, (unsigned long long)v->cycle, hd_blame_set(among));
    return w;
}

// n lost cycles of scheduler s by the other rules (heddle/profile.h). A warp that is in several
// classes belongs to the first of them. The policy lets the scheduler visit the warps of `mine`.
static void count_rules(struct hd_sm *sm, const struct hd_policy *p, struct hd_pstate st, int s,
                        uint64_t mine, uint64_t n)
{
    const struct hd_view *v = &sm->view;
    uint64_t live = mine & v->live, awake = live & ~v->waiting, left = v->mine[s] & v->live;
    int head = live ? first_of(p, st, v, s, awake ? awake : live) : HD_NONE;
    unsigned warps = (unsigned)hd_count(left), before = 0;

    if (head == HD_NONE)
        sm->rules->head[HD_ELF_OTHER] += n;
    if (!warps)
        sm->rules->share[HD_ELF_OTHER] += n * HD_ELF_SHARE;
    for (unsigned c = 0; c < HD_N_ELF && warps; c++) {
        uint64_t these = left & elf_warps(sm, s, (enum hd_elf)c);
        unsigned upto = before + (unsigned)hd_count(these);
        left &= ~these;
        sm->rules->head[c] += hd_has(these, head) ? n : 0;
        // Differences of rounded sums, so that the parts of a cycle add up to a whole one.
        sm->rules->share[c] += n * (HD_ELF_SHARE * upto / warps - HD_ELF_SHARE * before / warps);
        before = upto;
    }
}

void hd_sm_count_rules(struct hd_sm *sm, struct hd_elf_rules *rules)
{
    sm->rules = rules;
}

// The warp to which a lost cycle is charged: the first in the policy's order of those that made its
// class.
static int charged(const struct hd_sm *sm, const struct hd_policy *p, struct hd_pstate st, int s,
                   uint64_t valid, unsigned outcome)
{
    unsigned class = outcome & HD_OUTCOME_CLASS;
    uint64_t among = class == HD_STALL_PIPELINE ? valid & ~sm->view.sb_block : valid;

    if (class == HD_STALL_IDLE)
        return HD_NONE;
    return first_of(p, st, &sm->view, s, among);
}

static uint64_t *class_counter(struct hd_sm *sm, unsigned outcome)
{
    unsigned class = outcome & HD_OUTCOME_CLASS;

    return class == HD_STALL_IDLE         ? &sm->stats.idle
           : class == HD_STALL_SCOREBOARD ? &sm->stats.scoreboard
                                          : &sm->stats.pipeline;
}

// The class of a cycle without issue. `valid` is the set of warps on their path that the walk met.
static unsigned classify(const struct hd_sm *sm, uint64_t valid, uint64_t mine)
{
    uint64_t live = mine & sm->view.live;
    unsigned outcome = !valid                          ? HD_STALL_IDLE
                       : !(valid & ~sm->view.sb_block) ? HD_STALL_SCOREBOARD
                                                       : HD_STALL_PIPELINE;

    if (live && !(live & ~sm->view.sb_block & ~sm->atomic))
        outcome |= HD_OUTCOME_ALL_WAIT_MEMORY;
    return outcome;
}

// Warps of `eligible` that the walk meets before and including w.
static uint64_t visited_until(const struct hd_policy *p, struct hd_pstate st,
                              const struct hd_view *v, int s, uint64_t eligible, int w)
{
    uint64_t met = 0, left = eligible & v->live & ~v->waiting;

    while (left) {
        int next = first_of(p, st, v, s, left);
        met |= hd_bit(next);
        left &= ~hd_bit(next);
        if (next == w)
            break;
    }
    return met;
}

// Scheduler s, whose policy lets it visit the warps of `mine`, loses n cycles.
static void count_stall(struct hd_sm *sm, int s, uint64_t n, uint64_t mine, uint64_t valid)
{
    const struct hd_policy *p = sm->policy;
    const struct hd_pstate *st = &sm->scheds[s].state;
    struct hd_stall_memo *l = &sm->scheds[s].lost;

    l->visited = mine;
    l->outcome = classify(sm, valid, sm->view.mine[s]);
    l->class = class_counter(sm, l->outcome);
    l->elf = elf_class(sm, s);
    *l->class += n;
    *l->elf += n;
    if (sm->profile)
        hd_profile_stall(sm, s, charged(sm, p, *st, s, valid, l->outcome), mine, l->outcome,
                         elf_of(sm, l->elf), n);
    if (sm->rules)
        count_rules(sm, p, *st, s, mine, n);
    if (p->end)
        p->end(*st, &sm->view, s, n, l->outcome, mine);
}

// Notes that the lost cycle will be repeated up to the cycle that the policy computes. A policy
// with begin(), HD_EVERY_CYCLE or HD_LOST_SINGLY is called in each cycle.
static void remember_stall(struct hd_sm *sm, int s)
{
    const struct hd_policy *p = sm->policy;

    if (p->begin || (p->flags & HD_LOST_SINGLY) || sm->profile || sm->rules || sm->never_skip)
        return;
    const struct hd_pstate *st = &sm->scheds[s].state;
    // The end of the cycle may have changed which warps are visited: then the next one may issue.
    if (p->eligible && p->end &&
        (sm->view.mine[s] & p->eligible(*st, &sm->view, s)) != sm->scheds[s].lost.visited)
        return;

    sm->scheds[s].lost.until = p->wakes ? p->wakes(*st, &sm->view, s) : UINT64_MAX;
    if (sm->phases && hd_async_wakes(sm) < sm->scheds[s].lost.until)
        sm->scheds[s].lost.until = hd_async_wakes(sm);
    sm->stalls_known |= 1u << s;
}

// Counts n cycles from `cycle` on like the last one, if its result is known.
static inline bool stall_again(struct hd_sm *sm, int s, uint64_t cycle, uint64_t n)
{
    const struct hd_policy *p = sm->policy;
    const struct hd_stall_memo *l = &sm->scheds[s].lost;

    if (!(sm->stalls_known >> s & 1) || cycle + n > l->until)
        return false;
    *l->class += n;
    *l->elf += n;
    if (sm->report_stalls)
        p->end(sm->scheds[s].state, &sm->view, s, n, l->outcome, l->visited);
    return true;
}

void hd_issue_settle(struct hd_sm *sm)
{
    for (int s = 0; sm->stalls_put_off && s < sm->view.n_sched; s++) {
        *sm->scheds[s].lost.class += sm->stalls_put_off;
        *sm->scheds[s].lost.elf += sm->stalls_put_off;
    }
    sm->stalls_put_off = 0;
}

static void scheduler_cycle(struct hd_sm *sm, int s, uint64_t cycle)
{
    struct hd_view *v = &sm->view;
    const struct hd_policy *p = sm->policy;
    const struct hd_pstate *st = &sm->scheds[s].state;
    uint64_t mine = v->mine[s], among, valid, issuable;

    if (p->begin)
        p->begin(*st, v, s, 1);
    if (p->eligible)
        mine &= p->eligible(*st, v, s);
    valid = valid_warps(sm) & mine;
    issuable = valid & ~v->sb_block & ~pipe_full(sm, sm->scheds[s].subcore);
    among = issuable | (v->wrong_path & ~v->waiting & mine);
    if (!among) {
        count_stall(sm, s, 1, mine, valid);
        remember_stall(sm, s);
        return;
    }
    while (among) {
        int w = first_of(p, *st, v, s, among);
        if (hd_has(issuable, w)) {
            uint64_t visited =
                p->needs & HD_NEED_VISITED ? visited_until(p, *st, v, s, mine, w) : mine;
            issue(sm, s, (unsigned)w, cycle);
            sm->stats.issued++;
            if (sm->profile)
                sm->block_profiles[sm->tb_of[w]]->counts.sched[s].issued++;
            if (p->end)
                p->end(*st, v, s, 1, HD_ISSUED, visited);
            return;
        }
        among &= ~hd_bit(w);
        sm->stats.flushes++;
        hd_warps_flush(sm, (unsigned)w);
    }
    count_stall(sm, s, 1, mine, valid);
}

// With sm.issue_rotates another scheduler goes first in each cycle in which the SM holds a block.
void hd_issue_turn(struct hd_sm *sm, uint64_t n)
{
    uint64_t first = (uint64_t)(sm->turn - sm->orders) + n;

    sm->turn = sm->orders + first % sm->view.n_sched;
}

void hd_issue_cycle(struct hd_sm *sm, uint64_t cycle)
{
    if (sm->phases)
        hd_async_cycle(sm, cycle);
    hd_issue_settle(sm);
    sm->stalls_until = UINT64_MAX;
    for (int i = 0; i < sm->view.n_sched && !sm->trapped; i++) {
        int s = sm->turn[i];
        if (!stall_again(sm, s, cycle, 1))
            scheduler_cycle(sm, s, cycle);
        if (sm->scheds[s].lost.until < sm->stalls_until)
            sm->stalls_until = sm->scheds[s].lost.until;
    }
}

// What count_stall counts.
static const size_t lost_counters[] = {offsetof(struct hd_sm_stats, idle),
                                       offsetof(struct hd_sm_stats, scoreboard),
                                       offsetof(struct hd_sm_stats, pipeline),
                                       offsetof(struct hd_sm_stats, elf_memory_conflict),
                                       offsetof(struct hd_sm_stats, elf_memory_dependency),
                                       offsetof(struct hd_sm_stats, elf_fetch),
                                       offsetof(struct hd_sm_stats, elf_other)};
#define N_LOST (sizeof lost_counters / sizeof *lost_counters)

// These counters, and the state of a scheduler, after one of the cycles that it loses.
struct lost_mark {
    uint64_t counts[N_LOST];
    uint8_t state[LOST_STATE];
};

static uint64_t *lost_counter(struct hd_sm *sm, unsigned i)
{
    return (uint64_t *)((char *)&sm->stats + lost_counters[i]);
}

static void make_mark(struct hd_sm *sm, int s, struct lost_mark *mark)
{
    for (unsigned i = 0; i < N_LOST; i++)
        mark->counts[i] = *lost_counter(sm, i);
    memcpy(mark->state, sm->scheds[s].state.sched, sm->policy->sched_bytes);
}

// Counts what has been counted since the mark so many times more.
static void count_again(struct hd_sm *sm, const struct lost_mark *mark, uint64_t times)
{
    for (unsigned i = 0; i < N_LOST; i++)
        *lost_counter(sm, i) += times * (*lost_counter(sm, i) - mark->counts[i]);
}

// Has the state of a scheduler after k steps (k = 1, 2, ...) occurred before? It is compared with
// the one after the last power of two, which is in `mark` (Brent). Returns the length of the loop,
// 0 if none is known yet.
static uint64_t loop_length(const uint8_t *state, const uint8_t *mark, size_t bytes, uint64_t k)
{
    if (k < 2 || memcmp(state, mark, bytes) != 0)
        return 0;
    return k - (UINT64_C(1) << (63 - __builtin_clzll(k - 1)));
}

// Scheduler s loses n cycles, of a policy with HD_LOST_SINGLY. Its state soon repeats itself, and
// whole loops are counted at once.
static void lose_singly(struct hd_sm *sm, int s, uint64_t n)
{
    const struct hd_policy *p = sm->policy;
    const struct hd_pstate *st = &sm->scheds[s].state;
    const uint64_t first = sm->view.cycle;
    struct lost_mark mark;
    bool may_repeat =
        !sm->profile && !sm->rules && p->sched_bytes && p->sched_bytes <= sizeof mark.state;

    for (uint64_t k = 1; k <= n; k++) {
        uint64_t mine = sm->view.mine[s], length;
        if (p->begin)
            p->begin(*st, &sm->view, s, 1);
        if (p->eligible)
            mine &= p->eligible(*st, &sm->view, s);
        count_stall(sm, s, 1, mine, valid_warps(sm) & mine);
        if (!may_repeat)
            sm->view.cycle++; // first() may look at it in reports of warps
        if (!may_repeat || k == n)
            continue;
        length = loop_length(st->sched, mark.state, p->sched_bytes, k);
        if (length) {
            count_again(sm, &mark, (n - k) / length);
            n = k + (n - k) % length;
            may_repeat = false;
        } else if (!(k & (k - 1))) {
            make_mark(sm, s, &mark);
        }
    }
    sm->view.cycle = first;
}

// The first cycle in which the policy, with HD_LOST_SINGLY, lets scheduler s issue or flush a warp,
// if nothing else changes. It is found by steps of a copy of the scheduler's state.
static uint64_t let_in_at(const struct hd_sm *sm, int s)
{
    const struct hd_policy *p = sm->policy;
    const struct hd_view *v = &sm->view;
    _Alignas(16) uint8_t state[LOST_STATE]; // read as the policy's struct
    uint8_t mark[LOST_STATE];
    struct hd_pstate st = sm->scheds[s].state;
    uint64_t can =
        v->mine[s] & ((valid_warps(sm) & ~v->sb_block & ~pipe_full(sm, sm->scheds[s].subcore)) |
                      (v->wrong_path & ~v->waiting & v->live));

    if (!can)
        return UINT64_MAX;
    if (p->sched_bytes > sizeof state || !p->eligible)
        return v->cycle + 1;
    memcpy(state, st.sched, p->sched_bytes);
    st.sched = state;
    for (uint64_t k = 1;; k++) {
        if (p->begin)
            p->begin(st, v, s, 1);
        uint64_t mine = v->mine[s] & p->eligible(st, v, s);
        if (mine & can)
            return v->cycle + k;
        if (p->end)
            p->end(st, v, s, 1, classify(sm, valid_warps(sm) & mine, v->mine[s]), mine);
        if (loop_length(state, mark, p->sched_bytes, k))
            return UINT64_MAX;
        if (k == FAR)
            return v->cycle + k;
        if (!(k & (k - 1)))
            memcpy(mark, state, p->sched_bytes);
    }
}

void hd_issue_idle(struct hd_sm *sm, uint64_t n)
{
    const struct hd_policy *p = sm->policy;

    hd_issue_settle(sm);
    for (int s = 0; s < sm->view.n_sched; s++) {
        const struct hd_pstate *st = &sm->scheds[s].state;
        uint64_t mine = sm->view.mine[s];

        if (stall_again(sm, s, sm->view.cycle, n))
            continue;
        if (p->flags & HD_LOST_SINGLY) {
            lose_singly(sm, s, n);
            continue;
        }
        if (p->begin)
            p->begin(*st, &sm->view, s, n);
        if (p->eligible)
            mine &= p->eligible(*st, &sm->view, s);
        count_stall(sm, s, n, mine, valid_warps(sm) & mine);
    }
}

// Whether nothing could be issued or flushed now, whatever the policy allows.
bool hd_issue_finds_nothing(const struct hd_sm *sm)
{
    const struct hd_view *v = &sm->view;

    if (v->wrong_path & ~v->waiting & v->live)
        return false;
    HD_EACH_SUBCORE(sub, sm)
        if (valid_warps(sm) & ~v->sb_block & sub->warps & ~pipe_full(sm, sub))
            return false;
    return true;
}

uint64_t hd_issue_asked_at(const struct hd_sm *sm)
{
    const struct hd_policy *p = sm->policy;
    uint64_t earliest = UINT64_MAX;

    for (int s = 0; (p->flags & HD_LOST_SINGLY) && s < sm->view.n_sched; s++) {
        uint64_t t = let_in_at(sm, s);
        earliest = t < earliest ? t : earliest;
    }
    if (!p->wakes)
        return earliest;
    for (int s = 0; s < sm->view.n_sched; s++) {
        uint64_t t = sm->stalls_known >> s & 1 ? sm->scheds[s].lost.until
                                               : p->wakes(sm->scheds[s].state, &sm->view, s);
        if (t < earliest)
            earliest = t;
    }
    return earliest;
}
