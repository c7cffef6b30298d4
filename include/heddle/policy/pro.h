// pro.h - progress aware scheduling: code that pro and its variants share. Described in pro.c.
//
// pro_dyn and variants outside the tree add a table of parameters, or a few functions.
#ifndef HEDDLE_POLICY_PRO_H
#define HEDDLE_POLICY_PRO_H

#include "heddle/policy.h"

#include <string.h>

struct pro_params {
    uint32_t threshold, barrier, finish, progress, sort_on_phase, resort, reenter;
    uint32_t finish_stays, inherit, phase_seen, no_wait;
};
// Values of `phase_seen`: when an SM learns that the last block has been placed.
enum { PRO_AT_ONCE, PRO_AT_LINES };
static const char *const pro_phase_seen[] = {"now", "lines", NULL};
// Values of `barrier`: in which way a block with warps at a barrier is special.
enum { PRO_NOTHING, PRO_BOTH, PRO_BLOCK_ALONE, PRO_WARPS_ALONE };
// Values of `reenter`: where a block goes after its barrier.
enum { PRO_TO_END, PRO_BY_PROGRESS, PRO_OLD_RANK };
enum { FINISHING, AT_BARRIER, OTHERS, N_CLASSES }; // in order of priority
struct pro_class {
    uint8_t n, tb[HD_MAX_TBS]; // block slots, highest priority first
};
struct pro {
    uint64_t last_sort; // cycle
    uint64_t sorts;     // counter
    struct pro_class classes[N_CLASSES];
    uint8_t class_of[HD_MAX_TBS]; // plus one; 0 if the slot is empty
    uint8_t rank[HD_MAX_WARPS];   // of a warp in its block
    // Of a block among the others, at the last sort in which it was one of them, or where it was
    // appended after that. With `inherit` it stays with the slot.
    uint32_t old_rank[HD_MAX_TBS];
    uint8_t slow;                 // phase
    uint8_t last_placed;          // the last block has been placed, and that is not yet seen
    uint8_t barriers_off;         // blocks at a barrier are not special; pro_dyn sets it
    uint32_t place[HD_MAX_WARPS]; // of a warp in the order of the SM
};

// Does block a go before block b of the same class?
static inline bool pro_before(const struct pro_params *p, const struct pro *pro,
                              const struct hd_view *v, int cls, unsigned a, unsigned b)
{
    const struct hd_tb_view *x = &v->tbs[a], *y = &v->tbs[b];

    if (cls == FINISHING && x->finished != y->finished)
        return x->finished > y->finished;
    if (cls == AT_BARRIER && x->at_barrier != y->at_barrier)
        return x->at_barrier > y->at_barrier;
    if (x->progress != y->progress && (cls != OTHERS || p->progress))
        return (x->progress > y->progress) != (cls == OTHERS && pro->slow);
    return x->global_id < y->global_id;
}

static inline void pro_sort_class(const struct pro_params *p, struct pro *pro,
                                  const struct hd_view *v, int cls)
{
    struct pro_class *c = &pro->classes[cls];

    for (unsigned i = 1; i < c->n; i++) {
        uint8_t tb = c->tb[i];
        unsigned at = i;
        for (; at && pro_before(p, pro, v, cls, tb, c->tb[at - 1]); at--)
            c->tb[at] = c->tb[at - 1];
        c->tb[at] = tb;
    }
}

enum pro_warp_order { BY_SLOT, LEAST_FIRST, MOST_FIRST };

static inline void pro_sort_warps(struct pro *pro, const struct hd_view *v, unsigned tb,
                                  enum pro_warp_order order)
{
    uint64_t warps = v->tbs[tb].warps;
    int w, u;

    HD_EACH(w, warps) {
        pro->rank[w] = 0;
        HD_EACH(u, warps) {
            uint64_t mine = v->progress[w], other = v->progress[u];
            bool ahead = order == BY_SLOT || mine == other ? u < w
                         : order == LEAST_FIRST            ? other < mine
                                                           : other > mine;
            pro->rank[w] = (uint8_t)(pro->rank[w] + ahead);
        }
    }
}

static inline enum pro_warp_order pro_others_order(const struct pro_params *p,
                                                   const struct pro *pro)
{
    return !p->progress ? BY_SLOT : pro->slow ? LEAST_FIRST : MOST_FIRST;
}

