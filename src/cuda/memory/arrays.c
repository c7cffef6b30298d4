// arrays.c - CUDA arrays. Their layout is up to the driver; here they are plain rows.
#include "cuda/core/limits.h"
#include "cuda/core/queue.h"
#include "cuda/memory/devmem.h"

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

// Checks that it is a line, a plane, a volume, layers of lines or planes, a cube map or layers of
// cube maps, and small enough. (Arrays without memory of their own are not supported.)
static CUresult check(const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    size_t width = HD_CUDA_LINE, height = HD_CUDA_COLUMN, depth = HD_CUDA_VOLUME;

    if (cube)
        width = height = HD_CUDA_LAYERED, depth = layered ? HD_CUDA_CUBE_LAYERS : HD_CUDA_FACES;
    else if (layered)
        width = height = HD_CUDA_LAYERED, depth = HD_CUDA_LAYERS;
    else if (d->Depth)
        width = height = HD_CUDA_VOLUME;
    if (!d->Width || d->Width > width || d->Height > height || d->Depth > depth ||
        (layered && !d->Depth) || (d->Depth && !layered && !d->Height) ||
        (cube && (d->Height != d->Width || !d->Depth || d->Depth % HD_CUDA_FACES)))
        return CUDA_ERROR_INVALID_VALUE;
    if (d->Flags & ~(unsigned)(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST |
                               CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_TEXTURE_GATHER))
        return CUDA_ERROR_NOT_SUPPORTED;
    return CUDA_SUCCESS;
}

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
    struct hd_cuda_array *a;
    size_t element, pitch, rows, slices;
    uint64_t bytes, address;
    void *handle;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!array || !d)
        return CUDA_ERROR_INVALID_VALUE;
    r = check(d);
    if (r != CUDA_SUCCESS)
        return r;
    element = hd_arrays_format_bytes(d->Format) * d->NumChannels;
    if (!element || (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    rows = d->Height ? d->Height : 1;
    slices = d->Depth ? d->Depth : 1;
    pitch =
        (d->Width * element + HD_CUDA_PITCH_ALIGN - 1) / HD_CUDA_PITCH_ALIGN * HD_CUDA_PITCH_ALIGN;
    bytes = (uint64_t)pitch * rows * slices;
    address = hd_devmem_new(bytes, HD_ALLOC_ARRAY, 0);
    if (!address)
        return hd_devmem_full();
    a = hd_handles_add(hd_cuda.handles, HD_HANDLE_ARRAY, sizeof *a, &handle);
    a->handle = handle;
    a->context = hd_current_context();
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

    HD_CUDA_ENTER(HD_CUDA_SAFE);
    a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_queue_run();
    if (r != CUDA_SUCCESS)
        return r;
    a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE; // another thread has destroyed it meanwhile
    hd_devmem_release(a->address);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    return CUDA_SUCCESS;
}

// Their memory is freed with all other memory of the context.
static void context_ends(const struct hd_cuda_context *c)
{
    struct hd_cuda_array *a;
    size_t at = 0;

    while ((a = hd_handles_next(hd_cuda.handles, HD_HANDLE_ARRAY, &at)))
        if (a->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_ARRAY, a->handle);
}

const struct hd_part hd_arrays_part = {.context_ends = context_ends};
