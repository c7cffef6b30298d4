// llos.c - warps with a long operation guide, the others fill in.
//
// A long operation should start as soon as it can; other warps fill the time until it ends. So the
// warps of the guiding queue come first, then those of the filling queue, both in round robin.
//
//   Do, Choi, Chung, Kim. "A novel warp scheduling scheme considering long-latency operations for
//   high-performance GPUs". Journal of Supercomputing 76(4), 2020, of which we had the abstract;
//   named LLOS and described in LFWS (IEICE Trans. 2023), section 2.
//
// Which warps guide is not clear. mode=longnext, the default: a warp whose next instruction is an
// off-chip access. So the original's abstract has it, which partitions warps by the characteristics
// of the instructions that they execute next. mode=literal follows the description in LFWS
// literally: those that the scoreboard refuses in this cycle. Such a warp cannot issue, so only the
// filling queue ever issues, and LLOS is round robin; LFWS says so too. mode=sticky is between the
// two: a warp that the scoreboard has refused for a register with the long mark guides from then
// on, until it has issued. read_only=1 adds "will perform the read operation": the next instruction
// is a load.
#include "heddle/policy/long.h"

enum { LITERAL, STICKY, LONGNEXT };
static const char *const mode_names[] = {"literal", "sticky", "longnext", NULL};

enum { OWN, RESTART };
static const char *const pointer_names[] = {"own", "restart", NULL};

struct llos_params {
    uint32_t mode, read_only, pointers;
    struct long_params longs;
};
struct llos {
    uint64_t guiding;
    uint64_t refused;                   // at the start of the cycle
    uint8_t next_guiding, next_filling; // slot after the one that issued last, by queue
    uint8_t pad[6];
};

// State before this cycle's issue.
static void llos_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct llos_params *p = st.params;
    struct llos *llos = st.sched;
    uint64_t valid = v->mine[s] & hd_valid(v) & ~v->wrong_path;

    (void)n;
    valid &= p->read_only ? v->head_load : UINT64_MAX;
    llos->refused = valid & v->sb_block;
    if (p->mode == STICKY)
        llos->refused &= v->long_mark;
    else
        llos->guiding = p->mode == LITERAL ? llos->refused : valid & long_heads(&p->longs, v);
}

// Round robin as GPGPU-Sim's order_lrr walks a list: after the warp issued last, if the list still
// has it, otherwise from its beginning.
static int after_last(const struct hd_view *v, int s, uint64_t list, uint64_t among)
{
    return hd_rotate_from(among, hd_has(list, v->last_issued[s]) ? v->last_issued[s] + 1 : 0);
}

static int llos_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct llos_params *p = st.params;
    const struct llos *llos = st.sched;
    uint64_t guiding = among & llos->guiding;

    if (p->pointers == RESTART)
        return guiding ? after_last(v, s, v->mine[s] & llos->guiding, guiding)
                       : after_last(v, s, v->mine[s] & ~llos->guiding, among);
    return guiding ? hd_rotate_from(guiding, llos->next_guiding)
                   : hd_rotate_from(among, llos->next_filling);
}

static void llos_end(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                     unsigned outcome, uint64_t visited)
{
    const struct llos_params *p = st.params;
    struct llos *llos = st.sched;

    (void)v, (void)s, (void)n, (void)outcome;
    if (p->mode == STICKY)
        llos->guiding |= visited & llos->refused;
}

static void llos_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct llos *llos = HD_SCHED_STATE(st, llos, e->sched);
    bool guided = hd_has(llos->guiding, e->warp);

    (void)v;
    if (guided)
        llos->next_guiding = (uint8_t)(e->warp + 1);
    else
        llos->next_filling = (uint8_t)(e->warp + 1);
    llos->guiding &= ~hd_bit(e->warp);
}

static const struct hd_field llos_params[] = {
    HD_F_ENUM(llos_params, mode, "longnext", mode_names,
              "guiding warps: refused now, refused before, or off-chip access next"),
    HD_F_BOOL(llos_params, read_only, "0", "1: only warps at a load guide"),
    HD_F_ENUM(
        llos_params, pointers, "own", pointer_names,
        "round robin: each queue after its own last warp, or after the scheduler's last warp if "
        "the queue has it"),
    LONG_ROWS(llos_params), HD_FIELD_END};
static const struct hd_reading llos_readings[] = {
    {"mode",
     "by the original's abstract, warps are partitioned by \"the characteristics of instructions "
     "that are subsequently executed\"; \"the warp that will perform the read operation and the "
     "scoreboard gives an invalid "
     "signal is put into the guiding queue\" (LFWS, section 2.1); LFWS adds that it \"cannot "
     "be executed in the current clock cycle\""},
    {"read_only", "\"the warp that will perform the read operation\" (LFWS, section 2.1)"},
    {"pointers", "\"Both the filling queue and the guiding queue are scheduled according to the "
                 "polling method\" (LFWS, section 2.1)"},
    LONG_READINGS,
    HD_READING_END};
static const struct hd_cost llos_cost[] = {
    {"guiding bit", .per_warp = 1},
    {"last warp issued out of two queues", .per_scheduler = 12},
    HD_COST_END};

HD_POLICY(llos, .brief = "warps with a long operation guide, the others fill in",
          .source = "Do et al., J. Supercomputing 2020: its abstract, and as described in LFWS",
          .events = HD_ON(HD_EV_ISSUE), .needs = HD_NEED_VISITED,
          .params_bytes = sizeof(struct llos_params), .sched_bytes = sizeof(struct llos),
          .params = llos_params, .cost = llos_cost, .readings = llos_readings, .begin = llos_begin,
          .first = llos_first, .end = llos_end, .on = llos_on);
