// host.c (radix_sort) - keys with values sorted by four bits of the keys after the other.
#include "../scan.h"

#include <string.h>

#define THREADS 256
#define DIGIT_BITS 4
#define DIGITS (1u << DIGIT_BITS)

struct pairs { // keys and values, on the device
    CUdeviceptr keys, values;
};

static struct pairs pairs_buffer(struct hd_work *w, size_t bytes)
{
    struct pairs p = {hd_work_buffer(w, bytes), hd_work_buffer(w, bytes)};
    return p;
}

// The result is where the keys were.
static void sort_on_device(struct hd_work *w, struct pairs p, unsigned n, unsigned bits)
{
    unsigned blocks = n / (2 * THREADS);
    struct pairs sorted = pairs_buffer(w, n * sizeof(unsigned)); // within blocks
    CUdeviceptr counts = hd_work_buffer(w, DIGITS * blocks * sizeof(unsigned));
    CUdeviceptr begins = hd_work_buffer(w, DIGITS * blocks * sizeof(unsigned));
    struct hd_work_grid fours = {blocks / 2, 1, THREADS, 1}, twos = {blocks, 1, THREADS, 1};
    struct scan scan = scan_make(w, DIGITS * blocks);

    for (unsigned first = 0; first < bits; first += DIGIT_BITS) {
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "radixSortBlocks"), fours, &sorted.keys, &sorted.values,
                       &p.keys, &p.values, &first);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "findRadixOffsets"), twos, &sorted.keys, &counts,
                       &begins, &first, &blocks);
        scan_run(w, &scan, counts, counts, DIGITS * blocks);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "reorderData"), twos, &p.keys, &p.values, &sorted.keys,
                       &sorted.values, &begins, &counts, &first, &blocks);
    }
}

// Stable merge sort by the upper 32 bits, the keys; the result is one of the two arrays.
static const uint64_t *merge_sort(uint64_t *from, uint64_t *to, size_t n)
{
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t low = at, middle = at + run < n ? at + run : n, high = middle;
            size_t end = middle + run < n ? middle + run : n;
            for (size_t i = at; i < end; i++) {
                bool left = high == end || (low < middle && from[low] >> 32 <= from[high] >> 32);
                to[i] = from[left ? low++ : high++];
            }
        }
        uint64_t *last = from;
        from = to;
        to = last;
    }
    return from;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {4096, 32768, 262144};
    static const unsigned key_bits[HD_WORK_SIZES] = {8, 16, 32};
    unsigned n = sizes[w->size], bits = key_bits[w->size];
    size_t bytes = n * sizeof(unsigned);
    unsigned *keys = hd_work_array(w, n, sizeof *keys), *values = hd_work_array(w, n, sizeof *keys);
    unsigned *got_keys = hd_work_array(w, n, sizeof *keys);
    unsigned *got_values = hd_work_array(w, n, sizeof *keys);
    uint64_t *pairs = hd_work_array(w, n, sizeof *pairs),
             *room = hd_work_array(w, n, sizeof *pairs);

    for (unsigned i = 0; i < n; i++) {
        keys[i] = hd_work_random(w) >> (32 - bits);
        values[i] = i;
        pairs[i] = (uint64_t)keys[i] << 32 | i;
    }
    struct pairs p = pairs_buffer(w, bytes);
    hd_work_write(w, p.keys, keys, bytes);
    hd_work_write(w, p.values, values, bytes);
    sort_on_device(w, p, n, bits);
    hd_work_read(w, got_keys, p.keys, bytes);
    hd_work_read(w, got_values, p.values, bytes);

    const uint64_t *sorted = merge_sort(pairs, room, n);
    for (unsigned i = 0; i < n; i++) {
        keys[i] = (unsigned)(sorted[i] >> 32);
        values[i] = (unsigned)sorted[i];
    }
    hd_work_same(w, "keys", got_keys, keys, n);
    hd_work_same(w, "values", got_values, values, n);
}

const struct hd_workload hd_workload_radix_sort = {
    .name = "radix_sort",
    .brief = "radix sort, four bits a pass: sorts of blocks in shared memory, scattered stores",
    .groups = "elf:RS",
    .sizes = {"4096 keys of 8 bits", "32768 keys of 16 bits", "262144 keys of 32 bits"},
    .run = run,
};
