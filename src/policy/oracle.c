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
// kernel that has the highest reuse ratio with one that runs. --tb oracle:plan=FILE: and blocks
// with high ratios join the queue of one SM. --sched oracle:plan=FILE: and the warps of such blocks
// issue as a group.
//
// What the paper does not say, and we decided: if no kernel has a high ratio, the first that came
// gets the slot (as printed, the algorithm leaves it empty).
//
// Blocks with high ratios, in either order, form chains, and a chain joins a queue. Three readings:
// chains=whole     A chain is all that high ratios connect in the whole program. Its first block
//                  joins the queue with fewest blocks, and every later one the same queue.
// chains=ended     The blocks of a kernel are split into chains. One with a high ratio to a block
//                  that waits in a queue, or runs or has ended on an SM, joins that queue (by the
//                  highest such ratio), any other the queue with fewest blocks.
// chains=running   The same, but blocks that have ended do not count.
// In a queue, blocks stay as their chains began (order=chain): a child then comes before blocks of
// its parent's kernel that belong to later chains. Or as their kernels came (order=kernel).
//
// An SM takes the head of its queue, and if it is empty the tail of the longest other one of which
// something fits, `patience` cycles after it came there. Blocks are planned when their kernel gets
// its slot, at most 256 of a kernel at a time. The places of blocks, or of chains, are remembered
// in 4096 sets, in each those of the four latest. On a machine with more than 128 SMs, SM n and SM
// n + 128 share a queue. A kernel of which the plan knows nothing has no ratio above 0; such
// kernels are counted. Without a plan none is known.
#include "heddle/policy/groups.h"
#include "heddle/policy_gpu.h"

#include <string.h>

#define ORACLE_SLOTS 32 // running kernels
#define ORACLE_CUQS 128
#define ORACLE_WINDOW 256 // blocks of a kernel that are planned at a time
#define ORACLE_SETS 4096  // of blocks and chains whose places are remembered
#define ORACLE_WAYS 4     // the latest ones of a set

enum { WHOLE, ENDED, RUNNING };
enum { BY_CHAIN, BY_KERNEL };

struct oracle_params {
    struct hd_plan_file plan;
    uint32_t patience, chains, order;
};
struct oracle_kernel {            // in a running slot
    uint64_t since;               // cycle in which the window was opened
    uint32_t id;                  // plus one
    uint32_t order;               // in which the kernels came
    uint32_t first;               // block of the window's first entry
    uint32_t planned;             // entries of the window in use
    uint8_t queue[ORACLE_WINDOW]; // by block of the window: one plus its queue; 0: given away
    uint32_t rank[ORACLE_WINDOW]; // by block of the window: the smaller, the nearer to the head
    uint16_t in[ORACLE_CUQS];     // by queue: blocks of the window that are in it
};
struct oracle_place {
    int queue;     // HD_NONE: not known
    uint32_t rank; // 0: not known
};
struct oracle_start { // where a block was started, or a chain begun
    uint64_t key;
    uint32_t block;
    uint32_t cuq; // plus one; 0: this entry is free
    uint32_t rank, unused;
};
struct oracle {
    struct oracle_kernel kernels[ORACLE_SLOTS];
    uint32_t queued[ORACLE_CUQS]; // blocks
    uint32_t arrivals, ranks;
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

// The entry of its set that has a block or a chain, ORACLE_WAYS if none has.
static unsigned entry_with(const struct oracle_start *set, const struct hd_plan_unit *unit)
{
    unsigned i = 0;

    while (i < ORACLE_WAYS &&
           !(set[i].cuq && set[i].key == unit->key && set[i].block == unit->block))
        i++;
    return i;
}

// Where a block was started or a chain begun, if that is remembered.
static struct oracle_place remembered(const struct oracle *o, const struct hd_plan_unit *unit)
{
    const struct oracle_start *set = o->starts[set_of(unit)];
    unsigned i = entry_with(set, unit);

