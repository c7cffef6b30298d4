// cuda_runtime.h - the runtime API for C++: what the language adds to cuda_runtime_api.h. Pointers of
// any type, symbols and kernels by name, channels by type.
#ifndef HEDDLE_SDK_CUDA_RUNTIME_H
#define HEDDLE_SDK_CUDA_RUNTIME_H

#define __CUDA_RUNTIME_H__ // programs ask by this name

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"
#include "device_launch_parameters.h"

#ifdef __cplusplus
#define HD_API static __inline__ __attribute__((unused)) __host__ cudaError_t
#define HD_ANY(p) ((void **)(void *)(p))
#define HD_SYMBOL(s) ((const void *)&reinterpret_cast<const char &>(s))

// --- memory

template <class T> HD_API cudaMalloc(T **out, size_t bytes) { return ::cudaMalloc(HD_ANY(out), bytes); }
template <class T> HD_API cudaMallocHost(T **out, size_t bytes, unsigned flags = 0)
{
    return ::cudaHostAlloc(HD_ANY(out), bytes, flags);
}
template <class T> HD_API cudaHostAlloc(T **out, size_t bytes, unsigned flags)
{
    return ::cudaHostAlloc(HD_ANY(out), bytes, flags);
}
template <class T> HD_API cudaMallocManaged(T **out, size_t bytes, unsigned flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged(HD_ANY(out), bytes, flags);
}
template <class T> HD_API cudaMallocPitch(T **out, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch(HD_ANY(out), pitch, width, height);
}
template <class T> HD_API cudaMallocAsync(T **out, size_t bytes, cudaStream_t stream)
{
    return ::cudaMallocAsync(HD_ANY(out), bytes, stream);
}
template <class T>
HD_API cudaMallocAsync(T **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(HD_ANY(out), bytes, pool, stream);
}
template <class T>
HD_API cudaMallocFromPoolAsync(T **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(HD_ANY(out), bytes, pool, stream);
}
template <class T> HD_API cudaHostGetDevicePointer(T **out, void *host, unsigned flags)
{
    return ::cudaHostGetDevicePointer(HD_ANY(out), host, flags);
}
template <class T>
HD_API cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t bytes = 0,
                                unsigned flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)p, bytes, flags);
}

// --- symbols

template <class T>
HD_API cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol(HD_SYMBOL(symbol), from, bytes, offset, kind);
}
template <class T>
HD_API cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                               cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync(HD_SYMBOL(symbol), from, bytes, offset, kind, stream);
}
template <class T>
HD_API cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(to, HD_SYMBOL(symbol), bytes, offset, kind);
}
template <class T>
HD_API cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                 cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(to, HD_SYMBOL(symbol), bytes, offset, kind, stream);
}
template <class T> HD_API cudaGetSymbolAddress(void **address, const T &symbol)
{
    return ::cudaGetSymbolAddress(address, HD_SYMBOL(symbol));
}
template <class T, class Symbol> HD_API cudaGetSymbolAddress(T **address, const Symbol &symbol)
{
    return ::cudaGetSymbolAddress(HD_ANY(address), HD_SYMBOL(symbol));
}
template <class T> HD_API cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return ::cudaGetSymbolSize(bytes, HD_SYMBOL(symbol));
}

// --- graphs

#define HD_PLACE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n
#define HD_SYMBOL_NODE(name, place, places)                                                        \
    template <class T>                                                                             \
    HD_API name##ToSymbol(place, const T &symbol, const void *from, size_t bytes, size_t offset,   \
                          enum cudaMemcpyKind kind)                                                \
    {                                                                                              \
        return ::name##ToSymbol(places, HD_SYMBOL(symbol), from, bytes, offset, kind);             \
    }                                                                                              \
    template <class T>                                                                             \
    HD_API name##FromSymbol(place, void *to, const T &symbol, size_t bytes, size_t offset,         \
                            enum cudaMemcpyKind kind)                                              \
    {                                                                                              \
        return ::name##FromSymbol(places, to, HD_SYMBOL(symbol), bytes, offset, kind);             \
    }
#define HD_LIST(...) __VA_ARGS__
HD_SYMBOL_NODE(cudaGraphAddMemcpyNode, HD_PLACE, HD_LIST(node, graph, after, n))
HD_SYMBOL_NODE(cudaGraphMemcpyNodeSetParams, cudaGraphNode_t node, node)
HD_SYMBOL_NODE(cudaGraphExecMemcpyNodeSetParams, HD_LIST(cudaGraphExec_t exec, cudaGraphNode_t node),
               HD_LIST(exec, node))
#undef HD_LIST
#undef HD_SYMBOL_NODE
#undef HD_PLACE

// The forms of CUDA 12. Those of 11 are there too.
HD_API cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags = 0)
{
    return ::cudaGraphInstantiateWithFlags(exec, graph, flags);
}
HD_API cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
    return ::cudaGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}

// An object that a graph keeps: it is deleted with the last reference.
template <class T> static void CUDART_CB hd_delete(void *object) { delete (T *)object; }
template <class T>
HD_API cudaUserObjectCreate(cudaUserObject_t *out, T *object, unsigned references, unsigned flags)
{
    return ::cudaUserObjectCreate(out, object, hd_delete<T>, references, flags);
}

