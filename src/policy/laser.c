// laser.c - children run on their parent's SM if its caches have shown that they reuse its data.
//
// Three Bloom filters on each SM watch the reads of the L1: how often a child reads a line that
// parents read before (PC), that its siblings read (SS), that its own kernel read (SELF). The
// greatest of the three hit rates, if it is above `threshold`, is the type of the next child that
// this SM launches. It is decided by the instruction that launches the child (decide=launch), as in
// the paper: "The priority flags of child kernels are set at the time the parent thread launches
// the child kernels." No sibling that is launched with it has read anything by then. With
// decide=pool it is decided when the child may start, with decide=slot when it gets its running
// slot; until then it waits among those of low priority. Types PC and SS get a running slot first
// and run on one SM, that of the parent or of the siblings; the others are spread. Warps of a child
// of type PC issue as one group with those of its parent; groups=all groups siblings of type SS,
// too, as the limit study does.
//
//   Tang, Pattnaik, Kayiran, Jog, Kandemir, Das. "Quantifying Data Locality in Dynamic Parallelism
//   in GPUs" (LASER). POMACS 2018.
//
// Each SM has a queue of blocks (CUQ). Blocks of one child of type PC, or of one of the first
// `warm` children, join the queue of the SM that holds the launching block, or last held it; type
// SS that of the SM to which the last child of the same block went. Other kernels are dealt to all
// queues in turn: a child from the shortest on, a kernel of the host from the SM after the one that
// received the last block. Of several shortest queues, the first one after that SM is taken, so
// that they take turns; with ties=first it is that of the lowest SM. An SM takes the first block of
// its queue that fits, or if its queue is empty one of the longest other queue, if the block's
// kernel has been there for `patience` cycles. The filters are emptied when the blocks of a kernel
// that has launched others have ended, or with reset=complete when all that it launched has ended,
// too; the counters stay.
//
// Without patience an idle SM that happens to be asked before the queue's own takes its block in
// the same cycle, and on a machine with idle SMs nothing is bound.
//
// What the paper does not say, and we decided: the filters are filled by accepted reads; parents'
// reads fill PC and are not counted there; SELF counts all reads; "first couple of children" are
// two of the whole machine (scope=gpu) or of each SM (scope=sm). A self-kernel reuse is of a line
// "referenced multiple times by itself" (section 4.1): with keyed=self, SELF tells kernels apart,
// so what parents or siblings alone have read is not in it; and SS counts only reads that SELF
// misses, because a child's own lines are in SS, too. With keyed=all, PC and SS tell parents apart:
// they look for lines of the same parent block. With keyed=none all filters know lines alone: SELF
// then holds all that PC and SS hold, and PC is the greatest only because the first reads of
// parents lower SELF. On a machine with more than 64 SMs, SM n and SM n + 64 share a queue.
#include "heddle/policy/bloom.h"
#include "heddle/policy/groups.h"
#include "heddle/policy_gpu.h"

#include <string.h>

enum type { HOST, PC, SS, SELF, NONE, WARM, LATER, N_TYPES }; // the mark of a kernel
enum { AT_LAUNCH, AT_POOL, AT_SLOT };
enum { NO_KEYS, KEYED_SELF, KEYED_ALL };
enum { BIND, SPREAD };
enum { TAIL, HEAD };
enum { GPU, SM };
enum { IN_TURN, LOWEST };
enum { NO_TYPE, IN_ORDER };
enum { AT_END, AT_COMPLETE };
enum { NO_GROUPS, OF_PARENT, OF_ALL };

#define LASER_SLOTS 32 // running kernels
#define LASER_CUQS 64
#define LASER_LINES 2000 // of a filter, at most

struct laser_params {
    uint32_t threshold, warm, scope, entries, keyed, ss, steal, groups, patience, ties, equal,
        reset, decide;
};

struct laser_run { // a kernel's blocks in a CUQ: first, first + stride, ...
    uint32_t first, left;
};
struct laser_kernel { // in a running slot, or the last that was there
    uint32_t id;      // plus one
    uint32_t parent_kernel, parent_tb;
    uint64_t since;  // cycle in which it came into the queues
    uint32_t order;  // of the kernels, as they came into the queues
    uint32_t stride; // of its runs
    uint16_t cuq;    // of a kernel that is bound to one
    uint8_t bound;
};
struct laser { // the machine's
    struct laser_kernel kernels[LASER_SLOTS];
    struct laser_run runs[LASER_SLOTS][LASER_CUQS];
    uint32_t queued[LASER_CUQS]; // blocks
    uint32_t arrivals, warmed;
};

