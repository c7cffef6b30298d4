// dyncta.c - as many thread blocks as memory can serve: with too few the SM idles, with too many
// warps wait.
//
// Each SM measures periods of time. Cycles in which it had nothing to run mean that more blocks
// would help; cycles in which all warps waited for memory mean that there are too many. The number
// of blocks that may run changes by at most one per period.
//
//   Kayiran, Jog, Kandemir, Das. "Neither More Nor Less: Optimizing Thread-level Parallelism for
//   GPGPUs". PACT 2013 (DYNCTA), which ELF (SC 2015) compares with.
//
// Blocks above the number are paused, the youngest first: their warps are not scheduled. A block
// continues when the number rises or another ends, before a new one is taken. A kernel starts with
// half of the blocks that its resources allow. Only the abstract was available: the rule is the one
// that others describe; period and thresholds, which are all parameters, are not checked against
// the paper. The order among running warps is GTO, or LRR (base=lrr): ELF counts DYNCTA among the
// schedulers that give each warp of a block its turn.
//
// A warp waits for memory here when the scoreboard refuses it for a register with the long mark, or
// when it waits for a fence, an atomic or a copy. A warp at a barrier does not: a kernel with
// barriers would otherwise run with few blocks, because the last warps before a barrier often wait
// for memory. With waits=awake only the warps count that wait for a register or for nothing: if all
// of these wait for a load, all warps count as waiting for memory, and kernels with barriers do run
// with few blocks.
//
// It fills the warp scheduling slot: --sched dyncta. The limit then applies, too.
#include "heddle/policy.h"

enum { BASE_GTO, BASE_LRR };
enum { WAITS_ALL, WAITS_AWAKE };

struct dyncta_params {
    uint32_t period, t_idle, t_mem_low, t_mem_high, base, waits;
};
struct dyncta_sm {
    uint64_t start;           // cycle in which the period began
    uint64_t idle, mem;       // cycles of this period
    uint64_t raised, lowered; // counters
    uint32_t limit;           // blocks that may run
    uint32_t busy;            // some scheduler had a valid warp in this cycle; 2: one issued
    uint32_t ended;           // schedulers whose cycle has ended
};

static uint32_t first_age(const struct hd_view *v, int tb)
{
    return v->age[hd_first(v->tbs[tb].warps)];
}

// The warps of the blocks that may run: the oldest ones.
static uint64_t running(const struct dyncta_sm *sm, const struct hd_view *v)
{
    uint64_t left = v->tb_live, warps = 0;
    int tb;

    if ((unsigned)hd_count(left) <= sm->limit)
        return UINT64_MAX;
    for (uint32_t i = 0; i < sm->limit && left; i++) {
        int oldest = hd_first(left);
        HD_EACH(tb, left)
            if (first_age(v, tb) < first_age(v, oldest))
                oldest = tb;
        left &= ~hd_bit(oldest);
        warps |= v->tbs[oldest].warps;
    }
    return warps;
}

static void next_period(const struct dyncta_params *p, struct dyncta_sm *sm,
                        const struct hd_view *v)
{
    bool more = sm->idle >= p->t_idle || sm->mem < p->t_mem_low;
    bool fewer = !more && sm->mem >= p->t_mem_high;

    if (more && sm->limit < v->tb_fits) {
        sm->limit++;
        sm->raised++;
    } else if (fewer && sm->limit > 1) {
        sm->limit--;
        sm->lowered++;
    }
    sm->idle = sm->mem = 0;
    sm->start = v->cycle;
}

static void dyncta_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct dyncta_params *p = st.params;
    struct dyncta_sm *sm = st.sm;

    (void)s, (void)n;
    if (v->cycle - sm->start >= p->period)
        next_period(p, sm, v);
}

static uint64_t dyncta_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    return v->mine[s] & running(st.sm, v);
}

static int dyncta_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct dyncta_params *p = st.params;

    return p->base == BASE_LRR ? hd_rotate_from(among, v->last_issued[s] + 1)
                               : hd_greedy_oldest(v, among, v->last_issued[s]);
}

