// oracle.c - kernels, blocks and warps are placed with knowledge of what they will reuse.
//
// A limit study: `heddle reuse PROGRAM --plan FILE` finds in a first run which kernels and blocks
// access the same data, and this policy uses it in a second one. Such a scheduler cannot be built;
// it shows what one could gain at most by placing what reuses data near in time and space.
//
//   Tang, Pattnaik, Kayiran, Jog, Kandemir, Das. "Quantifying Data Locality in Dynamic Parallelism
//   in GPUs" (LASER). POMACS 2018, section 5, algorithms 1 and 2.
//
// Each slot adds a part of it. --kernel-policy oracle:plan=FILE: a free running slot goes to the
// kernel that has the highest reuse ratio with one that runs. --tb oracle:plan=FILE: and its blocks
// join the queue of the SM where a block runs or waits that reuses their data. --sched
// oracle:plan=FILE: and the warps of such blocks issue as a group.
//
// What the paper does not say, and we decided: if no kernel has a high ratio, the first that came
// gets the slot (as printed, the algorithm leaves it empty). The blocks of a kernel are split into
// chains of blocks with high ratios, in either order; a chain with such a block on an SM, or in its
// queue, joins that queue, any other the queue with fewest blocks; with memory=1 a chain also joins
// the queue of the SM on which such a block has ended, whose L1 may still hold the data. An SM
// takes the head of its queue, and if it is empty the tail of the longest other one of which
// something fits, `patience` cycles after it came there. Blocks are planned when their kernel gets
// its slot, at most 256 of a kernel at a time. On a machine with more than 128 SMs, SM n and SM n +
// 128 share a queue. A kernel of which the plan knows nothing has no ratio above 0; such kernels
// are counted. Without a plan none is known.
#include "heddle/policy/groups.h"
#include "heddle/policy_gpu.h"

#include <string.h>

#define ORACLE_SLOTS 32 // running kernels
#define ORACLE_CUQS 128
#define ORACLE_WINDOW 256 // blocks of a kernel that are planned at a time
#define ORACLE_SETS 4096  // of blocks whose SM is remembered
#define ORACLE_WAYS 4     // the latest ones of a set

struct oracle_params {
    struct hd_plan_file plan;
    uint32_t patience, memory;
};
struct oracle_kernel {            // in a running slot
    uint64_t since;               // cycle in which the window was opened
    uint32_t id;                  // plus one
    uint32_t order;               // in which the kernels came
    uint32_t first;               // block of the window's first entry
    uint32_t planned;             // entries of the window in use
    uint8_t queue[ORACLE_WINDOW]; // by block of the window: one plus its queue; 0: given away
};
struct oracle_start { // where a block was started
    uint64_t key;
    uint32_t tb;
    uint32_t cuq; // plus one; 0 if that is not known
};
struct oracle {
    struct oracle_kernel kernels[ORACLE_SLOTS];
    uint32_t queued[ORACLE_CUQS]; // blocks
    uint32_t arrivals;
    struct oracle_start starts[ORACLE_SETS][ORACLE_WAYS]; // of a set, the latest first
};
struct oracle_sm {
    uint64_t own, stolen, unknown;
    uint8_t group[HD_MAX_TBS]; // by block slot
};

// --- kernels (algorithm 1)

static struct hd_plan_unit kernel_unit(uint64_t key)
{
    return (struct hd_plan_unit){key, HD_PLAN_KERNEL};
}

static const struct hd_plan *plan_of(struct hd_pstate st)
{
    const struct oracle_params *p = st.params;

    return p->plan.plan;
}

// Only kernels of one family have a ratio: a kernel and its parent, and children of one block.
static bool may_relate(const struct hd_ready *y, const struct hd_kernel_view *x)
{
    return y->parent_kernel == x->id ||
           (y->parent_kernel == x->parent_kernel && y->parent_tb == x->parent_tb &&
            y->parent_kernel != UINT32_MAX);
}

static size_t oracle_admit(struct hd_pstate st, const struct hd_gpu_view *v,
                           const struct hd_ready *ready, size_t n)
{
    const struct hd_plan *plan = plan_of(st);
    const struct hd_plan_pair *best = NULL;
    size_t chosen = 0;
    int k;

    for (size_t i = 0; plan && i < n; i++)
        HD_EACH(k, v->running) {
            struct hd_plan_unit y = kernel_unit(ready[i].key), x = kernel_unit(v->kernels[k].key);
            const struct hd_plan_pair *pair =
                may_relate(&ready[i], &v->kernels[k])
                    ? hd_plan_pair(plan->kernels, plan->n_kernels, &y, &x)
                    : NULL;
            if (pair && (!best || hd_plan_greater(pair, best))) {
                best = pair;
                chosen = i;
            }
        }
    return chosen;
}

