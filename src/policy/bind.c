// bind.c - a child's thread blocks run on the SM that launched it, and nowhere else.
//
// A child often reads what its parent has just read or written, which that SM's L1 may still hold.
// This policy does nothing but that: it measures what a policy such as laser gains by predicting
// for which children it is worth it, and by giving idle SMs work.
//
//   A baseline of heddle's, for LASER (POMACS 2018).
//
// A block of a child waits until its SM has room, even if all other SMs are idle. Blocks of the
// host's kernels go to every SM in turn. Among the kernels that an SM may take, `order` chooses:
// the one that came first, as in LASER's baseline, or each in turn, as without a policy. With
// sm.share an SM can take a child while its parent is there; otherwise the child waits for the
// parent to leave.
#include "heddle/policy_gpu.h"

enum { ARRIVAL, TURNS };
struct bind_params {
    uint32_t order;
};

static bool bind_feed(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                      struct hd_pick *pick)
{
    const struct bind_params *p = st.params;
    uint64_t own = 0;
    int k;

    HD_EACH(k, fits)
        if (v->kernels[k].parent_sm == HD_NO_SM || v->kernels[k].parent_sm == (uint32_t)sm)
            own |= hd_bit(k);
    if (!own)
        return false;
    pick->tb = HD_NEXT_TB;
    pick->slot =
        p->order == TURNS ? hd_rotate_from(own, v->last_kernel + 1) : hd_first_come(v, own);
    return true;
}

static const char *const bind_orders[] = {"arrival", "turns", NULL};
static const struct hd_field bind_params[] = {
    HD_F_ENUM(bind_params, order, "arrival", bind_orders,
              "which kernel an SM takes: the one that came first, or each in turn"),
    HD_FIELD_END};

HD_POLICY(bind, .brief = "a child's thread blocks run on the SM that launched it",
          .source = "a baseline of heddle's for LASER, POMACS 2018",
          .params_bytes = sizeof(struct bind_params), .params = bind_params, .feed = bind_feed);
