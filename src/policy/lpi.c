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
enum { FROM_TOP, ROUND_ROBIN, STRICT };
static const char *const walk_names[] = {"top", "rr", "strict", NULL};

struct lpi_params {
    uint32_t class, age, walk;
    struct long_params longs;
};

static int lowest(const struct lpi_params *p, const struct hd_view *v, uint64_t mask)
{
    return p->age ? hd_oldest(mask, v->age) : hd_first(mask);
}

static bool precedes(const struct lpi_params *p, const struct hd_view *v, int a, int b)
{
    return p->age ? v->age[a] < v->age[b] : a < b;
}

// The warps of a set that precede w.
static uint64_t before(const struct lpi_params *p, const struct hd_view *v, uint64_t set, int w)
{
    uint64_t found = 0;
    int u;

    if (!p->age)
        return set & hd_low((unsigned)w);
    HD_EACH(u, set)
        found |= v->age[u] < v->age[w] ? hd_bit(u) : 0;
    return found;
}

// Whether blocking warp b comes before active warp a. Each blocking warp takes the place after the
// last active warp that precedes it, or after the first one if none does; it takes the next place
// if a blocking warp before it has that one. So b comes before a if at most as many places are
// needed as there are active warps before a.
static bool placed_before(const struct lpi_params *p, const struct hd_view *v, uint64_t active,
                          uint64_t blocking, int b, int a)
{
    uint64_t earlier = before(p, v, active, a), left;
    unsigned places = (unsigned)hd_count(earlier), taken = 0;

    if (!places || precedes(p, v, a, b))
        return false;
    left = before(p, v, blocking, b) | hd_bit(b);
    while (left && taken <= places) {
        int w = lowest(p, v, left);
        unsigned place = (unsigned)hd_count(before(p, v, earlier, w));
        left &= ~hd_bit(w);
        taken = place > taken + 1 ? place : taken + 1;
    }
    return taken <= places;
}

// The first warp among the mask in the interleaved order of the queue; HD_NONE if none is in it.
// Active warps are in order, and so are blocking ones: it is the first of one of the two groups.
static int first_of(const struct lpi_params *p, const struct hd_view *v, uint64_t queue,
                    uint64_t among)
{
    uint64_t blocking = queue & (p->class == LONGNEXT ? long_heads(&p->longs, v) : v->sb_block);
    uint64_t active = queue & ~blocking;
    int a = lowest(p, v, among & active), b = lowest(p, v, among & blocking);

    if (a == HD_NONE || b == HD_NONE)
        return a == HD_NONE ? b : a;
    return placed_before(p, v, active, blocking, b, a) ? b : a;
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
    if ((p->walk == ROUND_ROBIN && hd_has(queue, last)) ||
        (p->walk == STRICT && last >= 0 && hd_has(v->live, last))) {
        uint64_t rest = next & ~up_to(p, v, queue | hd_bit(last), last);
        next = rest ? rest : next;
    }
    return first_of(p, v, queue, next);
}

static const struct hd_field lpi_params[] = {
    HD_F_ENUM(lpi_params, class, "longnext", class_names,
              "blocking warps: off-chip access next, or refused by the scoreboard now"),
    HD_F_BOOL(lpi_params, age, "1", "1: warps sorted by age; 0: by slot"),
    HD_F_ENUM(lpi_params, walk, "top", walk_names,
              "a cycle's walk begins at the top (top), or after the last warp issued: if that is "
              "still in the queue (rr), or wherever it would be in it (strict)"),
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