static bool is_known(const struct hd_plan *plan, uint64_t key)
{
    struct hd_plan_unit kernel = kernel_unit(key), block = {key, 0};
    size_t i = plan ? hd_plan_find(plan->kernels, plan->n_kernels, &kernel, NULL) : 0;

    if (plan && i < plan->n_kernels && plan->kernels[i].x.key == key)
        return true;
    i = plan ? hd_plan_find(plan->links, plan->n_links, &block, NULL) : 0;
    return plan && i < plan->n_links && plan->links[i].x.key == key;
}

// --- blocks (algorithm 2)

static uint32_t n_cuqs(const struct hd_gpu_view *v)
{
    return v->n_sms < ORACLE_CUQS ? v->n_sms : ORACLE_CUQS;
}

// The running slot of a kernel that has joined the queues, HD_NONE if there is none.
static int slot_of(const struct oracle *o, const struct hd_gpu_view *v, uint64_t key)
{
    int k;

    HD_EACH(k, v->running & hd_low(ORACLE_SLOTS))
        if (v->kernels[k].key == key && o->kernels[k].id == v->kernels[k].id + 1)
            return k;
    return HD_NONE;
}

static uint32_t set_of(const struct hd_plan_unit *block)
{
    return (uint32_t)((block->key + block->block) % ORACLE_SETS);
}

// The queue of the SM that took a block, HD_NONE if that is not known.
static int started_at(const struct oracle *o, const struct hd_plan_unit *block)
{
    const struct oracle_start *set = o->starts[set_of(block)];

    for (unsigned i = 0; i < ORACLE_WAYS; i++)
        if (set[i].cuq && set[i].key == block->key && set[i].tb == block->block)
            return (int)set[i].cuq - 1;
    return HD_NONE;
}

static void remember(struct oracle *o, const struct hd_plan_unit *block, uint32_t cuq)
{
    struct oracle_start *set = o->starts[set_of(block)];

    memmove(set + 1, set, (ORACLE_WAYS - 1) * sizeof *set);
    *set = (struct oracle_start){block->key, block->block, cuq + 1};
}

// The queue in which a block of a running kernel waits, or that of the SM where it runs, HD_NONE if
// it does neither.
static int place_of(const struct oracle *o, const struct hd_gpu_view *v, int slot, uint32_t tb)
{
    const struct oracle_kernel *k = &o->kernels[slot];
    uint32_t at = tb - k->first;
    int i;

    if (tb >= k->first && at < k->planned && k->queue[at])
        return k->queue[at] - 1;
    for (uint32_t sm = 0; sm < v->n_sms; sm++)
        HD_EACH(i, v->sms[sm]->tb_live)
            if (v->sms[sm]->tbs[i].kernel == v->kernels[slot].id &&
                v->sms[sm]->tbs[i].global_id == tb)
                return (int)(sm % n_cuqs(v));
    return HD_NONE;
}

struct chains { // of the blocks of a window: each block leads to another one, the last to itself
    uint16_t next[ORACLE_WINDOW];
    int16_t queue[ORACLE_WINDOW]; // of the last one: where it goes, HD_NONE: not known yet
    const struct hd_plan_pair *why[ORACLE_WINDOW]; // the link that says so
};

static uint16_t end_of(const struct chains *c, uint32_t i)
{
    while (c->next[i] != i)
        i = c->next[i];
    return (uint16_t)i;
}

// Follows the links of one block: to others of the window, and to blocks elsewhere.
static void follow(struct chains *c, const struct oracle *o, const struct oracle_params *p,
                   const struct hd_gpu_view *v, int slot, uint32_t i)
{
    const struct hd_plan *plan = p->plan.plan;
    const struct oracle_kernel *own = &o->kernels[slot];
    struct hd_plan_unit x = {v->kernels[slot].key, own->first + i};

    for (size_t at = hd_plan_find(plan->links, plan->n_links, &x, NULL);
         at < plan->n_links && !hd_plan_order(&plan->links[at].x, &x); at++) {
        const struct hd_plan_pair *link = &plan->links[at];
        uint32_t other = link->y.block - own->first;
        uint16_t end = end_of(c, i), joined;
        int from, queue;
        if (link->y.key == x.key && link->y.block >= own->first && other < own->planned) {
            joined = end_of(c, other);
            c->next[end > joined ? end : joined] = end > joined ? joined : end;
            continue;
        }
        from = slot_of(o, v, link->y.key);
        queue = from == HD_NONE ? HD_NONE : place_of(o, v, from, link->y.block);
        if (queue == HD_NONE && p->memory)
            queue = started_at(o, &link->y);
        if (queue != HD_NONE && (!c->why[i] || hd_plan_greater(link, c->why[i]))) {
            c->why[i] = link;
            c->queue[i] = (int16_t)queue;
        }
    }
}

