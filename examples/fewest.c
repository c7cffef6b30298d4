// fewest.c - fewest first, for three decisions: what to fetch, where to put blocks, which kernel.
//
// A policy may fill one slot or several; each is chosen with its own option. As a plug-in:
//   cc -std=c11 -shared -fPIC -Iinclude examples/fewest.c -o fewest.so
//   heddle run scan --plugin ./fewest.so --fetch fewest
//   heddle run scan --plugin ./fewest.so --tb fewest:most=2 --json -
#include "heddle/policy_gpu.h"

struct fewest { // parameters, as the command line gave them
    uint32_t most;
};
struct fewest_sm { // state of one SM; zero at the start
    uint64_t blocks;
};

// Pure: the warp of a non-empty set that instructions are fetched for.
static int fewest_fetch(struct hd_pstate st, const struct hd_view *v, uint64_t among)
{
    int best = hd_first(among), w;

    (void)st;
    HD_EACH(w, among)
        if (v->progress[w] < v->progress[best])
            best = w;
    return best;
}

// The SM for the next block of the kernel in `slot`, of those with room; HD_NONE: later.
static int fewest_place(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                        const uint64_t *room)
{
    const struct fewest *p = st.params;
    int best = HD_NONE, least = p->most ? (int)p->most : HD_MAX_TBS;

    (void)slot;
    for (unsigned i = 0; i < v->n_sms; i++) {
        int n = hd_count(v->sms[i]->tb_live);
        if (room[i / 64] >> i % 64 & 1 && n < least) {
            best = (int)i;
            least = n;
        }
    }
    return best;
}

// The running slot whose kernel is served next.
static int fewest_kernel(struct hd_pstate st, const struct hd_gpu_view *v, uint64_t runnable)
{
    int best = hd_first(runnable), k;

    (void)st;
    HD_EACH(k, runnable)
        if (v->kernels[k].tbs - v->kernels[k].tbs_started <
            v->kernels[best].tbs - v->kernels[best].tbs_started)
            best = k;
    return best;
}

// Called for each event asked for below, SM by SM.
static void fewest_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct fewest_sm *sm = st.sm;

    (void)v, (void)e;
    sm->blocks++;
}

static const struct hd_field fewest_params[] = {
    HD_F_U32(fewest, most, "0", 0, HD_MAX_TBS, "blocks", "of an SM at one time; 0: what fits"),
    HD_FIELD_END};
static const struct hd_field fewest_counts[] = {
    HD_F_COUNT(fewest_sm, blocks, "blocks", "that came to the SM"), HD_FIELD_END};

HD_POLICY(fewest, .brief = "fewest first", .source = "an example",
          .params_bytes = sizeof(struct fewest), .params = fewest_params,
          .sm_bytes = sizeof(struct fewest_sm), .sm_counters = fewest_counts,
          .events = HD_ON(HD_EV_TB_START), .on = fewest_on, .fetch = fewest_fetch,
          .place = fewest_place, .next_kernel = fewest_kernel);
