// Sorting of many rows of keys with values by Batcher's bitonic network (1968). Comparisons of keys
// PIECE apart and more are done in global memory, all others in shared memory.

#define PIECE 1024
#define THREADS (PIECE / 2)

// Put two pairs in order; descending if `down`.
__device__ static void compare(unsigned *key_a, unsigned *value_a, unsigned *key_b,
                               unsigned *value_b, unsigned down)
{
    unsigned a = *key_a, b = *key_b, value = *value_a;

    if ((a > b) != down) {
        *key_a = b;
        *key_b = a;
        *value_a = *value_b;
        *value_b = value;
    }
}

// One step in shared memory: neighbours `stride` apart.
__device__ static void step(unsigned *keys, unsigned *values, unsigned stride, unsigned down)
{
    unsigned i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));

    __syncthreads();
    compare(&keys[i], &values[i], &keys[i + stride], &values[i + stride], down);
}

__device__ static void load(unsigned *keys, unsigned *values, const unsigned *from_keys,
                            const unsigned *from_values)
{
    unsigned t = threadIdx.x, i = blockIdx.x * PIECE + t;

    keys[t] = from_keys[i];
    values[t] = from_values[i];
    keys[t + THREADS] = from_keys[i + THREADS];
    values[t + THREADS] = from_values[i + THREADS];
}

__device__ static void store(unsigned *to_keys, unsigned *to_values, const unsigned *keys,
                             const unsigned *values)
{
    unsigned t = threadIdx.x, i = blockIdx.x * PIECE + t;

    __syncthreads();
    to_keys[i] = keys[t];
    to_values[i] = values[t];
    to_keys[i + THREADS] = keys[t + THREADS];
    to_values[i + THREADS] = values[t + THREADS];
}

// Rows of `length` <= PIECE keys, several in a block.
extern "C" __global__ void sort_rows(unsigned *to_keys, unsigned *to_values,
                                     const unsigned *from_keys, const unsigned *from_values,
                                     unsigned length)
{
    __shared__ unsigned keys[PIECE], values[PIECE];

    load(keys, values, from_keys, from_values);
#pragma unroll 1
    for (unsigned size = 2; size <= length; size <<= 1) {
        // Pieces of a row go up and down in turn, the row itself goes up.
        unsigned down = size < length && (threadIdx.x & (size / 2)) != 0;
#pragma unroll 1
        for (unsigned stride = size / 2; stride > 0; stride >>= 1)
            step(keys, values, stride, down);
    }
    store(to_keys, to_values, keys, values);
}

// Every piece of PIECE keys, up and down in turn.
extern "C" __global__ void sort_pieces(unsigned *to_keys, unsigned *to_values,
                                       const unsigned *from_keys, const unsigned *from_values)
{
    __shared__ unsigned keys[PIECE], values[PIECE];

    load(keys, values, from_keys, from_values);
#pragma unroll 1
    for (unsigned size = 2; size < PIECE; size <<= 1) {
        unsigned down = (threadIdx.x & (size / 2)) != 0;
#pragma unroll 1
        for (unsigned stride = size / 2; stride > 0; stride >>= 1)
            step(keys, values, stride, down);
    }
#pragma unroll 1
    for (unsigned stride = PIECE / 2; stride > 0; stride >>= 1)
        step(keys, values, stride, blockIdx.x & 1);
    store(to_keys, to_values, keys, values);
}

// One step of merging pieces of `size` keys in rows of `length`, in global memory.
extern "C" __global__ void merge_global(unsigned *keys, unsigned *values, unsigned length,
                                        unsigned size, unsigned stride)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned down = size < length && (t & (size / 2)) != 0;
    unsigned i = 2 * t - (t & (stride - 1));

    compare(&keys[i], &values[i], &keys[i + stride], &values[i + stride], down);
}

// The last steps of that, which stay within a piece.
extern "C" __global__ void merge_shared(unsigned *global_keys, unsigned *global_values,
                                        unsigned length, unsigned size)
{
    __shared__ unsigned keys[PIECE], values[PIECE];
    unsigned t = blockIdx.x * THREADS + threadIdx.x;
    unsigned down = size < length && (t & (size / 2)) != 0;

    load(keys, values, global_keys, global_values);
#pragma unroll 1
    for (unsigned stride = PIECE / 2; stride > 0; stride >>= 1)
        step(keys, values, stride, down);
    store(global_keys, global_values, keys, values);
}
