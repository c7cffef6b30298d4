// language.cu - the words of CUDA C: launches, memories, built-in variables, templates, lambdas,
// virtual functions, printf, malloc and assert in kernels.
#include "check.h"

#include <cassert>
#include <cstring>

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter;
__device__ unsigned int places[8];

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void __launch_bounds__(64) reverse(int *v, int n)
{
    extern __shared__ int room[];
    __shared__ int total;

    if (threadIdx.x == 0)
        total = 0;
    room[threadIdx.x] = v[threadIdx.x];
    __syncthreads();
    atomicAdd(&total, room[threadIdx.x]);
    v[threadIdx.x] = room[n - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        v[n] = total;
}

struct shape {
    int sides;
    __device__ virtual float area() const { return 0; }
    __device__ virtual ~shape() {}
};
struct square : shape {
    float a;
    __device__ square(float side) : a(side) { sides = 4; }
    __device__ float area() const override { return a * a; }
};
struct circle : shape {
    float r;
    __device__ circle(float radius) : r(radius) { sides = 0; }
    __device__ float area() const override { return 3.0f * r * r; }
};

// An abstract class whose own table of virtual functions is needed, because a function that is not
// inline sees the object while it is built.
struct animal {
    int legs;
    __device__ animal(int n) : legs(n) { grow(); }
    __device__ __noinline__ void grow() { legs++; }
    __device__ virtual int sound() const = 0;
    __device__ virtual int silence() const = delete;
};
struct cat : animal {
    __device__ cat(int n) : animal(n) {}
    __device__ int sound() const override { return legs * 10; }
    __device__ int silence() const override = delete;
};

__global__ void animals(int *out)
{
    cat *c = new cat((int)threadIdx.x);
    const animal *a = c;

    out[threadIdx.x] = a->sound();
    delete c;
}

__global__ void shapes(float *out)
{
    shape *s;

    if (threadIdx.x & 1)
        s = new square((float)threadIdx.x);
    else
        s = new circle((float)threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
}

struct mixed {
    char c;
    double d;
    short s[3];
};
template <class T, int N> __global__ void scale(T *v, T by, mixed m)
{
    v[threadIdx.x] = v[threadIdx.x] * by + (T)(m.c + m.d + m.s[N]);
}

template <class F> __global__ void each(F f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        f(i);
}

__global__ void variables(float *out)
{
    dim3 b = blockDim;
    uint3 t = threadIdx;
    int i = (t.z * b.y + t.y) * b.x + t.x;

    out[i] = table[i & 3] * (gridDim.x + warpSize);
    atomicInc(&places[i & 7], 1000);
    atomicAdd(&counter, 1);
    if (i == 0) {
        printf("%d %s %.2f %c %llu\n", 42, "words", 1.5, 'x', 1ull << 40);
    }
}

template <class T> __global__ void put(T *at, T value) { *at = value; }

// Kernels as arguments of the runtime API: by name, by pointer, as void.
static void by_name()
{
    shared<int> v(1);
    int *at = v, value = 1, blocks = 0, grid = 0, block = 0;
    void *args[] = {&at, &value};
    void (*pointer)(int *, int) = put<int>;
    cudaFuncAttributes attributes;

    OK(cudaLaunchKernel(put<int>, dim3(1), dim3(1), args));
    OK(cudaDeviceSynchronize());
    TRUE(v[0] == 1);
    value = 2;
    OK(cudaLaunchKernel(pointer, 1, 1, args, 0, 0));
    OK(cudaDeviceSynchronize());
    TRUE(v[0] == 2);
    value = 3;
    OK(cudaLaunchKernel((void *)pointer, 1, 1, args));
    OK(cudaDeviceSynchronize());
    TRUE(v[0] == 3);
    value = 4;
    OK(cudaLaunchCooperativeKernel(put<int>, 1, 1, args));
    OK(cudaDeviceSynchronize());
    TRUE(v[0] == 4);
    OK(cudaFuncSetAttribute(put<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    OK(cudaFuncSetCacheConfig(put<int>, cudaFuncCachePreferL1));
    OK(cudaFuncGetAttributes(&attributes, put<int>));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, put<int>, 32, 0));
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, put<int>));
    TRUE(blocks > 0 && grid > 0 && block > 0);
}

__global__ void asserts(int *v)
{
    assert(v[0] == 7);
    v[1] = 1;
}

int main(int argc, char **)
{
    const int n = 1000;
    shared<float> a(n), b(n), c(n);

    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 2 * i;
    vecadd<<<(n + 127) / 128, 128>>>(a, b, c, n);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
        TRUE(c[i] == 3 * i);

    shared<int> v(65);
    for (int i = 0; i < 64; i++)
        v[i] = i;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    reverse<<<dim3(1), dim3(64), 64 * sizeof(int), s>>>(v, 64);
    OK(cudaStreamSynchronize(s));
    OK(cudaStreamDestroy(s));
    for (int i = 0; i < 64; i++)
        TRUE(v[i] == 63 - i);
    TRUE(v[64] == 63 * 32);

    shapes<<<1, 8>>>(c);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        TRUE(c[i] == (i & 1 ? i * i : 3.0f * i * i));

    shared<int> sounds(4);
    animals<<<1, 4>>>(sounds);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 4; i++)
        TRUE(sounds[i] == (i + 1) * 10);

    mixed m = {1, 0.5, {2, 3, 4}};
    scale<float, 1><<<1, 8>>>(c, 2.0f, m);
    scale<int, 2><<<1, 8>>>(v, 3, m);
    int *ints = v, by = 5;
    each<<<2, 32>>>([=] __device__(int i) { ints[i] += by * i; }, 64);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++) {
        TRUE(c[i] == (i & 1 ? i * i : 3.0f * i * i) * 2 + 4.5f);
        TRUE(v[i] == (63 - i) * 3 + 5 + 5 * i);
    }

    by_name();

    float other[4] = {2, 4, 6, 8};
    int zero = 0, count;
    OK(cudaMemcpyToSymbol(table, other, sizeof other));
    OK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    variables<<<2, dim3(4, 2, 2)>>>(c);
    OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    TRUE(count == 32);
    for (int i = 0; i < 16; i++)
        TRUE(c[i] == other[i & 3] * 34);
    void *address;
    size_t bytes;
    OK(cudaGetSymbolAddress(&address, places));
    OK(cudaGetSymbolSize(&bytes, places));
    TRUE(bytes == 32);
    unsigned counted[8];
    OK(cudaMemcpy(counted, address, sizeof counted, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        TRUE(counted[i] == 4);

    v[0] = argc == 1 ? 7 : 8;
    asserts<<<1, 1>>>(v);
    cudaError_t e = cudaDeviceSynchronize();
    if (argc > 1) {
        printf("%s\n", cudaGetErrorName(e));
        return 0;
    }
    TRUE(e == cudaSuccess && v[1] == 1);
    return ended();
}