struct laser_sm {
    uint64_t pc[BLOOM_WORDS(LASER_LINES)], ss[BLOOM_WORDS(LASER_LINES)];
    uint64_t self[BLOOM_WORDS(LASER_LINES)];
    uint64_t pc_tests, pc_hits, ss_tests, ss_hits, self_tests, self_hits;
    uint64_t pc_fill, ss_fill, self_fill;
    uint64_t marked_pc, marked_ss, marked_self, marked_none, marked_warm;
    uint64_t bound, stolen;
    uint32_t warmed;
    uint8_t group[HD_MAX_TBS]; // by block slot: the block slot whose number its group has
};

// --- the reuse monitors of an SM

static uint64_t name_of(uint32_t kernel, uint32_t tb)
{
    return ((uint64_t)kernel << 32 | tb) * UINT64_C(0x9e3779b97f4a7c15);
}

static bool insert_if_absent(uint64_t *filter, const struct bloom_line *line, uint64_t *fill)
{
    if (bloom_has(filter, line))
        return true;
    bloom_add(filter, line);
    ++*fill;
    return false;
}

static void count_read(const struct laser_params *p, struct laser_sm *l,
                       const struct hd_tb_view *tb, uint64_t address)
{
    uint32_t bits = BLOOM_BITS(p->entries);
    bool child = tb->parent_kernel != UINT32_MAX, in_self;
    uint64_t own = p->keyed == KEYED_ALL ? name_of(tb->kernel, tb->global_id) : 0;
    uint64_t kernel = p->keyed != NO_KEYS ? name_of(tb->kernel, UINT32_MAX) : 0;
    uint64_t parent = p->keyed == KEYED_ALL ? name_of(tb->parent_kernel, tb->parent_tb) : 0;
    struct bloom_line of_parent = bloom_line(address ^ parent, bits), line;

    if (child) {
        l->pc_tests++;
        l->pc_hits += bloom_has(l->pc, &of_parent);
    }
    line = bloom_line(address ^ kernel, bits);
    in_self = insert_if_absent(l->self, &line, &l->self_fill);
    l->self_tests++;
    l->self_hits += in_self;
    if (child) {
        bool in_ss = insert_if_absent(l->ss, &of_parent, &l->ss_fill);
        bool counts = p->keyed == NO_KEYS || !in_self;
        l->ss_tests += counts;
        l->ss_hits += counts && in_ss;
    }
    if (tb->launches) {
        line = bloom_line(address ^ own, bits);
        insert_if_absent(l->pc, &line, &l->pc_fill);
    }
}

// --- groups of blocks whose warps issue together

static bool follows_parent(uint32_t mark)
{
    return mark == PC || mark == WARM;
}

static int block_slot(const struct hd_view *v, uint32_t kernel, uint32_t tb)
{
    int i;

    HD_EACH(i, v->tb_live)
        if (v->tbs[i].kernel == kernel && v->tbs[i].global_id == tb)
            return i;
    return HD_NONE;
}

static int leader_of(const struct laser_params *p, const struct hd_view *v, int tb)
{
    int i, parent;

    for (int depth = 0; depth < HD_MAX_TBS && follows_parent(v->tbs[tb].mark); depth++) {
        parent = block_slot(v, v->tbs[tb].parent_kernel, v->tbs[tb].parent_tb);
        if (parent == HD_NONE || parent == tb)
            return tb;
        tb = parent;
    }
    if (p->groups == OF_ALL && v->tbs[tb].mark == SS)
        HD_EACH(i, v->tb_live)
            if (v->tbs[i].mark == SS && v->tbs[i].parent_kernel == v->tbs[tb].parent_kernel &&
                v->tbs[i].parent_tb == v->tbs[tb].parent_tb)
                return i;
    return tb;
}

static int laser_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct laser_params *p = st.params;
    const struct laser_sm *l = st.sm;

    return p->groups ? groups_first(v, l->group, s, among)
                     : hd_greedy_oldest(v, among, v->last_issued[s]);
}

static void laser_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct laser_sm *l = st.sm;
    int tb;

    if (e->kind == HD_EV_L1_READ)
        count_read(st.params, l, &v->tbs[e->tb], e->line);
    else // blocks have come or gone
        HD_EACH(tb, v->tb_live)
            l->group[tb] = (uint8_t)leader_of(st.params, v, tb);
}

