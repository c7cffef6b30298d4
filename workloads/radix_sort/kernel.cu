// Radix sort of keys with values, four bits a pass, after Satish, Harris and Garland (2009): each block sorts its
// keys by the digit in shared memory; then it is counted how many keys of each digit each of the blocks has,
// prefix sums of these counts say where they belong, and the last kernel brings them there.

#include "../prefix_sums.h"

#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define THREADS 256
#define WARP 32

struct __attribute__((aligned(16))) four {
    unsigned of[4];
};
struct __attribute__((aligned(8))) two {
    unsigned of[2];
};

// Sum of `n` over this thread and the 2^levels - 1 before it in its warp. A warp's threads run in step, so
// there is no barrier. `room` has 64 words for each warp; 0 in the first 32 stands before the first thread.
__device__ static unsigned sum_in_warp(unsigned n, volatile unsigned *room, int levels)
{
    int i = 2 * threadIdx.x - (threadIdx.x & (WARP - 1));

    room[i] = 0;
    i += WARP;
    room[i] = n;
#pragma unroll
    for (int level = 0; level < levels; level++)
        room[i] += room[i - (1 << level)];
    return room[i];
}

// before.of[k]: sum over the block of all numbers before this thread's k-th.
__device__ static struct four sums_before(struct four n, unsigned *room)
{
    unsigned t = threadIdx.x, own = n.of[0] + n.of[1] + n.of[2] + n.of[3];
    unsigned sum = sum_in_warp(own, room, 5);
    struct four before;

    __syncthreads();
    if (t % WARP == WARP - 1)
        room[t / WARP] = sum; // of the warp
    __syncthreads();
    if (t < WARP) {
        unsigned of_warp = room[t];
        room[t] = sum_in_warp(of_warp, room, 3) - of_warp;
    }
    __syncthreads();
    before.of[0] = sum - own + room[t / WARP];
#pragma unroll
    for (int k = 1; k < 4; k++)
        before.of[k] = before.of[k - 1] + n.of[k - 1];
    return before;
}

// Numbers go to their places in the block; a thread then has those at t, t + THREADS, ... of the four
// quarters in which `room` keeps them, place p at p / 4 of quarter p % 4, so that banks do not conflict.
__device__ static struct four exchange(struct four n, struct four place, unsigned *room)
{
    struct four moved;

#pragma unroll
    for (int k = 0; k < 4; k++)
        room[place.of[k] % 4 * THREADS + place.of[k] / 4] = n.of[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++)
        moved.of[k] = room[k * THREADS + threadIdx.x];
    __syncthreads();
    return moved;
}

// Sort each block's 4 * THREADS keys by the digit at bit `first`: a stable split by each of its bits.
extern "C" __global__ void radixSortBlocks(struct four *keys_to, struct four *values_to,
                                           const struct four *keys, const struct four *values,
                                           unsigned first)
{
    __shared__ unsigned room[4 * THREADS], zeros;
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    struct four key = keys[i], value = values[i];

#pragma unroll 1
    for (unsigned bit = first; bit < first + DIGIT_BITS; bit++) {
        struct four is_zero, place;
#pragma unroll
        for (int k = 0; k < 4; k++)
            is_zero.of[k] = !(key.of[k] >> bit & 1);
        struct four before = sums_before(is_zero, room);
        if (t == THREADS - 1)
            zeros = before.of[3] + is_zero.of[3];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++)
            place.of[k] = is_zero.of[k] ? before.of[k] : zeros + 4 * t + k - before.of[k];
        key = exchange(key, place, room);
        value = exchange(value, place, room);
    }
    keys_to[i] = key;
    values_to[i] = value;
}

// Of 2 * THREADS keys that radixSortBlocks has sorted: where each digit begins, and how many there are.
extern "C" __global__ void findRadixOffsets(const struct two *keys, unsigned *counts,
                                            unsigned *begins, unsigned first, unsigned blocks)
{
    __shared__ unsigned digit[2 * THREADS], begin[DIGITS], count[DIGITS];
    unsigned t = threadIdx.x;
    struct two key = keys[blockIdx.x * THREADS + t];

    digit[2 * t] = key.of[0] >> first & (DIGITS - 1);
    digit[2 * t + 1] = key.of[1] >> first & (DIGITS - 1);
    if (t < DIGITS)
        begin[t] = count[t] = 0;
    __syncthreads();
    if (t == 0 || digit[t] != digit[t - 1])
        begin[digit[t]] = t;
    if (digit[t + THREADS] != digit[t + THREADS - 1])
        begin[digit[t + THREADS]] = t + THREADS;
    __syncthreads();
    if (t < DIGITS)
        begins[blockIdx.x * DIGITS + t] = begin[t];
    if (digit[t] != digit[t + 1])
        count[digit[t]] = t + 1 - begin[digit[t]];
    if (t == THREADS - 1 || digit[t + THREADS] != digit[t + THREADS + 1])
        count[digit[t + THREADS]] = t + THREADS + 1 - begin[digit[t + THREADS]];
    __syncthreads();
    if (t < DIGITS)
        counts[t * blocks + blockIdx.x] = count[t];
}

// Each key after those with smaller digits, and after those with its digit in earlier blocks.
extern "C" __global__ void reorderData(unsigned *keys_to, unsigned *values_to,
                                       const struct two *keys, const struct two *values,
                                       const unsigned *begins, const unsigned *offsets,
                                       unsigned first, unsigned blocks)
{
    __shared__ struct two key_pairs[THREADS], value_pairs[THREADS];
    __shared__ unsigned offset[DIGITS], begin[DIGITS];
    unsigned *key = key_pairs[0].of, *value = value_pairs[0].of;
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;

    key_pairs[t] = keys[i];
    value_pairs[t] = values[i];
    if (t < DIGITS) {
        offset[t] = offsets[t * blocks + blockIdx.x];
        begin[t] = begins[blockIdx.x * DIGITS + t];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; k++) {
        unsigned at = t + k * THREADS;
        unsigned digit = key[at] >> first & (DIGITS - 1);
        unsigned to = offset[digit] + at - begin[digit];
        keys_to[to] = key[at];
        values_to[to] = value[at];
    }
}
