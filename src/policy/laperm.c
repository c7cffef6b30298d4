// laperm.c - children before their parents' siblings, and on the SM that launched them.
//
// A kernel's data are reused by the kernels that it launches, if these run soon and near. Children
// have priority over their parents' other blocks, the deeper the higher (pri); they run on the SM
// that launched them (bind); and an SM that has nothing else takes them from another SM (adaptive).
//
//   Wang, Rubin, Sidelnik, Yalamanchili. "LaPerm: Locality Aware Scheduler for Dynamic Parallelism
//   on GPUs". ISCA 2016. A comparator of LASER (POMACS 2018).
//
// Reconstructed from LASER's description and the abstract. A kernel's level is its depth, at most
// `levels`; level 0 are the host's kernels. Each SM has a queue of the children that it launched,
// sorted by level, in which the first `entries` are known to the hardware; the others wait in
// memory. An SM takes a block of the first kernel of the highest level of its own queue, else of
// the host's kernels, which all SMs share. If there is none either, mode=adaptive takes it from the
// queue of a backup SM, and stays with that one until the queue is empty; then the next SM in turn
// that has work is the backup; only kernels that have had their slot for `patience` cycles are
// taken so, because an idle SM that is asked before the own one would take every block. With
// mode=pri all SMs share one queue. Kernels get running slots deepest first. The cost of
// dispatching from memory is not modelled.
#include "heddle/policy_gpu.h"

enum { ADAPTIVE, BIND, PRI };
struct laperm_params {
    uint32_t mode, levels, entries, patience;
};
#define LAPERM_SMS 1024 // whose backup is remembered; others look for one each time
#define LAPERM_SLOTS 64 // running kernels
struct laperm {
    uint32_t ids[LAPERM_SLOTS];   // by running slot: one plus its kernel, when it was seen first
    uint64_t since[LAPERM_SLOTS]; // and that cycle
    uint16_t backup[LAPERM_SMS];  // by SM: one plus its backup, 0 if it has none
};
struct laperm_sm {
    uint64_t own, shared, taken; // blocks by the queue that they came from
};

static uint32_t level_of(const struct laperm_params *p, uint32_t depth)
{
    return depth < p->levels ? depth : p->levels;
}

// Of the set, the kernel that came first among those of the highest level.
static int highest(const struct laperm_params *p, const struct hd_gpu_view *v, uint64_t set)
{
    uint32_t level = 0;
    uint64_t best = 0;
    int k;

    HD_EACH(k, set) {
        uint32_t own = level_of(p, v->kernels[k].depth);
        if (own > level)
            best = 0;
        level = own > level ? own : level;
        best |= own == level ? hd_bit(k) : 0;
    }
    return hd_first_come(v, best);
}

// The children in the queue of an SM, in HD_NO_SM's those of all: the first `entries` of those with
// blocks that have not started.
static uint64_t queue_of(const struct laperm_params *p, const struct hd_gpu_view *v, uint32_t sm)
{
    uint64_t waiting = 0, queue = 0;
    int k;

    HD_EACH(k, v->running) {
        const struct hd_kernel_view *x = &v->kernels[k];
        if (x->depth && x->tbs_started < x->tbs && (sm == HD_NO_SM || x->parent_sm == sm))
            waiting |= hd_bit(k);
    }
    for (uint32_t n = 0; n < p->entries && waiting; n++) {
        int next = highest(p, v, waiting);
        queue |= hd_bit(next);
        waiting &= ~hd_bit(next);
    }
    return queue;
}

// A kernel of the set in the queue of the backup SM, which changes when that queue is empty.
static int from_backup(struct laperm *l, const struct laperm_params *p, const struct hd_gpu_view *v,
                       uint32_t sm, uint64_t fits)
{
    uint16_t none = 0, *own = sm < LAPERM_SMS ? &l->backup[sm] : &none;
    uint32_t from = sm + 1;

    if (*own) {
        uint64_t queue = queue_of(p, v, *own - 1u);
        if (queue)
            return queue & fits ? highest(p, v, queue & fits) : HD_NONE;
        from = *own; // the one after it
        *own = 0;
    }
    for (uint32_t i = 0; i < v->n_sms; i++) {
        uint32_t other = (from + i) % v->n_sms;
        uint64_t queue = other == sm ? 0 : queue_of(p, v, other);
        if (!queue)
            continue;
        *own = (uint16_t)(other + 1);
        return queue & fits ? highest(p, v, queue & fits) : HD_NONE;
    }
    return HD_NONE;
}

