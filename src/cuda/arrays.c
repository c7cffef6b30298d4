// arrays.c - CUDA arrays: pixels in an order of the driver's own, here plain rows.
#include "cuda/process.h"

#include "cuda/queue.h"

#define PITCH_ALIGN 32

size_t hd_arrays_format_bytes(CUarray_format f)
{
    switch (f) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
        return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
        return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
        return 4;
    }
    return 0;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct hd_cuda_array *a;
    size_t element, pitch, rows, slices;
    uint64_t bytes, address;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!array || !d || !d->Width)
        return CUDA_ERROR_INVALID_VALUE;
    element = hd_arrays_format_bytes(d->Format) * d->NumChannels;
    if (!element || (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    rows = d->Height ? d->Height : 1;
    slices = d->Depth ? d->Depth : 1;
    if (d->Width > UINT32_MAX || rows > UINT32_MAX || slices > UINT32_MAX)
        return CUDA_ERROR_INVALID_VALUE;
    pitch = (d->Width * element + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
    if (__builtin_mul_overflow(pitch, rows, &bytes) ||
        __builtin_mul_overflow(bytes, slices, &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    address = hd_devmem_new(bytes, HD_ALLOC_ARRAY, 0);
    if (!address)
        return CUDA_ERROR_OUT_OF_MEMORY;
    a = hd_handles_add(hd_cuda.handles, HD_HANDLE_ARRAY, sizeof *a, &handle);
    a->handle = handle;
    a->context = hd_context_current();
    a->shape = *d;
    a->address = address;
    a->element = element;
    a->pitch = pitch;
    a->rows = rows;
    a->slices = slices;
    *array = a->handle;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
    if (!d)
        return CUDA_ERROR_INVALID_VALUE;
    return cuArray3DCreate_v2(array, &(CUDA_ARRAY3D_DESCRIPTOR){.Width = d->Width,
                                                                .Height = d->Height,
                                                                .Format = d->Format,
                                                                .NumChannels = d->NumChannels});
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array)
{
    const struct hd_cuda_array *a;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!descriptor)
        return CUDA_ERROR_INVALID_VALUE;
    *descriptor = a->shape;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = cuArray3DGetDescriptor_v2(descriptor ? &d : NULL, array);

    if (r == CUDA_SUCCESS)
        *descriptor = (CUDA_ARRAY_DESCRIPTOR){
            .Width = d.Width, .Height = d.Height, .Format = d.Format, .NumChannels = d.NumChannels};
    return r;
}

CUresult cuArrayDestroy(CUarray array)
{
    const struct hd_cuda_array *a;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_queue_run();
    if (r != CUDA_SUCCESS)
        return r;
    hd_devmem_release(a->address);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    return CUDA_SUCCESS;
}
