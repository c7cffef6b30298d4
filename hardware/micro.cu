// micro.cu - the kernels of measure.c: latencies, intervals, caches, bandwidths. They use clock64 only.
//
// micro.sm_75.ptx is made from this file: nvcc -ptx -arch=sm_75 -o hardware/micro.sm_75.ptx hardware/micro.cu
//
// In a chain, each instruction needs the result of the one before. Two registers take turns, so that no
// compiler can replace the chain by a product. Each warp writes how many cycles it needed for `rounds`
// rounds of 64 instructions; measure.c takes the difference between few and many rounds.
#include <stdint.h>

#define TWICE(x) x x
#define ROUND(x) TWICE(TWICE(TWICE(TWICE(TWICE(x))))) // 32 pairs

#define CHAIN(name, type, constraint, pair)                                                        \
    extern "C" __global__ void chain_##name(long long *cycles, type *sink, type a, type b, int rounds) \
    {                                                                                              \
        type c = b;                                                                                \
        long long start = clock64();                                                               \
        for (int i = 0; i < rounds; i++)                                                           \
            asm volatile(ROUND(pair) : "+" constraint(a), "+" constraint(b) : constraint(c));      \
        long long end = clock64();                                                                 \
        sink[threadIdx.x] = a + b;                                                                 \
        if (threadIdx.x % 32 == 0)                                                                 \
            cycles[threadIdx.x / 32] = end - start;                                                \
    }

#define TWO(op) op " %0, %0, %1;\n" op " %1, %1, %0;\n"
#define THREE(op) op " %0, %0, %1, %2;\n" op " %1, %1, %0, %2;\n"
#define ONE(op) op " %1, %0;\n" op " %0, %1;\n"

CHAIN(add_s32, int, "r", TWO("add.s32"))
CHAIN(max_s32, int, "r", "max.s32 %0, %0, %1;\nmin.s32 %1, %1, %0;\n")
CHAIN(shl_b32, int, "r", TWO("shl.b32"))
CHAIN(mul_s32, int, "r", TWO("mul.lo.s32"))
CHAIN(mad_s32, int, "r", THREE("mad.lo.s32"))
CHAIN(div_u32, int, "r", TWO("div.u32"))
// Of lanes that no compiler knows, because twice the same exchange would be none.
CHAIN(shfl_b32, int, "r", "shfl.sync.idx.b32 %0, %0, %1, 31, -1;\nshfl.sync.idx.b32 %1, %1, %0, 31, -1;\n")
CHAIN(add_f32, float, "f", TWO("add.f32"))
CHAIN(max_f32, float, "f", "max.f32 %0, %0, %1;\nmin.f32 %1, %1, %0;\n")
CHAIN(mul_f32, float, "f", TWO("mul.f32"))
CHAIN(fma_f32, float, "f", THREE("fma.rn.f32"))
CHAIN(div_f32, float, "f", TWO("div.full.f32"))
CHAIN(sin_f32, float, "f", ONE("sin.approx.f32"))
CHAIN(rcp_f32, float, "f", ONE("rcp.approx.f32"))
CHAIN(add_f64, double, "d", TWO("add.f64"))
CHAIN(mul_f64, double, "d", TWO("mul.f64"))
CHAIN(fma_f64, double, "d", THREE("fma.rn.f64"))

// A ring of words, each the offset of the next one in bytes, in shared memory.
extern "C" __global__ void chain_shared(long long *cycles, int *sink, int a, int b, int rounds)
{
    __shared__ int ring[1024];
    unsigned at = (unsigned)__cvta_generic_to_shared(ring), offset = at + 4 * threadIdx.x;

    for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
        ring[i] = (int)(at + 4 * ((i + 32) % 1024));
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < rounds; i++)
        asm volatile(ROUND("ld.shared.u32 %0, [%0];\nld.shared.u32 %0, [%0];\n") : "+r"(offset)::"memory");
    long long end = clock64();
    sink[threadIdx.x] = (int)offset + a + b;
    if (threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = end - start;
}

// Atomic additions to a word of each thread's own, each on the result of the one before.
extern "C" __global__ void chain_atom(long long *cycles, int *sink, int a, int b, int rounds)
{
    int *word = sink + threadIdx.x;

    long long start = clock64();
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < 64; k++)
            a = atomicAdd(word, a);
    long long end = clock64();
    sink[threadIdx.x + 1024] = a + b;
    if (threadIdx.x % 32 == 0)
        cycles[threadIdx.x / 32] = end - start;
}

// `ring` has `lines` lines of 128 bytes; the first word of each is the number of the next one. All
// threads read every line, so that caches hold what they can; then one thread goes along the ring.
extern "C" __global__ void chase(long long *cycles, unsigned *sink, const uint4 *ring, unsigned lines,
                                 unsigned steps)
{
    unsigned sum = 0, at = 0;

    for (unsigned i = threadIdx.x; i < lines; i += blockDim.x)
        sum += ring[8 * i].x;
    __syncthreads();
    if (threadIdx.x == 0) {
        long long start = clock64();
        for (unsigned i = 0; i < steps; i++)
            at = ring[8 * at].x;
        cycles[0] = clock64() - start;
    }
    sink[threadIdx.x] = sum + at;
}

// Neighbouring lanes load words that lie `stride` words apart. All warps load the same words, which the L1
// holds. `zero` is 0, which no compiler knows, so that it cannot replace many loads by one: one addition
// stands between two loads.
extern "C" __global__ void lanes(long long *cycles, unsigned *sink, const unsigned *from, unsigned stride,
                                 unsigned loads, long long zero)
{
    const unsigned *at = from + threadIdx.x % 32 * stride;
    unsigned sum = 0;

    for (int round = 0; round < 2; round++) { // the first one fills the cache
        long long start = clock64();
        for (unsigned i = 0; i < loads; i += 16) {
            unsigned got[16];
#pragma unroll
            for (int k = 0; k < 16; k++)
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(got[k]) : "l"(at += zero) : "memory");
#pragma unroll
            for (int k = 0; k < 16; k++)
                sum += got[k];
        }
        cycles[threadIdx.x / 32] = clock64() - start;
    }
    sink[threadIdx.x] = sum;
}

// Whole machine: sums, fills or copies `n` pieces of 16 bytes, `times` times over.
extern "C" __global__ void stream_read(uint4 *out, const uint4 *from, unsigned n, unsigned times)
{
    uint4 sum = {0, 0, 0, 0};

    for (unsigned k = 0; k < times; k++)
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            uint4 v = __ldcg(from + i);
            sum.x ^= v.x, sum.y ^= v.y, sum.z ^= v.z, sum.w ^= v.w;
        }
    if (sum.x == 0x12345678 && sum.y == 0x9abcdef0)
        out[0] = sum;
}
extern "C" __global__ void stream_write(uint4 *out, const uint4 *from, unsigned n, unsigned times)
{
    uint4 v = {times, n, 1, 2};

    for (unsigned k = 0; k < times; k++)
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            out[i] = v;
}
extern "C" __global__ void stream_copy(uint4 *out, const uint4 *from, unsigned n, unsigned times)
{
    for (unsigned k = 0; k < times; k++)
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            out[i] = from[i];
}

// Spins for about `cycles`; how long that took in time gives the clock.
extern "C" __global__ void spin(long long *took, long long cycles)
{
    long long start = clock64(), now;

    do
        now = clock64();
    while (now - start < cycles);
    took[0] = now - start;
}
extern "C" __global__ void nothing() {}
