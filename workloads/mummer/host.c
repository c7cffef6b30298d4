// host.c (mummer) - matches of many short queries in a reference, from a suffix tree.
#include "workload/work.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define LETTERS 25  // of a query
#define SHORTEST 20 // match that is kept
#define STARTS (LETTERS - SHORTEST + 1)
#define ROOT 1 // node 0 is none

struct match { // as in kernel.cu
    int at, length;
};

struct input {
    int letters, queries;
    char *reference; // ends in '$', which is in no query, and in 0
    char *query;     // LETTERS and a 0 each
};

// Suffix tree after Ukkonen. An edge has the letters first to last of the reference and belongs to
// the node below it; the link of a node leads to that of the same letters without the first one.
struct tree {
    uint32_t (*child)[5]; // for A, C, G, T and $
    struct {
        uint32_t first, last, link, none;
    } * node;
    uint32_t nodes;
};

static unsigned letter_number(char c)
{
    return (unsigned)(strchr("ACGT$", c) - "ACGT$");
}

static uint32_t new_node(struct tree *t, uint32_t first, uint32_t last)
{
    t->node[t->nodes].first = first;
    t->node[t->nodes].last = last;
    t->node[t->nodes].link = ROOT;
    return t->nodes++;
}

struct place { // `length` letters below a node, on the edge that begins with the letter at `edge`
    uint32_t node, edge, length;
};

// A node in the middle of the edge to `below`, with a leaf for what follows from `end` on.
static uint32_t split(struct tree *t, const char *text, uint32_t below, uint32_t length,
                      uint32_t end, uint32_t letters)
{
    uint32_t first = t->node[below].first, middle = new_node(t, first, first + length - 1);

    t->node[below].first += length;
    t->child[middle][letter_number(text[first + length])] = below;
    t->child[middle][letter_number(text[end])] = new_node(t, end, letters - 1);
    return middle;
}

// The letter at `end` behind all suffixes that are not in the tree yet, the longest first.
static void extend(struct tree *t, const char *text, uint32_t letters, uint32_t end,
                   struct place *p, uint32_t *left)
{
    uint32_t unlinked = 0;

    for (++*left; *left;) {
        if (p->length == 0)
            p->edge = end;
        uint32_t *slot = &t->child[p->node][letter_number(text[p->edge])], below = *slot;
        uint32_t links_to = p->node;
        if (!below) {
            *slot = new_node(t, end, letters - 1);
        } else {
            uint32_t first = t->node[below].first, length = t->node[below].last - first + 1;
            if (p->length >= length) { // further down
                *p = (struct place){below, p->edge + length, p->length - length};
                continue;
            }
            if (text[first + p->length] == text[end]) { // is there, and so are the shorter ones
                p->length++;
                if (unlinked)
                    t->node[unlinked].link = p->node;
                return;
            }
            *slot = links_to = split(t, text, below, p->length, end, letters);
        }
        if (unlinked)
            t->node[unlinked].link = links_to;
        unlinked = below ? links_to : 0;
        --*left;
        if (p->node != ROOT) {
            p->node = t->node[p->node].link;
        } else if (p->length) {
            p->length--;
            p->edge = end - *left + 1;
        }
    }
}

static void make_tree(struct hd_work *w, struct tree *t, const struct input *in)
{
    struct place p = {ROOT, 0, 0};
    uint32_t left = 0, letters = (uint32_t)in->letters;

    t->child = hd_work_array(w, 2 * letters + 2, sizeof *t->child);
    t->node = hd_work_array(w, 2 * letters + 2, sizeof *t->node);
    t->nodes = ROOT;
    new_node(t, 0, 0);
    for (uint32_t end = 0; end < letters; end++)
        extend(t, in->reference, letters, end, &p, &left);
}

// Two letters of three are A or T, as in the bacillus that the literature takes.
static char random_letter(struct hd_work *w)
{
    return "AAATTTAATTATACGCGCGC"[hd_work_random(w) % 20];
}

// One query in 256 is from the reference, some with a letter changed; others are from elsewhere.
static void make_input(struct hd_work *w, struct input *in)
{
    in->reference = hd_work_array(w, (size_t)in->letters + 1, 1);
    in->query = hd_work_array(w, (size_t)in->queries, LETTERS + 1);
    for (int i = 0; i < in->letters - 1; i++)
        in->reference[i] = random_letter(w);
    in->reference[in->letters - 1] = '$';
    for (int q = 0; q < in->queries; q++) {
        char *query = in->query + q * (LETTERS + 1);
        for (int i = 0; i < LETTERS; i++)
            query[i] = random_letter(w);
        if (hd_work_random(w) % 256 == 0) {
            char changed = query[0];
            memcpy(query, in->reference + hd_work_random(w) % (unsigned)(in->letters - LETTERS),
                   LETTERS);
            query[hd_work_random(w) % LETTERS] = changed;
        }
    }
}

