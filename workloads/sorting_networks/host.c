// host.c (sorting_networks) - rows of keys with values, sorted by a bitonic network.
#include "workload/work.h"

#include <stdlib.h>

#define PIECE 1024
#define THREADS (PIECE / 2)
#define MERGE_THREADS 256

struct rows { // on the device
    CUdeviceptr from_keys, from_values, keys, values;
    unsigned n;
};

static void sort(struct hd_work *w, struct rows *r, unsigned length)
{
    struct hd_work_grid pieces = {r->n / PIECE, 1, THREADS, 1};
    struct hd_work_grid pairs = {r->n / 2 / MERGE_THREADS, 1, MERGE_THREADS, 1};
    CUfunction global = hd_work_kernel(w, "merge_global"),
               shared = hd_work_kernel(w, "merge_shared");

    if (length <= PIECE) {
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "sort_rows"), pieces, &r->keys, &r->values,
                       &r->from_keys, &r->from_values, &length);
        return;
    }
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "sort_pieces"), pieces, &r->keys, &r->values, &r->from_keys,
                   &r->from_values);
    for (unsigned size = 2 * PIECE; size <= length; size *= 2) {
        for (unsigned stride = size / 2; stride >= PIECE; stride /= 2)
            HD_WORK_LAUNCH(w, global, pairs, &r->keys, &r->values, &length, &size, &stride);
        HD_WORK_LAUNCH(w, shared, pieces, &r->keys, &r->values, &length, &size);
    }
}

static int by_key(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

// Keys are multiples of n plus where they stand: none occurs twice, and a value is known by its
// key.
static uint32_t *make_keys(struct hd_work *w, unsigned n)
{
    uint32_t *keys = hd_work_array(w, n, sizeof *keys);

    for (unsigned i = 0; i < n; i++)
        keys[i] = hd_work_random(w) / n * n + i;
    return keys;
}

static void run(struct hd_work *w)
{
    // Keys in all, and in a row.
    static const unsigned sizes[HD_WORK_SIZES][2] = {
        {4096, 2048}, {1u << 16, 1u << 13}, {1u << 20, 1u << 20}};
    static const unsigned short_rows = PIECE / 4;
    unsigned n = sizes[w->size][0], length = sizes[w->size][1];
    size_t bytes = n * sizeof(uint32_t);
    uint32_t *keys = make_keys(w, n), *values = hd_work_array(w, n, sizeof *values);
    uint32_t *got[2][2]; // short rows, long rows: keys, values

    for (unsigned i = 0; i < n; i++)
        values[i] = i;
    struct rows r = {.n = n};
    r.from_keys = hd_work_upload(w, keys, bytes);
    r.from_values = hd_work_upload(w, values, bytes);
    r.keys = hd_work_buffer(w, bytes);
    r.values = hd_work_buffer(w, bytes);
    for (unsigned i = 0; i < 2; i++) {
        sort(w, &r, i ? length : short_rows);
        got[i][0] = hd_work_array(w, n, sizeof **got[i]);
        got[i][1] = hd_work_array(w, n, sizeof **got[i]);
        hd_work_read(w, got[i][0], r.keys, bytes);
        hd_work_read(w, got[i][1], r.values, bytes);
    }

    for (unsigned i = 0; i < 2; i++) {
        unsigned row = i ? length : short_rows;
        uint32_t *expected = hd_work_array(w, n, sizeof *expected);
        uint32_t *expected_values = hd_work_array(w, n, sizeof *expected);
        for (unsigned k = 0; k < n; k++)
            expected[k] = keys[k];
        for (unsigned k = 0; k < n; k += row)
            qsort(expected + k, row, sizeof *expected, by_key);
        for (unsigned k = 0; k < n; k++)
            expected_values[k] = expected[k] % n;
        hd_work_same(w, i ? "keys of long rows" : "keys of short rows", got[i][0], expected, n);
        hd_work_same(w, i ? "values of long rows" : "values of short rows", got[i][1],
                     expected_values, n);
    }
}

const struct hd_workload hd_workload_sorting_networks = {
    .name = "sorting_networks",
    .brief = "bitonic sorting of keys with values: a barrier before every step, 16 warps a block",
    .groups = "baws:STN",
    .sizes = {"4096 keys in rows of 256, 2048", "65536 keys in rows of 256, 8192",
              "1048576 keys in rows of 256, 1048576"},
    .run = run,
};
