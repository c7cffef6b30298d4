// Merge sort of keys with values (after Satish, Harris, Garland 2009): pieces in shared memory, then
// merges of pairs of sorted runs. A merge takes a sample of both runs, finds where every one of the
// sample belongs in either run, and merges the intervals between, each in a block of its own.

#define PIECE 1024
#define PIECE_THREADS (PIECE / 2)
#define SAMPLE 128 // each so many-th key is in the sample

// How many of `n` sorted keys are below `key`; with `equal` those that are equal too. `top` is the
// smallest power of two that is not below n.
__device__ static unsigned rank(unsigned key, const unsigned *keys, unsigned n, unsigned top,
                                bool equal)
{
    unsigned at = 0;

    if (n == 0)
        return 0;
#pragma unroll 1
    for (unsigned stride = top; stride > 0; stride >>= 1) {
        unsigned next = min((int)(at + stride), (int)n);
        if (keys[next - 1] < key || (equal && keys[next - 1] == key))
            at = next;
    }
    return at;
}

__device__ static unsigned power_above(unsigned n)
{
    return n <= 1 ? n : 1u << (32 - __clz((int)(n - 1)));
}

// Sort each piece: every thread finds the place of one key of each half in the other half.
extern "C" __global__ void sort_pieces(unsigned *to_keys, unsigned *to_values,
                                       const unsigned *from_keys, const unsigned *from_values)
{
    __shared__ unsigned keys[PIECE], values[PIECE];
    unsigned t = threadIdx.x, i = blockIdx.x * PIECE + t;

    keys[t] = from_keys[i];
    values[t] = from_values[i];
    keys[t + PIECE_THREADS] = from_keys[i + PIECE_THREADS];
    values[t + PIECE_THREADS] = from_values[i + PIECE_THREADS];
#pragma unroll 1
    for (unsigned run = 1; run < PIECE; run <<= 1) {
        unsigned own = t & (run - 1), *pair = keys + 2 * (t - own), *pair_values = values + 2 * (t - own);
        __syncthreads();
        unsigned a = pair[own], value_a = pair_values[own];
        unsigned b = pair[run + own], value_b = pair_values[run + own];
        unsigned to_a = own + rank(a, pair + run, run, run, false);
        unsigned to_b = own + rank(b, pair, run, run, true);
        __syncthreads();
        pair[to_a] = a;
        pair_values[to_a] = value_a;
        pair[to_b] = b;
        pair_values[to_b] = value_b;
    }
    __syncthreads();
    to_keys[i] = keys[t];
    to_values[i] = values[t];
    to_keys[i + PIECE_THREADS] = keys[t + PIECE_THREADS];
    to_values[i + PIECE_THREADS] = values[t + PIECE_THREADS];
}

// Runs of `run` keys lie in pairs, and a pair has run / SAMPLE samples in each half. Thread by thread, a
// sample of the first run and one of the second: how many keys of either run come before it.
extern "C" __global__ void sample_ranks(unsigned *ranks_a, unsigned *ranks_b, const unsigned *keys,
                                        unsigned run)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, samples = run / SAMPLE;
    unsigned i = t & (samples - 1), pair = (t - i) * 2; // first sample of the pair
    const unsigned *a = keys + pair * SAMPLE, *b = a + run;

    ranks_a[pair + i] = i * SAMPLE;
    ranks_b[pair + i] = rank(a[i * SAMPLE], b, run, run, false);
    ranks_b[pair + samples + i] = i * SAMPLE;
    ranks_a[pair + samples + i] = rank(b[i * SAMPLE], a, run, run, true);
}

// The ranks of a pair's samples in ascending order: where intervals begin. Both halves are in order; a
// sample's place is its own number and how many of the other half are not behind it.
extern "C" __global__ void merge_ranks(unsigned *limits, const unsigned *ranks, unsigned run)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, samples = run / SAMPLE;
    unsigned i = t & (samples - 1), pair = (t - i) * 2;
    const unsigned *a = ranks + pair, *b = a + samples;

    limits[pair + i + rank(a[i], b, samples, samples, false)] = a[i];
    limits[pair + i + rank(b[i], a, samples, samples, true)] = b[i];
}

// Interval by interval: at most SAMPLE keys of each run, brought to shared memory, ranked and stored.
extern "C" __global__ void merge_intervals(unsigned *to_keys, unsigned *to_values,
                                           const unsigned *from_keys, const unsigned *from_values,
                                           const unsigned *limits_a, const unsigned *limits_b,
                                           unsigned run)
{
    __shared__ unsigned keys[2 * SAMPLE], values[2 * SAMPLE];
    __shared__ unsigned start_a, start_b, n_a, n_b;
    unsigned t = threadIdx.x, intervals = 2 * run / SAMPLE;
    unsigned i = blockIdx.x & (intervals - 1), base = (blockIdx.x - i) * SAMPLE;
    unsigned to_a = 0, to_b = 0;

    if (t == 0) {
        bool last = i == intervals - 1;
        start_a = limits_a[blockIdx.x];
        start_b = limits_b[blockIdx.x];
        n_a = (last ? run : limits_a[blockIdx.x + 1]) - start_a;
        n_b = (last ? run : limits_b[blockIdx.x + 1]) - start_b;
    }
    __syncthreads();
    if (t < n_a) {
        keys[t] = from_keys[base + start_a + t];
        values[t] = from_values[base + start_a + t];
    }
    if (t < n_b) {
        keys[SAMPLE + t] = from_keys[base + run + start_b + t];
        values[SAMPLE + t] = from_values[base + run + start_b + t];
    }
    __syncthreads();
    if (t < n_a)
        to_a = start_a + start_b + t + rank(keys[t], keys + SAMPLE, n_b, power_above(n_b), false);
    if (t < n_b)
        to_b = start_a + start_b + t + rank(keys[SAMPLE + t], keys, n_a, power_above(n_a), true);
    if (t < n_a) {
        to_keys[base + to_a] = keys[t];
        to_values[base + to_a] = values[t];
    }
    if (t < n_b) {
        to_keys[base + to_b] = keys[SAMPLE + t];
        to_values[base + to_b] = values[SAMPLE + t];
    }
}