static int compare_suffixes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int alike(const char *a, const char *b)
{
    int n = 0;

    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

// The longest beginning of `query` that occurs: it is next to its place among the sorted suffixes.
static struct match longest(const struct input *in, char *const *suffixes, const char *query)
{
    int low = 0, high = in->letters;
    struct match best = {0, 0};

    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(suffixes[middle], query) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int i = low > 0 ? low - 1 : 0; i <= low && i < in->letters; i++) {
        int length = alike(suffixes[i], query);
        if (length > best.length)
            best = (struct match){(int)(suffixes[i] - in->reference), length};
    }
    return best;
}

static struct match *expect(struct hd_work *w, const struct input *in, const struct match *got)
{
    char **suffixes = hd_work_array(w, (size_t)in->letters, sizeof *suffixes);
    struct match *all = hd_work_array(w, (size_t)in->queries * STARTS, sizeof *all);

    for (int i = 0; i < in->letters; i++)
        suffixes[i] = in->reference + i;
    qsort(suffixes, (size_t)in->letters, sizeof *suffixes, compare_suffixes);
    for (int i = 0; i < in->queries * STARTS; i++) {
        const char *query = in->query + i / STARTS * (LETTERS + 1) + i % STARTS;
        struct match m = longest(in, suffixes, query);
        if (m.length < SHORTEST)
            continue;
        // Where it occurs twice, either place is right.
        if (got[i].at >= 0 && got[i].at <= in->letters - m.length &&
            !memcmp(in->reference + got[i].at, query, (size_t)m.length))
            m.at = got[i].at;
        all[i] = m;
    }
    return all;
}

static void match_on_device(struct hd_work *w, const struct input *in, const struct tree *t,
                            struct match *got)
{
    size_t queries = (size_t)in->queries, bytes = queries * STARTS * sizeof *got;
    uint32_t(*children)[4] = hd_work_array(w, t->nodes, sizeof *children);
    int *begins = hd_work_array(w, queries, sizeof *begins);
    int *lengths = hd_work_array(w, queries, sizeof *begins);
    int number = in->queries, shortest = SHORTEST;

    for (uint32_t i = 0; i < t->nodes; i++)
        memcpy(children[i], t->child[i], sizeof *children);
    for (int q = 0; q < in->queries; q++) {
        begins[q] = q * (LETTERS + 1);
        lengths[q] = LETTERS;
    }
    CUdeviceptr d_children = hd_work_upload(w, children, t->nodes * sizeof *children);
    CUdeviceptr d_nodes = hd_work_upload(w, t->node, t->nodes * sizeof *t->node);
    CUdeviceptr d_reference = hd_work_upload(w, in->reference, (size_t)in->letters);
    CUdeviceptr d_queries = hd_work_upload(w, in->query, queries * (LETTERS + 1));
    CUdeviceptr d_begins = hd_work_upload(w, begins, queries * sizeof *begins);
    CUdeviceptr d_lengths = hd_work_upload(w, lengths, queries * sizeof *lengths);
    CUdeviceptr matches = hd_work_upload(w, got, bytes);
    CUtexObject child = hd_work_texture_row(w, d_children, CU_AD_FORMAT_UNSIGNED_INT32, 4,
                                            t->nodes * sizeof *children);
    CUtexObject node =
        hd_work_texture_row(w, d_nodes, CU_AD_FORMAT_UNSIGNED_INT32, 4, t->nodes * sizeof *t->node);
    CUtexObject reference =
        hd_work_texture_row(w, d_reference, CU_AD_FORMAT_UNSIGNED_INT8, 1, (size_t)in->letters);
    struct hd_work_grid grid = {(unsigned)(number + THREADS - 1) / THREADS, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "mummer"), grid, &child, &node, &reference, &d_queries,
                   &d_begins, &d_lengths, &matches, &number, &shortest);
    hd_work_read(w, got, matches, bytes);
}

static void run(struct hd_work *w)
{
    static const int letters[HD_WORK_SIZES] = {2000, 20000, 20000};
    static const int queries[HD_WORK_SIZES] = {2000, 12500, 50000};
    struct input in = {.letters = letters[w->size], .queries = queries[w->size]};
    struct tree tree;
    size_t matches = (size_t)in.queries * STARTS;
    struct match *got = hd_work_array(w, matches, sizeof *got);

    make_input(w, &in);
    make_tree(w, &tree, &in);
    match_on_device(w, &in, &tree, got);
    hd_work_same(w, "matches", got, expect(w, &in, got), matches * 2);
}

const struct hd_workload hd_workload_mummer = {
    .name = "mummer",
    .brief = "matches of short queries in a suffix tree: walks through textures, strong divergence",
    .groups = "lfws:MUM elf:MUM",
    .sizes = {"2000 letters, 2000 queries", "20000 letters, 12500 queries",
              "20000 letters, 50000 queries"},
    .run = run,
};
