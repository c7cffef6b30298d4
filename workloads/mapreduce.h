// mapreduce.h - launches for MapReduce: the kernels of mapreduce_kernels.h around those of an
// application. Included by host code.
#ifndef HEDDLE_WORKLOADS_MAPREDUCE_H
#define HEDDLE_WORKLOADS_MAPREDUCE_H

#include "scan.h"

#define MR_THREADS 256
#define MR_PIECE 256 // SORT_PIECE

struct mr_record { // as in mapreduce_kernels.h
    uint32_t key, key_bytes, value, value_bytes;
};

struct mr_table { // on the device
    CUdeviceptr records, keys, values;
    uint32_t n, key_bytes, value_bytes;
    CUdeviceptr starts; // of groups, once they are known
    uint32_t groups;
};

enum { MR_KEYS, MR_VALUES, MR_RECORDS, MR_SIZES };

struct mr_each { // parameters of kernels, as there
    CUdeviceptr of[MR_SIZES];
};
struct mr_input {
    CUdeviceptr records, keys, values, starts;
    uint32_t n;
};
struct mr_output {
    CUdeviceptr records, keys, values;
    struct mr_each places;
};

struct mr {
    struct hd_work *w;
    struct mr_each sizes, places; // of what each thread emits
    struct scan scan;
};

static inline unsigned mr_power(unsigned n) // of two, not below n, at least a piece
{
    unsigned power = MR_PIECE;

    while (power < n)
        power *= 2;
    return power;
}

static inline struct hd_work_grid mr_grid(unsigned n)
{
    return (struct hd_work_grid){(n + MR_THREADS - 1) / MR_THREADS, 1, MR_THREADS, 1};
}

// For tables of at most n records.
static inline struct mr mr_make(struct hd_work *w, unsigned n)
{
    struct mr m = {.w = w, .scan = scan_make(w, n)};

    for (unsigned k = 0; k < MR_SIZES; k++) {
        m.sizes.of[k] = hd_work_buffer(w, n * sizeof(uint32_t));
        m.places.of[k] = hd_work_buffer(w, n * sizeof(uint32_t));
    }
    return m;
}

static inline struct mr_table mr_table_make(struct hd_work *w, uint32_t n, uint32_t key_bytes,
                                            uint32_t value_bytes)
{
    return (struct mr_table){
        .records = hd_work_buffer(w, mr_power(n) * sizeof(struct mr_record)),
        .keys = hd_work_buffer(w, key_bytes ? key_bytes : 1),
        .values = hd_work_buffer(w, value_bytes ? value_bytes : 1),
        .n = n,
        .key_bytes = key_bytes,
        .value_bytes = value_bytes,
    };
}

// Prefix sums of sizes[k], and the sum of all.
static inline uint32_t mr_places(struct mr *m, unsigned k, unsigned n)
{
    uint32_t place = 0, size = 0;

    scan_run(m->w, &m->scan, m->places.of[k], m->sizes.of[k], n);
    hd_work_read(m->w, &place, m->places.of[k] + (n - 1) * sizeof place, sizeof place);
    hd_work_read(m->w, &size, m->sizes.of[k] + (n - 1) * sizeof size, sizeof size);
    return place + size;
}

// Map or reduce by `tasks` threads, one for each record or group of `from`: `count` says how much
// each emits, `emit` does it.
static inline struct mr_table mr_emit(struct mr *m, const char *count, const char *emit,
                                      struct mr_table *from, unsigned tasks)
{
    struct mr_input in = {from->records, from->keys, from->values, from->starts, tasks};
    uint32_t total[MR_SIZES];

    HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, count), mr_grid(tasks), &m->sizes, &in);
    for (unsigned k = 0; k < MR_SIZES; k++)
        total[k] = mr_places(m, k, tasks);
    struct mr_table to = mr_table_make(m->w, total[MR_RECORDS], total[MR_KEYS], total[MR_VALUES]);
    struct mr_output out = {to.records, to.keys, to.values, m->places};
    HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, emit), mr_grid(tasks), &out, &in);
    return to;
}

// In the order of keys.
static inline void mr_sort(struct mr *m, struct mr_table *t)
{
    unsigned n = mr_power(t->n);
    CUfunction far = hd_work_kernel(m->w, "merge_far"), near = hd_work_kernel(m->w, "merge_near");
    struct hd_work_grid pieces = {n / MR_PIECE, 1, MR_PIECE, 1}, pairs = mr_grid(n / 2);

    if (n > t->n)
        HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, "fill_up"), mr_grid(n), &t->records, &t->n);
    HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, "sort_pieces"), pieces, &t->records, &t->keys);
    for (unsigned size = 2 * MR_PIECE; size <= n; size *= 2) {
        for (unsigned apart = size / 2; apart >= MR_PIECE; apart /= 2)
            HD_WORK_LAUNCH(m->w, far, pairs, &t->records, &t->keys, &size, &apart);
        HD_WORK_LAUNCH(m->w, near, pieces, &t->records, &t->keys, &size);
    }
}

// Sort, and find where the records of each key begin.
static inline void mr_group(struct mr *m, struct mr_table *t)
{
    struct hd_work_grid grid = mr_grid(t->n);
    CUdeviceptr marks = m->sizes.of[MR_RECORDS], places = m->places.of[MR_RECORDS];

    mr_sort(m, t);
    HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, "mark_groups"), grid, &marks, &t->records, &t->keys,
                   &t->n);
    t->groups = mr_places(m, MR_RECORDS, t->n);
    t->starts = hd_work_buffer(m->w, (t->groups + 1) * sizeof(uint32_t));
    HD_WORK_LAUNCH(m->w, hd_work_kernel(m->w, "place_groups"), grid, &t->starts, &marks, &places,
                   &t->n);
}

#endif