static void empty_filters(struct laser_sm *l)
{
    memset(l->pc, 0, sizeof l->pc);
    memset(l->ss, 0, sizeof l->ss);
    memset(l->self, 0, sizeof l->self);
}

static void laser_on_gpu(struct hd_pstate st, const struct hd_gpu_view *v, const struct hd_event *e,
                         int sm)
{
    const struct laser_params *p = st.params;
    struct laser_sm *l = st.sm;
    int k;

    (void)sm;
    if (e->kind == HD_EV_KERNEL_COMPLETE) {
        if (p->reset == AT_COMPLETE && e->flags & HD_KERNEL_PARENT)
            empty_filters(l);
        return;
    }
    HD_EACH(k, v->running)
        if (p->reset == AT_END && v->kernels[k].id == e->kernel && v->kernels[k].children)
            empty_filters(l);
}

// --- the type of a child

// The type of the filter with the greatest hit rate, if that is above the threshold. A filter that
// was never tested has the rate zero.
static enum type predicted(const struct laser_params *p, const struct laser_sm *l)
{
    const uint64_t hits[] = {l->pc_hits, l->ss_hits, l->self_hits};
    const uint64_t tests[] = {l->pc_tests + !l->pc_tests, l->ss_tests + !l->ss_tests,
                              l->self_tests + !l->self_tests};
    bool shared = false; // the greatest rate is that of several
    unsigned best = 0;

    for (unsigned i = 1; i < 3; i++) { // compares fractions
        uint64_t its = hits[i] * tests[best], other = hits[best] * tests[i];
        shared = its == other || (shared && its < other);
        best = its > other ? i : best;
    }
    if (hits[best] * 100 <= p->threshold * tests[best] || (shared && p->equal == NO_TYPE))
        return NONE;
    return (enum type)(PC + best);
}

static enum type counted(struct laser_sm *l, enum type type)
{
    uint64_t *const marked[N_TYPES] = {
        NULL, &l->marked_pc, &l->marked_ss, &l->marked_self, &l->marked_none, &l->marked_warm};

    if (marked[type])
        ++*marked[type];
    return type;
}

static uint32_t laser_mark(struct hd_pstate st, const struct hd_gpu_view *v,
                           const struct hd_event *e, int sm)
{
    const struct laser_params *p = st.params;
    struct laser *all = st.gpu;
    struct laser_sm *l = st.sm;
    uint32_t *warmed = p->scope == GPU ? &all->warmed : &l->warmed;

    (void)v, (void)e, (void)sm;
    if (*warmed < p->warm) {
        ++*warmed;
        return counted(l, WARM);
    }
    return counted(l, p->decide == AT_LAUNCH ? predicted(p, l) : LATER);
}

static uint32_t laser_remark(struct hd_pstate st, const struct hd_gpu_view *v,
                             const struct hd_ready *kernel, enum hd_mark_time now, int sm)
{
    const struct laser_params *p = st.params;
    bool decides = p->decide == (now == HD_MARK_READY ? AT_POOL : AT_SLOT);

    (void)v, (void)sm;
    return kernel->mark == LATER && decides ? counted(st.sm, predicted(p, st.sm)) : kernel->mark;
}

static bool is_high(uint32_t mark)
{
    return mark == HOST || mark == PC || mark == SS || mark == WARM;
}

static size_t laser_admit(struct hd_pstate st, const struct hd_gpu_view *v,
                          const struct hd_ready *ready, size_t n)
{
    (void)st, (void)v;
    for (size_t i = 0; i < n; i++)
        if (is_high(ready[i].mark))
            return i;
    return 0;
}

// --- the queues of the SMs

static uint32_t n_cuqs(const struct hd_gpu_view *v)
{
    return v->n_sms < LASER_CUQS ? v->n_sms : LASER_CUQS;
}

// The SM that holds the launching block, or else held it when it launched.
static uint32_t sm_of_parent(const struct hd_gpu_view *v, const struct hd_kernel_view *k)
{
    for (uint32_t i = 0; i < v->n_sms; i++) {
        uint32_t sm = (k->parent_sm + i) % v->n_sms;
        if (block_slot(v->sms[sm], k->parent_kernel, k->parent_tb) != HD_NONE)
            return sm;
    }
    return k->parent_sm;
}

