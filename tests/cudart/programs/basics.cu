// basics.cu - memory in all forms, variables, streams, events, launches: each part checks itself.
#include "check.h"

__constant__ int factors[4];
__device__ int counter;
__managed__ int managed = 5;
static __device__ int own[3] = {1, 2, 3};
struct pair {
    double weight;
    char sign;
    int add[3];
};

__global__ void scale(int *to, const int *from, int n, pair p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = from[i] * factors[i % 4] + (int)p.weight * p.sign + p.add[i % 3] + own[i % 3];
}
__global__ void count(int times)
{
    if (threadIdx.x < times)
        atomicAdd(&counter, 1), atomicAdd(&managed, 1);
}
template <typename T> __global__ void fill(T *to, T value, int n)
{
    extern __shared__ unsigned char bytes[];
    T *room = (T *)bytes;
    int i = threadIdx.x;

    room[i] = value + (T)i;
    __syncthreads();
    if (i < n)
        to[i] = room[blockDim.x - 1 - i];
}

static void variables()
{
    int f[4] = {1, 2, 3, 4}, h[100], c = 0, *from, *to;
    pair p = {2.5, -3, {10, 20, 30}};

    for (int i = 0; i < 100; i++)
        h[i] = i;
    OK(cudaMalloc(&from, sizeof h));
    OK(cudaMalloc(&to, sizeof h));
    OK(cudaMemcpyToSymbol(factors, f, sizeof f));
    OK(cudaMemcpy(from, h, sizeof h, cudaMemcpyHostToDevice));
    scale<<<4, 32>>>(to, from, 100, p);
    OK(cudaGetLastError());
    OK(cudaMemcpy(h, to, sizeof h, cudaMemcpyDefault));
    for (int i = 0; i < 100; i++)
        EXPECT(h[i] == i * f[i % 4] - 6 + p.add[i % 3] + i % 3 + 1);
    int was = managed;
    count<<<1, 64>>>(40);
    OK(cudaDeviceSynchronize());
    EXPECT(managed == was + 40);
    OK(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    EXPECT(c == 40);
    void *at;
    OK(cudaGetSymbolAddress(&at, counter));
    OK(cudaMemset(at, 0, 4));
    OK(cudaMemcpyFromSymbol(&c, counter, sizeof c));
    EXPECT(c == 0);
    double *d, g[64];
    OK(cudaMalloc(&d, sizeof g));
    fill<double><<<1, 64, 64 * sizeof(double)>>>(d, 0.5, 64);
    OK(cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(g[i] == 63.5 - i);
    OK(cudaFree(d)), OK(cudaFree(from)), OK(cudaFree(to));
}

static void memory()
{
    int *pinned, *mapped, *view, *man, *d, plain[64];
    size_t before, after, total, pitch;
    cudaPointerAttributes a;

    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMallocHost(&pinned, 256));
    OK(cudaHostAlloc(&mapped, 256, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&view, mapped, 0));
    fill<int><<<1, 64, 256>>>(view, 7, 64);
    OK(cudaDeviceSynchronize());
    EXPECT(mapped[0] == 70 && mapped[63] == 7);
    OK(cudaMallocManaged(&man, 256));
    fill<int><<<1, 64, 256>>>(man, 1, 64);
    OK(cudaDeviceSynchronize());
    EXPECT(man[0] == 64);
    OK(cudaPointerGetAttributes(&a, man));
    EXPECT(a.type == cudaMemoryTypeManaged && a.device == 0);
    OK(cudaPointerGetAttributes(&a, pinned));
    EXPECT(a.type == cudaMemoryTypeHost && a.hostPointer == pinned);
    OK(cudaPointerGetAttributes(&a, plain));
    EXPECT(a.type == cudaMemoryTypeUnregistered);
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaPointerGetAttributes(&a, d));
    EXPECT(a.type == cudaMemoryTypeDevice && a.devicePointer == d);
    OK(cudaMemGetInfo(&after, &total));
    EXPECT(before - after >= 1 << 20);
#if CUDART_VERSION >= 13000
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemPrefetchAsync(man, 256, here, 0, 0));
#else
    int here = 0;
    OK(cudaMemPrefetchAsync(man, 256, here, 0));