// The shortest queue; of several, the first from this one on, so that they take turns.
static uint32_t shortest(const struct oracle *o, uint32_t n, uint32_t from)
{
    uint32_t best = from;

    for (uint32_t i = 1; i < n; i++)
        if (o->queued[(from + i) % n] < o->queued[best])
            best = (from + i) % n;
    return best;
}

// Gives the blocks of the window, none of which is in a queue, their queues.
static void plan_window(struct oracle *o, const struct oracle_params *p,
                        const struct hd_gpu_view *v, int slot)
{
    struct oracle_kernel *k = &o->kernels[slot];
    struct chains c;
    uint32_t n = n_cuqs(v);

    for (uint32_t i = 0; i < ORACLE_WINDOW; i++) {
        c.next[i] = (uint16_t)i;
        c.queue[i] = HD_NONE;
        c.why[i] = NULL;
    }
    for (uint32_t i = 0; p->plan.plan && i < k->planned; i++)
        follow(&c, o, p, v, slot, i);
    // A chain goes where the block with the strongest link to a place goes.
    for (uint32_t i = 0; i < k->planned; i++) {
        uint16_t end = end_of(&c, i);
        if (c.why[i] && (!c.why[end] || hd_plan_greater(c.why[i], c.why[end]))) {
            c.why[end] = c.why[i];
            c.queue[end] = c.queue[i];
        }
    }
    for (uint32_t i = 0; i < k->planned; i++) {
        uint16_t end = end_of(&c, i);
        if (c.queue[end] == HD_NONE)
            c.queue[end] = (int16_t)shortest(o, n, (v->last_sm + 1) % n);
        k->queue[i] = (uint8_t)(c.queue[end] + 1);
        o->queued[c.queue[end]]++;
    }
}

static void open_window(struct oracle *o, const struct oracle_params *p,
                        const struct hd_gpu_view *v, int slot, uint32_t first)
{
    struct oracle_kernel *k = &o->kernels[slot];
    uint32_t left = v->kernels[slot].tbs - first;

    k->since = v->cycle;
    k->first = first;
    k->planned = left < ORACLE_WINDOW ? left : ORACLE_WINDOW;
    memset(k->queue, 0, sizeof k->queue);
    plan_window(o, p, v, slot);
}

static bool window_empty(const struct oracle_kernel *k)
{
    for (uint32_t i = 0; i < k->planned; i++)
        if (k->queue[i])
            return false;
    return true;
}

// Kernels that have got their slot join the queues, and the next blocks of those whose window has
// been given away.
static void join(struct oracle *o, struct oracle_sm *count, const struct oracle_params *p,
                 const struct hd_gpu_view *v)
{
    uint64_t new = 0;
    int k;

    HD_EACH(k, v->running & hd_low(ORACLE_SLOTS)) {
        struct oracle_kernel *own = &o->kernels[k];
        const struct hd_kernel_view *x = &v->kernels[k];
        if (own->id != x->id + 1)
            new |= x->tbs_started ? 0 : hd_bit(k);
        else if (x->tbs_started < x->tbs && window_empty(own))
            open_window(o, p, v, k, own->first + own->planned);
    }
    for (; new; new &= ~hd_bit(k)) {
        k = hd_first_come(v, new);
        for (uint32_t i = 0; i < o->kernels[k].planned; i++)
            if (o->kernels[k].queue[i])
                o->queued[o->kernels[k].queue[i] - 1]--;
        o->kernels[k].id = v->kernels[k].id + 1;
        o->kernels[k].order = o->arrivals++;
        count->unknown += !is_known(p->plan.plan, v->kernels[k].key);
        open_window(o, p, v, k, 0);
    }
}

// The first or last entry of a kernel's window that is in the queue, ORACLE_WINDOW if none is.
static uint32_t entry_of(const struct oracle_kernel *k, uint32_t cuq, bool last)
{
    for (uint32_t i = 0; i < k->planned; i++) {
        uint32_t at = last ? k->planned - 1 - i : i;
        if (k->queue[at] == cuq + 1)
            return at;
    }
    return ORACLE_WINDOW;
}

// Of a set, the first or last kernel with a block in the queue, HD_NONE if there is none.
static int end_of_queue(const struct oracle *o, uint32_t cuq, uint64_t set, bool last)
{
    int best = HD_NONE, k;

    HD_EACH(k, set & hd_low(ORACLE_SLOTS))
        if ((best == HD_NONE || (o->kernels[k].order < o->kernels[best].order) != last) &&
            entry_of(&o->kernels[k], cuq, false) != ORACLE_WINDOW)
            best = k;
    return best;
}

// Those of a set that have waited so long that any SM may take their blocks.
static uint64_t patient(const struct oracle *o, uint32_t patience, uint64_t cycle, uint64_t set)
{
    uint64_t old = 0;
    int k;

    HD_EACH(k, set & hd_low(ORACLE_SLOTS))
        if (cycle >= o->kernels[k].since + patience)
            old |= hd_bit(k);
    return old;
}

