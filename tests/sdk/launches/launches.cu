// launches.cu - kernels that launch kernels, in all the ways in which a launch can be written. Built
// with -rdc=true by `heddle cc`, and by nvcc where it is.
#include "../check.h"

#include <climits>

struct mixed {
    char c;
    double d;
    short s[3];
};
struct __align__(16) wide {
    int v[4];
};

__device__ int sums[64];
__device__ int errors[64];

__device__ void note(int place, int value)
{
    atomicAdd(&sums[place], value);
}

extern "C" __global__ void plain(int place, int value)
{
    note(place, value);
}

// --- spaces, templates, overloads

namespace outer
{
namespace inner
{
__global__ void add(int place, float value)
{
    note(place, (int)value);
}
template <class T, int N = 3, class = void> __global__ void many(const T *v, size_t n, int place = 60)
{
    int sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (int)(v[i] * N);
    note(place, sum);
}
} // namespace inner
using inner::many;
} // namespace outer

__global__ void over(int place)
{
    note(place, 1);
}
__global__ void over(int place, float value)
{
    note(place, (int)(value * 10));
}
template <class... Values> __global__ void all_of(int place, Values... values)
{
    int sum = 0, each[] = {(int)values...};
    for (int v : each)
        sum += v;
    note(place, sum);
}
template <void (*Kernel)(int, int)> __global__ void by_name(int place)
{
    Kernel<<<1, 1>>>(place, 9);
}
template <int N> __global__ void countdown(int place)
{
    note(place, N);
    if (N > 0)
        countdown<(N > 0) ? N - 1 : 0><<<1, 1>>>(place);
}

// --- parameters

__global__ void take(int place, char c, mixed m, float f, wide w, bool b, const int *p, short s, double d)
{
    note(place, (int)(c + m.c + m.d + m.s[0] + m.s[1] + m.s[2] + f + w.v[0] + w.v[3] + b + *p + s + d));
}

// --- itself, before its end

__global__ void chain(int place, int depth)
{
    note(place, 1);
    if (depth > 0)
        chain<<<1, dim3(2)>>>(place, depth - 2);
}

// --- from where

#define LAUNCH(kernel, grid, block) kernel<<<grid, block>>>

__device__ void helper(int place)
{
    outer::inner::add<<<1, 1>>>(place, 7);
}
__host__ __device__ void both(int place)
{
    plain<<<1, 1>>>(place, 3);
}
template <class T> __device__ void generic(const T *v)
{
    outer::many<T><<<1, 1>>>(v, 2, 20);
    outer::many<<<1, 1>>>(v, 2u, 21);
    outer::inner::template many<T, 1><<<1, 1>>>(v, 2, 22);
}
struct object {
    int place;
    __device__ explicit object(int p) : place{p} { plain<<<1, 1>>>(place, 5); }
    __device__ void launch() const { plain<<<1, 1>>>(place, 6); }
};

__global__ void places(const float *v, const int *hundred)
{
    const char *text = "plain<<<1, 1>>>(0, 1)"; // and plain<<<1, 1>>>(0, 1)
    int one = 1;
    mixed m = {1, 2.0, {3, 4, 5}};
    wide w = {{10, 0, 0, 20}};

    note(0, text[5] == '<');
    plain<<<1, 1>>>(1, 5);
    plain<<<one << 0, one, 0>>>(1, 3.9f);
    ::outer::inner::add<<<dim3(1, 1), uint3{1, 1, 1}, 64 >> 1>>>(2, 6.9);
    over<<<1, 1>>>(3);
    over<<<1, 1>>>(4, 2.5);
    all_of<<<1, 1>>>(5, 1, 2.5f, 'a', 4ull);
    by_name<plain><<<1, 1>>>(6);
    countdown<4><<<1, 1>>>(7);
    take<<<1, 1>>>(8, '\1', m, 2, w, 7, hundred, -3L, 4);
    chain<<<1, 1>>>(9, 4);
    helper(10);
    both(11);
    generic(v);
    object(12).launch();
    auto lambda = [=](int value) { plain<<<1, 1>>>(13, value); };
    lambda(10);
    LAUNCH(plain, 1, 1)(14, 20);
    outer::inner::add<<<
        1,
        2>>>(15,
             6.9);
    for (int i = 0; i < 3; i++)
        if (i > 0)
            plain<<<1, i>>>(16, i);
        else
            plain<<<1, 1>>>(17, i + 1);
}

