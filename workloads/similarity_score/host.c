// host.c (similarity_score) - how similar the documents of each pair are, sorted by that.
#include "workload/work.h"

#include "../mapreduce.h"

#include <math.h>
#include <stdlib.h>

#define FEATURES 32 // of a document
#define TOPICS 16

struct pair { // as in kernel.cu
    uint32_t a, b;
};
struct input {
    unsigned documents, n;
    float *features;
    struct pair *pairs;
};

// A document is about one of some topics: near the features of that, and in part anything.
static struct input make_input(struct hd_work *w, unsigned documents, unsigned n)
{
    struct input in = {documents, n, hd_work_array(w, documents, FEATURES * sizeof(float)),
                       hd_work_array(w, n, sizeof *in.pairs)};
    float *topics = hd_work_floats(w, (size_t)TOPICS * FEATURES, 0, 1);
    unsigned i = 0;

    for (unsigned d = 0; d < documents; d++) {
        const float *topic = topics + (size_t)(hd_work_random(w) % TOPICS) * FEATURES;
        for (unsigned k = 0; k < FEATURES; k++)
            in.features[d * FEATURES + k] = topic[k] + hd_work_random_float(w, 0, 1);
    }
    for (unsigned a = 0; i < n; a++)
        for (unsigned b = a + 1; b < documents && i < n; b++)
            in.pairs[i++] = (struct pair){a, b};
    return in;
}

// The result on the host.
struct scores {
    uint32_t groups, *starts; // pairs with the same score
    float *keys;              // in order
    struct pair *pairs;
};

static struct scores scores_make(struct hd_work *w, unsigned n)
{
    return (struct scores){.starts = hd_work_array(w, n + 1, sizeof(uint32_t)),
                           .keys = hd_work_array(w, n, sizeof(float)),
                           .pairs = hd_work_array(w, n, sizeof(struct pair))};
}

// Records lead to keys and values; those that lead elsewhere count as 0.
static void fetch(struct hd_work *w, struct mr_table *t, unsigned n, struct scores *got)
{
    struct mr_record *records = hd_work_array(w, n, sizeof *records);
    float *keys = hd_work_array(w, n, sizeof *keys);
    struct pair *pairs = hd_work_array(w, n, sizeof *pairs);

    got->groups = t->groups < n ? t->groups : n;
    hd_work_read(w, records, t->records, n * sizeof *records);
    hd_work_read(w, keys, t->keys, n * sizeof *keys);
    hd_work_read(w, pairs, t->values, n * sizeof *pairs);
    hd_work_read(w, got->starts, t->starts, (got->groups + 1) * sizeof *got->starts);
    for (unsigned i = 0; i < n; i++) {
        uint32_t key = records[i].key / 4, value = records[i].value / 8;
        if (key < n)
            got->keys[i] = keys[key];
        if (value < n)
            got->pairs[i] = pairs[value];
    }
}

static float score(const struct input *in, struct pair p)
{
    const float *a = in->features + p.a * FEATURES, *b = in->features + p.b * FEATURES;
    float product = 0, square_a = 0, square_b = 0;

    for (unsigned k = 0; k < FEATURES; k++) {
        product = fmaf(a[k], b[k], product);
        square_a = fmaf(a[k], a[k], square_a);
        square_b = fmaf(b[k], b[k], square_b);
    }
    return product / (sqrtf(square_a) * sqrtf(square_b));
}

struct scored {
    float score;
    uint32_t pair;
};

static int by_score(const void *a, const void *b)
{
    float x = ((const struct scored *)a)->score, y = ((const struct scored *)b)->score;

    return (x > y) - (x < y);
}

// Keys in order, the groups that they make, and pairs: among equal keys any order is right, hence
// that of `got` is taken wherever its pair has the right key, and each pair is there once.
static struct scores expect(struct hd_work *w, const struct input *in, const struct scores *got)
{
    struct scored *sorted = hd_work_array(w, in->n, sizeof *sorted);
    unsigned char *seen = hd_work_array(w, (size_t)in->documents * in->documents, 1);
    struct scores expected = scores_make(w, in->n);

    for (unsigned i = 0; i < in->n; i++)
        sorted[i] = (struct scored){score(in, in->pairs[i]), i};
    qsort(sorted, in->n, sizeof *sorted, by_score);
    for (unsigned i = 0; i < in->n; i++) {
        struct pair p = got->pairs[i];
        bool pair = p.a < p.b && p.b < in->documents;
        expected.keys[i] = sorted[i].score;
        expected.pairs[i] = in->pairs[sorted[i].pair];
        if (i == 0 || sorted[i - 1].score < sorted[i].score)
            expected.starts[expected.groups++] = i;
        if (pair && !seen[p.a * in->documents + p.b]++ && score(in, p) == sorted[i].score)
            expected.pairs[i] = p;
    }
    expected.starts[expected.groups] = in->n;
    return expected;
}

static void run(struct hd_work *w)
{
    // Documents, and pairs of these: the first ones.
    static const unsigned sizes[HD_WORK_SIZES][2] = {{33, 512}, {129, 8192}, {725, 1u << 18}};
    struct input in = make_input(w, sizes[w->size][0], sizes[w->size][1]);
    unsigned n = in.n;
    struct mr_record *records = hd_work_array(w, n, sizeof *records);
    struct mr m = mr_make(w, n);

    for (unsigned i = 0; i < n; i++)
        records[i] = (struct mr_record){i * (uint32_t)sizeof *in.pairs, sizeof *in.pairs, 0,
                                        FEATURES * sizeof(float)};
    struct mr_table from = {
        .records = hd_work_upload(w, records, n * sizeof *records),
        .keys = hd_work_upload(w, in.pairs, n * sizeof *in.pairs),
        .values = hd_work_upload(w, in.features, in.documents * FEATURES * sizeof(float)),
        .n = n};
    struct mr_table table = mr_emit(&m, "count_scores", "emit_scores", &from, n);
    mr_group(&m, &table);

    struct scores got = scores_make(w, n);
    fetch(w, &table, n, &got);
    struct scores expected = expect(w, &in, &got);
    hd_work_same(w, "scores", got.keys, expected.keys, n);
    hd_work_same(w, "pairs", got.pairs, expected.pairs, 2 * (size_t)n);
    hd_work_same(w, "where groups of equal scores begin", got.starts, expected.starts, n + 1);
}

const struct hd_workload hd_workload_similarity_score = {
    .name = "similarity_score",
    .brief = "MapReduce over pairs of documents: dot products, then a bitonic sort by the score",
    .groups = "baws:SS",
    .sizes = {"512 pairs of documents", "8192 pairs", "262144 pairs"},
    .run = run,
};
