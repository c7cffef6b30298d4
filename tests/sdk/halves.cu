// halves.cu - half precision: a double becomes a half by one rounding, in kernels and on the host;
// comparisons of single values and of pairs, ordered or not; steps; loads and stores that name a cache.
#include <cuda_fp16.h>

#include "check.h"

#include <cassert>
#include <cstring>

struct conversion {
    double from;
    unsigned short to;
};
// Just above and below the middle of two halves, at the ends of the range, and exact ones.
static const conversion conversions[] = {
    {0x1.002p0 + 0x1p-40, 0x3c01},     {0x1.002p0, 0x3c00},      {0x1.002p0 - 0x1p-40, 0x3c00},
    {0x1.006p0 - 0x1p-50, 0x3c01},     {-0x1.006p0, 0xbc02},     {0x1.ffdfffffffp15, 0x7bff},
    {0x1.ffep15, 0x7c00},              {-1e300, 0xfc00},         {0x1p-25 + 0x1p-60, 0x0001},
    {0x1p-25, 0x0000},                 {-0x1p-25, 0x8000},       {1e-300, 0x0000},
    {0x1.ff8p-15 - 0x1p-60, 0x03ff},   {0x1.ffcp-15, 0x0400},    {0x1.8p-24 - 0x1p-70, 0x0001},
    {0.1, 0x2e66},
};
#define CONVERSIONS (int)(sizeof conversions / sizeof *conversions)

__global__ void convert(const double *from, unsigned short *to)
{
    to[2 * threadIdx.x] = __half_as_ushort(__double2half(from[threadIdx.x]));
    to[2 * threadIdx.x + 1] = __half_as_ushort(__half(from[threadIdx.x]));
}

static void doubles()
{
    shared<double> from(CONVERSIONS);
    shared<unsigned short> to(2 * CONVERSIONS);

    for (int i = 0; i < CONVERSIONS; i++)
        from[i] = conversions[i].from;
    convert<<<1, CONVERSIONS>>>(from, to);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < CONVERSIONS; i++) {
        unsigned short bits[2];
        __half made(from[i]), converted = __double2half(from[i]);
        memcpy(bits, &made, 2);
        memcpy(bits + 1, &converted, 2);
        TRUE(to[2 * i] == conversions[i].to && to[2 * i + 1] == conversions[i].to);
        TRUE(bits[0] == conversions[i].to && bits[1] == conversions[i].to);
    }
}

// One bit for each comparison that holds.
template <class H> static __device__ int comparisons(const H *v)
{
    int at = 1, bits = 0;

#define BIT(what) bits |= (what) ? at : 0, at *= 2
    BIT(v[0] == v[1]);
    BIT(v[0] != v[1]);
    BIT(v[0] < v[1]);
    BIT(v[0] <= v[1]);
    BIT(v[0] > v[1]);
    BIT(v[0] >= v[1]);
    return bits;
}
static __device__ int by_name(__half2 a, __half2 b)
{
    int at = 64, bits = 0;

#define NAMED(name)                                                                                \
    bits |= __hb##name##2(a, b) ? at : 0, at *= 2;                                                 \
    bits |= __low2float(__h##name##2(a, b)) == 1 ? at : 0, at *= 2
    NAMED(ne);
    NAMED(equ);
    NAMED(neu);
    NAMED(ltu);
    NAMED(leu);
    NAMED(gtu);
    NAMED(geu);
    bits |= __low2float(__hisnan2(a)) == 1 ? at : 0;
    return bits;
}

__global__ void compare(const __half *single, const __half2 *pair, int *out)
{
    int i = threadIdx.x;

    out[2 * i] = comparisons(single + 2 * i);
    out[2 * i + 1] = comparisons(pair + 2 * i) | by_name(pair[2 * i], pair[2 * i + 1]);
}

static void compared()
{
    const float nan = __builtin_nanf("");
    const float pairs[][2] = {{1, 2}, {2, 2}, {3, 2}, {nan, 2}, {0, -0.0f}};
    const int n = sizeof pairs / sizeof *pairs;
    shared<__half> single(2 * n);
    shared<__half2> pair(2 * n);
    shared<int> out(2 * n);

    for (int i = 0; i < 2 * n; i++) {
        single[i] = __half(pairs[i / 2][i % 2]);
        pair[i] = __halves2half2(single[i], __half(4.0f));
    }
    compare<<<1, n>>>(single, pair, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        float a = pairs[i][0], b = pairs[i][1];
        bool none = a != a || b != b;
        int bits = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5, at = 64;
        TRUE(out[2 * i] == bits);
        // The second halves are equal: both differ never.
        int both = (a == b) | (a <= b) << 3 | (a >= b) << 5;
        const bool first[] = {!none && a != b, none || a == b, a != b, none || a < b, none || a <= b, none || a > b,
                              none || a >= b};
        const bool second[] = {false, true, false, false, true, false, true};
        for (int k = 0; k < 7; k++) {
            both |= first[k] && second[k] ? at : 0;
            both |= first[k] ? 2 * at : 0;
            at *= 4;
        }
        both |= a != a ? at : 0;
        TRUE(out[2 * i + 1] == both);
    }
}

__global__ void memory(__half *single, __half2 *pair)
{
    __half h = __ldcg(single);
    __half2 p = __ldcs(pair);

    h++;
    assert(__half2float(h++) == 3 && __half2float(h) == 4);
    --p;
    __stcs(single, h);
    __stcg(pair, p);
    __stwt(single + 1, __ldca(single + 1) + __ldcv(single + 1) + __ldlu(single + 1));
    __stwb(pair + 1, +p);
#if __CUDA_ARCH__ >= 800
    assert(__hisnan(__hmax_nan(h, __ushort_as_half(0x7fff))) && __half2float(__hmin_nan(h, h)) == 4);
    assert(__low2float(__hmax2_nan(p, __half2half2(h))) == 6);
#endif
}

static void stepped()
{
    shared<__half> single(2);
    shared<__half2> pair(2);

    single[0] = 2, single[1] = 5;
    pair[0] = __floats2half2_rn(7, 8);
    memory<<<1, 1>>>(single, pair);
    OK(cudaDeviceSynchronize());
    TRUE(__half2float(single[0]) == 4 && __half2float(single[1]) == 15);
    TRUE(__low2float(pair[0]) == 6 && __high2float(pair[1]) == 7);
}

int main()
{
    doubles();
    compared();
    stepped();
    return ended();
}
