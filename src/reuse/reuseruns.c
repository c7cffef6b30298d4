// reuseruns.c - sorting and merging of runs. See reuseruns.h.
#include "reuse/reuseruns.h"

#include "base/bug.h"

#include <string.h>

#define FEW 32 // so few words are sorted by insertion

static void sort_few(uint64_t *w, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        uint64_t word = w[i];
        uint32_t k = i;
        for (; k && w[k - 1] > word; k--)
            w[k] = w[k - 1];
        w[k] = word;
    }
}

uint64_t *hd_reuseruns_sort(uint64_t *words, uint64_t *spare, uint32_t n)
{
    uint64_t all_set = UINT64_MAX, any_set = 0;

    if (n <= FEW) {
        sort_few(words, n);
        return words;
    }
    for (uint32_t i = 0; i < n; i++) {
        all_set &= words[i];
        any_set |= words[i];
    }
    for (unsigned shift = 0; shift < 64; shift += 8) {
        uint32_t first[257] = {0};
        if (!((all_set ^ any_set) >> shift & 255)) // the same byte everywhere
            continue;
        for (uint32_t i = 0; i < n; i++)
            first[(words[i] >> shift & 255) + 1]++;
        for (unsigned i = 1; i < 256; i++)
            first[i] += first[i - 1];
        for (uint32_t i = 0; i < n; i++)
            spare[first[words[i] >> shift & 255]++] = words[i];
        uint64_t *sorted = spare;
        spare = words;
        words = sorted;
    }
    return words;
}

static bool before(const struct hd_reuserun *a, const struct hd_reuserun *b)
{
    return a->line != b->line ? a->line < b->line : a->warp < b->warp;
}

static bool same(const struct hd_reuserun *a, const struct hd_reuserun *b)
{
    return a->line == b->line && a->warp == b->warp;
}

// A count stays at its greatest value; no run of a machine gets there.
static uint32_t sum(uint32_t a, uint32_t b)
{
    return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static struct hd_reuseruns merged(struct hd_reusestore *s, struct hd_reuseruns *a,
                                  struct hd_reuseruns *b)
{
    const struct hd_reuserun *x = a->runs, *y = b->runs, *x_end = x + a->n, *y_end = y + b->n;
    struct hd_reuseruns out = {0};

    for (; x < x_end && y < y_end; out.n++) { // counts first, so that the piece is not too large
        bool both = same(x, y), from_x = both || before(x, y);
        x += from_x;
        y += both || !from_x;
    }
    out.n += (uint64_t)(x_end - x) + (uint64_t)(y_end - y);
    out.runs = hd_reusestore_get(s, out.n, sizeof *out.runs);
    struct hd_reuserun *to = out.runs;
    for (x = a->runs, y = b->runs; x < x_end && y < y_end; to++) {
        bool both = same(x, y), from_x = both || before(x, y);
        *to = from_x ? *x : *y;
        if (both)
            to->count = sum(x->count, y->count);
        x += from_x;
        y += both || !from_x;
    }
    if (x < x_end)
        memcpy(to, x, (size_t)(x_end - x) * sizeof *to);
    if (y < y_end)
        memcpy(to, y, (size_t)(y_end - y) * sizeof *to);
    hd_reuseruns_free(s, a);
    hd_reuseruns_free(s, b);
    return out;
}

static void add_piece(struct hd_reusestore *s, struct hd_reusegather *g, struct hd_reuseruns piece)
{
    unsigned rank = 0;

    if (!piece.n)
        return;
    for (; g->pieces[rank].n; rank++) {
        HD_BUG_IF(rank + 1 >= HD_REUSERUNS_RANKS, "too many pieces of runs");
        piece = merged(s, &g->pieces[rank], &piece);
    }
    g->pieces[rank] = piece;
}

void hd_reuseruns_add(struct hd_reusestore *s, struct hd_reusegather *g, uint64_t *words,
                      uint64_t *spare, uint32_t n)
{
    const uint64_t *sorted = hd_reuseruns_sort(words, spare, n);
    struct hd_reuseruns piece = {0};

    for (uint32_t i = 0; i < n; i++)
        piece.n += !i || sorted[i] != sorted[i - 1];
    piece.runs = hd_reusestore_get(s, piece.n, sizeof *piece.runs);
    struct hd_reuserun *to = piece.runs;
    for (uint32_t i = 0; i < n; i++) {
        if (i && sorted[i] == sorted[i - 1]) {
            to[-1].count++;
            continue;
        }
        *to++ = (struct hd_reuserun){(uint32_t)(sorted[i] >> 8), (uint32_t)sorted[i] & 255, 1};
    }
    add_piece(s, g, piece);
}

void hd_reuseruns_add_runs(struct hd_reusestore *s, struct hd_reusegather *g,
                           const struct hd_reuseruns *from)
{
    struct hd_reuseruns copy = {.n = from->n};

    if (!from->n)
        return;
    copy.runs = hd_reusestore_get(s, from->n, sizeof *copy.runs);
    memcpy(copy.runs, from->runs, from->n * sizeof *copy.runs);
    add_piece(s, g, copy);
}

struct hd_reuseruns hd_reuseruns_finish(struct hd_reusestore *s, struct hd_reusegather *g)
{
    struct hd_reuseruns all = {0};

    for (unsigned rank = 0; rank < HD_REUSERUNS_RANKS; rank++) {
        if (!g->pieces[rank].n)
            continue;
        all = all.n ? merged(s, &g->pieces[rank], &all) : g->pieces[rank];
        g->pieces[rank] = (struct hd_reuseruns){0};
    }
    return all;
}

struct hd_reuseruns hd_reuseruns_by_line(struct hd_reusestore *s, const struct hd_reuseruns *from)
{
    struct hd_reuseruns out = {0};

    for (uint64_t i = 0; i < from->n; i++)
        out.n += !i || from->runs[i].line != from->runs[i - 1].line;
    out.runs = hd_reusestore_get(s, out.n, sizeof *out.runs);
    struct hd_reuserun *to = out.runs;
    for (uint64_t i = 0; i < from->n; i++) {
        if (i && from->runs[i].line == from->runs[i - 1].line)
            to[-1].count = sum(to[-1].count, from->runs[i].count);
        else
            *to++ = (struct hd_reuserun){from->runs[i].line, 0, from->runs[i].count};
    }
    return out;
}

uint64_t hd_reuseruns_size(const struct hd_reuseruns *r)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < r->n; i++)
        n += r->runs[i].count;
    return n;
}

void hd_reuseruns_free(struct hd_reusestore *s, struct hd_reuseruns *r)
{
    hd_reusestore_put(s, r->runs, r->n, sizeof *r->runs);
    *r = (struct hd_reuseruns){0};
}

void hd_reuseruns_drop(struct hd_reusestore *s, struct hd_reusegather *g)
{
    for (unsigned rank = 0; rank < HD_REUSERUNS_RANKS; rank++)
        hd_reuseruns_free(s, &g->pieces[rank]);
}
