// plan.c - the reader of plans. See plan.h.
//
// A pair may occur under several relations, such as two kernels of which one is the other's parent
// and sibling of its sibling; the greater ratio counts.
#include "registry/plan.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define WORDS 6

struct pairs {
    struct hd_plan_pair *all;
    size_t n, cap;
};

struct reader {
    struct hd_arena *arena;
    struct hd_diag *d;
    const char *path;
    uint32_t line;
    struct pairs kernels, blocks, links;
};

static bool wrong(struct reader *r, const char *what, const char *word)
{
    hd_diag_hint(hd_diag_add(r->d, r->path, r->line, 0, "%s: '%.80s'", what, word),
                 "heddle reuse WORKLOAD --plan FILE writes a plan; docs/reuse.md describes it");
    return false;
}

static bool number(const char **at, unsigned base, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    const char *end = *at;

    *out = 0;
    for (const char *digit; *end && (digit = memchr(digits, *end, base)); end++) {
        uint64_t next = *out * base + (uint64_t)(digit - digits);
        if (*out > (UINT64_MAX - (uint64_t)(digit - digits)) / base)
            return false;
        *out = next;
    }
    if (end == *at)
        return false;
    *at = end;
    return true;
}

// KEY, or KEY/BLOCK if there are blocks.
static bool unit(const char *word, bool block, struct hd_plan_unit *out)
{
    uint64_t index = HD_PLAN_KERNEL;

    *out = (struct hd_plan_unit){.block = HD_PLAN_KERNEL};
    if (!number(&word, 16, &out->key))
        return false;
    if (block && (*word++ != '/' || !number(&word, 10, &index) || index >= HD_PLAN_KERNEL))
        return false;
    out->block = (uint32_t)index;
    return !*word;
}

// What a pair of units of this level may be to each other.
static bool relation(const char *word, bool block)
{
    return !strcmp(word, "parent_child") || !strcmp(word, "sibling") ||
           (block && !strcmp(word, "intra_kernel"));
}

static void add(struct reader *r, struct pairs *to, const struct hd_plan_pair *p)
{
    *HD_PUSH(r->arena, to->all, to->n, to->cap) = *p;
}

static bool read_pair(struct reader *r, char *words[WORDS])
{
    bool block = !strcmp(words[0], "block");
    struct hd_plan_pair p = {.part = 0}, back;
    const char *part = words[4], *whole = words[5];

    if (!block && strcmp(words[0], "kernel") != 0)
        return wrong(r, "a level that is neither kernel nor block", words[0]);
    if (!relation(words[1], block))
        return wrong(r, block ? "no relation of blocks" : "no relation of kernels", words[1]);
    for (int i = 0; i < 2; i++)
        if (!unit(words[2 + i], block, i ? &p.y : &p.x))
            return wrong(r, block ? "a block is KEY/INDEX" : "a kernel is its key", words[2 + i]);
    if (!number(&part, 10, &p.part) || *part)
        return wrong(r, "the part is no number", words[4]);
    if (!number(&whole, 10, &p.whole) || *whole || !p.whole || p.part > p.whole)
        return wrong(r, "the whole is no number that is at least the part", words[5]);
    add(r, block ? &r->blocks : &r->kernels, &p);
    if (block) {
        back = (struct hd_plan_pair){p.y, p.x, p.part, p.whole};
        add(r, &r->links, &p);
        add(r, &r->links, &back);
    }
    return true;
}

static bool read_line(struct reader *r, char *line)
{
    char *words[WORDS];
    unsigned n = 0;

    if (r->line == 1)
        return !strcmp(line, HD_PLAN_FIRST_LINE) ||
               wrong(r, "the first line of a plan is '" HD_PLAN_FIRST_LINE "'", line);
    if (*line == '#' || !*line)
        return true;
    while (*line) {
        size_t length = strcspn(line, " ");
        if (n == WORDS)
            return wrong(r, "a line has more than six words", line);
        words[n++] = line;
        line += length;
        if (*line)
            *line++ = '\0';
    }
    return n == WORDS ? read_pair(r, words) : wrong(r, "a line has fewer than six words", words[0]);
}

