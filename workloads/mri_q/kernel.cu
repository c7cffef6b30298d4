// A part of making a picture from non-Cartesian magnetic resonance samples: the matrix Q, for each point
// the sum over all samples of their squared magnitude times exp(2 pi i k x). Samples are in constant
// memory, as many at a time as fit.

#define SAMPLES 1024 // in constant memory
#define TWO_PI 6.2831853071795864769f

struct sample {
    float x, y, z, magnitude;
};
extern "C" {
__constant__ struct sample samples[SAMPLES];
}

extern "C" __global__ void ComputePhiMag(const float *re, const float *im, float *magnitude, int n)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n) {
        float a = re[i], b = im[i];
        magnitude[i] = a * a + b * b;
    }
}

struct point {
    float x, y, z, re, im;
};

__device__ static void add(struct point *p, int i)
{
    float angle = TWO_PI * (samples[i].x * p->x + samples[i].y * p->y + samples[i].z * p->z);

    p->re += samples[i].magnitude * __cosf(angle);
    p->im += samples[i].magnitude * __sinf(angle);
}

// Add the first n samples of constant memory to the sums. The loop is unrolled by hand, once.
extern "C" __global__ void ComputeQ(int n, const float *x, const float *y, const float *z, float *re,
                                    float *im)
{
    int here = (int)(blockIdx.x * blockDim.x + threadIdx.x), i = n & 1;
    struct point p = {x[here], y[here], z[here], re[here], im[here]};

    if (i)
        add(&p, 0);
#pragma unroll 1
    for (; i < n; i += 2) {
        add(&p, i);
        add(&p, i + 1);
    }
    re[here] = p.re;
    im[here] = p.im;
}