// The queue to which the last child of the same block was bound, HD_NONE if there is none.
static int cuq_of_siblings(const struct laser *l, const struct hd_kernel_view *k)
{
    const struct laser_kernel *last = NULL;

    for (unsigned i = 0; i < LASER_SLOTS; i++) {
        const struct laser_kernel *x = &l->kernels[i];
        if (x->id && x->bound && x->parent_kernel == k->parent_kernel &&
            x->parent_tb == k->parent_tb && (!last || x->order > last->order))
            last = x;
    }
    return last ? last->cuq : HD_NONE;
}

// The shortest queue; of several, the first from this one on.
static uint32_t shortest(const struct laser *l, uint32_t n, uint32_t from)
{
    uint32_t best = from;

    for (uint32_t i = 1; i < n; i++)
        if (l->queued[(from + i) % n] < l->queued[best])
            best = (from + i) % n;
    return best;
}

// Deals the blocks of a kernel to all queues, beginning with this one.
static void deal(struct laser *l, int slot, uint32_t tbs, uint32_t from, uint32_t n)
{
    l->kernels[slot].stride = n;
    for (uint32_t i = 0; i < n && i < tbs; i++) {
        struct laser_run *run = &l->runs[slot][(from + i) % n];
        *run = (struct laser_run){i, (tbs - i + n - 1) / n};
        l->queued[(from + i) % n] += run->left;
    }
}

static void enqueue(struct laser *l, const struct laser_params *p, const struct hd_gpu_view *v,
                    int slot)
{
    const struct hd_kernel_view *k = &v->kernels[slot];
    struct laser_kernel *own = &l->kernels[slot];
    bool bound = follows_parent(k->mark) || (k->mark == SS && p->ss == BIND);
    int sibling = k->mark == SS ? cuq_of_siblings(l, k) : HD_NONE;
    uint32_t n = n_cuqs(v), next = (v->last_sm + 1) % n;

    *own = (struct laser_kernel){.id = k->id + 1,
                                 .parent_kernel = k->parent_kernel,
                                 .parent_tb = k->parent_tb,
                                 .since = v->cycle,
                                 .order = l->arrivals++,
                                 .stride = 1,
                                 .bound = bound && k->parent_sm != HD_NO_SM};
    for (uint32_t i = 0; i < LASER_CUQS; i++) {
        l->queued[i] -= l->runs[slot][i].left;
        l->runs[slot][i] = (struct laser_run){0, 0};
    }
    if (own->bound) {
        own->cuq = (uint16_t)(sibling != HD_NONE ? (uint32_t)sibling : sm_of_parent(v, k) % n);
        l->runs[slot][own->cuq] = (struct laser_run){0, k->tbs};
        l->queued[own->cuq] += k->tbs;
    } else {
        deal(l, slot, k->tbs, k->depth ? shortest(l, n, p->ties == IN_TURN ? next : 0) : next, n);
    }
}

// Kernels that have got their slot since the last call join the queues, in the order in which they
// did.
static void enqueue_new(struct laser *l, const struct laser_params *p, const struct hd_gpu_view *v)
{
    uint64_t new = 0;
    int k;

    HD_EACH(k, v->running & hd_low(LASER_SLOTS))
        if (!v->kernels[k].tbs_started && l->kernels[k].id != v->kernels[k].id + 1)
            new |= hd_bit(k);
    for (; new; new &= ~hd_bit(k)) {
        k = hd_first_come(v, new);
        enqueue(l, p, v, k);
    }
}

// Of the kernels of a set with blocks in the queue, the first or the last. HD_NONE if there is
// none.
static int end_of_queue(const struct laser *l, uint32_t cuq, uint64_t set, bool last)
{
    int best = HD_NONE, k;

    HD_EACH(k, set & hd_low(LASER_SLOTS))
        if (l->runs[k][cuq].left &&
            (best == HD_NONE || (l->kernels[k].order < l->kernels[best].order) != last))
            best = k;
    return best;
}

// Those of a set that have waited so long that any SM may take their blocks.
static uint64_t patient(const struct laser *l, uint32_t patience, uint64_t cycle, uint64_t set)
{
    uint64_t old = 0;
    int k;

    HD_EACH(k, set & hd_low(LASER_SLOTS))
        if (cycle >= l->kernels[k].since + patience)
            old |= hd_bit(k);
    return old;
}

