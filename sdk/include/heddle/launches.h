// launches.h - kernels that launch kernels (-rdc=true): the device's own runtime, and what launches in
// device code become. docs/dynamic-parallelism.md.
//
// clang has no launches in device code, and no names of kernels but in constants. `heddle cc` writes
// for child<<<grid, block>>>(arguments):
//
//   ::heddle_launch(::heddle_kernel<decltype(+child), child>(), grid, block)(arguments)
#ifndef HEDDLE_LAUNCHES_H
#define HEDDLE_LAUNCHES_H

#ifndef cudaStreamTailLaunch
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#endif

// Stream 0 is that of the block, or with -default-stream per-thread that of the thread.
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define HD_BY_STREAM(name) __asm__(#name "_ptsz")
#else
#define HD_BY_STREAM(name)
#endif

extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ void *cudaGetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t cudaLaunchDevice(void *kernel, void *buffer, dim3 grid, dim3 block,
                                        unsigned shared, cudaStream_t)
    HD_BY_STREAM(cudaLaunchDevice);
__device__ cudaError_t cudaLaunchDeviceV2(void *buffer, cudaStream_t) HD_BY_STREAM(cudaLaunchDeviceV2);
__device__ cudaError_t cudaDeviceSynchronize(void);

__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char *cudaGetErrorName(cudaError_t);
__device__ const char *cudaGetErrorString(cudaError_t);

__device__ cudaError_t cudaGetDevice(int *);
__device__ cudaError_t cudaGetDeviceCount(int *);
__device__ cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int device);
__device__ cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit);
__device__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *);
__device__ cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *);
__device__ cudaError_t cudaRuntimeGetVersion(int *);
__device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *, const void *kernel);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *kernel,
                                                                     int threads, size_t shared);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, const void *kernel,
                                                                              int threads, size_t shared,
                                                                              unsigned flags);

__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0)
    HD_BY_STREAM(cudaStreamWaitEvent);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned flags);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t);
__device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) HD_BY_STREAM(cudaEventRecord);
__device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned flags = 0)
    HD_BY_STREAM(cudaEventRecordWithFlags);

__device__ cudaError_t cudaMalloc(void **, size_t);
__device__ cudaError_t cudaFree(void *);
__device__ cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                                       cudaStream_t = 0) HD_BY_STREAM(cudaMemcpyAsync);
__device__ cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t width, size_t height,
                                         enum cudaMemcpyKind, cudaStream_t = 0)
    HD_BY_STREAM(cudaMemcpy2DAsync);
__device__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *, cudaStream_t = 0)
    HD_BY_STREAM(cudaMemcpy3DAsync);
__device__ cudaError_t cudaMemsetAsync(void *, int value, size_t, cudaStream_t = 0)
    HD_BY_STREAM(cudaMemsetAsync);
__device__ cudaError_t cudaMemset2DAsync(void *, size_t, int value, size_t width, size_t height,
                                         cudaStream_t = 0) HD_BY_STREAM(cudaMemset2DAsync);
__device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr, int value, struct cudaExtent,
                                         cudaStream_t = 0) HD_BY_STREAM(cudaMemset3DAsync);
}

template <class T> static __device__ __inline__ cudaError_t cudaMalloc(T **out, size_t bytes)
{
    return ::cudaMalloc((void **)(void *)out, bytes);
}
template <class T>
static __device__ __inline__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, T *kernel)
{
    return (::cudaFuncGetAttributes)(out, (const void *)kernel);
}
template <class T>
static __device__ __inline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                                       T kernel, int threads,
                                                                                       size_t shared)
{
    return (::cudaOccupancyMaxActiveBlocksPerMultiprocessor)(blocks, (const void *)kernel, threads, shared);
}
template <class T>
static __device__ __inline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T kernel, int threads, size_t shared, unsigned flags)
{
    return (::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(blocks, (const void *)kernel, threads,
                                                                    shared, flags);
}

// --- launches (in brackets, functions that are given a kernel are not rewritten)

// Parameters lie one after the other, each aligned as its type.
template <class T> struct heddle_parameter {
    T value;
};
__device__ __forceinline__ void heddle_store(char *, size_t)
{
}
template <class T, class... More>
__device__ __forceinline__ void heddle_store(char *buffer, size_t at, heddle_parameter<T> &first,
                                             heddle_parameter<More> &...more)
{
    const size_t align = alignof(heddle_parameter<T>);
    at = (at + align - 1) / align * align;
    new (buffer + at) heddle_parameter<T>(static_cast<heddle_parameter<T> &&>(first));
    heddle_store(buffer, at + sizeof first, more...);
}

// A launch without its arguments. Without a buffer there is an error, which cudaGetLastError tells.
template <class... Wanted> struct heddle_launcher {
    void (*kernel)(Wanted...);
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    __device__ __forceinline__ void put(heddle_parameter<Wanted> &&...parameters) const
    {
        void *buffer = (::cudaGetParameterBufferV2)((void *)kernel, grid, block, (unsigned)shared);
        if (!buffer)
            return;
        heddle_store((char *)buffer, 0, parameters...);
        cudaLaunchDeviceV2(buffer, stream);
    }
    __device__ __forceinline__ void operator()(Wanted... arguments) const
    {
        put(heddle_parameter<Wanted>{static_cast<Wanted &&>(arguments)}...);
    }
};

template <class Function, Function Kernel> struct heddle_kernel {
    static_assert(sizeof(Function) == 0, "what is launched here is not a kernel");
};
template <class... Wanted, void (*Kernel)(Wanted...)> struct heddle_kernel<void (*)(Wanted...), Kernel> {
    typedef heddle_launcher<Wanted...> launcher;
    static constexpr void (*address)(Wanted...) = Kernel;
};
#ifdef __cpp_noexcept_function_type
template <class... Wanted, void (*Kernel)(Wanted...) noexcept> struct heddle_kernel<void (*)(Wanted...) noexcept, Kernel> {
    typedef heddle_launcher<Wanted...> launcher;
    static constexpr void (*address)(Wanted...) = Kernel;
};
#endif
template <class Kernel>
__device__ __forceinline__ typename Kernel::launcher heddle_launch(Kernel, dim3 grid, dim3 block, size_t shared = 0,
                                                              cudaStream_t stream = 0)
{
    return typename Kernel::launcher{Kernel::address, grid, block, shared, stream};
}

#endif
