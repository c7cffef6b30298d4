// reusewarps.c - reuse of warps: each with itself, pairs of a block's, and pairs of different
// blocks that were on an SM at the same time.
#include "reuse/reuse_internal.h"

#include <string.h>

struct table { // of accesses of warp x to lines that warp y accesses too
    uint64_t shared[HD_REUSE_WARPS][HD_REUSE_WARPS];
};

// Runs of one line, from `i` on.
static uint64_t end_of_line(const struct hd_reuseruns *r, uint64_t i)
{
    uint64_t end = i + 1;

    while (end < r->n && r->runs[end].line == r->runs[i].line)
        end++;
    return end;
}

// Adds what lines of the same warps have counted.
static void flush(struct table *t, uint64_t mask, uint64_t counts[HD_REUSE_WARPS])
{
    for (uint64_t xs = mask; xs; xs &= xs - 1) {
        int x = __builtin_ctzll(xs);
        for (uint64_t ys = mask; ys; ys &= ys - 1)
            t->shared[x][__builtin_ctzll(ys)] += counts[x];
        counts[x] = 0;
    }
}

static void compare_pairs(struct hd_reuse *r, const struct table *t,
                          const uint64_t sizes[HD_REUSE_WARPS])
{
    for (unsigned x = 0; x < HD_REUSE_WARPS; x++)
        for (unsigned y = 0; y < HD_REUSE_WARPS && sizes[x]; y++)
            if (x != y && sizes[y])
                hd_reuse_count(r, HD_REUSE_WARP_INTER, t->shared[x][y], sizes[x]);
}

void hd_reusewarps_compare(struct hd_reuse *r, const struct hd_reuseruns *runs,
                           uint64_t sizes[HD_REUSE_WARPS])
{
    uint64_t counts[HD_REUSE_WARPS] = {0}, lines[HD_REUSE_WARPS] = {0}, last = 0;
    struct table t = {0};

    memset(sizes, 0, HD_REUSE_WARPS * sizeof *sizes);
    for (uint64_t i = 0, end; i < runs->n; i = end) {
        uint64_t mask = 0;
        end = end_of_line(runs, i);
        for (uint64_t k = i; k < end; k++)
            mask |= UINT64_C(1) << runs->runs[k].warp;
        if (mask != last)
            flush(&t, last, counts);
        last = mask;
        for (uint64_t k = i; k < end; k++) {
            const struct hd_reuserun *run = &runs->runs[k];
            counts[run->warp] += run->count;
            sizes[run->warp] += run->count;
            lines[run->warp]++;
        }
    }
    flush(&t, last, counts);
    for (unsigned w = 0; w < HD_REUSE_WARPS; w++)
        if (sizes[w])
            hd_reuse_count(r, HD_REUSE_WARP_INTRA, sizes[w] - lines[w], sizes[w]);
    compare_pairs(r, &t, sizes);
}

static void compare_blocks(struct hd_reuse *r, const struct hd_reuse_retained *a,
                           const struct hd_reuse_retained *b)
{
    const struct hd_reuserun *x = a->runs.runs, *y = b->runs.runs;
    uint64_t i = 0, k = 0;
    struct table of_a = {0}, of_b = {0};

    while (i < a->runs.n && k < b->runs.n) {
        if (x[i].line != y[k].line) {
            *(x[i].line < y[k].line ? &i : &k) += 1;
            continue;
        }
        uint64_t i_end = end_of_line(&a->runs, i), k_end = end_of_line(&b->runs, k);
        for (uint64_t p = i; p < i_end; p++)
            for (uint64_t q = k; q < k_end; q++) {
                of_a.shared[x[p].warp][y[q].warp] += x[p].count;
                of_b.shared[y[q].warp][x[p].warp] += y[q].count;
            }
        i = i_end;
        k = k_end;
    }
    for (unsigned p = 0; p < HD_REUSE_WARPS; p++)
        for (unsigned q = 0; q < HD_REUSE_WARPS && a->sizes[p]; q++)
            if (b->sizes[q]) {
                hd_reuse_count(r, HD_REUSE_WARP_RESIDENT, of_a.shared[p][q], a->sizes[p]);
                hd_reuse_count(r, HD_REUSE_WARP_RESIDENT, of_b.shared[q][p], b->sizes[q]);
            }
}

static void release(struct hd_reuse *r, struct hd_reuse_retained **at)
{
    struct hd_reuse_retained *gone = *at;

    *at = gone->next;
    hd_reuseruns_free(&r->store, &gone->runs);
    hd_reusestore_put(&r->store, gone, 1, sizeof *gone);
}

void hd_reusewarps_retain(struct hd_reuse *r, unsigned sm, unsigned slot, struct hd_reuseruns *runs,
                          const uint64_t sizes[HD_REUSE_WARPS])
{
    struct hd_reuse_retained *own = hd_reusestore_get(&r->store, 1, sizeof *own);
    struct hd_reuse_retained **at = &r->retained[sm];

    own->runs = *runs;
    memcpy(own->sizes, sizes, sizeof own->sizes);
    *runs = (struct hd_reuseruns){0};
    for (unsigned s = 0; s < r->options.slots; s++)
        if (s != slot && r->places[sm * r->options.slots + s].used)
            own->beside |= UINT64_C(1) << s;
    while (*at) {
        struct hd_reuse_retained *other = *at;
        if (other->beside >> slot & 1)
            compare_blocks(r, own, other);
        other->beside &= ~(UINT64_C(1) << slot);
        if (!other->beside)
            release(r, at);
        else
            at = &other->next;
    }
    *at = own;
    if (!own->beside)
        release(r, at);
}

void hd_reusewarps_left(struct hd_reuse *r, unsigned sm, unsigned slot)
{
    for (struct hd_reuse_retained **at = &r->retained[sm]; *at;) {
        (*at)->beside &= ~(UINT64_C(1) << slot);
        if (!(*at)->beside)
            release(r, at);
        else
            at = &(*at)->next;
    }
}

void hd_reusewarps_drop(struct hd_reuse *r)
{
    for (unsigned sm = 0; sm < r->options.sms; sm++)
        while (r->retained[sm])
            release(r, &r->retained[sm]);
}
