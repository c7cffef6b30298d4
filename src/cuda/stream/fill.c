// fill.c - cuMemset*: one value over a range or a rectangle of device memory.
#include "cuda/stream/stream.h"

#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"

#include <string.h>

static void perform(struct hd_cuda_op *op)
{
    const struct hd_cuda_fill *f = &op->u.fill;

    for (uint64_t y = 0; y < f->height; y++) {
        uint8_t *row = f->to + y * f->pitch;
        if (f->bytes == 1)
            memset(row, (int)f->value, f->width);
        else
            for (uint64_t x = 0; x < f->width; x++)
                memcpy(row + x * f->bytes, &f->value, f->bytes);
    }
}

const struct hd_op_kind hd_fill_op = {.perform = perform};

CUresult hd_fill_resolve(const CUDA_MEMSET_NODE_PARAMS *p, bool planned, struct hd_cuda_fill *out)
{
    uint64_t row, reach;

    if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->dst % p->elementSize || __builtin_mul_overflow(p->width, p->elementSize, &row) ||
        (p->height > 1 && (p->pitch < row || p->pitch % p->elementSize)))
        return CUDA_ERROR_INVALID_VALUE;
    *out = (struct hd_cuda_fill){.pitch = p->pitch,
                                 .width = p->width,
                                 .height = p->height,
                                 .value = p->value,
                                 .bytes = p->elementSize};
    if (!p->width || !p->height)
        return CUDA_SUCCESS;
    if (__builtin_mul_overflow(p->height - 1, p->pitch, &reach) ||
        __builtin_add_overflow(reach, row, &reach))
        return CUDA_ERROR_INVALID_VALUE;
    out->to = planned ? hd_devmem_planned(p->dst, reach) : hd_devmem_at(p->dst, reach);
    return out->to ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult fill(CUdeviceptr to, size_t pitch, uint32_t value, unsigned bytes, size_t width,
                     size_t height, CUstream stream)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_MEMSET,
                              .u.fill = {.dst = to,
                                         .pitch = pitch,
                                         .value = value,
                                         .elementSize = bytes,
                                         .width = width,
                                         .height = height}};
    struct hd_cuda_op op = {.kind = &hd_fill_op};
    struct hd_cuda_stream *s;
    bool captured;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_enqueues(s, &captured);
    if (r == CUDA_SUCCESS)
        r = hd_fill_resolve(&w.u.fill, captured, &op.u.fill);
    if (r != CUDA_SUCCESS || !width || !height)
        return r;
    return captured ? hd_capture_add(s, &w) : hd_queue_add(s, &op, NULL);
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
