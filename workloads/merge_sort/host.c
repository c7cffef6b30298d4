// host.c (merge_sort) - keys with values in ascending order, by merging.
#include "workload/work.h"

#include <stdlib.h>

#define PIECE 1024
#define PIECE_THREADS (PIECE / 2)
#define SAMPLE 128
#define RANK_THREADS 256
#define KEYS 65536 // different ones

struct sort {
    struct hd_work *w;
    unsigned n;
    CUdeviceptr keys[2], values[2], ranks[2], limits[2];
};

// Merge pairs of runs of `run` keys, from keys[from] to the other.
static void merge(struct sort *s, unsigned run, unsigned from)
{
    unsigned samples = s->n / SAMPLE, to = 1 - from;
    unsigned threads = samples / 2 < RANK_THREADS ? samples / 2 : RANK_THREADS;
    struct hd_work_grid ranking = {samples / 2 / threads, 1, threads, 1};
    CUfunction merge_ranks = hd_work_kernel(s->w, "merge_ranks");

    HD_WORK_LAUNCH(s->w, hd_work_kernel(s->w, "sample_ranks"), ranking, &s->ranks[0], &s->ranks[1],
                   &s->keys[from], &run);
    for (unsigned i = 0; i < 2; i++)
        HD_WORK_LAUNCH(s->w, merge_ranks, ranking, &s->limits[i], &s->ranks[i], &run);
    HD_WORK_LAUNCH(s->w, hd_work_kernel(s->w, "merge_intervals"),
                   ((struct hd_work_grid){samples, 1, SAMPLE, 1}), &s->keys[to], &s->values[to],
                   &s->keys[from], &s->values[from], &s->limits[0], &s->limits[1], &run);
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {4096, 1u << 16, 1u << 20};
    struct sort s = {.w = w, .n = sizes[w->size]};
    unsigned n = s.n, now = 0;
    size_t bytes = n * sizeof(uint32_t);
    uint32_t *keys = hd_work_array(w, n, 4), *values = hd_work_array(w, n, 4);
    uint32_t *got_keys = hd_work_array(w, n, 4), *got_values = hd_work_array(w, n, 4);
    uint64_t *both = hd_work_array(w, n, sizeof *both);

    for (unsigned i = 0; i < n; i++) {
        keys[i] = hd_work_random(w) % KEYS;
        values[i] = i;
    }
    CUdeviceptr from_keys = hd_work_upload(w, keys, bytes);
    CUdeviceptr from_values = hd_work_upload(w, values, bytes);
    for (unsigned i = 0; i < 2; i++) {
        s.keys[i] = hd_work_buffer(w, bytes);
        s.values[i] = hd_work_buffer(w, bytes);
        s.ranks[i] = hd_work_buffer(w, bytes / SAMPLE);
        s.limits[i] = hd_work_buffer(w, bytes / SAMPLE);
    }
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "sort_pieces"),
                   ((struct hd_work_grid){n / PIECE, 1, PIECE_THREADS, 1}), &s.keys[0],
                   &s.values[0], &from_keys, &from_values);
    for (unsigned length = PIECE; length < n; length *= 2, now = 1 - now)
        merge(&s, length, now);
    hd_work_read(w, got_keys, s.keys[now], bytes);
    hd_work_read(w, got_values, s.values[now], bytes);

    // Equal keys stay in order, hence keys and values together have one order only.
    for (unsigned i = 0; i < n; i++)
        both[i] = (uint64_t)keys[i] << 32 | i;
    qsort(both, n, sizeof *both, ascending);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (uint32_t)(both[i] >> 32);
        values[i] = (uint32_t)both[i];
    }
    hd_work_same(w, "keys", got_keys, keys, n);
    hd_work_same(w, "values", got_values, values, n);
}

const struct hd_workload hd_workload_merge_sort = {
    .name = "merge_sort",
    .brief = "merge sort: binary searches in shared memory between barriers, merges by intervals",
    .groups = "baws:MS",
    .sizes = {"4096 keys", "65536 keys", "1048576 keys"},
    .run = run,
};
