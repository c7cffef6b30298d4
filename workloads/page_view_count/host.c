// host.c (page_view_count) - how many visitors saw each page, from the lines of a server's log.
#include "workload/work.h"

#include "../mapreduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64 // at most
#define PAGE_MIN 4    // letters of a page's name
#define PAGE_MAX 10

struct line { // bytes somewhere in the log
    const char *at;
    unsigned bytes;
};
struct log {
    unsigned n, bytes;
    char *text;
    struct mr_record *records;
};

static char *make_pages(struct hd_work *w, unsigned pages)
{
    char *names = hd_work_array(w, pages, PAGE_MAX + 2);

    for (unsigned p = 0; p < pages; p++) {
        char *name = names + (size_t)p * (PAGE_MAX + 2);
        unsigned letters = PAGE_MIN + hd_work_random(w) % (PAGE_MAX - PAGE_MIN + 1);
        name[0] = '/';
        for (unsigned i = 1; i <= letters; i++)
            name[i] = (char)('a' + hd_work_random(w) % 26);
    }
    return names;
}

// "/page TAB address TAB cookie" without an end. Every fourth line is one of those before it again.
// Some pages are seen often: a page's number is that of the rarest times the cube of a random
// share.
static struct log make_log(struct hd_work *w, unsigned n)
{
    struct log log = {.n = n,
                      .text = hd_work_array(w, n, LINE_BYTES),
                      .records = hd_work_array(w, n, sizeof *log.records)};
    unsigned pages = n / 8;
    const char *names = make_pages(w, pages);

    for (unsigned i = 0; i < n; i++) {
        char *at = log.text + log.bytes;
        int bytes = 0;
        if (i % 4 == 3) {
            const struct mr_record *other = &log.records[hd_work_random(w) % i];
            bytes = (int)other->key_bytes;
            memcpy(at, log.text + other->key, other->key_bytes);
        } else {
            float share = hd_work_random_float(w, 0, 1);
            unsigned page = (unsigned)((float)(pages - 1) * share * share);
            uint32_t address = hd_work_random(w), cookie = hd_work_random(w);
            bytes = snprintf(at, LINE_BYTES, "%s\t%u.%u.%u.%u\t%08x",
                             names + (size_t)page * (PAGE_MAX + 2), address >> 24,
                             address >> 16 & 0xff, address >> 8 & 0xff, address & 0xff, cookie);
        }
        log.records[i] = (struct mr_record){log.bytes, (uint32_t)bytes, 0, 0};
        log.bytes += (uint32_t)bytes;
    }
    return log;
}

static struct mr_table count_on_device(struct hd_work *w, const struct log *log)
{
    struct mr m = mr_make(w, log->n);
    struct mr_table in = {.records = hd_work_upload(w, log->records, log->n * sizeof *log->records),
                          .keys = hd_work_upload(w, log->text, log->bytes),
                          .n = log->n};

    struct mr_table lines = mr_emit(&m, "count_lines", "emit_lines", &in, in.n);
    mr_group(&m, &lines);
    struct mr_table distinct = mr_emit(&m, "count_distinct", "emit_distinct", &lines, lines.groups);
    struct mr_table visits = mr_emit(&m, "count_visits", "emit_visits", &distinct, distinct.n);
    mr_group(&m, &visits);
    return mr_emit(&m, "count_pages", "emit_pages", &visits, visits.groups);
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->bytes < y->bytes ? x->bytes : y->bytes);

    return order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

struct count {
    unsigned pages, bytes;
    char *names; // one after the other, in order
    unsigned *visits;
};

// In the order of lines pages are in order too, since a tab comes before all letters.
static struct count count_on_host(struct hd_work *w, const struct log *log)
{
    struct line *lines = hd_work_array(w, log->n, sizeof *lines), last = {"", 0};
    struct count c = {.names = hd_work_array(w, log->bytes + 4, 1),
                      .visits = hd_work_array(w, log->n, sizeof *c.visits)};

    for (unsigned i = 0; i < log->n; i++)
        lines[i] = (struct line){log->text + log->records[i].key, log->records[i].key_bytes};
    qsort(lines, log->n, sizeof *lines, compare_lines);
    for (unsigned i = 0; i < log->n; i++) {
        struct line page = {lines[i].at, (unsigned)strcspn(lines[i].at, "\t")};
        if (i > 0 && compare_lines(&lines[i - 1], &lines[i]) == 0)
            continue;
        if (c.pages == 0 || compare_lines(&last, &page) != 0) {
            memcpy(c.names + c.bytes, page.at, page.bytes);
            c.bytes += page.bytes;
            c.pages++;
            last = page;
        }
        c.visits[c.pages - 1]++;
    }
    return c;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {512, 4096, 1u << 18};
    struct log log = make_log(w, sizes[w->size]);
    struct mr_table table = count_on_device(w, &log);
    struct count expected = count_on_host(w, &log);
    uint32_t *got = hd_work_array(w, 2, sizeof *got), *sums = hd_work_array(w, 2, sizeof *sums);
    char *names = hd_work_array(w, expected.bytes + 4, 1);
    unsigned *visits = hd_work_array(w, expected.pages, sizeof *visits);

    got[0] = table.n;
    got[1] = table.key_bytes;
    sums[0] = expected.pages;
    sums[1] = expected.bytes;
    hd_work_read(w, names, table.keys, smaller(table.key_bytes, expected.bytes));
    hd_work_read(w, visits, table.values, smaller(table.n, expected.pages) * sizeof *visits);
    hd_work_same(w, "number of pages and of their letters", got, sums, 2);
    hd_work_same(w, "pages", names, expected.names, (expected.bytes + 3) / 4);
    hd_work_same(w, "visits", visits, expected.visits, expected.pages);
}

const struct hd_workload hd_workload_page_view_count = {
    .name = "page_view_count",
    .brief = "MapReduce over a log: prefix sums, bitonic sort of text in shared memory, groups",
    .groups = "baws:PVC",
    .sizes = {"512 lines", "4096 lines", "262144 lines"},
    .run = run,
};
