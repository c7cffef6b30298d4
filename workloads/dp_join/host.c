// host.c (dp_join) - all pairs of rows with equal keys, with a kernel for each large bucket.
//
// Keys are equally likely, or sums of twelve equally likely numbers, which are nearly normal, with
// a deviation of an eighth of their range. 32 rows are in a bucket of either relation in the mean.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128
#define ROWS 32 // of a bucket, in the mean
#define KEYS 8  // of a bucket

struct row { // as in kernels
    unsigned key, value;
};
struct relation {
    unsigned n, *first; // row of each bucket
    struct row *rows;
};

static unsigned make_key(struct hd_work *w, unsigned keys, bool normal)
{
    for (;;) {
        double x = dp_uniform(w);
        if (normal) {
            for (unsigned i = 1; i < 12; i++)
                x += dp_uniform(w);
            x = (x - 6) / 8 + 0.5;
        }
        if (x >= 0 && x < 1)
            return (unsigned)(x * keys);
    }
}

static struct relation make_relation(struct hd_work *w, unsigned n, unsigned buckets, bool normal)
{
    struct relation r = {.n = n,
                         .first = hd_work_array(w, buckets + 2, sizeof *r.first),
                         .rows = hd_work_array(w, n, sizeof *r.rows)};
    unsigned *keys = hd_work_array(w, n, sizeof *keys);

    for (unsigned i = 0; i < n; i++) {
        keys[i] = make_key(w, buckets * KEYS, normal);
        r.first[keys[i] / KEYS + 2]++;
    }
    for (unsigned b = 1; b <= buckets; b++)
        r.first[b + 1] += r.first[b];
    for (unsigned i = 0; i < n;
         i++) // what moves on while rows are placed ends as the next one's first
        r.rows[r.first[keys[i] / KEYS + 1]++] = (struct row){keys[i], i};
    return r;
}

// Where each row's pairs begin; returns how many there are.
static unsigned prefix_sums(const unsigned *counts, unsigned *at, unsigned n)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < n; i++) {
        at[i] = sum;
        sum += counts[i];
    }
    return sum;
}

static uint64_t *join_on_host(struct hd_work *w, const struct relation *one,
                              const struct relation *two, unsigned *n)
{
    size_t cap = 1;

    for (unsigned i = 0; i < one->n; i++) {
        unsigned b = one->rows[i].key / KEYS;
        cap += two->first[b + 1] - two->first[b];
    }
    uint64_t *pairs = hd_work_array(w, cap, sizeof *pairs);
    *n = 0;
    for (unsigned i = 0; i < one->n; i++) {
        unsigned b = one->rows[i].key / KEYS;
        for (unsigned k = two->first[b]; k < two->first[b + 1]; k++)
            if (two->rows[k].key == one->rows[i].key)
                pairs[(*n)++] = (uint64_t)two->rows[k].value << 32 | one->rows[i].value;
    }
    return pairs;
}

// Reads at most `most` pairs; returns how many there are.
static unsigned join_on_device(struct hd_work *w, const struct relation r[2], unsigned buckets,
                               unsigned threshold, uint64_t *pairs, unsigned most)
{
    unsigned n = r[0].n, keys = KEYS;
    unsigned *matches = hd_work_array(w, n, sizeof *matches), *at = hd_work_array(w, n, sizeof *at);
    CUdeviceptr one = hd_work_upload(w, r[0].rows, n * sizeof *r[0].rows);
    CUdeviceptr two = hd_work_upload(w, r[1].rows, n * sizeof *r[1].rows);
    CUdeviceptr first_one = hd_work_upload(w, r[0].first, (buckets + 1) * sizeof *r[0].first);
    CUdeviceptr first_two = hd_work_upload(w, r[1].first, (buckets + 1) * sizeof *r[1].first);
    CUdeviceptr d_matches = hd_work_buffer(w, n * sizeof *matches);

    HD_WORK_LAUNCH(w, hd_work_kernel(w, "count_matches"),
                   ((struct hd_work_grid){(n + THREADS - 1) / THREADS, 1, THREADS, 1}), &one, &two,
                   &first_two, &d_matches, &n, &keys);
    hd_work_read(w, matches, d_matches, n * sizeof *matches);
    unsigned total = prefix_sums(matches, at, n);
    CUdeviceptr d_at = hd_work_upload(w, at, n * sizeof *at);
    CUdeviceptr to = hd_work_buffer(w, (total + 1) * sizeof *pairs);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "join"),
                   ((struct hd_work_grid){(buckets + THREADS - 1) / THREADS, 1, THREADS, 1}), &one,
                   &first_one, &two, &first_two, &d_at, &to, &buckets, &threshold);
    hd_work_read(w, pairs, to, (total < most ? total : most) * sizeof *pairs);
    return total;
}

static void run(struct hd_work *w, unsigned n, bool normal, unsigned threshold)
{
    unsigned buckets = n / ROWS, n_got, n_expected;
    struct relation r[2] = {make_relation(w, n, buckets, normal),
                            make_relation(w, n, buckets, normal)};
    uint64_t *expected = join_on_host(w, &r[0], &r[1], &n_expected);
    uint64_t *got = hd_work_array(w, n_expected + 1, sizeof *got);
    unsigned *counts = hd_work_array(w, 2, sizeof *counts);

    hd_work_pending(w, DP_PENDING);
    n_got = join_on_device(w, r, buckets, threshold, got, n_expected);
    qsort(expected, n_expected, sizeof *expected, dp_by_value);
    qsort(got, n_got < n_expected ? n_got : n_expected, sizeof *got, dp_by_value);
    counts[0] = n_got;
    counts[1] = n_expected;
    hd_work_same(w, "number of pairs", &counts[0], &counts[1], 1);
    hd_work_same(w, "pairs", got, expected, (size_t)n_expected * 2);
}

static void run_gaussian(struct hd_work *w)
{
    static const unsigned rows[HD_WORK_SIZES] = {2048, 32768, 300000};
    static const unsigned threshold[HD_WORK_SIZES] = {6000, 9000, 11100};

    run(w, rows[w->size], true, threshold[w->size]);
}

static void run_uniform(struct hd_work *w)
{
    static const unsigned rows[HD_WORK_SIZES] = {4096, 32768, 204800};

    run(w, rows[w->size], false, 256);
}

const struct hd_workload hd_workload_dp_join_gaussian = {
    .name = "dp_join_gaussian",
    .brief = "join of relations with normal keys, a kernel launched for the largest buckets",
    .groups = "laser:JOIN-Gaussian",
    .folder = "dp_join",
    .dynamic = true,
    .sizes = {"2048 rows", "32,768 rows", "300,000 rows"},
    .run = run_gaussian,
};

const struct hd_workload hd_workload_dp_join_uniform = {
    .name = "dp_join_uniform",
    .brief =
        "join of relations with equally likely keys, a kernel launched for nearly every bucket",
    .groups = "laser:JOIN-uniform",
    .folder = "dp_join",
    .dynamic = true,
    .sizes = {"4096 rows", "32,768 rows", "204,800 rows"},
    .run = run_uniform,
};
