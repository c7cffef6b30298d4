// texobjects.c - texture and surface objects: a resource and how it is read, given to the emulator.
//
// Not supported: mipmaps, views that reinterpret a resource, sRGB, filtering across the edges of a
// cube map's faces. Texture references of old runtimes are in texrefs.c.
#include "cuda/texture/textures.h"

#include "cuda/core/limits.h"
#include "cuda/core/queue.h"
#include "cuda/memory/devmem.h"
#include "emu/texture.h"

#include <string.h>

struct object {      // a texture or surface object as the program described it
    uint64_t handle; // the emulator's; 0: destroyed
    struct hd_cuda_context *context;
    bool surface;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC sampling;
};

static struct object *objects;
static size_t n_objects, cap_objects;

static bool format_of(CUarray_format f, uint8_t *out)
{
    static const struct {
        CUarray_format theirs;
        enum hd_tex_format ours;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, HD_TEX_U8},   {CU_AD_FORMAT_SIGNED_INT8, HD_TEX_S8},
        {CU_AD_FORMAT_UNSIGNED_INT16, HD_TEX_U16}, {CU_AD_FORMAT_SIGNED_INT16, HD_TEX_S16},
        {CU_AD_FORMAT_UNSIGNED_INT32, HD_TEX_U32}, {CU_AD_FORMAT_SIGNED_INT32, HD_TEX_S32},
        {CU_AD_FORMAT_HALF, HD_TEX_F16},           {CU_AD_FORMAT_FLOAT, HD_TEX_F32},
    };

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].theirs == f) {
            *out = (uint8_t)formats[i].ours;
            return true;
        }
    return false;
}

static bool of_array(CUarray handle, struct hd_texture *t)
{
    const struct hd_cuda_array *a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, handle);

    if (!a)
        return false;
    t->address = a->address;
    t->pitch = a->pitch;
    t->slice = a->pitch * a->rows;
    t->size[0] = (uint32_t)a->shape.Width;
    t->size[1] = (uint32_t)a->rows;
    t->size[2] = (uint32_t)a->slices;
    t->channels = (uint8_t)a->shape.NumChannels;
    t->layered = a->shape.Flags & CUDA_ARRAY3D_LAYERED;
    t->cube = a->shape.Flags & CUDA_ARRAY3D_CUBEMAP;
    return format_of(a->shape.Format, &t->format);
}

// Describes device memory as rows. All of it must be live.
static bool of_memory(CUdeviceptr address, CUarray_format format, unsigned channels, size_t width,
                      size_t height, size_t pitch, struct hd_texture *t)
{
    size_t row = width * hd_arrays_format_bytes(format) * channels;

    if ((channels != 1 && channels != 2 && channels != 4) || !format_of(format, &t->format) ||
        address % HD_CUDA_TEXTURE_ALIGN || (height > 1 && pitch % HD_CUDA_PITCH_ALIGN) || !width ||
        !height || width > HD_CUDA_LINEAR || height > HD_CUDA_COLUMN || pitch < row ||
        (height > 1 && (width > HD_CUDA_LINE || pitch > HD_CUDA_LINEAR_PITCH)) ||
        address >= HD_CUDA_CONSTANTS || !hd_devmem_at(address, (height - 1) * pitch + row))
        return false;
    t->address = address;
    t->pitch = pitch;
    t->slice = pitch * height;
    t->size[0] = (uint32_t)width;
    t->size[1] = (uint32_t)height;
    t->size[2] = 1;
    t->channels = (uint8_t)channels;
    return true;
}

static CUresult describe(const CUDA_RESOURCE_DESC *r, struct hd_texture *t)
{
    bool good = false;

    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY:
        good = of_array(r->res.array.hArray, t);
        break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
        return CUDA_ERROR_NOT_SUPPORTED;
    case CU_RESOURCE_TYPE_LINEAR: {
        size_t texel = hd_arrays_format_bytes(r->res.linear.format) * r->res.linear.numChannels;
        good = texel &&
               of_memory(r->res.linear.devPtr, r->res.linear.format, r->res.linear.numChannels,
                         r->res.linear.sizeInBytes / texel, 1, r->res.linear.sizeInBytes, t);
        break;
    }
    case CU_RESOURCE_TYPE_PITCH2D:
        good =
            of_memory(r->res.pitch2D.devPtr, r->res.pitch2D.format, r->res.pitch2D.numChannels,
                      r->res.pitch2D.width, r->res.pitch2D.height, r->res.pitch2D.pitchInBytes, t);
        break;
    }
    return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult sample(const CUDA_TEXTURE_DESC *s, struct hd_texture *t)
{
    bool integer = t->format <= HD_TEX_S32, narrow = t->format <= HD_TEX_S16;

    if (s->flags & (CU_TRSF_SRGB | CU_TRSF_SEAMLESS_CUBEMAP))
        return CUDA_ERROR_NOT_SUPPORTED;
    if ((unsigned)s->filterMode > CU_TR_FILTER_MODE_LINEAR)
        return CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 3; i++) {
        if ((unsigned)s->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER)
            return CUDA_ERROR_INVALID_VALUE;
        t->edge[i] = (uint8_t)s->addressMode[i];
    }
    t->linear = s->filterMode == CU_TR_FILTER_MODE_LINEAR;
    t->normalized = (s->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    t->unit = narrow && !(s->flags & CU_TRSF_READ_AS_INTEGER);
    if (t->linear && integer && !t->unit) // integers cannot be interpolated
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(t->border, s->borderColor, sizeof t->border);
    return CUDA_SUCCESS;
}