// --- kernels: by name, by a pointer to a function of any type, or as void

template <class T>
HD_API cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0,
                        cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <class T>
HD_API cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **args,
                                   size_t shared = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <class T> HD_API cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *kernel, void **args)
{
    return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
}
template <class T> HD_API cudaGetFuncBySymbol(cudaFunction_t *out, T *kernel)
{
    return ::cudaGetFuncBySymbol(out, (const void *)kernel);
}
template <class... Wanted, class... Given>
HD_API cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Wanted...), Given &&...given)
{
    return [&](Wanted... value) {
        void *args[sizeof...(Wanted) + 1] = {(void *)&value...};
        return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
    }(static_cast<Given &&>(given)...);
}
template <class T> HD_API cudaFuncGetAttributes(struct cudaFuncAttributes *out, T *kernel)
{
    return ::cudaFuncGetAttributes(out, (const void *)kernel);
}
template <class T> HD_API cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute which, int value)
{
    return ::cudaFuncSetAttribute((const void *)kernel, (int)which, value);
}
template <class T> HD_API cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)kernel, (int)config);
}
template <class T> HD_API cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)kernel, (int)config);
}
template <class T>
HD_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int threads, size_t shared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class T>
HD_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int threads,
                                                              size_t shared, unsigned flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel,
                                                                    threads, shared, flags);
}
template <class T>
HD_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T kernel, int blocks, int threads)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}
// The block that keeps most threads on an SM; the greatest such one.
template <class Size, class T>
HD_API cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, T kernel,
                                                               Size shared, int limit = 0,
                                                               unsigned flags = 0)
{
    struct cudaFuncAttributes a;
    int device, sms, warp, room, best = 0;
    cudaError_t e = ::cudaGetDevice(&device);

    if (e == cudaSuccess)
        e = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (e == cudaSuccess)
        e = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (e == cudaSuccess)
        e = ::cudaDeviceGetAttribute(&room, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (e == cudaSuccess)
        e = ::cudaFuncGetAttributes(&a, (const void *)kernel);
    if (e != cudaSuccess)
        return e;
    int most = limit && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    *grid = *block = 0;
    for (int n = (most + warp - 1) / warp * warp; n > 0 && best < room; n -= warp) {
        int threads = n < most ? n : most, blocks = 0;
        e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)kernel,
                                                                     threads, shared(threads), flags);
        if (e != cudaSuccess)
            return e;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * sms;
        }
    }
    return cudaSuccess;
}
template <class Size, class T>
HD_API cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T kernel, Size shared,
                                                      int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, kernel, shared, limit, 0);
}
template <class T>
HD_API cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T kernel, size_t shared = 0,
                                                   int limit = 0, unsigned flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid, block, kernel, [shared](int) { return shared; }, limit, flags);
}
template <class T>
HD_API cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel, size_t shared = 0,
                                          int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernel, shared, limit, 0);
}

// --- the rest

static inline cudaError_t cudaEventCreate(cudaEvent_t *out, unsigned flags)
{
    return ::cudaEventCreateWithFlags(out, flags);
}
static inline cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                               struct cudaMemLocation *where)
{
    int f = 0;
    cudaError_t e = ::cudaMemPoolGetAccess(&f, pool, where);
    *flags = (enum cudaMemAccessFlags)f;
    return e;
}
static inline cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    int c = 0;
    cudaError_t e = ::cudaDeviceGetCacheConfig(&c);
    *config = (enum cudaFuncCache)c;
    return e;
}
static inline cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    int c = 0;
    cudaError_t e = ::cudaDeviceGetSharedMemConfig(&c);
    *config = (enum cudaSharedMemConfig)c;
    return e;
}

// A texel's channels by its type.
template <class T> struct hd_channels {
    static const int count = 0, bits = 0;
    static const cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
#define HD_CHANNELS_OF(T, n, type, f)                                                              \
    template <> struct hd_channels<T> {                                                            \
        static const int count = n, bits = 8 * sizeof(type);                                       \
        static const cudaChannelFormatKind kind = cudaChannelFormatKind##f;                        \
    };
#define HD_CHANNELS(name, type, f)                                                                 \
    HD_CHANNELS_OF(type, 1, type, f)                                                               \
    HD_CHANNELS_OF(name##1, 1, type, f)                                                            \
    HD_CHANNELS_OF(name##2, 2, type, f)                                                            \
    HD_CHANNELS_OF(name##4, 4, type, f)
HD_CHANNELS_OF(char, 1, char, Signed)
HD_CHANNELS(char, signed char, Signed)
HD_CHANNELS(uchar, unsigned char, Unsigned)
HD_CHANNELS(short, short, Signed)
HD_CHANNELS(ushort, unsigned short, Unsigned)
HD_CHANNELS(int, int, Signed)
HD_CHANNELS(uint, unsigned int, Unsigned)
HD_CHANNELS(float, float, Float)
#undef HD_CHANNELS
#undef HD_CHANNELS_OF
template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int n = hd_channels<T>::count, b = hd_channels<T>::bits;
    return ::cudaCreateChannelDesc(n > 0 ? b : 0, n > 1 ? b : 0, n > 2 ? b : 0, n > 2 ? b : 0,
                                   hd_channels<T>::kind);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

#endif
#endif
