// host.c (page_view_rank) - pages in the order of how often they were seen.
#include "workload/work.h"

#include "../mapreduce.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_MIN 4 // letters of a page's name
#define PAGE_MAX 24
#define VISITS 100000 // of the most visited page, nearly

struct input {
    unsigned n;
    char *names; // one after the other
    uint32_t bytes, *visits;
    struct mr_record *records;
};

// Most pages are seen rarely: the number of visits goes with the fourth power of a random share.
static struct input make_input(struct hd_work *w, unsigned n)
{
    struct input in = {.n = n,
                       .names = hd_work_array(w, n, PAGE_MAX + 1),
                       .visits = hd_work_array(w, n, sizeof *in.visits),
                       .records = hd_work_array(w, n, sizeof *in.records)};

    for (unsigned i = 0; i < n; i++) {
        uint32_t letters = PAGE_MIN + hd_work_random(w) % (PAGE_MAX - PAGE_MIN + 1);
        float share = hd_work_random_float(w, 0, 1);
        in.records[i] = (struct mr_record){in.bytes, letters + 1, i * (uint32_t)sizeof *in.visits,
                                           sizeof *in.visits};
        in.visits[i] = 1 + (uint32_t)(VISITS * share * share * share * share);
        in.names[in.bytes++] = '/';
        for (unsigned k = 0; k < letters; k++)
            in.names[in.bytes++] = (char)('a' + hd_work_random(w) % 26);
    }
    return in;
}

// Ranks on the host. Pages are known by the numbers that they have in the input.
struct ranks {
    uint32_t groups, *starts; // pages seen equally often
    uint32_t *visits;         // in order
    uint32_t *pages;
};

static struct ranks ranks_make(struct hd_work *w, unsigned n)
{
    return (struct ranks){.starts = hd_work_array(w, n + 1, sizeof(uint32_t)),
                          .visits = hd_work_array(w, n, sizeof(uint32_t)),
                          .pages = hd_work_array(w, n, sizeof(uint32_t))};
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = ((const struct mr_record *)a)->key, y = ((const struct mr_record *)b)->key;

    return (x > y) - (x < y);
}

// The page of a record, if its value is the name of one and lies where map was to put it; else n.
static uint32_t page_of(const struct input *in, const char *names, const struct mr_record *record)
{
    const struct mr_record wanted = {.key = record->value},
                           *page = bsearch(&wanted, in->records, in->n, sizeof wanted, by_place);

    if (!page || page->key_bytes != record->value_bytes ||
        memcmp(names + page->key, in->names + page->key, page->key_bytes) != 0)
        return in->n;
    return (uint32_t)(page - in->records);
}

static void fetch(struct hd_work *w, const struct input *in, struct mr_table *t, struct ranks *got)
{
    unsigned n = in->n;
    struct mr_record *records = hd_work_array(w, n, sizeof *records);
    uint32_t *visits = hd_work_array(w, n, sizeof *visits);
    char *names = hd_work_array(w, in->bytes, 1);

    got->groups = t->groups < n ? t->groups : n;
    hd_work_read(w, records, t->records, n * sizeof *records);
    hd_work_read(w, visits, t->keys, n * sizeof *visits);
    hd_work_read(w, names, t->values, in->bytes);
    hd_work_read(w, got->starts, t->starts, (got->groups + 1) * sizeof *got->starts);
    for (unsigned i = 0; i < n; i++) {
        uint32_t key = records[i].key / (uint32_t)sizeof *visits;
        got->visits[i] = key < n ? visits[key] : 0;
        got->pages[i] = page_of(in, names, &records[i]);
    }
}

struct seen {
    uint32_t visits, page;
};

static int by_visits(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    if (x->visits != y->visits)
        return x->visits < y->visits ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

// Among pages seen equally often any order is right: that of `got` is taken wherever its page was
// seen as often as it should be, and each page is there once.
static struct ranks expect(struct hd_work *w, const struct input *in, const struct ranks *got)
{
    struct seen *sorted = hd_work_array(w, in->n, sizeof *sorted);
    unsigned char *there = hd_work_array(w, in->n, 1);
    struct ranks expected = ranks_make(w, in->n);

    for (unsigned i = 0; i < in->n; i++)
        sorted[i] = (struct seen){in->visits[i], i};
    qsort(sorted, in->n, sizeof *sorted, by_visits);
    for (unsigned i = 0; i < in->n; i++) {
        uint32_t page = got->pages[i];
        expected.visits[i] = sorted[i].visits;
        expected.pages[i] = sorted[i].page;
        if (i == 0 || sorted[i - 1].visits != sorted[i].visits)
            expected.starts[expected.groups++] = i;
        if (page < in->n && !there[page]++ && in->visits[page] == sorted[i].visits)
            expected.pages[i] = page;
    }
    expected.starts[expected.groups] = in->n;
    return expected;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {512, 8192, 1u << 18};
    struct input in = make_input(w, sizes[w->size]);
    unsigned n = in.n;
    struct mr m = mr_make(w, n);
    struct mr_table from = {.records = hd_work_upload(w, in.records, n * sizeof *in.records),
                            .keys = hd_work_upload(w, in.names, in.bytes),
                            .values = hd_work_upload(w, in.visits, n * sizeof *in.visits),
                            .n = n};

    struct mr_table table = mr_emit(&m, "count_ranks", "emit_ranks", &from, n);
    mr_group(&m, &table);
    struct ranks got = ranks_make(w, n);
    fetch(w, &in, &table, &got);
    struct ranks expected = expect(w, &in, &got);
    hd_work_same(w, "visits", got.visits, expected.visits, n);
    hd_work_same(w, "pages", got.pages, expected.pages, n);
    hd_work_same(w, "where groups of equal visits begin", got.starts, expected.starts, n + 1);
}

const struct hd_workload hd_workload_page_view_rank = {
    .name = "page_view_rank",
    .brief = "MapReduce over pages: prefix sums, bitonic sort by visits in shared memory, groups",
    .groups = "baws:PVR",
    .sizes = {"512 pages", "8192 pages", "262144 pages"},
    .run = run,
};