// Lane 0 alone writes what all lanes read by the shuffle.
__global__ void from_one_lane(int place)
{
    int first;
    if (threadIdx.x % 32 == 0)
        first = atomicAdd(&sums[place], 5);
    first = __shfl_sync(0xffffffffu, first, 0);
    note(place + 1, first);
}

// --- the device's runtime

__global__ void in_streams()
{
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaFuncAttributes f;
    int n = 0, value = -1;
    void *p;

    errors[n++] = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    errors[n++] = cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    errors[n++] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    plain<<<1, 1, 0, a>>>(30, 1);
    errors[n++] = cudaEventRecord(e, a);
    errors[n++] = cudaStreamWaitEvent(b, e, 0);
    plain<<<1, 1, 0, b>>>(31, 1);
    errors[n++] = cudaMemsetAsync(&sums[32], 1, 8, b);
    errors[n++] = cudaMemcpyAsync(&sums[34], &sums[32], 8, cudaMemcpyDeviceToDevice, b);
    errors[n++] = cudaEventDestroy(e);
    errors[n++] = cudaStreamDestroy(a);
    errors[n++] = cudaStreamDestroy(b);
    errors[n++] = cudaGetDevice(&value) + value;
    errors[n++] = cudaFuncGetAttributes(&f, plain);
    errors[n++] = cudaFuncGetAttributes(&f, (const void *)countdown<2>);
    errors[n++] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, &outer::inner::add, 32, 0);
    errors[n++] = cudaMalloc(&p, 64);
    errors[n++] = cudaFree(p);
    errors[n++] = cudaGetLastError();
    plain<<<1, 5000>>>(36, 1);
    errors[n++] = cudaPeekAtLastError() - cudaErrorInvalidConfiguration;
    errors[n++] = cudaGetErrorName(cudaGetLastError())[9] - 'I';
    plain<<<0, 1>>>(36, 1);
    errors[n++] = cudaGetLastError() - cudaErrorInvalidConfiguration;
    errors[n] = -1;
    plain<<<1, 1, 0, cudaStreamTailLaunch>>>(37, 1);
    plain<<<1, 1, 0, cudaStreamFireAndForget>>>(38, 1);
}

// --- waiting for children, as until CUDA 11

#if CUDART_VERSION < 12000
__global__ void waits()
{
    chain<<<2, 2>>>(40, 4);
    errors[0] = cudaDeviceSynchronize();
    sums[41] = sums[40];
}
#endif

static int expected[64];

int main()
{
    shared<float> v(2);
    shared<int> hundred(1);
    int got[64], failed[64];

    v.at[0] = 1.5f;
    v.at[1] = 2.5f;
    hundred.at[0] = 100;
    expected[0] = 1, expected[1] = 8, expected[2] = 6, expected[3] = 1, expected[4] = 25;
    expected[5] = 1 + 2 + 'a' + 4, expected[6] = 9, expected[7] = 10;
    expected[8] = 1 + 1 + 2 + 3 + 4 + 5 + 2 + 10 + 20 + 1 + 100 - 3 + 4;
    expected[9] = 1 + 2 + 4, expected[10] = 7, expected[11] = 3, expected[12] = 11, expected[13] = 10;
    expected[14] = 20, expected[15] = 12, expected[16] = 1 + 2 + 2, expected[17] = 1;
    expected[20] = expected[21] = 4 + 7, expected[22] = 1 + 2;
    expected[50] = 5;
    expected[30] = expected[31] = expected[37] = expected[38] = 1;
    for (int i = 32; i < 36; i++)
        expected[i] = 0x01010101;

    places<<<1, 1>>>(v.at, hundred.at);
    from_one_lane<<<1, 32>>>(50);
    in_streams<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(failed, errors, sizeof failed));
    for (int i = 0; failed[i] != -1; i++)
        if (failed[i])
            printf("call %d of in_streams: %d\n", i, failed[i]), wrong++;
#if CUDART_VERSION < 12000
    waits<<<1, 1>>>();
    OK(cudaDeviceSynchronize());
    expected[40] = expected[41] = 4 * (1 + 2 + 4);
#endif
    OK(cudaMemcpyFromSymbol(got, sums, sizeof got));
    for (int i = 0; i < 64; i++)
        if (got[i] != expected[i])
            printf("place %d: %d, not %d\n", i, got[i], expected[i]), wrong++;
    return ended();
}