// Those of a set that other SMs may take. Notes which kernels are new.
static uint64_t patient(struct laperm *l, uint32_t patience, const struct hd_gpu_view *v,
                        uint64_t set)
{
    uint64_t old = 0;
    int k;

    HD_EACH(k, v->running) {
        if (l->ids[k] != v->kernels[k].id + 1) {
            l->ids[k] = v->kernels[k].id + 1;
            l->since[k] = v->cycle;
        }
        if (hd_has(set, k) && v->cycle >= l->since[k] + patience)
            old |= hd_bit(k);
    }
    return old;
}

static bool laperm_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                        struct hd_pick *pick)
{
    const struct laperm_params *p = st.params;
    struct laperm_sm *count = st.sm;
    uint64_t queue = queue_of(p, v, p->mode == PRI ? HD_NO_SM : (uint32_t)sm), hosts = 0;
    uint64_t others = patient(st.gpu, p->patience, v, fits);
    int k;

    pick->tb = HD_NEXT_TB;
    if (queue & fits) {
        pick->slot = highest(p, v, queue & fits);
        count->own++;
        return true;
    }
    HD_EACH(k, fits)
        hosts |= v->kernels[k].depth ? 0 : hd_bit(k);
    if (hosts) {
        pick->slot = hd_first_come(v, hosts);
        count->shared++;
        return true;
    }
    if (p->mode != ADAPTIVE || queue)
        return false;
    pick->slot = from_backup(st.gpu, p, v, (uint32_t)sm, others);
    count->taken += pick->slot != HD_NONE;
    return pick->slot != HD_NONE;
}

static size_t laperm_admit(struct hd_pstate st, const struct hd_gpu_view *v,
                           const struct hd_ready *ready, size_t n)
{
    const struct laperm_params *p = st.params;
    size_t best = 0;

    (void)v;
    for (size_t i = 1; i < n; i++)
        if (level_of(p, ready[i].depth) > level_of(p, ready[best].depth))
            best = i;
    return best;
}

static const char *const laperm_modes[] = {"adaptive", "bind", "pri", NULL};
static const struct hd_field laperm_params[] = {
    HD_F_ENUM(laperm_params, mode, "adaptive", laperm_modes,
              "whether an SM without work takes children of another SM, or none; or one queue for "
              "all SMs"),
    HD_F_U32(laperm_params, levels, "4", 1, 32, "levels", "of priority above the host's kernels"),
    HD_F_U32(laperm_params, entries, "128", 1, 128, "kernels", "of an SM's queue in hardware"),
    HD_F_U32(laperm_params, patience, "1", 0, 1000000000, "cycles",
             "after which a child's blocks may run on another SM, with mode=adaptive"),
    HD_FIELD_END};
static const struct hd_field laperm_counts[] = {
    HD_F_COUNT(laperm_sm, own, "blocks", "of children, from the SM's own queue or the only one"),
    HD_F_COUNT(laperm_sm, shared, "blocks", "of the host's kernels"),
    HD_F_COUNT(laperm_sm, taken, "blocks", "of children that another SM launched"), HD_FIELD_END};
static const struct hd_cost laperm_cost[] = {
    {"queues: 128 entries of 24 bytes", .per_sm = 128 * 24 * 8}, HD_COST_END};

HD_POLICY(laperm, .brief = "children first, and on the SM that launched them",
          .source = "LaPerm, Wang et al., ISCA 2016, reconstructed from its abstract and LASER",
          .flags = HD_KERNEL_TOO, .params_bytes = sizeof(struct laperm_params),
          .gpu_bytes = sizeof(struct laperm), .sm_bytes = sizeof(struct laperm_sm),
          .params = laperm_params, .sm_counters = laperm_counts, .cost = laperm_cost,
          .feed = laperm_feed, .admit = laperm_admit);