static int by_units(const void *a, const void *b)
{
    const struct hd_plan_pair *p = a, *q = b;
    int order = hd_plan_order(&p->x, &q->x);

    order = order ? order : hd_plan_order(&p->y, &q->y);
    if (order)
        return order;
    return hd_plan_greater(q, p) - hd_plan_greater(p, q); // the greater one first
}

// Sorts them, and leaves the first of several for the same units.
static void sort(struct pairs *s)
{
    size_t n = 0;

    if (s->n)
        qsort(s->all, s->n, sizeof *s->all, by_units);
    for (size_t i = 0; i < s->n; i++)
        if (!n || hd_plan_order(&s->all[n - 1].x, &s->all[i].x) ||
            hd_plan_order(&s->all[n - 1].y, &s->all[i].y))
            s->all[n++] = s->all[i];
    s->n = n;
}

static size_t root_of(size_t *up, size_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static bool starts_a_block(const struct hd_plan *plan, size_t link)
{
    return !link || hd_plan_order(&plan->links[link - 1].x, &plan->links[link].x);
}

// The blocks of the links, each with the first block of its chain.
static void find_chains(struct hd_arena *a, struct hd_plan *plan)
{
    struct hd_plan_member *all;
    size_t *up, n = 0;

    for (size_t i = 0; i < plan->n_links; i++)
        n += starts_a_block(plan, i);
    all = HD_ARRAY(a, struct hd_plan_member, n);
    up = HD_ARRAY(a, size_t, n);
    n = 0;
    for (size_t i = 0; i < plan->n_links; i++)
        if (starts_a_block(plan, i)) {
            all[n].x = plan->links[i].x;
            up[n] = n;
            n++;
        }
    for (size_t i = 0; i < plan->n_links; i++) {
        size_t x = root_of(up, hd_plan_member_at(all, n, &plan->links[i].x));
        size_t y = root_of(up, hd_plan_member_at(all, n, &plan->links[i].y));
        up[x > y ? x : y] = x > y ? y : x;
    }
    for (size_t i = 0; i < n; i++)
        all[i].chain = all[root_of(up, i)].x;
    plan->members = all;
    plan->n_members = n;
}

const struct hd_plan *hd_plan_parse(struct hd_arena *a, const char *path, char *text, size_t bytes,
                                    struct hd_diag *d)
{
    struct reader r = {.arena = a, .d = d, .path = hd_arena_strdup(a, path)};
    struct hd_plan *plan = HD_NEW(a, hd_plan);
    char *line = text, *end;

    do {
        r.line++;
        end = memchr(line, '\n', bytes - (size_t)(line - text));
        if (memchr(line, '\0', (size_t)((end ? end : text + bytes) - line))) {
            wrong(&r, "a byte in this line is zero", line);
            return NULL;
        }
        if (end)
            *end = '\0';
        if (!read_line(&r, line))
            return NULL;
        line = end ? end + 1 : line;
    } while (end && line < text + bytes);
    sort(&r.kernels);
    sort(&r.blocks);
    sort(&r.links);
    *plan = (struct hd_plan){.kernels = r.kernels.all,
                             .n_kernels = r.kernels.n,
                             .blocks = r.blocks.all,
                             .n_blocks = r.blocks.n,
                             .links = r.links.all,
                             .n_links = r.links.n};
    find_chains(a, plan);
    return plan;
}

const struct hd_plan *hd_plan_read(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    char *text = (char *)hd_file_read(a, path, &bytes, err);

    if (text)
        return hd_plan_parse(a, path, text, bytes, d);
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "cannot read the plan: %s", err),
                 "heddle reuse WORKLOAD --plan FILE writes one");
    return NULL;
}
