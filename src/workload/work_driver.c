// work_driver.c - the part of work.h that works on the device, through the driver API. Every call
// stops at an error.
#include "workload/work.h"

// The call is made only if there was no error before.
#define TRY(w, function, ...)                                                                      \
    ((w)->error == CUDA_SUCCESS && hd_work_good((w), function(__VA_ARGS__), #function))

CUdeviceptr hd_work_buffer(struct hd_work *w, size_t bytes)
{
    CUdeviceptr p = 0;

    if (w->n_buffers == HD_WORK_BUFFERS)
        hd_work_good(w, CUDA_ERROR_INVALID_VALUE, "hd_work_buffer");
    else if (TRY(w, cuMemAlloc, &p, bytes))
        w->buffers[w->n_buffers++] = p;
    return p;
}

void hd_work_write(struct hd_work *w, CUdeviceptr to, const void *from, size_t bytes)
{
    (void)TRY(w, cuMemcpyHtoD, to, from, bytes);
}

void hd_work_read(struct hd_work *w, void *to, CUdeviceptr from, size_t bytes)
{
    (void)TRY(w, cuMemcpyDtoH, to, from, bytes);
}

CUdeviceptr hd_work_upload(struct hd_work *w, const void *from, size_t bytes)
{
    CUdeviceptr p = hd_work_buffer(w, bytes);

    hd_work_write(w, p, from, bytes);
    return p;
}

static size_t texel_bytes(CUarray_format f)
{
    return f == CU_AD_FORMAT_UNSIGNED_INT8 || f == CU_AD_FORMAT_SIGNED_INT8     ? 1
           : f == CU_AD_FORMAT_UNSIGNED_INT16 || f == CU_AD_FORMAT_SIGNED_INT16 ? 2
           : f == CU_AD_FORMAT_HALF                                             ? 2
                                                                                : 4;
}

// An array with the contents of `from`, NULL after an error.
static CUarray new_array(struct hd_work *w, const void *from, const CUDA_ARRAY_DESCRIPTOR *d)
{
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = from,
                       .srcPitch = d->Width * texel_bytes(d->Format),
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = d->Width * texel_bytes(d->Format),
                       .Height = d->Height};

    if (w->n_arrays == HD_WORK_TEXTURES) {
        hd_work_good(w, CUDA_ERROR_INVALID_VALUE, "hd_work_texture");
        return NULL;
    }
    if (TRY(w, cuArrayCreate, &c.dstArray, d)) {
        w->arrays[w->n_arrays++] = c.dstArray;
        (void)TRY(w, cuMemcpy2D, &c);
    }
    return c.dstArray;
}

static CUtexObject new_texture(struct hd_work *w, const CUDA_RESOURCE_DESC *resource)
{
    CUDA_TEXTURE_DESC sampling = {
        .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
        .filterMode = CU_TR_FILTER_MODE_POINT,
        .flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject t = 0;

    if (w->n_textures == HD_WORK_TEXTURES)
        hd_work_good(w, CUDA_ERROR_INVALID_VALUE, "hd_work_texture");
    else if (TRY(w, cuTexObjectCreate, &t, resource, &sampling, NULL))
        w->textures[w->n_textures++] = t;
    return t;
}

CUtexObject hd_work_texture(struct hd_work *w, const void *from, CUarray_format format,
                            unsigned width, unsigned height)
{
    CUDA_ARRAY_DESCRIPTOR shape = {
        .Width = width, .Height = height, .Format = format, .NumChannels = 1};
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY,
                                   .res.array.hArray = new_array(w, from, &shape)};

    return new_texture(w, &resource);
}

CUtexObject hd_work_texture_row(struct hd_work *w, CUdeviceptr from, CUarray_format format,
                                unsigned channels, size_t bytes)
{
    CUDA_RESOURCE_DESC resource = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {
            .devPtr = from, .format = format, .numChannels = channels, .sizeInBytes = bytes}};

    return new_texture(w, &resource);
}

void hd_work_symbol(struct hd_work *w, const char *name, const void *from, size_t bytes)
{
    CUdeviceptr p = 0;
    size_t size = 0;

    if (TRY(w, cuModuleGetGlobal, &p, &size, w->module, name) &&
        hd_work_good(w, size < bytes ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS, "hd_work_symbol"))
        hd_work_write(w, p, from, bytes);
}

void hd_work_pending(struct hd_work *w, size_t pending)
{
    (void)TRY(w, cuCtxSetLimit, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, pending);
}

CUfunction hd_work_kernel(struct hd_work *w, const char *name)
{
    CUfunction f = NULL;

    (void)TRY(w, cuModuleGetFunction, &f, w->module, name);
    return f;
}

void hd_work_launch(struct hd_work *w, CUfunction f, struct hd_work_grid grid, void **arguments)
{
    struct hd_work_time time = {NULL, NULL};

    if (w->timed && TRY(w, cuEventCreate, &time.start, CU_EVENT_DEFAULT) &&
        TRY(w, cuEventCreate, &time.end, CU_EVENT_DEFAULT))
        (void)TRY(w, cuEventRecord, time.start, NULL);
    (void)TRY(w, cuLaunchKernel, f, grid.x, grid.y, 1, grid.block_x, grid.block_y, 1, 0, NULL,
              arguments, NULL);
    if (w->timed && TRY(w, cuEventRecord, time.end, NULL))
        *HD_PUSH(w->arena, w->times, w->n_times, w->cap_times) = time;
}

double hd_work_took(struct hd_work *w, size_t launch)
{
    float milliseconds = 0;

    if (launch < w->n_times && TRY(w, cuEventSynchronize, w->times[launch].end))
        (void)TRY(w, cuEventElapsedTime, &milliseconds, w->times[launch].start,
                  w->times[launch].end);
    return 1000 * (double)milliseconds;
}

void hd_work_start(struct hd_work *w, const char *ptx)
{
    CUcontext context = NULL;

    if (TRY(w, cuInit, 0) && TRY(w, cuDeviceGet, &w->device, 0) &&
        TRY(w, cuDevicePrimaryCtxRetain, &context, w->device)) {
        w->open = true;
        if (TRY(w, cuCtxSetCurrent, context))
            (void)TRY(w, cuModuleLoad, &w->module, ptx);
    }
}

void hd_work_end(struct hd_work *w)
{
    for (size_t i = 0; i < w->n_times; i++) {
        cuEventDestroy(w->times[i].start);
        cuEventDestroy(w->times[i].end);
    }
    for (unsigned i = 0; i < w->n_textures; i++)
        cuTexObjectDestroy(w->textures[i]);
    for (unsigned i = 0; i < w->n_arrays; i++)
        cuArrayDestroy(w->arrays[i]);
    for (unsigned i = 0; i < w->n_buffers; i++)
        cuMemFree(w->buffers[i]);
    if (w->module)
        cuModuleUnload(w->module);
    if (w->open)
        cuDevicePrimaryCtxRelease(w->device);
    w->n_buffers = w->n_arrays = w->n_textures = 0;
    w->n_times = 0;
    w->module = NULL;
    w->open = false;
}
