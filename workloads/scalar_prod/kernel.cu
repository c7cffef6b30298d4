// Scalar products of pairs of vectors. A block takes every gridDim.x-th pair: each of SLOTS partial
// sums gathers every SLOTS-th product, then halves of the slots are added up until one is left.

#define SLOTS 1024
#define THREADS 256

extern "C" __global__ void scalar_prod(const float *a, const float *b, float *products, int pairs,
                                       int length)
{
    __shared__ float sums[SLOTS];

    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        int end = (pair + 1) * length;
#pragma unroll 1
        for (int slot = threadIdx.x; slot < SLOTS; slot += THREADS) {
            float sum = 0;
#pragma unroll 1
            for (int i = pair * length + slot; i < end; i += SLOTS)
                sum += a[i] * b[i];
            sums[slot] = sum;
        }
        for (int left = SLOTS / 2; left > 0; left /= 2) {
            __syncthreads();
            for (int slot = threadIdx.x; slot < left; slot += THREADS)
                sums[slot] += sums[slot + left];
        }
        // No barrier: only the first warp still needs slots, 0 and 1, and only it writes them next.
        if (threadIdx.x == 0)
            products[pair] = sums[0];
    }
}
