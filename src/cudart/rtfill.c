// rtfill.c - fills.
#include "cudart/session.h"

// Whether several slices reach past the end of the memory in which they begin. One slice is checked
// by the driver.
static bool too_large(void *to, size_t pitch, const struct cudaExtent *size, size_t rows)
{
    CUdeviceptr base, at = (CUdeviceptr)(uintptr_t)to;
    size_t slice, bytes, all;

    if (size->depth == 1 || cuMemGetAddressRange(&base, &all, at) != CUDA_SUCCESS)
        return false;
    return __builtin_mul_overflow(rows, pitch, &slice) ||
           __builtin_mul_overflow(slice, size->depth - 1, &bytes) ||
           __builtin_add_overflow(bytes, (size->height - 1) * pitch, &bytes) ||
           __builtin_add_overflow(bytes, size->width, &bytes) || bytes > all - (at - base);
}

static cudaError_t fill(void *to, size_t pitch, int value, const struct cudaExtent *size,
                        size_t rows, const cudaStream_t *stream)
{
    unsigned char byte = (unsigned char)value;
    CUresult r = CUDA_SUCCESS;

    HD_RT_ENTER();
    if (!size->width || !size->height || !size->depth)
        return cudaSuccess;
    if (size->height > 1 && pitch < size->width)
        return hd_session_note(cudaErrorInvalidValue);
    if (too_large(to, pitch, size, rows))
        return hd_session_note(cudaErrorInvalidValue);
    for (size_t z = 0; z < size->depth && r == CUDA_SUCCESS; z++) {
        CUdeviceptr at = (CUdeviceptr)(uintptr_t)to + z * rows * pitch;
        if (size->height == 1)
            r = stream ? cuMemsetD8Async(at, byte, size->width, *stream)
                       : cuMemsetD8(at, byte, size->width);
        else
            r = stream ? cuMemsetD2D8Async(at, pitch, byte, size->width, size->height, *stream)
                       : cuMemsetD2D8(at, pitch, byte, size->width, size->height);
    }
    return hd_session_note(r);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return fill(to, bytes, value, &(struct cudaExtent){bytes, 1, 1}, 1, NULL);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return fill(to, bytes, value, &(struct cudaExtent){bytes, 1, 1}, 1, &stream);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return fill(to, pitch, value, &(struct cudaExtent){width, height, 1}, height, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return fill(to, pitch, value, &(struct cudaExtent){width, height, 1}, height, &stream);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    return fill(to.ptr, to.pitch, value, &extent, to.ysize, NULL);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                              cudaStream_t stream)
{
    return fill(to.ptr, to.pitch, value, &extent, to.ysize, &stream);
}
