// mapreduce_kernels.h - what MapReduce on a GPU does between the application's own kernels: a bitonic sort
// of records by their keys, and groups of equal keys. Included by kernels; mapreduce.h launches them.
//
// After the structure of Mars (He, Fang, Luo, Govindaraju, Wang, PACT 2008). Keys and values are bytes
// one after the other, and a record says where its key and its value are. Threads that emit cannot ask
// for memory: a kernel says first how much each thread will emit, prefix sums of that are the
// places, and a second kernel emits. Records are sorted, not keys, so that a comparison reads both keys
// from global memory.
#ifndef HEDDLE_WORKLOADS_MAPREDUCE_KERNELS_H
#define HEDDLE_WORKLOADS_MAPREDUCE_KERNELS_H

#include "prefix_sums.h"

#define SORT_PIECE 256 // records in shared memory, and threads of a block
#define NO_KEY 0xffffffffu

struct record {
    unsigned key, key_bytes; // NO_KEY: only there to make the number of records a power of two
    unsigned value, value_bytes;
};

// Parameters of the application's kernels, whose threads have a record each, or a group of equal keys.
struct input {
    const struct record *records;
    const unsigned char *keys, *values;
    const unsigned *starts; // of groups, and the end of the last one
    unsigned n;             // records or groups
};
struct sizes { // what each thread will emit
    unsigned *key_bytes, *value_bytes, *emitted;
};
struct output {
    struct record *records;
    unsigned char *keys, *values;
    const unsigned *key_at, *value_at, *place; // each thread's
};

// The application's order of keys: below, equal to or above 0.
__device__ static int compare_keys(const unsigned char *keys, const struct record *a,
                                   const struct record *b);

// The order of bytes that most applications want.
__device__ static inline int compare_bytes(const unsigned char *keys, const struct record *a,
                                           const struct record *b)
{
    const unsigned char *x = keys + a->key, *y = keys + b->key;
    int n = min((int)a->key_bytes, (int)b->key_bytes);

#pragma unroll 1
    for (int i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return (int)a->key_bytes - (int)b->key_bytes;
}

__device__ static inline void copy_bytes(unsigned char *to, const unsigned char *from, unsigned n)
{
#pragma unroll 1
    for (unsigned i = 0; i < n; i++)
        to[i] = from[i];
}

// Thread i will emit one record with so many bytes.
__device__ static inline void count_one(struct sizes to, unsigned i, unsigned key_bytes,
                                        unsigned value_bytes)
{
    to.key_bytes[i] = key_bytes;
    to.value_bytes[i] = value_bytes;
    to.emitted[i] = 1;
}

// Thread i emits that record: the key here, the value's bytes by the caller, who gets where they go.
__device__ static inline unsigned char *emit_one(struct output to, unsigned i, const unsigned char *key,
                                                 unsigned key_bytes, unsigned value_bytes)
{
    struct record *record = &to.records[to.place[i]];

    record->key = to.key_at[i];
    record->key_bytes = key_bytes;
    record->value = to.value_at[i];
    record->value_bytes = value_bytes;
    copy_bytes(to.keys + to.key_at[i], key, key_bytes);
    return to.values + to.value_at[i];
}

// Put two records in order, in descending order if `down`.
__device__ static void order(struct record *a, struct record *b, const unsigned char *keys, bool down)
{
    struct record x = *a, y = *b;
    int order = 0;

    if (x.key_bytes == NO_KEY || y.key_bytes == NO_KEY)
        order = (x.key_bytes == NO_KEY) - (y.key_bytes == NO_KEY);
    else
        order = compare_keys(keys, &x, &y);
    if (down ? order < 0 : order > 0) {
        *a = y;
        *b = x;
    }
}

// One step in shared memory. The thread of the first of two records does the work.
__device__ static void order_piece(struct record *piece, const unsigned char *keys, unsigned apart,
                                   bool down)
{
    unsigned t = threadIdx.x, other = t ^ apart;

    __syncthreads();
    if (other > t)
        order(&piece[t], &piece[other], keys, down);
}

// Every piece, up and down in turn.
extern "C" __global__ void sort_pieces(struct record *records, const unsigned char *keys)
{
    __shared__ struct record piece[SORT_PIECE];
    unsigned i = blockIdx.x * SORT_PIECE + threadIdx.x;

    piece[threadIdx.x] = records[i];
#pragma unroll 1
    for (unsigned size = 2; size <= SORT_PIECE; size <<= 1)
#pragma unroll 1
        for (unsigned apart = size / 2; apart > 0; apart >>= 1)
            order_piece(piece, keys, apart, (i & size) != 0);
    __syncthreads();
    records[i] = piece[threadIdx.x];
}

// One step of merging pieces to runs of `size` records, between records at least SORT_PIECE apart.
extern "C" __global__ void merge_far(struct record *records, const unsigned char *keys, unsigned size,
                                     unsigned apart)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = 2 * t - (t & (apart - 1));

    order(&records[i], &records[i + apart], keys, (i & size) != 0);
}

// The other steps of that, which stay within a piece.
extern "C" __global__ void merge_near(struct record *records, const unsigned char *keys, unsigned size)
{
    __shared__ struct record piece[SORT_PIECE];
    unsigned i = blockIdx.x * SORT_PIECE + threadIdx.x;

    piece[threadIdx.x] = records[i];
#pragma unroll 1
    for (unsigned apart = SORT_PIECE / 2; apart > 0; apart >>= 1)
        order_piece(piece, keys, apart, (i & size) != 0);
    __syncthreads();
    records[i] = piece[threadIdx.x];
}

// Records without a key from `n` on.
extern "C" __global__ void fill_up(struct record *records, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        records[i].key_bytes = NO_KEY;
}

// marks[i]: 1 if record i is the first of its key.
extern "C" __global__ void mark_groups(unsigned *marks, const struct record *records,
                                       const unsigned char *keys, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        marks[i] = i == 0 || compare_keys(keys, &records[i - 1], &records[i]) != 0;
}

// starts[g]: the first record of group g; n after the last group.
extern "C" __global__ void place_groups(unsigned *starts, const unsigned *marks, const unsigned *places,
                                        unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    if (marks[i])
        starts[places[i]] = i;
    if (i == n - 1)
        starts[places[i] + marks[i]] = n;
}

#endif
