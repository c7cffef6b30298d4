// pro_dyn.c - progress aware scheduling that finds out whether handling barriers pays.
//
// PRO moves blocks with warps at a barrier ahead of the others, which helps most kernels and hurts
// some. Here each SM tries both: after a first window of time in which caches and blocks settle it
// runs short windows with that rule and without, counts the instructions issued each way, and stays
// with the better one until it is time to try again. A new kernel starts again. The windows
// alternate as with, without, without, with, so that a program that becomes faster or slower
// meanwhile favours neither.
//
//   Announced as future work in: Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling
//   Algorithm". IPDPS 2015, section IV: "dynamically enable or disable special handling of barrier
//   statements [...] by profiling each application".
//
// The paper has only this sentence; windows, their length and the rule of decision are heddle's.
// The rule stays on if both ways issue the same. PRO does not handle long latencies, the paper's
// other example, in the first place.
//
// A window that ends while the SM is not stepped ends when it is stepped again.
#include "heddle/policy/pro.h"

struct pro_dyn_params {
    struct pro_params pro;
    uint32_t window, warmup, every, pairs;
};
enum { TRY_WITH, TRY_WITHOUT, N_TRIALS };
struct pro_dyn {
    struct pro pro;        // first, because shared code uses only this
    uint64_t window_start; // cycle
    uint64_t windows;      // since the kernel's start or the last trial
    uint64_t issued;       // in this window
    uint64_t trial[N_TRIALS];
    uint64_t trials, chose_without, cycles_without; // counters
    uint32_t tried;                                 // a trial has been made in this kernel
    uint32_t pad;
};

// Moves the blocks that wait at a barrier into the class to which they belong from now on.
static void handle_barriers(const struct pro_params *p, struct pro *pro, const struct hd_view *v,
                            bool on)
{
    int tb;

    if (pro->barriers_off == !on)
        return;
    pro->barriers_off = !on;
    HD_EACH(tb, v->tb_live) {
        unsigned slot = (unsigned)tb;
        if (!v->tbs[slot].at_barrier || !pro->class_of[slot])
            continue;
        if (on) {
            pro_move(pro, slot, AT_BARRIER);
            pro_sort_warps(pro, v, slot, LEAST_FIRST);
        } else {
            pro_leave_barrier(p, pro, v, slot);
        }
    }
    pro_sort_class(p, pro, v, AT_BARRIER);
    pro_place_warps(pro, v);
}

// The kind of window i of a trial: with, without, without, with, and again.
static unsigned way_of(uint64_t i)
{
    return (i ^ i >> 1) & 1 ? TRY_WITHOUT : TRY_WITH;
}

// A window has ended: decides the kind of the next one.
static void next_window(const struct pro_dyn_params *p, struct pro_dyn *dyn,
                        const struct hd_view *v)
{
    uint64_t wait = dyn->tried ? p->every : p->warmup, at = ++dyn->windows;

    if (at > wait)
        dyn->trial[way_of(at - wait - 1)] += dyn->issued;
    if (at < wait + 2 * (uint64_t)p->pairs) { // still settling, or in the trial
        if (at >= wait)
            handle_barriers(&p->pro, &dyn->pro, v, way_of(at - wait) == TRY_WITH);
    } else {
        bool without = dyn->trial[TRY_WITHOUT] > dyn->trial[TRY_WITH];
        handle_barriers(&p->pro, &dyn->pro, v, !without);
        dyn->trials++;
        dyn->chose_without += without;
        dyn->trial[TRY_WITH] = dyn->trial[TRY_WITHOUT] = 0;
        dyn->tried = 1;
        dyn->windows = 0;
    }
    dyn->issued = 0;
    dyn->window_start = v->cycle;
}

static void pro_dyn_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct pro_dyn_params *p = st.params;
    struct pro_dyn *dyn = st.sm;

    if (v->cycle - dyn->window_start >= p->window)
        next_window(p, dyn, v);
    if (s == 0 && dyn->pro.barriers_off)
        dyn->cycles_without += n;
    pro_begin(st, v, s, n);
}

static uint64_t pro_dyn_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct pro_dyn_params *p = st.params;
    const struct pro_dyn *dyn = st.sm;
    uint64_t due = dyn->window_start + p->window, sort = pro_wakes(st, v, s);

    due = due > v->cycle ? due : v->cycle + 1;
    return due < sort ? due : sort;
}

static void pro_dyn_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct pro_dyn *dyn = st.sm;

    if (e->kind == HD_EV_ISSUE) {
        dyn->issued++;
        return;
    }
    pro_on(st, v, e);
    if (e->kind == HD_EV_KERNEL_START) {
        dyn->pro.barriers_off = 0;
        dyn->window_start = v->cycle;
        dyn->windows = dyn->issued = 0;
        dyn->trial[TRY_WITH] = dyn->trial[TRY_WITHOUT] = 0;
        dyn->tried = 0;
    }
}

static const struct hd_field pro_dyn_params[] = {
    PRO_THRESHOLD,
    PRO_FINISH,
    PRO_PROGRESS,
    PRO_SORT_ON_PHASE,
    PRO_RESORT,
    PRO_REENTER,
    HD_F_U32(pro_dyn_params, window, "1000", 1, 1000000000, "cycles", "length of a window"),
    HD_F_U32(pro_dyn_params, warmup, "1", 0, 1000000, "windows", "before a kernel's first trial"),
    HD_F_U32(pro_dyn_params, every, "32", 1, 1000000, "windows", "between two trials"),
    HD_F_U32(pro_dyn_params, pairs, "4", 1, 1000000, "pairs",
             "of windows in a trial, one with and one without"),
    HD_FIELD_END};
static const struct hd_field pro_dyn_counters[] = {
    HD_F_COUNT(pro, sorts, "sorts", "times the blocks were sorted by progress"),
    HD_F_COUNT(pro_dyn, trials, "trials", "times both ways were tried"),
    HD_F_COUNT(pro_dyn, chose_without, "trials", "trials in which not handling barriers won"),
    HD_F_COUNT(pro_dyn, cycles_without, "cycles", "barriers were not handled"), HD_FIELD_END};
static const struct hd_cost pro_dyn_cost[] = {{"progress of a warp", .per_warp = 32},
                                              {"progress of a block", .per_tb = 32},
                                              {"warps at barrier or finished", .per_tb = 8},
                                              {"order of the blocks", .per_tb = 8},
                                              {"instructions issued in two trials", .per_sm = 64},
                                              {"window of the trial, way chosen", .per_sm = 7},
                                              HD_COST_END};

HD_POLICY(pro_dyn, .brief = "pro that finds out per kernel whether handling barriers pays",
          .source = "future work of Anantpur and Govindarajan, IPDPS 2015; windows are ours",
          .events = PRO_EVENTS | HD_ON(HD_EV_ISSUE), .params_bytes = sizeof(struct pro_dyn_params),
          .sm_bytes = sizeof(struct pro_dyn), .params = pro_dyn_params,
          .sm_counters = pro_dyn_counters, .cost = pro_dyn_cost, .begin = pro_dyn_begin,
          .first = pro_first, .wakes = pro_dyn_wakes, .on = pro_dyn_on);
