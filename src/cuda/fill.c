// fill.c - cuMemset*: one value over a range or a rectangle of device memory.
#include "cuda/process.h"

#include "cuda/queue.h"

static CUresult fill(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width,
                     size_t height, CUstream stream)
{
    struct hd_cuda_op op = {.kind = HD_OP_FILL};
    struct hd_cuda_stream *s;
    uint64_t row, reach;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (to % bytes || __builtin_mul_overflow(width, bytes, &row) ||
        (height > 1 && (pitch < row || pitch % bytes)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!width || !height)
        return CUDA_SUCCESS;
    if (__builtin_mul_overflow(height - 1, pitch, &reach) ||
        __builtin_add_overflow(reach, row, &reach))
        return CUDA_ERROR_INVALID_VALUE;
    op.u.fill = (struct hd_cuda_fill){.to = hd_devmem_at(to, reach),
                                      .pitch = pitch,
                                      .width = width,
                                      .height = height,
                                      .value = value,
                                      .bytes = bytes};
    return op.u.fill.to ? hd_queue_add(s, &op, NULL) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t n)
{
    return fill(to, 0, value, 1, n, 1, NULL);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t n)
{
    return fill(to, 0, value, 2, n, 1, NULL);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t n)
{
    return fill(to, 0, value, 4, n, 1, NULL);
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height)
{
    return fill(to, pitch, value, 1, width, height, NULL);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height)
{
    return fill(to, pitch, value, 2, width, height, NULL);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill(to, pitch, value, 4, width, height, NULL);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream)
{
    return fill(to, 0, value, 1, n, 1, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t n, CUstream stream)
{
    return fill(to, 0, value, 2, n, 1, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream stream)
{
    return fill(to, 0, value, 4, n, 1, stream);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream)
{
    return fill(to, pitch, value, 1, width, height, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream)
{
    return fill(to, pitch, value, 2, width, height, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream)
{
    return fill(to, pitch, value, 4, width, height, stream);
}