// Takes the block out of its class. It becomes the last of class `to`, or of none if to =
// N_CLASSES.
static inline void pro_move(struct pro *pro, unsigned tb, int to)
{
    if (pro->class_of[tb]) {
        struct pro_class *c = &pro->classes[pro->class_of[tb] - 1];
        unsigned at = 0;
        while (c->tb[at] != tb)
            at++;
        c->n--;
        memmove(c->tb + at, c->tb + at + 1, (size_t)c->n - at);
        c->tb[c->n] = 0;
    }
    pro->class_of[tb] = to == N_CLASSES ? 0 : (uint8_t)(to + 1);
    if (to != N_CLASSES)
        pro->classes[to].tb[pro->classes[to].n++] = (uint8_t)tb;
}

// Moves a block of the class OTHERS to its rank at the last sort.
static inline void pro_to_old_rank(struct pro *pro, unsigned tb)
{
    struct pro_class *c = &pro->classes[OTHERS];
    unsigned at = 0;

    pro_move(pro, tb, OTHERS);
    while (c->tb[at] != tb && pro->old_rank[c->tb[at]] <= pro->old_rank[tb])
        at++;
    memmove(c->tb + at + 1, c->tb + at, (size_t)c->n - 1 - at);
    c->tb[at] = (uint8_t)tb;
}

// The order of the SM: by class, then by block, then by warp.
static inline void pro_place_warps(struct pro *pro, const struct hd_view *v)
{
    uint32_t base = 0;
    int w;

    for (int cls = 0; cls < N_CLASSES; cls++)
        for (unsigned i = 0; i < pro->classes[cls].n; i++) {
            const struct hd_tb_view *tb = &v->tbs[pro->classes[cls].tb[i]];
            HD_EACH(w, tb->warps)
                pro->place[w] = base + pro->rank[w];
            base += tb->n_warps;
        }
}

// The regular sort by progress.
static inline void pro_tick(const struct pro_params *p, struct pro *pro, const struct hd_view *v)
{
    for (int cls = p->resort ? FINISHING : OTHERS; cls < N_CLASSES; cls++) {
        pro_sort_class(p, pro, v, cls);
        for (unsigned i = 0; i < pro->classes[cls].n; i++)
            pro_sort_warps(pro, v, pro->classes[cls].tb[i],
                           cls == OTHERS ? pro_others_order(p, pro) : LEAST_FIRST);
    }
    for (unsigned i = 0; i < pro->classes[OTHERS].n; i++)
        pro->old_rank[pro->classes[OTHERS].tb[i]] = i;
    pro->last_sort = v->cycle;
    pro->sorts++;
}

static inline void pro_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct pro_params *p = st.params;
    struct pro *pro = st.sm;

    (void)s, (void)n;
    if (v->cycle - pro->last_sort >= p->threshold) {
        pro_tick(p, pro, v);
        pro_place_warps(pro, v);
    }
}

static inline uint64_t pro_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct pro_params *p = st.params;
    const struct pro *pro = st.sm;
    uint64_t due = pro->last_sort + p->threshold;

    (void)s;
    return due > v->cycle ? due : v->cycle + 1;
}

static inline int pro_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct pro *pro = st.sm;

    (void)v, (void)s;
    return hd_oldest(among, pro->place);
}

// A block that was special because it waited at a barrier returns to the others, at the place that
// `reenter` selects.
static inline void pro_leave_barrier(const struct pro_params *p, struct pro *pro,
                                     const struct hd_view *v, unsigned tb)
{
    struct pro_class *c = &pro->classes[OTHERS];
    unsigned at;

    if (!pro->slow && p->finish && v->tbs[tb].finished && !p->no_wait) {
        pro_move(pro, tb, FINISHING);
        pro_sort_class(p, pro, v, FINISHING);
        return;
    }
    if (p->reenter == PRO_OLD_RANK) {
        pro_to_old_rank(pro, tb); // only its state changes
        return;
    }
    pro_move(pro, tb, OTHERS);
    if (p->reenter == PRO_TO_END)
        return;
    for (at = 0; !pro_before(p, pro, v, OTHERS, tb, c->tb[at]) && c->tb[at] != tb;)
        at++;
    memmove(c->tb + at + 1, c->tb + at, (size_t)c->n - 1 - at);
    c->tb[at] = (uint8_t)tb;
    pro_sort_warps(pro, v, tb, pro_others_order(p, pro));
}

