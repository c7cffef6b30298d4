// Forces between particles in boxes: each particle feels those of its own box and of the boxes around it, with
// a potential that falls off like exp(-a2 * distance^2). A block has a box, a thread a particle. The sums of
// forces stay in global memory, in the innermost loop too.

#include "../anew.h"

#define THREADS 128
#define PARTICLES 100 // of a box
#define NEIGHBOURS 26

struct particle {
    double v, x, y, z; // v: half the square of (x, y, z), so that distances need one product
};
struct box {
    int first; // of its particles
    int neighbours, neighbour[NEIGHBOURS];
};

// e^x for |x| < 700, within 1e-14: 2^k for the nearest k, times a polynomial for the rest.
__device__ static inline double exponential(double x)
{
    union {
        double value;
        int word[2];
    } k, power;
    const double round = 6755399441055744.0; // 1.5 * 2^52: the sum's lower word is k

    k.value = x * 1.4426950408889634 + round;
    double whole = k.value - round;
    double r = (x - whole * 6.93147180369123816490e-01) - whole * 1.90821492927058770002e-10;
    double sum = 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 0.5;
    sum = sum * r + 1;
    sum = sum * r + 1;
    power.word[0] = 0;
    power.word[1] = (k.word[0] + 1023) << 20;
    return sum * power.value;
}

extern "C" __global__ void kernel_gpu_cuda(double alpha, int n_boxes, const struct box *boxes,
                                           const struct particle *particles, const double *charges,
                                           struct particle *forces)
{
    __shared__ struct particle own[PARTICLES], other[PARTICLES];
    __shared__ double charge[PARTICLES];
    const struct box *home = &boxes[blockIdx.x];
    double a2 = 2 * alpha * alpha;

    if (blockIdx.x >= n_boxes)
        return;
    int first = home->first;
    const struct particle *from = &particles[first + threadIdx.x];
    for (int i = threadIdx.x; i < PARTICLES; i = anew(i + THREADS), from += THREADS)
        own[i] = *from;
    __syncthreads();
#pragma unroll 1
    for (int n = 0; n < 1 + home->neighbours; n++) {
        const struct box *near = n ? &boxes[home->neighbour[n - 1]] : home;
        int first_near = near->first;
        const double *from_charge = &charges[first_near + threadIdx.x];
        from = &particles[first_near + threadIdx.x];
        for (int i = threadIdx.x; i < PARTICLES; i = anew(i + THREADS)) {
            other[i] = *from;
            charge[i] = *from_charge;
            from += THREADS;
            from_charge += THREADS;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < PARTICLES; i = anew(i + THREADS)) {
            struct particle *force = &forces[first + i];
#pragma unroll 1
            for (int k = 0; k < PARTICLES; k++) {
                forget();
                double dot = own[i].x * other[k].x + own[i].y * other[k].y + own[i].z * other[k].z;
                double u = exponential(-a2 * (own[i].v + other[k].v - dot));
                double strength = 2 * u;
                force->v += charge[k] * u;
                force->x += charge[k] * (strength * (own[i].x - other[k].x));
                force->y += charge[k] * (strength * (own[i].y - other[k].y));
                force->z += charge[k] * (strength * (own[i].z - other[k].z));
            }
        }
        __syncthreads();
    }
}