#endif
    OK(cudaMemAdvise(man, 256, cudaMemAdviseSetReadMostly, here));
    OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterMapped));
    OK(cudaHostGetDevicePointer(&view, plain, 0));
    fill<int><<<1, 64, 256>>>(view, 100, 64);
    OK(cudaDeviceSynchronize());
    EXPECT(plain[63] == 100);
    OK(cudaHostUnregister(plain));
    // planes and volumes
    char rows[10][7], back[10][7];
    char *plane;
    for (int i = 0; i < 70; i++)
        rows[0][i] = i;
    OK(cudaMallocPitch(&plane, &pitch, 7, 10));
    OK(cudaMemset2D(plane, pitch, 0, 7, 10));
    OK(cudaMemcpy2D(plane, pitch, rows, 7, 7, 10, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(back, 7, plane, pitch, 7, 10, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(rows, back, 70));
    cudaExtent box = make_cudaExtent(5, 4, 3);
    cudaPitchedPtr vol;
    char cube[60], out[60];
    for (int i = 0; i < 60; i++)
        cube[i] = 100 - i;
    OK(cudaMalloc3D(&vol, box));
    OK(cudaMemset3D(vol, 9, box));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(cube, 5, 5, 4);
    c.dstPtr = vol;
    c.extent = make_cudaExtent(5, 4, 2);
    c.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&c));
    c.srcPtr = vol;
    c.dstPtr = make_cudaPitchedPtr(out, 5, 5, 4);
    c.extent = box;
    c.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&c));
    EXPECT(!memcmp(out, cube, 40) && out[40] == 9 && out[59] == 9);
    IS(cudaMemset3D(vol, 1, make_cudaExtent(5, 4, 4)), cudaErrorInvalidValue); // too deep
    IS(cudaMemset3D(vol, 1, make_cudaExtent(5, 4, (size_t)-1)), cudaErrorInvalidValue);
    OK(cudaMemcpy3D(&c));
    EXPECT(!memcmp(out, cube, 40) && out[40] == 9 && out[59] == 9);
    IS(cudaMemcpy(d, plain, (1 << 20) + 257, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaFree(plain), cudaErrorInvalidValue);
    IS(cudaMemcpy2D(plane, 3, rows, 7, 7, 10, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    IS(cudaMalloc(&d, (size_t)1 << 50), cudaErrorMemoryAllocation);
    IS(cudaGetLastError(), cudaErrorMemoryAllocation);
    OK(cudaFreeHost(pinned)), OK(cudaFreeHost(mapped)), OK(cudaFree(man)), OK(cudaFree(vol.ptr));
    OK(cudaFree(nullptr)), OK(cudaFreeHost(nullptr));
}

static int called;
static void CUDART_CB note(void *) { called++; }
static void CUDART_CB old_note(cudaStream_t, cudaError_t e, void *) { called += e == cudaSuccess; }

static void streams()
{
    cudaStream_t s, t;
    cudaEvent_t start, end, untimed;
    int *d, *h, low, high, priority;
    float ms = -1;
    unsigned flags;
    unsigned long long id;
    cudaStreamCaptureStatus capturing;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&start)), OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaMallocHost(&h, 256));
    OK(cudaMallocAsync(&d, 256, s));
    OK(cudaEventRecord(start, s));
    OK(cudaMemsetAsync(d, 0, 256, s));
    fill<int><<<1, 64, 256, s>>>(d, 3, 64);
    OK(cudaEventRecord(untimed, s));
    OK(cudaStreamWaitEvent(t, untimed, 0));
    OK(cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, t));
    OK(cudaLaunchHostFunc(t, note, nullptr));
    OK(cudaStreamAddCallback(t, old_note, nullptr, 0));
    OK(cudaStreamSynchronize(t));
    EXPECT(h[0] == 66 && h[63] == 3 && called == 2);
    OK(cudaEventRecord(end, s));
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end)), OK(cudaStreamQuery(s));
    OK(cudaEventElapsedTime(&ms, start, end));
    EXPECT(ms > 0);
    IS(cudaEventElapsedTime(&ms, untimed, end), cudaErrorInvalidResourceHandle);
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    OK(cudaStreamGetPriority(s, &priority));
    OK(cudaStreamGetFlags(t, &flags));
    EXPECT(flags == cudaStreamNonBlocking);
#if CUDART_VERSION >= 12000
    OK(cudaStreamGetId(s, &id));
#endif
    OK(cudaStreamIsCapturing(s, &capturing));
    EXPECT(capturing == cudaStreamCaptureStatusNone);
    OK(cudaFreeAsync(d, s));
    OK(cudaStreamDestroy(s)), OK(cudaStreamDestroy(t));
    OK(cudaEventDestroy(start)), OK(cudaEventDestroy(end)), OK(cudaEventDestroy(untimed));
    IS(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    // pools
    cudaMemPool_t pool, standard;
    cudaMemPoolProps props = {};
    unsigned long long used = 0, most = ~0ull;
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    OK(cudaMemPoolCreate(&pool, &props));
    OK(cudaMallocFromPoolAsync(&d, 1000, pool, 0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 1000);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
    OK(cudaFreeAsync(d, 0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    OK(cudaMallocFromPoolAsync(&d, 1000, pool, 0)), OK(cudaFree(d)); // the synchronous way too
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT(used == 0);
    OK(cudaMemPoolTrimTo(pool, 0)), OK(cudaMemPoolDestroy(pool));
    OK(cudaDeviceGetDefaultMemPool(&standard, 0));
    OK(cudaDeviceSetMemPool(0, standard));
}

static void functions()
{
    cudaFuncAttributes a;
    int blocks = 0, grid = 0, block = 0;
    cudaLaunchConfig_t c = {};
    int *d, h = 0;

    OK(cudaFuncGetAttributes(&a, scale));
    EXPECT(a.numRegs > 0 && a.maxThreadsPerBlock == 1024 && a.ptxVersion >= (CUDART_VERSION >= 13000 ? 75 : 52));
    OK(cudaFuncSetAttribute(fill<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096));
    OK(cudaFuncSetCacheConfig(fill<int>, cudaFuncCachePreferShared));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
    EXPECT(blocks > 0);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
    EXPECT(grid > 0 && block % 32 == 0);
    OK(cudaMalloc(&d, 256));
    c.gridDim = 1, c.blockDim = 64, c.dynamicSmemBytes = 256;
    OK(cudaLaunchKernelEx(&c, fill<int>, d, 5, 64));
    OK(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    EXPECT(h == 68);
    fill<int><<<1, 2048>>>(d, 1, 1);
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    fill<int><<<1, 32, 1 << 24>>>(d, 1, 1);
    IS(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaGetLastError());
    size_t limit;
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
    OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
    EXPECT(limit == 1 << 24);
    int version;
    OK(cudaRuntimeGetVersion(&version));
    EXPECT(version / 1000 == CUDART_VERSION / 1000);
    OK(cudaFree(d));
}

int main()
{
    variables();
    memory();
    streams();
    functions();
    OK(cudaDeviceReset());
    variables();
    return verdict();
}