// The first warp of a block has reached its barrier.
static inline void pro_first_at_barrier(const struct pro_params *p, struct pro *pro,
                                        const struct hd_view *v, unsigned tb)
{
    if (p->finish_stays && pro->class_of[tb] == FINISHING + 1)
        return;
    if (p->barrier != PRO_WARPS_ALONE)
        pro_move(pro, tb, AT_BARRIER);
    if (p->barrier != PRO_BLOCK_ALONE)
        pro_sort_warps(pro, v, tb, LEAST_FIRST);
}

// A new block goes to the end, or with `inherit` to the rank of the block that had its slot. One
// that was parked comes back with warps that have ended or wait.
static inline void pro_start(const struct pro_params *p, struct pro *pro, const struct hd_view *v,
                             unsigned tb)
{
    uint32_t last = 0;
    int i;

    HD_EACH(i, v->tb_live & ~hd_bit((int)tb))
        last = pro->old_rank[i] >= last ? pro->old_rank[i] + 1 : last;
    if (p->inherit && v->tb_live != hd_bit((int)tb)) {
        pro_to_old_rank(pro, tb);
    } else {
        pro_move(pro, tb, OTHERS);
        pro->old_rank[tb] = last;
    }
    pro_sort_warps(pro, v, tb, BY_SLOT);
    if (p->finish && v->tbs[tb].finished && !pro->slow) {
        pro_move(pro, tb, FINISHING);
        pro_sort_warps(pro, v, tb, LEAST_FIRST);
        pro_sort_class(p, pro, v, FINISHING);
    } else if (!pro->barriers_off && v->tbs[tb].at_barrier) {
        pro_first_at_barrier(p, pro, v, tb);
        pro_sort_class(p, pro, v, AT_BARRIER);
    }
}

static inline void pro_became_slow(const struct pro_params *p, struct pro *pro,
                                   const struct hd_view *v)
{
    pro->slow = 1;
    pro->last_placed = 0;
    while (pro->classes[FINISHING].n)
        pro_move(pro, pro->classes[FINISHING].tb[0], OTHERS);
    if (p->sort_on_phase)
        pro_tick(p, pro, v);
}

// Lines 5 and 24 of Algorithm 1 look whether blocks still wait to be placed: at the first finished
// warp of a block, before it may become a finishing one, and at an arrival at a barrier, after the
// block became one at a barrier. A variant without such a part does not look there.
static inline void pro_look(const struct pro_params *p, struct pro *pro, const struct hd_view *v)
{
    if (pro->last_placed)
        pro_became_slow(p, pro, v);
}

static inline void pro_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct pro_params *p = st.params;
    struct pro *pro = st.sm;

    switch (e->kind) {
    case HD_EV_KERNEL_START:
        pro->slow = pro->last_placed = 0;
        pro->barriers_off = !p->barrier;
        if (!v->tb_live) // with sm.share, blocks of other kernels may go on
            pro->last_sort = v->cycle;
        break;
    case HD_EV_PHASE_SLOW:
        pro->last_placed = 1;
        if (p->phase_seen == PRO_AT_ONCE)
            pro_look(p, pro, v);
        break;
    case HD_EV_TB_START:
        pro_start(p, pro, v, e->tb);
        break;
    case HD_EV_TB_END:
        pro_move(pro, e->tb, N_CLASSES);
        break;
    case HD_EV_WARP_EXIT:
        if (p->finish && v->tbs[e->tb].finished == 1) {
            pro_look(p, pro, v);
            if (!pro->slow)
                pro_move(pro, e->tb, FINISHING);
            pro_sort_warps(pro, v, e->tb, LEAST_FIRST);
        }
        pro_sort_class(p, pro, v, FINISHING);
        break;
    case HD_EV_BAR_ARRIVE:
        if (!pro->barriers_off && v->tbs[e->tb].at_barrier == 1)
            pro_first_at_barrier(p, pro, v, e->tb);
        if (!pro->barriers_off)
            pro_look(p, pro, v);
        pro_sort_class(p, pro, v, AT_BARRIER);
        break;
    case HD_EV_BAR_RELEASE:
        if (pro->class_of[e->tb] == AT_BARRIER + 1 && !v->tbs[e->tb].at_barrier)
            pro_leave_barrier(p, pro, v, e->tb);
        else if (p->barrier == PRO_WARPS_ALONE && pro->class_of[e->tb] == OTHERS + 1)
            pro_sort_warps(pro, v, e->tb, pro_others_order(p, pro));
        break;
    default:
        return;
    }
    pro_place_warps(pro, v);
}