static int victim(const struct oracle *o, uint32_t cuq, uint64_t set, uint32_t n)
{
    int best = HD_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (i != cuq && o->queued[i] && (best == HD_NONE || o->queued[i] > o->queued[best]) &&
            end_of_queue(o, i, set, false) != HD_NONE)
            best = (int)i;
    return best;
}

// Gives an SM the first or last block of a kernel in a queue.
static void take(struct oracle *o, uint32_t cuq, int slot, bool last, struct hd_pick *pick)
{
    struct oracle_kernel *k = &o->kernels[slot];
    uint32_t at = entry_of(k, cuq, last);

    *pick = (struct hd_pick){slot, k->first + at};
    k->queue[at] = 0;
    o->queued[cuq]--;
}

static bool oracle_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                        struct hd_pick *pick)
{
    const struct oracle_params *p = st.params;
    struct oracle *o = st.gpu;
    struct oracle_sm *count = st.sm;
    uint32_t n = n_cuqs(v), own = (uint32_t)sm % n;
    int slot, from;

    join(o, count, p, v);
    slot = o->queued[own] ? end_of_queue(o, own, fits, false) : HD_NONE;
    if (slot != HD_NONE) {
        count->own++;
        take(o, own, slot, false, pick);
    } else {
        fits = patient(o, p->patience, v->cycle, fits);
        from = o->queued[own] ? HD_NONE : victim(o, own, fits, n);
        if (from == HD_NONE)
            return false;
        count->stolen++;
        take(o, (uint32_t)from, end_of_queue(o, (uint32_t)from, fits, true), true, pick);
    }
    if (p->memory)
        remember(o, &(struct hd_plan_unit){v->kernels[pick->slot].key, pick->tb}, own);
    return true;
}

// --- warps

static bool linked(const struct hd_plan *plan, const struct hd_tb_view *a,
                   const struct hd_tb_view *b)
{
    struct hd_plan_unit x = {a->key, a->global_id}, y = {b->key, b->global_id};

    return hd_plan_pair(plan->links, plan->n_links, &x, &y) != NULL;
}

// Blocks have come or gone: groups are those that links connect, however many.
static void oracle_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct hd_plan *plan = plan_of(st);
    struct oracle_sm *o = st.sm;
    int a, b, c;

    (void)e;
    HD_EACH(a, v->tb_live)
        o->group[a] = (uint8_t)a;
    if (!plan)
        return;
    HD_EACH(a, v->tb_live)
        HD_EACH(b, v->tb_live & hd_low((unsigned)a)) {
            uint8_t from = o->group[a], to = o->group[b];
            if (from == to || !linked(plan, &v->tbs[a], &v->tbs[b]))
                continue;
            HD_EACH(c, v->tb_live)
                o->group[c] = o->group[c] == from ? to : o->group[c];
        }
}

static int oracle_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct oracle_sm *o = st.sm;

    return groups_first(v, o->group, s, among);
}

static const struct hd_field oracle_params[] = {
    HD_F_PLAN(oracle_params, plan,
              "what an earlier run of the program reused: heddle reuse --plan"),
    HD_F_U32(oracle_params, patience, "1", 0, 1000000000, "cycles",
             "after which a kernel's blocks may run on an SM that has none in its own queue"),
    HD_F_BOOL(oracle_params, memory, "0",
              "chains also follow blocks that have ended, to the SM that had them"),
    HD_FIELD_END};
static const struct hd_reading oracle_readings[] = {
    {"memory", "Our scheduler tries to co-locate parent and child kernels during scheduling such "
               "that the data reuse between dependent kernels are captured."},
    HD_READING_END};
static const struct hd_field oracle_counts[] = {
    HD_F_COUNT(oracle_sm, own, "blocks", "from the SM's own queue"),
    HD_F_COUNT(oracle_sm, stolen, "blocks", "from the queue of another SM"),
    HD_F_COUNT(oracle_sm, unknown, "kernels", "of which the plan has no pair"), HD_FIELD_END};

HD_POLICY(oracle, .brief = "kernels, blocks and warps with knowledge of what they will reuse",
          .source = "limit study of LASER, Tang et al., POMACS 2018, section 5",
          .events = HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END), .needs = HD_NEED_KERNELS,
          .flags = HD_TB_TOO | HD_KERNEL_TOO, .params_bytes = sizeof(struct oracle_params),
          .gpu_bytes = sizeof(struct oracle), .sm_bytes = sizeof(struct oracle_sm),
          .params = oracle_params, .readings = oracle_readings, .sm_counters = oracle_counts,
          .first = oracle_first, .on = oracle_on, .feed = oracle_feed, .admit = oracle_admit);