// The longest queue but this one that holds a block of a kernel of the set, HD_NONE if none does.
static int victim(const struct laser *l, uint32_t cuq, uint64_t set, uint32_t n)
{
    int best = HD_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (i != cuq && (best == HD_NONE || l->queued[i] > l->queued[best]) &&
            end_of_queue(l, i, set, false) != HD_NONE)
            best = (int)i;
    return best;
}

static void take(struct laser *l, uint32_t cuq, int slot, bool last, struct hd_pick *pick)
{
    struct laser_run *run = &l->runs[slot][cuq];
    uint32_t stride = l->kernels[slot].stride;

    pick->slot = slot;
    pick->tb = run->first + (last ? (run->left - 1) * stride : 0);
    run->first += last ? 0 : stride;
    run->left--;
    l->queued[cuq]--;
}

static bool laser_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                       struct hd_pick *pick)
{
    const struct laser_params *p = st.params;
    struct laser *l = st.gpu;
    struct laser_sm *count = st.sm;
    uint32_t n = n_cuqs(v), own = (uint32_t)sm % n;
    int slot, from;

    enqueue_new(l, p, v);
    slot = end_of_queue(l, own, fits, false);
    if (slot != HD_NONE) {
        count->bound += l->kernels[slot].bound;
        take(l, own, slot, false, pick);
        return true;
    }
    fits = patient(l, p->patience, v->cycle, fits);
    from = l->queued[own] ? HD_NONE : victim(l, own, fits, n);
    if (from == HD_NONE)
        return false;
    count->stolen++;
    slot = end_of_queue(l, (uint32_t)from, fits, p->steal == TAIL);
    take(l, (uint32_t)from, slot, p->steal == TAIL, pick);
    return true;
}

static const char *const laser_scopes[] = {"gpu", "sm", NULL};
static const char *const laser_siblings[] = {"bind", "spread", NULL};
static const char *const laser_ends[] = {"tail", "head", NULL};
static const char *const laser_ties[] = {"turn", "first", NULL};
static const char *const laser_equal[] = {"none", "order", NULL};
static const char *const laser_groups[] = {"none", "parent", "all", NULL};
static const char *const laser_resets[] = {"end", "complete", NULL};
static const char *const laser_times[] = {"launch", "pool", "slot", NULL};
static const char *const laser_keys[] = {"none", "self", "all", NULL};
static const struct hd_field laser_params[] = {
    HD_F_U32(laser_params, threshold, "50", 0, 100, "%",
             "hit rate above which a filter decides the type of a child"),
    HD_F_U32(laser_params, warm, "2", 0, 1000000, "kernels",
             "first children that run on their parents' SM, because nothing is known yet"),
    HD_F_ENUM(laser_params, scope, "gpu", laser_scopes,
              "whether `warm` children of the machine or of each SM are the first"),
    HD_F_U32(laser_params, entries, "1000", 10, LASER_LINES, "lines",
             "for which a filter has a tenth of false positives"),
    HD_F_ENUM(laser_params, keyed, "self", laser_keys,
              "no filter tells kernels apart, or that of kernels' own lines does, or those of "
              "parents and siblings tell parent blocks apart, too"),
    HD_F_ENUM(laser_params, ss, "bind", laser_siblings,
              "children of type SS: to the SM of their siblings, or to all"),
    HD_F_ENUM(laser_params, steal, "tail", laser_ends,
              "the end of another SM's queue at which an SM without blocks takes one"),
    HD_F_ENUM(
        laser_params, groups, "parent", laser_groups,
        "which blocks issue as a group: none (gto), children of type PC with their parents, or "
        "also siblings of type SS"),
    HD_F_U32(laser_params, patience, "1", 0, 1000000000, "cycles",
             "after which a kernel's blocks may run on an SM that has none in its own queue"),
    HD_F_ENUM(
        laser_params, ties, "turn", laser_ties,
        "of several shortest queues a child goes to the next one, or to that of the lowest SM"),
    HD_F_ENUM(laser_params, equal, "none", laser_equal,
              "if several filters share the greatest hit rate, a child has no type, or that of the "
              "first in the order PC, SS, SELF"),
    HD_F_ENUM(laser_params, reset, "end", laser_resets,
              "the filters are emptied when a parent's blocks have ended, or when all that it "
              "launched has ended, too"),
    HD_F_ENUM(laser_params, decide, "launch", laser_times,
              "the type of a child is decided by the launching instruction, when it may start, or "
              "when it gets its running slot"),
    HD_FIELD_END};

