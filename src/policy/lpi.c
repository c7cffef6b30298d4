// lpi.c - puts long-latency warps in between: each long operation is followed by short ones.
//
// Issuing one long operation after the other fills the memory pipeline at once; issuing all short
// ones first leaves nothing to hide the long ones. So a warp with a long operation is placed
// between two warps with short ones.
//
//   Zhang, Xing, Liu, Tang, Wang. "Locality based warp scheduling in GPGPUs". Future Generation
//   Computer Systems 82, 2018, of which we had the abstract; named LPI and described in LFWS (IEICE
//   Trans. 2023), section 2.
//
// Both groups are sorted by id; each blocking warp is put after the active warp that precedes its
// id, or after the next one if that place is taken; those left over go to the end. The text does
// not define clearly which warps are blocking. class=longnext: those whose next instruction is an
// off-chip access. class=stalled: those that the scoreboard refuses now; such a warp cannot issue
// wherever it is placed, so the order is then simply by id. The id is what LFWS defines in section
// 2.1, a unique number in the order of arrival, and the abstract says age; age=0 sorts by warp
// slot.
#include "heddle/policy/long.h"

enum { LONGNEXT, STALLED };
static const char *const class_names[] = {"longnext", "stalled", NULL};
enum { FROM_TOP, ROUND_ROBIN };
static const char *const walk_names[] = {"top", "rr", NULL};

struct lpi_params {
    uint32_t class, age, walk;
    struct long_params longs;
};

static int lowest(const struct lpi_params *p, const struct hd_view *v, uint64_t mask)
{
    return p->age ? hd_oldest(mask, v->age) : hd_first(mask);
}

// After active warp a comes the first remaining blocking one, unless the next active one precedes
// it.
static bool fits(const struct lpi_params *p, const struct hd_view *v, int blocking, int next)
{
    if (blocking == HD_NONE || next == HD_NONE)
        return blocking != HD_NONE;
    return p->age ? v->age[blocking] < v->age[next] : blocking < next;
}

// The first warp among the mask in the interleaved order of the queue; HD_NONE if none is in it.
static int first_of(const struct lpi_params *p, const struct hd_view *v, uint64_t queue,
                    uint64_t among)
{
    uint64_t blocking = queue & (p->class == LONGNEXT ? long_heads(&p->longs, v) : v->sb_block);
    uint64_t active = queue & ~blocking;

    while (active) {
        int a = lowest(p, v, active), b = lowest(p, v, blocking);
        active &= ~hd_bit(a);
        if (hd_has(among, a))
            return a;
        if (fits(p, v, b, lowest(p, v, active))) {
            blocking &= ~hd_bit(b);
            if (hd_has(among, b))
                return b;
        }
    }
    return lowest(p, v, among & blocking);
}

// The warps that come before `last` in the interleaved order, and `last` itself.
static uint64_t up_to(const struct lpi_params *p, const struct hd_view *v, uint64_t queue, int last)
{
    uint64_t seen = 0, left = queue;
    int w;

    while (left && !hd_has(seen, last) && (w = first_of(p, v, queue, left)) >= 0) {
        seen |= hd_bit(w);
        left &= ~hd_bit(w);
    }
    return seen;
}

static int lpi_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct lpi_params *p = st.params;
    uint64_t queue = v->mine[s] & v->live & ~v->waiting & ~v->ibuf_empty, next = among & queue;
    int last = v->last_issued[s];

    if (!next)
        return lowest(p, v, among); // they wait or have nothing to issue: after the queue
    if (p->walk == ROUND_ROBIN && hd_has(queue, last)) {
        uint64_t rest = next & ~up_to(p, v, queue, last);
        next = rest ? rest : next;
    }
    return first_of(p, v, queue, next);
}

static const struct hd_field lpi_params[] = {
    HD_F_ENUM(lpi_params, class, "longnext", class_names,
              "blocking warps: off-chip access next, or refused by the scoreboard now"),
    HD_F_BOOL(lpi_params, age, "1", "1: warps sorted by age; 0: by slot"),
    HD_F_ENUM(lpi_params, walk, "top", walk_names,
              "each cycle the queue is walked from its top, or from after the last warp issued"),
    LONG_ROWS(lpi_params), HD_FIELD_END};
static const struct hd_reading lpi_readings[] = {
    {"class", "\"The warps are first divided into active and blocking warp groups\" (LFWS, section "
              "2.1); what makes a warp blocking is not said"},
    {"age",
     "\"arranged according to the IDs of the warps from small to large\" (LFWS, section 2.1), "
     "after \"the earliest arriving warp, i.e., the warp with the smallest unique identifier "
     "(ID)\""},
    {"walk", "\"Finally, the scheduler traverses the active warp groups after the above process\" "
             "(LFWS, section 2.1); from where is not said"},
    LONG_READINGS,
    HD_READING_END};
static const struct hd_cost lpi_cost[] = {
    {"blocking bit", .per_warp = 1}, {"place in the queue", .per_warp = 6}, HD_COST_END};

HD_POLICY(lpi, .brief = "warps about to access off-chip memory in between the others, one by one",
          .source = "Zhang et al., FGCS 2018, as described in LFWS (IEICE 2023); classes are ours",
          .params_bytes = sizeof(struct lpi_params), .params = lpi_params, .cost = lpi_cost,
          .readings = lpi_readings, .first = lpi_first);