    return i < ORACLE_WAYS ? (struct oracle_place){(int)set[i].cuq - 1, set[i].rank}
                           : (struct oracle_place){HD_NONE, 0};
}

// Makes a block or a chain the latest of its set. The oldest one is forgotten if it is new.
static void remember(struct oracle *o, const struct hd_plan_unit *unit, struct oracle_place place)
{
    struct oracle_start *set = o->starts[set_of(unit)];
    unsigned i = entry_with(set, unit);

    memmove(set + 1, set, (i < ORACLE_WAYS ? i : ORACLE_WAYS - 1) * sizeof *set);
    *set = (struct oracle_start){unit->key, unit->block, (uint32_t)place.queue + 1, place.rank, 0};
}

// The SM on which a block of a running kernel runs, HD_NONE if it does not.
static int sm_of(const struct hd_gpu_view *v, uint32_t kernel, uint32_t tb)
{
    int i;

    for (uint32_t sm = 0; sm < v->n_sms; sm++)
        HD_EACH(i, v->sms[sm]->tb_live)
            if (v->sms[sm]->tbs[i].kernel == kernel && v->sms[sm]->tbs[i].global_id == tb)
                return (int)sm;
    return HD_NONE;
}

// The queue in which a block waits, or that of the SM that has it or, unless chains=running, had
// it.
static struct oracle_place place_of(const struct oracle *o, const struct oracle_params *p,
                                    const struct hd_gpu_view *v, const struct hd_plan_unit *unit)
{
    int slot = slot_of(o, v, unit->key), sm = HD_NONE;
    struct oracle_place place = {HD_NONE, 0};

    if (slot != HD_NONE) {
        const struct oracle_kernel *k = &o->kernels[slot];
        uint32_t at = unit->block - k->first;
        if (unit->block >= k->first && at < k->planned && k->queue[at])
            return (struct oracle_place){k->queue[at] - 1, k->rank[at]};
        sm = sm_of(v, v->kernels[slot].id, unit->block);
    }
    if (sm != HD_NONE || p->chains != RUNNING)
        place = remembered(o, unit);
    if (sm != HD_NONE)
        place.queue = sm % ORACLE_CUQS;
    return place;
}

struct chains { // of the blocks of a window: each block leads to another one, the last to itself
    uint16_t next[ORACLE_WINDOW];
    struct oracle_place place[ORACLE_WINDOW];      // of the last one: where it goes
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
        struct oracle_place place;
        if (link->y.key == x.key && link->y.block >= own->first && other < own->planned) {
            joined = end_of(c, other);
            c->next[end > joined ? end : joined] = end > joined ? joined : end;
            continue;
        }
        place = place_of(o, p, v, &link->y);
        if (place.queue != HD_NONE && (!c->why[i] || hd_plan_greater(link, c->why[i]))) {
            c->why[i] = link;
            c->place[i] = place;
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

// Puts a block of the window, which is in no queue, into one.
static void put(struct oracle *o, const struct oracle_params *p, struct oracle_kernel *k,
                uint32_t i, struct oracle_place place)
{
    k->queue[i] = (uint8_t)(place.queue + 1);
    k->rank[i] = p->order == BY_CHAIN ? place.rank : 0;
    k->in[place.queue]++;
    o->queued[place.queue]++;
}

static struct oracle_place new_chain(struct oracle *o, const struct hd_gpu_view *v)
{
    uint32_t n = n_cuqs(v);

    return (struct oracle_place){(int)shortest(o, n, (v->last_sm + 1) % n), ++o->ranks};
}

// The blocks of the window join the chains of running and waiting blocks, or of all that were ever
// started, with the strongest link.
static void follow_links(struct oracle *o, const struct oracle_params *p,
                         const struct hd_gpu_view *v, int slot)
{
    struct oracle_kernel *k = &o->kernels[slot];
    struct chains c;

    for (uint32_t i = 0; i < ORACLE_WINDOW; i++) {
        c.next[i] = (uint16_t)i;
        c.place[i].queue = HD_NONE;
        c.why[i] = NULL;
    }
    for (uint32_t i = 0; p->plan.plan && i < k->planned; i++)
        follow(&c, o, p, v, slot, i);
    // A chain goes where the block with the strongest link to a place goes.
    for (uint32_t i = 0; i < k->planned; i++) {
        uint16_t end = end_of(&c, i);
        if (c.why[i] && (!c.why[end] || hd_plan_greater(c.why[i], c.why[end]))) {
            c.why[end] = c.why[i];
            c.place[end] = c.place[i];
        }
    }
    for (uint32_t i = 0; i < k->planned; i++) {
        uint16_t end = end_of(&c, i);
        if (c.place[end].queue == HD_NONE)
            c.place[end] = new_chain(o, v);
        else if (!c.place[end].rank) // its block was forgotten
            c.place[end].rank = ++o->ranks;
        put(o, p, k, i, c.place[end]);
    }
}

// Each block of the window joins the queue to which the first block of its chain went.
static void join_chains(struct oracle *o, const struct oracle_params *p,
                        const struct hd_gpu_view *v, int slot)
{
    struct oracle_kernel *k = &o->kernels[slot];

    for (uint32_t i = 0; i < k->planned; i++) {
        struct hd_plan_unit x = {v->kernels[slot].key, k->first + i};
        const struct hd_plan_unit *chain = p->plan.plan ? hd_plan_chain(p->plan.plan, &x) : NULL;
        struct oracle_place place = {HD_NONE, 0};
        if (chain)
            place = remembered(o, chain);
        if (place.queue == HD_NONE)
            place = new_chain(o, v);
        if (chain)
            remember(o, chain, place);
        put(o, p, k, i, place);
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
    memset(k->in, 0, sizeof k->in);
    if (p->chains == WHOLE)
        join_chains(o, p, v, slot);
    else
        follow_links(o, p, v, slot);
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

struct entry {   // a block in a queue
    int slot;    // of its kernel; HD_NONE: there is no such block
    uint32_t at; // entry of the window
};

// Of a kernel's blocks in the queue, the first or last. There is one.
static uint32_t entry_of(const struct oracle_kernel *k, uint32_t cuq, bool last)
{
    uint32_t best = ORACLE_WINDOW;

    for (uint32_t i = 0; i < k->planned; i++)
        if (k->queue[i] == cuq + 1 &&
            (best == ORACLE_WINDOW ||
             (last ? k->rank[i] >= k->rank[best] : k->rank[i] < k->rank[best])))
            best = i;
    return best;
}

// Of the blocks of a set of kernels in the queue, the first or last.
static struct entry end_of_queue(const struct oracle *o, uint32_t cuq, uint64_t set, bool last)
{
    struct entry best = {HD_NONE, 0};
    int k;

    HD_EACH(k, set & hd_low(ORACLE_SLOTS)) {
        const struct oracle_kernel *x = &o->kernels[k], *y;
        uint32_t at;
        bool before;
        if (!x->in[cuq])
            continue;
        at = entry_of(x, cuq, last);
        y = best.slot == HD_NONE ? NULL : &o->kernels[best.slot];
        before = y && (x->rank[at] != y->rank[best.at] ? x->rank[at] < y->rank[best.at]
                                                       : x->order < y->order);
        if (!y || before != last)
            best = (struct entry){k, at};
    }
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

// Is a block of one of these kernels in the queue?
static bool holds(const struct oracle *o, uint32_t cuq, uint64_t set)
{
    int k;

    HD_EACH(k, set & hd_low(ORACLE_SLOTS))
        if (o->kernels[k].in[cuq])
            return true;
    return false;
}

static int victim(const struct oracle *o, uint32_t cuq, uint64_t set, uint32_t n)
{
    int best = HD_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (i != cuq && o->queued[i] && (best == HD_NONE || o->queued[i] > o->queued[best]) &&
            holds(o, i, set))
            best = (int)i;
    return best;
}

// Gives an SM a block of a queue.
static void take(struct oracle *o, const struct oracle_params *p, const struct hd_gpu_view *v,
                 uint32_t from, struct entry entry, uint32_t to, struct hd_pick *pick)
{
    struct oracle_kernel *k = &o->kernels[entry.slot];

    *pick = (struct hd_pick){entry.slot, k->first + entry.at};
    k->queue[entry.at] = 0;
    k->in[from]--;
    o->queued[from]--;
    if (p->chains != WHOLE)
        remember(o, &(struct hd_plan_unit){v->kernels[entry.slot].key, pick->tb},
                 (struct oracle_place){(int)to, k->rank[entry.at]});
}

static bool oracle_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                        struct hd_pick *pick)
{
    const struct oracle_params *p = st.params;
    struct oracle *o = st.gpu;
    struct oracle_sm *count = st.sm;
    uint32_t n = n_cuqs(v), own = (uint32_t)sm % n;
    int from;

    join(o, count, p, v);
    if (holds(o, own, fits)) {
        count->own++;
        take(o, p, v, own, end_of_queue(o, own, fits, false), own, pick);
        return true;
    }
    fits = patient(o, p->patience, v->cycle, fits);
    from = o->queued[own] ? HD_NONE : victim(o, own, fits, n);
    if (from == HD_NONE)
        return false;
    count->stolen++;
    take(o, p, v, (uint32_t)from, end_of_queue(o, (uint32_t)from, fits, true), own, pick);
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

static const char *const oracle_chains[] = {"whole", "ended", "running", NULL};
static const char *const oracle_orders[] = {"chain", "kernel", NULL};
static const struct hd_field oracle_params[] = {
    HD_F_PLAN(oracle_params, plan,
              "what an earlier run of the program reused: heddle reuse --plan"),
    HD_F_U32(oracle_params, patience, "1", 0, 1000000000, "cycles",
             "after which a kernel's blocks may run on an SM that has none in its own queue"),
    HD_F_ENUM(oracle_params, chains, "whole", oracle_chains,
              "all blocks of the program that high ratios connect, or those of a kernel, which "
              "follow waiting, running and ended ones, or waiting and running ones"),
    HD_F_ENUM(oracle_params, order, "chain", oracle_orders,
              "of the blocks in a queue: as their chains began, or as their kernels came"),
    HD_FIELD_END};
static const struct hd_reading oracle_readings[] = {
    {"chains", "We form the high reuse chains of WGs based on the characterization results and "
               "import the high reuse chains to Algorithm 2 for scheduling."},
    {"order", "schedule reuse chain (wg_1, wg_2, ..., wg_n) to Q_CUi"},
    {"patience", "if a CU has available resources and its associated CU queue is empty, it steals "
                 "a WG from another CU queue"},
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