CUresult hd_texobjects_view(const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling,
                            struct hd_texture *t)
{
    CUresult r = describe(resource, t);

    return r == CUDA_SUCCESS && sampling ? sample(sampling, t) : r;
}

static CUresult create(uint64_t *handle, const struct hd_texture *t,
                       const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *sampling)
{
    struct object *o = objects, *end = o + n_objects;

    *handle = hd_texture_create(hd_gpu_emu(hd_cuda.gpu), t);
    if (!*handle)
        return CUDA_ERROR_INVALID_VALUE;
    while (o < end && o->handle)
        o++;
    if (o == end)
        o = HD_PUSH(hd_cuda.arena, objects, n_objects, cap_objects);
    *o = (struct object){.handle = *handle,
                         .context = hd_current_context(),
                         .surface = !sampling,
                         .resource = *resource};
    if (sampling)
        o->sampling = *sampling;
    return CUDA_SUCCESS;
}

static struct object *find(uint64_t handle, bool surface)
{
    for (size_t i = 0; handle && i < n_objects; i++)
        if (objects[i].handle == handle && objects[i].surface == surface)
            return &objects[i];
    return NULL;
}

static void drop(struct object *o)
{
    hd_texture_destroy(hd_gpu_emu(hd_cuda.gpu), o->handle);
    o->handle = 0;
}

static void context_ends(const struct hd_cuda_context *c)
{
    for (size_t i = 0; i < n_objects; i++)
        if (objects[i].handle && objects[i].context == c)
            drop(&objects[i]);
}

static void machine_made(void)
{
    n_objects = 0;
}

static void device_ends(void)
{
    objects = NULL;
    n_objects = cap_objects = 0;
}

const struct hd_part hd_texobjects_part = {
    .machine_made = machine_made, .context_ends = context_ends, .device_ends = device_ends};

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *sampling, const CUDA_RESOURCE_VIEW_DESC *view)
{
    struct hd_texture t = {.address = 0};
    uint64_t handle;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!texture || !resource || !sampling)
        return CUDA_ERROR_INVALID_VALUE;
    if (view)
        return CUDA_ERROR_NOT_SUPPORTED;
    r = hd_texobjects_view(resource, sampling, &t);
    if (r == CUDA_SUCCESS)
        r = create(&handle, &t, resource, sampling);
    if (r == CUDA_SUCCESS)
        *texture = handle;
    return r;
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource)
{
    struct hd_texture t = {.address = 0};
    uint64_t handle;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!surface || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_texobjects_view(resource, NULL, &t);
    if (r == CUDA_SUCCESS)
        r = create(&handle, &t, resource, NULL);
    if (r == CUDA_SUCCESS)
        *surface = handle;
    return r;
}

// Queued kernels may still read it.
static CUresult destroy(uint64_t handle, bool surface)
{
    struct object *o = find(handle, surface);
    CUresult r;

    if (!o)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_queue_run();
    if (r != CUDA_SUCCESS)
        return r;
    o = find(handle, surface);
    if (!o)
        return CUDA_ERROR_INVALID_VALUE; // another thread has destroyed it meanwhile
    drop(o);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectDestroy(CUtexObject texture)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return destroy(texture, false);
}

CUresult cuSurfObjectDestroy(CUsurfObject surface)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return destroy(surface, true);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject texture)
{
    const struct object *o;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    o = find(texture, false);
    if (!o || !resource)
        return CUDA_ERROR_INVALID_VALUE;
    *resource = o->resource;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *sampling, CUtexObject texture)
{
    const struct object *o;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    o = find(texture, false);
    if (!o || !sampling)
        return CUDA_ERROR_INVALID_VALUE;
    *sampling = o->sampling;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject surface)
{
    const struct object *o;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    o = find(surface, true);
    if (!o || !resource)
        return CUDA_ERROR_INVALID_VALUE;
    *resource = o->resource;
    return CUDA_SUCCESS;
}