static const struct hd_reading laser_readings[] = {
    {"threshold", "We empirically set the threshold to be 0.5."},
    {"warm",
     "the first couple of child kernels are launched to the HPQ and child WGs are scheduled "
     "to the same CUs where the parent WGs execute"},
    {"keyed", "a self-kernel data reuse happens when a data block is referenced multiple times by "
              "itself during execution"},
    {"decide", "The priority flags of child kernels are set at the time the parent thread launches "
               "the child kernels."},
    {"patience", "The WG scheduler always tries to schedule WGs to a CU from its CUQ (e.g., CUQ 1 "
                 "to CU 1), and a CU only steals a WG from another CUQ if its CUQ is empty, and it "
                 "has enough available resources for a new WG to be scheduled."},
    {"ties", "The WG chain is assigned to the CU queue with the least number of WGs in its queue."},
    {"equal", "The reuse monitor predicts the child kernel to be of parent-child reuse type if the "
              "\"hit rate\" of the parent-child Bloom filter is greater than a predefined "
              "threshold, and is larger than the hit rates of sibling-sibling and self-kernel."},
    {"reset",
     "When a parent kernel finishes its execution, we reset the Bloom filters but leave the "
     "counter values unchanged."},
    HD_READING_END};

static const struct hd_field laser_counts[] = {
    HD_F_COUNT(laser_sm, pc_tests, "reads", "of children, tested against what parents read"),
    HD_F_COUNT(laser_sm, pc_hits, "reads", "that parents had read"),
    HD_F_COUNT(laser_sm, pc_fill, "lines", "inserted into the filter of parents"),
    HD_F_COUNT(laser_sm, ss_tests, "reads", "of children, tested against what siblings read"),
    HD_F_COUNT(laser_sm, ss_hits, "reads", "that siblings had read"),
    HD_F_COUNT(laser_sm, ss_fill, "lines", "inserted into the filter of siblings"),
    HD_F_COUNT(laser_sm, self_tests, "reads", "tested against all that were read"),
    HD_F_COUNT(laser_sm, self_hits, "reads", "that had been read"),
    HD_F_COUNT(laser_sm, self_fill, "lines", "inserted into the filter of all reads"),
    HD_F_COUNT(laser_sm, marked_pc, "kernels", "launched here that got the type PC"),
    HD_F_COUNT(laser_sm, marked_ss, "kernels", "launched here that got the type SS"),
    HD_F_COUNT(laser_sm, marked_self, "kernels", "launched here that got the type SELF"),
    HD_F_COUNT(laser_sm, marked_none, "kernels", "launched here that got no type"),
    HD_F_COUNT(laser_sm, marked_warm, "kernels", "launched here among the first"),
    HD_F_COUNT(laser_sm, bound, "blocks", "of kernels that were bound to this SM"),
    HD_F_COUNT(laser_sm, stolen, "blocks", "from the queue of another SM"),
    HD_FIELD_END};

static const struct hd_cost laser_cost[] = {
    {"SST, 1664 bytes: kernel and block of 16 blocks on each of 13 SMs", .per_gpu = 13 * 16 * 64},
    {"parents of 32 running kernels, 256 bytes", .per_gpu = 32 * 64},
    {"three Bloom filters of 605 bytes", .per_sm = 3 * BLOOM_BITS(1000)},
    {"hits and misses of the filters", .per_sm = 6 * 32},
    {"The queues of blocks are in memory, as in the paper; filters and counters together are what "
     "it calls 2 KB.",
     .per_sm = 0},
    HD_COST_END};

HD_POLICY(laser, .brief = "children run where their data are, if the reads so far predict it",
          .source = "LASER, Tang et al., POMACS 2018, section 6; what it leaves open: see the file",
          .events = HD_ON(HD_EV_L1_READ) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END),
          .gpu_events = HD_ON(HD_EV_KERNEL_END) | HD_ON(HD_EV_KERNEL_COMPLETE),
          .needs = HD_NEED_KERNELS, .flags = HD_TB_TOO | HD_KERNEL_TOO,
          .params_bytes = sizeof(struct laser_params), .gpu_bytes = sizeof(struct laser),
          .sm_bytes = sizeof(struct laser_sm), .params = laser_params, .readings = laser_readings,
          .sm_counters = laser_counts, .cost = laser_cost, .first = laser_first, .on = laser_on,
          .on_gpu = laser_on_gpu, .feed = laser_feed, .admit = laser_admit, .mark = laser_mark,
          .remark = laser_remark);
