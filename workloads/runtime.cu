// runtime.cu - the kernels of a workload in a program of the CUDA runtime: what src/workload/work_driver.c
// does through the driver API, done as CUDA programs usually do it, with the kernels inside the
// program. Linked with host.c, standalone.c and src/workload/work.c.
//
//   heddle cc -rdc=true -c -DKERNELS='"dp_bfs/kernel.cu"' -DEACH_KERNEL='K(clear) K(expand) K(contract)'
//       -DHD_REAL_CUDA -Isrc -Iworkloads workloads/runtime.cu
//
// KERNELS is the workload's file, EACH_KERNEL names its kernels. Textures and symbols are left out: the
// workloads whose kernels launch kernels use none.
#include KERNELS

#include <cstring>
#include <cuda_runtime.h>

extern "C" {
#include "workload/work.h"

static bool good(struct hd_work *w, cudaError_t result, const char *function)
{
    return hd_work_good(w, result == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN, function);
}
// The call is made only if there was no error before.
#define TRY(w, function, ...)                                                                      \
    ((w)->error == CUDA_SUCCESS && good((w), function(__VA_ARGS__), #function))

CUdeviceptr hd_work_buffer(struct hd_work *w, size_t bytes)
{
    void *p = nullptr;

    if (w->n_buffers == HD_WORK_BUFFERS)
        hd_work_good(w, CUDA_ERROR_INVALID_VALUE, "hd_work_buffer");
    else if (TRY(w, cudaMalloc, &p, bytes))
        w->buffers[w->n_buffers++] = (CUdeviceptr)p;
    return (CUdeviceptr)p;
}

void hd_work_write(struct hd_work *w, CUdeviceptr to, const void *from, size_t bytes)
{
    (void)TRY(w, cudaMemcpy, (void *)to, from, bytes, cudaMemcpyHostToDevice);
}

void hd_work_read(struct hd_work *w, void *to, CUdeviceptr from, size_t bytes)
{
    (void)TRY(w, cudaMemcpy, to, (const void *)from, bytes, cudaMemcpyDeviceToHost);
}

CUdeviceptr hd_work_upload(struct hd_work *w, const void *from, size_t bytes)
{
    CUdeviceptr p = hd_work_buffer(w, bytes);

    hd_work_write(w, p, from, bytes);
    return p;
}

void hd_work_pending(struct hd_work *w, size_t pending)
{
    (void)TRY(w, cudaDeviceSetLimit, cudaLimitDevRuntimePendingLaunchCount, pending);
}

// The runtime knows a kernel by its function, so that is what CUfunction is here.
CUfunction hd_work_kernel(struct hd_work *w, const char *name)
{
#define K(kernel)                                                                                  \
    if (!strcmp(name, #kernel))                                                                    \
        return (CUfunction)kernel;
    EACH_KERNEL
    hd_work_good(w, CUDA_ERROR_NOT_FOUND, "hd_work_kernel");
    return nullptr;
}

void hd_work_launch(struct hd_work *w, CUfunction f, struct hd_work_grid grid, void **arguments)
{
    (void)TRY(w, cudaLaunchKernel, (const void *)f, dim3(grid.x, grid.y),
              dim3(grid.block_x, grid.block_y), arguments, 0, nullptr);
}

double hd_work_took(struct hd_work *w, size_t launch)
{
    (void)w, (void)launch; // launches are not timed
    return 0;
}

void hd_work_start(struct hd_work *w, const char *ptx)
{
    (void)ptx; // the kernels are in the program
    w->open = TRY(w, cudaSetDevice, 0);
}

void hd_work_end(struct hd_work *w)
{
    (void)TRY(w, cudaDeviceSynchronize);
    for (unsigned i = 0; i < w->n_buffers; i++)
        cudaFree((void *)w->buffers[i]);
    w->n_buffers = 0;
    w->open = false;
}
}