// Rows of the variants' parameter tables. A switch without a row is off: then blocks are not
// special.
#define PRO_THRESHOLD                                                                              \
    HD_F_U32(pro_params, threshold, "1000", 1, 1000000000, "cycles", "time between sorts")
#define PRO_BARRIER                                                                                \
    HD_F_U32(pro_params, barrier, "1", 0, 3, "",                                                   \
             "blocks at a barrier: 0 not special (PRO-NB), 1 the block goes ahead and its late "   \
             "warps first, 2 the block alone, 3 its warps alone")
#define PRO_FINISH                                                                                 \
    HD_F_BOOL(pro_params, finish, "1", "0: blocks with finished warps are not special")
#define PRO_PROGRESS                                                                               \
    HD_F_BOOL(pro_params, progress, "1", "0: other blocks by index instead of progress")
#define PRO_SORT_ON_PHASE                                                                          \
    HD_F_BOOL(pro_params, sort_on_phase, "1", "sort when the last block has been placed")
#define PRO_RESORT                                                                                 \
    HD_F_BOOL(pro_params, resort, "0", "1: each sort also sorts finishing and barrier blocks")
#define PRO_REENTER                                                                                \
    HD_F_U32(                                                                                      \
        pro_params, reenter, "2", 0, 2, "",                                                        \
        "after a barrier: 0 to the end, 1 to its place by progress, warps sorted again, 2 to "     \
        "its rank of the last sort")
#define PRO_FINISH_STAYS                                                                           \
    HD_F_BOOL(pro_params, finish_stays, "0",                                                       \
              "1: a block with finished warps stays so when warps come to a barrier")
#define PRO_INHERIT                                                                                \
    HD_F_BOOL(pro_params, inherit, "0", "1: a new block takes the rank of its slot; 0: the last")

#define PRO_PHASE_SEEN                                                                             \
    HD_F_ENUM(pro_params, phase_seen, "now", pro_phase_seen,                                       \
              "the slow phase begins when the last block is placed, or when lines 5 and 24 of "    \
              "Algorithm 1 next look")
#define PRO_NO_WAIT                                                                                \
    HD_F_BOOL(pro_params, no_wait, "0",                                                            \
              "1: a block with finished warps is an ordinary one after its barrier")

static const struct hd_field pro_counters[] = {
    HD_F_COUNT(pro, sorts, "sorts", "times the blocks were sorted by progress"), HD_FIELD_END};
static const struct hd_cost pro_cost[] = {{"progress of a warp", .per_warp = 32},
                                          {"progress of a block", .per_tb = 32},
                                          {"warps at barrier or finished", .per_tb = 8},
                                          {"order of the blocks", .per_tb = 8},
                                          HD_COST_END};

#define PRO_EVENTS                                                                                 \
    (HD_ON(HD_EV_KERNEL_START) | HD_ON(HD_EV_PHASE_SLOW) | HD_ON(HD_EV_TB_START) |                 \
     HD_ON(HD_EV_TB_END) | HD_ON(HD_EV_WARP_EXIT) | HD_ON(HD_EV_BAR_ARRIVE) |                      \
     HD_ON(HD_EV_BAR_RELEASE))

// The rest of the table of a variant that differs only by its parameters.
#define PRO_FUNCTIONS                                                                              \
    .events = PRO_EVENTS, .params_bytes = sizeof(struct pro_params),                               \
    .sm_bytes = sizeof(struct pro), .sm_counters = pro_counters, .cost = pro_cost,                 \
    .begin = pro_begin, .first = pro_first, .wakes = pro_wakes, .on = pro_on

#endif
