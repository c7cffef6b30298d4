// reusedistance.c - see reusedistance.h.
#include "reuse/reusedistance.h"

#include "base/bug.h"

#include <string.h>

#define GROUP 512u // marks under a leaf of the tree
#define WORDS (GROUP / 64)
#define LEAST_END 4096u

struct hd_reusedistance_line {
    // The kernels that accessed it last, and when; the latest first.
    uint32_t kernels[HD_REUSEDISTANCE_KERNELS], times[HD_REUSEDISTANCE_KERNELS];
    uint64_t sums[HD_REUSEDISTANCE_N];
    uint32_t counts[HD_REUSEDISTANCE_N];
    uint32_t n; // kernels known
};

static uint32_t groups_of(uint32_t end)
{
    return end / GROUP + 1;
}

static void add(struct hd_reusedistances *d, uint32_t time, uint32_t n)
{
    for (uint32_t i = time / GROUP + 1; i <= groups_of(d->end); i += i & -i)
        d->tree[i] += n;
    d->marks[time / 64] ^= UINT64_C(1) << time % 64;
}

// Marks up to and including that time.
static uint32_t marks_until(const struct hd_reusedistances *d, uint32_t time)
{
    uint32_t word = time / 64, n = 0;

    for (uint32_t i = time / GROUP; i; i &= i - 1)
        n += d->tree[i];
    for (uint32_t w = time / GROUP * WORDS; w < word; w++)
        n += (uint32_t)__builtin_popcountll(d->marks[w]);
    return n + (uint32_t)__builtin_popcountll(d->marks[word] << (63 - time % 64));
}

static void free_times(struct hd_reusedistances *d, struct hd_reusestore *s)
{
    hd_reusestore_put(s, d->marks, d->end ? (uint64_t)groups_of(d->end) * WORDS : 0,
                      sizeof *d->marks);
    hd_reusestore_put(s, d->tree, d->end ? (uint64_t)groups_of(d->end) + 1 : 0, sizeof *d->tree);
}

// Replaces all times by their ranks. A line's latest time has a mark; an earlier one gets the rank
// of the last mark that is not after it.
static void compact(struct hd_reusedistances *d, struct hd_reusestore *s)
{
    struct hd_reusedistances next = {
        .lines = d->lines, .cap_lines = d->cap_lines, .n_lines = d->n_lines};

    HD_BUG_IF(d->n_lines > UINT32_MAX / 4, "too many lines for the clock");
    next.end = 2 * (uint32_t)d->n_lines;
    next.end = (next.end > LEAST_END ? next.end : LEAST_END) / GROUP * GROUP + GROUP - 1;
    next.now = 1;
    next.marks = hd_reusestore_get(s, (uint64_t)groups_of(next.end) * WORDS, sizeof *next.marks);
    next.tree = hd_reusestore_get(s, (uint64_t)groups_of(next.end) + 1, sizeof *next.tree);
    for (uint64_t i = 0; i < d->n_lines && d->end; i++) {
        struct hd_reusedistance_line *l = &d->lines[i];
        for (uint32_t k = 0; k < l->n; k++)
            l->times[k] = marks_until(d, l->times[k]);
        if (l->n) {
            add(&next, l->times[0], 1);
            next.now++;
        }
    }
    free_times(d, s);
    *d = next;
}

static void count(struct hd_reusedistances *d, struct hd_reusedistance_line *l,
                  enum hd_reusedistance relation, uint32_t time, uint32_t marks)
{
    uint32_t after = marks - marks_until(d, time);

    l->sums[relation] += after - (l->times[0] > time); // without the line itself
    l->counts[relation]++;
}

// The place of the kernel among those of the line; l->n if it has none.
static uint32_t place_of(const struct hd_reusedistance_line *l, uint32_t kernel)
{
    uint32_t i = 0;

    while (i < l->n && l->kernels[i] != kernel)
        i++;
    return i;
}

static void count_kin(struct hd_reusedistances *d, struct hd_reusedistance_line *l, uint32_t kernel,
                      const struct hd_reusedistance_kin *kin, uint32_t marks)
{
    const struct hd_reusedistance_kin own = kin[kernel];
    uint32_t i = place_of(l, own.parent);

    if (i < l->n)
        count(d, l, HD_REUSEDISTANCE_PARENT_CHILD, l->times[i], marks);
    for (i = 0; i < l->n; i++)
        if (l->kernels[i] != kernel && kin[l->kernels[i]].parent == own.parent &&
            kin[l->kernels[i]].block == own.block) {
            count(d, l, HD_REUSEDISTANCE_SIBLING, l->times[i], marks);
            break;
        }
}

// The kernel becomes the latest of the line's.
static void move_to_front(struct hd_reusedistance_line *l, uint32_t at, uint32_t kernel,
                          uint32_t time)
{
    if (at == l->n && l->n < HD_REUSEDISTANCE_KERNELS)
        l->n++;
    else if (at == l->n)
        at--;
    for (; at; at--) {
        l->kernels[at] = l->kernels[at - 1];
        l->times[at] = l->times[at - 1];
    }
    l->kernels[0] = kernel;
    l->times[0] = time;
}

void hd_reusedistance_access(struct hd_reusedistances *d, struct hd_reusestore *s, uint32_t line,
                             uint32_t kernel, const struct hd_reusedistance_kin *kin)
{
    if (line >= d->n_lines) {
        d->lines =
            hd_reusestore_grow(s, d->lines, &d->cap_lines, (uint64_t)line + 1, sizeof *d->lines);
        d->n_lines = (uint64_t)line + 1;
    }
    if (!d->end || d->now >= d->end)
        compact(d, s);
    struct hd_reusedistance_line *l = &d->lines[line];
    uint32_t at = place_of(l, kernel), marks = (uint32_t)d->n_lines - !l->n;
    if (at < l->n)
        count(d, l, HD_REUSEDISTANCE_SELF, l->times[at], marks);
    if (l->n && kin[kernel].parent != HD_REUSEDISTANCE_NONE)
        count_kin(d, l, kernel, kin, marks);
    if (l->n)
        add(d, l->times[0], UINT32_MAX); // takes one away
    add(d, d->now, 1);
    move_to_front(l, at, kernel, d->now++);
}

void hd_reusedistance_result(const struct hd_reusedistances *d, enum hd_reusedistance relation,
                             const uint64_t limits[2], struct hd_reusedistance_result *out)
{
    *out = (struct hd_reusedistance_result){0};
    for (uint64_t i = 0; i < d->n_lines; i++) {
        const struct hd_reusedistance_line *l = &d->lines[i];
        unsigned bin = 0;
        if (!l->counts[relation])
            continue;
        out->lines++;
        while (bin < HD_REUSEDISTANCE_BINS - 1 &&
               l->sums[relation] / l->counts[relation] >> (bin + 1))
            bin++;
        out->bins[bin]++;
        for (int k = 0; k < 2; k++)
            out->beyond[k] += l->sums[relation] / l->counts[relation] >= limits[k];
    }
}

void hd_reusedistance_drop(struct hd_reusedistances *d, struct hd_reusestore *s)
{
    free_times(d, s);
    hd_reusestore_put(s, d->lines, d->cap_lines, sizeof *d->lines);
    *d = (struct hd_reusedistances){0};
}