static bool all_wait_for_memory(const struct dyncta_params *p, const struct dyncta_sm *sm,
                                const struct hd_view *v)
{
    uint64_t warps = running(sm, v) & v->live, memory = v->sb_block & v->long_mark;

    if (p->waits == WAITS_AWAKE)
        warps &= ~v->waiting;
    else
        memory = (memory & ~v->waiting) | (v->waiting & ~v->at_barrier);
    return warps && !(warps & ~memory);
}

// The last scheduler of the cycle, whichever that is, decides how it is counted: as mem, if no
// scheduler issued and all warps wait for memory; as idle, if no scheduler found an instruction for
// another reason.
static void dyncta_end(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                       unsigned outcome, uint64_t visited)
{
    struct dyncta_sm *sm = st.sm;
    unsigned class = outcome & HD_OUTCOME_CLASS, busy;

    (void)s, (void)visited;
    if (class == HD_ISSUED)
        sm->busy = 2;
    else if (class != HD_STALL_IDLE && !sm->busy)
        sm->busy = 1;
    if (++sm->ended < v->n_sched)
        return;
    busy = sm->busy;
    sm->busy = sm->ended = 0;
    if (busy == 2)
        return;
    if (all_wait_for_memory(st.params, sm, v))
        sm->mem += n;
    else if (!busy)
        sm->idle += n;
}

static uint64_t dyncta_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct dyncta_params *p = st.params;
    const struct dyncta_sm *sm = st.sm;
    uint64_t due = sm->start + p->period;

    (void)s;
    return due > v->cycle ? due : v->cycle + 1;
}

static unsigned dyncta_tb_limit(struct hd_pstate st, const struct hd_view *v)
{
    const struct dyncta_sm *sm = st.sm;

    (void)v;
    return sm->limit;
}

static void dyncta_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct dyncta_sm *sm = st.sm;

    (void)e;
    sm->limit = v->tb_fits > 1 ? v->tb_fits / 2u : 1; // a kernel starts
    sm->idle = sm->mem = 0;
    sm->busy = sm->ended = 0;
    sm->start = v->cycle;
}

static const char *const dyncta_bases[] = {"gto", "lrr", NULL};
static const char *const dyncta_waits[] = {"all", "awake", NULL};
static const struct hd_field dyncta_params[] = {
    HD_F_U32(dyncta_params, period, "2048", 1, 1000000000, "cycles", "between two steps"),
    HD_F_U32(dyncta_params, t_idle, "16", 1, 1000000000, "cycles",
             "idle for at least this long: one block more"),
    HD_F_U32(dyncta_params, t_mem_low, "128", 0, 1000000000, "cycles",
             "waited for memory for less than this: one block more"),
    HD_F_U32(dyncta_params, t_mem_high, "384", 0, 1000000000, "cycles",
             "waited for memory for at least this long: one block fewer"),
    HD_F_ENUM(dyncta_params, base, "gto", dyncta_bases, "order of the warps that may run"),
    HD_F_ENUM(
        dyncta_params, waits, "all", dyncta_waits,
        "which warps must wait for memory for a cycle to count as spent on it: all, or awake: "
        "those that are not at a barrier, a fence or an atomic"),
    HD_FIELD_END};
static const struct hd_field dyncta_sm_counters[] = {
    HD_F_COUNT(dyncta_sm, raised, "steps", "periods after which one block more could run"),
    HD_F_COUNT(dyncta_sm, lowered, "steps", "periods after which one block fewer could run"),
    HD_FIELD_END};
static const struct hd_cost dyncta_cost[] = {{"idle and memory cycles of a period", .per_sm = 24},
                                             {"blocks that may run", .per_sm = 4},
                                             {"paused", .per_tb = 1},
                                             {"last warp issued", .per_scheduler = 6},
                                             HD_COST_END};

HD_POLICY(dyncta, .brief = "as many thread blocks as memory can serve, adapted at run time",
          .source = "Kayiran et al., PACT 2013; thresholds and order not checked against it",
          .events = HD_ON(HD_EV_KERNEL_START), .params_bytes = sizeof(struct dyncta_params),
          .sm_bytes = sizeof(struct dyncta_sm), .params = dyncta_params,
          .sm_counters = dyncta_sm_counters, .cost = dyncta_cost, .begin = dyncta_begin,
          .eligible = dyncta_eligible, .first = dyncta_first, .end = dyncta_end,
          .wakes = dyncta_wakes, .tb_limit = dyncta_tb_limit, .on = dyncta_on);
