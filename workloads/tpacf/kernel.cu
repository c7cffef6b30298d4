// Two-point angular correlation: how many pairs of points on a sphere are how far apart. There is one
// set of observed points and `sets` of random ones. Block 0 counts the pairs within the observed set,
// the next `sets` blocks those within a random set each, and the last ones those between the observed
// set and a random one. The cosine of the angle between two points says in which bin a pair is.

#define THREADS 256
#define BINS 20
#define HISTOGRAMS (THREADS / 2) // of a block; two threads add to one

extern "C" {
__constant__ float edges[BINS + 1]; // cosines, falling: bin i is from edges[i + 1] to below edges[i]
}

// The bin if there is one: the last edge that is greater.
__device__ static int search(float cosine)
{
    int low = 0, high = BINS;

#pragma unroll 1
    while (high > low + 1) {
        int middle = (low + high) / 2;
        if (cosine >= edges[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

// All histograms to the first, by halves.
__device__ static void merge(unsigned counts[BINS][HISTOGRAMS])
{
    int column = threadIdx.x % (HISTOGRAMS / 2), row = threadIdx.x / (HISTOGRAMS / 2);

#pragma unroll 1
    for (int half = HISTOGRAMS / 2; half > 0; half /= 2)
#pragma unroll 1
        for (int first = 0; first < BINS; first += THREADS / (HISTOGRAMS / 2)) {
            __syncthreads();
            if (column < half && first + row < BINS)
                counts[first + row][column] += counts[first + row][column + half];
        }
    __syncthreads();
}

extern "C" __global__ void gen_hists(unsigned *to, const float *all_x, const float *all_y,
                                     const float *all_z, int sets, int n)
{
    __shared__ float near_x[THREADS], near_y[THREADS], near_z[THREADS];
    __shared__ unsigned counts[BINS][HISTOGRAMS];
    int t = threadIdx.x, block = blockIdx.x;
    bool within = block <= sets;
    int others = n * (within ? block : block - sets), ours = within ? others : 0;

    for (int i = t; i < BINS * HISTOGRAMS; i += THREADS)
        counts[i / HISTOGRAMS][i % HISTOGRAMS] = 0;
#pragma unroll 1
    for (int first = 0; first < n; first += THREADS) {
        __syncthreads();
        if (first + t < n) {
            near_x[t] = all_x[ours + first + t];
            near_y[t] = all_y[ours + first + t];
            near_z[t] = all_z[ours + first + t];
        }
        __syncthreads();
        int near = min(THREADS, n - first);
#pragma unroll 1
        for (int i = (within ? first : 0) + t; i - t < n; i += THREADS) {
            float x = 0, y = 0, z = 0;
            if (i < n) {
                x = all_x[others + i];
                y = all_y[others + i];
                z = all_z[others + i];
            }
#pragma unroll 1
            for (int k = 0; k < near; k++) {
                float cosine = near_x[k] * x + near_y[k] * y + near_z[k] * z;
                int bin = search(cosine);
                if (cosine < edges[bin] && cosine >= edges[bin + 1] && i < n &&
                    (!within || i > first + k))
                    atomicAdd(&counts[bin][t / 2], 1u);
            }
        }
    }
    merge(counts);
    if (t < BINS)
        to[block * BINS + t] = counts[t][0];
}
