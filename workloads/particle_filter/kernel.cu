// A particle filter follows a bright disk through a video. In each frame every particle moves as the disk is
// expected to, with a random error; it weighs more the more the pixels around it look like the disk;
// and as many particles as before are drawn from them by weight. One thread per particle.

#include "../anew.h"

#define THREADS 512
#define BACKGROUND 100
#define FOREGROUND 228
#define TWO_PI 6.28318530717958648f

// The next number of a particle's own linear congruential generator, in [0, 1].
__device__ static float uniform(int seed)
{
    return fabsf(seed / 2147483647.0f);
}

__device__ static int after(int seed)
{
    return (int)(1103515245u * (unsigned)seed + 12345u) % 2147483647;
}

// Normally distributed, by Box and Muller's method.
__device__ static float normal(int *seeds, int i)
{
    seeds[i] = after(seeds[i]);
    float u = uniform(seeds[i]);
    seeds[i] = after(seeds[i]);
    float v = uniform(seeds[i]);
    return sqrtf(-2 * logf(u)) * cosf(TWO_PI * v);
}

// Particles move and are weighed. `disk` has the row and column of each of its points, counted from the
// middle; places[i * points + k] is the pixel of the k-th for particle i. sums[block]: the weights of
// its particles.
extern "C" __global__ void likelihood(float *x, float *y, const float *drawn_x,
                                      const float *drawn_y, int *places, const int *disk,
                                      float *likelihoods, const unsigned char *video,
                                      float *weights, int particles, int points, int pixels,
                                      int frame, int height, int frames, int *seeds, float *sums)
{
    __shared__ float sum[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;

    if (i < particles) {
        x[i] = drawn_x[i];
        y[i] = drawn_y[i];
        weights[i] = 1.0f / particles;
        x[i] = x[i] + 1 + 5 * normal(seeds, i);
        y[i] = y[i] - 2 + 2 * normal(seeds, i);
    }
    __syncthreads();
    if (i < particles) {
        float likely = 0;
#pragma unroll 1
        for (int k = 0; k < points; k++) {
            int column = (int)x[i] + disk[2 * k + 1], row = (int)y[i] + disk[2 * k];
            int place = abs(column * height * frames + row * frames + frame);
            places[i * points + k] = place < pixels ? place : 0;
        }
#pragma unroll 1
        for (int k = 0; k < points; k++) {
            float pixel = video[places[i * points + k]];
            float back = pixel - BACKGROUND, fore = pixel - FOREGROUND;
            likely += (back * back - fore * fore) / 1000;
        }
        likelihoods[i] = likely / points;
        weights[i] = weights[i] * expf(likelihoods[i]);
    }
    sum[t] = 0;
    __syncthreads();
    if (i < particles)
        sum[t] = weights[i];
    __syncthreads();
#pragma unroll 1
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = sum[0];
}

// sums[0]: all weights. One thread works.
extern "C" __global__ void sum(float *sums, int particles)
{
    if (blockIdx.x * THREADS + threadIdx.x == 0) {
        int blocks = (particles + THREADS - 1) / THREADS;
        float all = 0;
#pragma unroll 1
        for (int i = 0; i < blocks; i++)
            all += sums[i];
        sums[0] = all;
    }
}

// Weights as shares of all, their running sum, by one thread, and the numbers at which particles are drawn:
// evenly spaced, from a random one on.
extern "C" __global__ void normalize_weight(const float *weights, float *shares, int particles,
                                            const float *sums, float *running, float *draws,
                                            const int *seeds)
{
    __shared__ float all, start;
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (threadIdx.x == 0) {
        all = sums[0];
        start = uniform(after(seeds[0])) / particles;
    }
    __syncthreads();
    if (i < particles)
        shares[i] = weights[i] / all;
    __syncthreads();
    if (i == 0) {
        running[0] = weights[0] / all;
#pragma unroll 1
        for (int k = 1; k < particles; k++) {
            forget(); // the last sum
            running[k] = weights[k] / all + running[k - 1];
        }
    }
    if (i < particles)
        draws[i] = start + i / (float)particles;
}

// The particle that each draw hits: the first with a running sum that is not below it.
extern "C" __global__ void find_index(const float *x, const float *y, const float *running,
                                      const float *draws, float *drawn_x, float *drawn_y,
                                      int particles)
{
    int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < particles) {
        int hit = particles - 1;
#pragma unroll 1
        for (int k = 0; k < particles; k++)
            if (running[k] >= draws[i]) {
                hit = k;
                break;
            }
        drawn_x[i] = x[hit];
        drawn_y[i] = y[hit];
    }
}
