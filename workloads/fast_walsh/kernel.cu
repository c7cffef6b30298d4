// Dyadic convolution: two rows of numbers through the Walsh-Hadamard transform, multiplied element by
// element, and back. Steps far apart are done in global memory, two at a time; those within a piece
// of PIECE numbers in shared memory.

#define PIECE 2048
#define PIECE_THREADS (PIECE / 4)

struct four {
    float a, b, c, d;
};

// Two steps of the transform of four numbers.
__device__ static struct four twice(float a, float b, float c, float d)
{
    float ac = a + c, bd = b + d, a_c = a - c, b_d = b - d;

    return {ac + bd, ac - bd, a_c + b_d, a_c - b_d};
}

// The steps of distances 2 * stride and stride; `stride` is a power of two, a thread has four numbers.
extern "C" __global__ void far_steps(float *data, unsigned stride)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, low = t & (stride - 1);
    float *p = data + ((t - low) << 2) + low;
    struct four r = twice(p[0], p[stride], p[2 * stride], p[3 * stride]);

    p[0] = r.a;
    p[stride] = r.b;
    p[2 * stride] = r.c;
    p[3 * stride] = r.d;
}

// All steps within a piece of 2^log2 numbers, at most PIECE; blocks of 2^log2 / 4 threads. An odd
// number of steps leaves one of distance 1 to the end.
extern "C" __global__ void near_steps(float *data, unsigned log2)
{
    __shared__ float piece[PIECE];
    unsigned n = 1u << log2, t = threadIdx.x, threads = n / 4;
    float *from = data + blockIdx.x * n;

    for (unsigned i = t; i < n; i += threads)
        piece[i] = from[i];
#pragma unroll 1
    for (unsigned stride = threads; stride > 0; stride >>= 2) {
        unsigned low = t & (stride - 1);
        float *p = piece + ((t - low) << 2) + low;

        __syncthreads();
        struct four r = twice(p[0], p[stride], p[2 * stride], p[3 * stride]);
        p[0] = r.a;
        p[stride] = r.b;
        p[2 * stride] = r.c;
        p[3 * stride] = r.d;
    }
    if (log2 & 1) {
        __syncthreads();
        for (unsigned i = t; i < n / 2; i += threads) {
            float a = piece[2 * i], b = piece[2 * i + 1];
            piece[2 * i] = a + b;
            piece[2 * i + 1] = a - b;
        }
    }
    __syncthreads();
    for (unsigned i = t; i < n; i += threads)
        from[i] = piece[i];
}

// a = a * b / n
extern "C" __global__ void modulate(float *a, const float *b, unsigned n)
{
    float scale = 1.0f / (float)n;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        a[i] *= b[i] * scale;
}
