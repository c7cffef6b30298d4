// barrier.c - named barriers of one thread block. See barrier.h for the rule of release.
#include "hw/barrier.h"

#include "base/bug.h"
#include "heddle/bits.h"
#include "heddle/program.h"

#include <stdio.h>

void hd_barrier_start(struct hd_barriers *b, uint64_t warps)
{
    *b = (struct hd_barriers){.live = warps};
}

// Open barrier `id` if its condition holds.
static uint64_t release(struct hd_barriers *b, unsigned id)
{
    uint64_t freed = b->waiting[id];
    unsigned threads = (unsigned)b->arrived[id] * HD_LANES + b->threads[id];
    bool open = b->expected[id] ? threads >= b->expected[id]
                                : b->arrived[id] >= (unsigned)hd_count(b->live);

    if (!threads || !open)
        return 0;
    b->waiting[id] = 0;
    b->arrived[id] = b->threads[id] = b->expected[id] = 0;
    b->used &= (uint16_t) ~(1u << id);
    return freed;
}

static uint64_t release_cluster(struct hd_barriers *b)
{
    uint64_t freed = b->cluster_waiting;

    if (b->live & ~b->cluster_came)
        return 0;
    b->cluster_came = b->cluster_waiting = 0;
    return freed;
}

// A warp that is not among those that came has seen the barrier open since it arrived.
static uint64_t at_cluster(struct hd_barriers *b, int warp, bool waits)
{
    if (!waits) {
        b->cluster_came |= hd_bit(warp);
        return release_cluster(b);
    }
    if (!hd_has(b->cluster_came, warp))
        return hd_bit(warp);
    b->cluster_waiting |= hd_bit(warp);
    return 0;
}

uint64_t hd_barrier_arrive(struct hd_barriers *b, int warp, const struct hd_barrier_arrival *a)
{
    unsigned id = a->id;

    if (id == HD_BARRIER_CLUSTER)
        return at_cluster(b, warp, a->waits);
    HD_BUG_IF(id >= HD_BARRIERS, "barrier %u", id);
    if (a->threads)
        b->expected[id] = (uint16_t)a->threads;
    if (a->waits)
        b->waiting[id] |= hd_bit(warp);
    if (a->lanes)
        b->threads[id] = (uint16_t)(b->threads[id] + a->lanes);
    else
        b->arrived[id]++;
    b->used |= (uint16_t)(1u << id);
    return release(b, id);
}

uint64_t hd_barrier_exit(struct hd_barriers *b, int warp)
{
    uint64_t freed;

    b->live &= ~hd_bit(warp);
    freed = release_cluster(b);
    for (unsigned left = b->used; left; left &= left - 1) {
        unsigned id = (unsigned)__builtin_ctz(left);
        if (!b->expected[id])
            freed |= release(b, id);
    }
    return freed;
}

uint64_t hd_barrier_waiting(const struct hd_barriers *b)
{
    uint64_t all = b->cluster_waiting;

    for (unsigned id = 0; id < HD_BARRIERS; id++)
        all |= b->waiting[id];
    return all;
}

const char *hd_barrier_describe(const struct hd_barriers *b, int warp, char *buf, size_t bytes)
{
    unsigned id = 0, all = (unsigned)hd_count(b->live), arrived;
    uint64_t missing;
    int n, w;

    if (hd_has(b->cluster_waiting, warp)) {
        snprintf(buf, bytes, "waits at the barrier of its cluster with %d of %u warps",
                 hd_count(b->cluster_came & b->live), all);
        return buf;
    }
    while (id < HD_BARRIERS && !hd_has(b->waiting[id], warp))
        id++;
    if (id == HD_BARRIERS) {
        snprintf(buf, bytes,
                 "waits for ever: its lanes wait at several barriers, or for each other");
        return buf;
    }
    if (b->expected[id])
        all = (b->expected[id] + HD_LANES - 1u) / HD_LANES;
    arrived = (unsigned)b->arrived[id] + b->threads[id] / HD_LANES;
    n = snprintf(buf, bytes, "waits at barrier %u with %u of %u warps", id, arrived, all);
    missing = b->live & ~b->waiting[id];
    if (!missing && n > 0 && (size_t)n < bytes)
        snprintf(buf + n, bytes - (size_t)n, ", and no other warp is left");
    for (const char *before = ", missing:"; missing; before = ",") {
        w = hd_first(missing);
        missing &= ~hd_bit(w);
        if (n < 0 || (size_t)n >= bytes)
            break;
        n += snprintf(buf + n, bytes - (size_t)n, "%s %d", before, w);
    }
    return buf;
}
