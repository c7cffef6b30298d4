// texrefs.c - texture and surface references of old programs: variables of a module (.texref,
// .surfref) to which the host binds an array or memory.
//
// The variable contains the handle of an object of the emulator. What the host sets for a reference
// is collected, because it makes sense only as a whole, and becomes such an object before the next
// launch of one of the module's kernels. Kernels that are queued run before that, so that they see
// what was bound at their launch.
//
// Not supported: mipmaps, references that belong to no module (cuTexRefCreate).
#include "cuda/texture/textures.h"

#include "cuda/core/limits.h"
#include "cuda/core/queue.h"
#include "cuda/memory/devmem.h"
#include "emu/texture.h"

#include <string.h>

struct reference { // a texture or surface reference of a module
    void *handle;  // CUtexref or CUsurfref
    struct hd_cuda_module *module;
    uint64_t address, object; // of its variable; the emulator's handle of what is bound, or 0
    bool surface, bound;
    bool changed; // since the variable was last written
    CUarray_format format;
    unsigned channels;
    CUDA_RESOURCE_DESC resource; // if bound
    CUDA_TEXTURE_DESC sampling;
};

static unsigned n_changed;

bool hd_texrefs_changed(void)
{
    return n_changed > 0;
}

static struct reference *texture(CUtexref handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_TEXREF, handle);
}

static struct reference *surface(CUsurfref handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_SURFREF, handle);
}

static CUresult change(struct reference *t)
{
    n_changed += !t->changed;
    t->changed = true;
    return CUDA_SUCCESS;
}

static void unbind(struct reference *t)
{
    if (t->object)
        hd_texture_destroy(hd_gpu_emu(hd_cuda.gpu), t->object);
    t->object = 0;
}

// If what was bound has been freed, nothing is bound.
static CUresult settle(struct reference *t)
{
    struct hd_texture view = {.address = 0};

    n_changed--;
    t->changed = false;
    unbind(t);
    if (t->bound && hd_texobjects_view(&t->resource, NULL, &view) == CUDA_SUCCESS) {
        if (!t->surface && hd_texobjects_view(&t->resource, &t->sampling, &view) != CUDA_SUCCESS)
            return CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING;
        t->object = hd_texture_create(hd_gpu_emu(hd_cuda.gpu), &view);
    }
    uint8_t *variable = hd_devmem_at(t->address, sizeof t->object);
    if (variable)
        memcpy(variable, &t->object, sizeof t->object);
    return CUDA_SUCCESS;
}

CUresult hd_texrefs_settle(const struct hd_cuda_module *m, bool *again)
{
    static const enum hd_handle_kind kinds[] = {HD_HANDLE_TEXREF, HD_HANDLE_SURFREF};
    CUresult r = CUDA_SUCCESS;

    for (int k = 0; k < 2 && n_changed; k++) {
        struct reference *t;
        size_t at = 0;
        while (r == CUDA_SUCCESS && (t = hd_handles_next(hd_cuda.handles, kinds[k], &at))) {
            if (!t->changed || t->module != m)
                continue;
            if (!hd_queue_is_empty()) {
                *again = true;
                return hd_queue_run();
            }
            r = settle(t);
        }
    }
    return r;
}

static void module_ends(const struct hd_cuda_module *m)
{
    static const enum hd_handle_kind kinds[] = {HD_HANDLE_TEXREF, HD_HANDLE_SURFREF};

    for (int k = 0; k < 2; k++) {
        struct reference *t;
        size_t at = 0;
        while ((t = hd_handles_next(hd_cuda.handles, kinds[k], &at)))
            if (t->module == m) {
                n_changed -= t->changed;
                unbind(t);
                hd_handles_drop(hd_cuda.handles, kinds[k], t->handle);
            }
    }
}

static void device_ends(void)
{
    n_changed = 0;
}

const struct hd_part hd_texrefs_part = {.module_ends = module_ends, .device_ends = device_ends};

// --- finding them

// PTX distinguishes textures and surfaces; the program says which of them it means.
static CUresult reference(CUmodule module, const char *name, bool is_surface, void **out)
{
    enum hd_handle_kind kind = is_surface ? HD_HANDLE_SURFREF : HD_HANDLE_TEXREF;
    struct hd_cuda_module *m = hd_handles_get(hd_cuda.handles, HD_HANDLE_MODULE, module);
    const struct hd_symbol *s = NULL;
    struct reference *t;
    size_t at = 0;

    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    for (uint32_t i = 0; i < m->program->n_symbols && !s; i++)
        if (m->program->symbols[i].opaque && !strcmp(m->program->symbols[i].name, name))
            s = &m->program->symbols[i];
    if (!s)
        return CUDA_ERROR_NOT_FOUND;
    while ((t = hd_handles_next(hd_cuda.handles, kind, &at)))
        if (t->module == m && t->address == s->address) {
            *out = t->handle;
            return CUDA_SUCCESS;
        }
    t = hd_handles_add(hd_cuda.handles, kind, sizeof *t, out);
    *t = (struct reference){.handle = *out,
                            .module = m,
                            .address = s->address,
                            .surface = is_surface,
                            .format = CU_AD_FORMAT_FLOAT,
                            .channels = 1};
    return CUDA_SUCCESS;
}

CUresult cuModuleGetTexRef(CUtexref *reference_out, CUmodule module, const char *name)
{
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!reference_out || !name)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = reference(module, name, false, &handle);
    if (r == CUDA_SUCCESS)
        *reference_out = handle;
    return r;
}

CUresult cuModuleGetSurfRef(CUsurfref *reference_out, CUmodule module, const char *name)
{
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!reference_out || !name)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = reference(module, name, true, &handle);
    if (r == CUDA_SUCCESS)
        *reference_out = handle;
    return r;
}

// --- what is bound

static CUresult bind(struct reference *t, const CUDA_RESOURCE_DESC *resource)
{
    t->resource = *resource;
    t->bound = true;
    return change(t);
}

CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned flags)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags & ~CU_TRSA_OVERRIDE_FORMAT)
        return CUDA_ERROR_INVALID_VALUE;
    const struct hd_cuda_array *a = hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array);
    if (!a && array)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!a) { // nothing is bound any more
        t->bound = false;
        return change(t);
    }
    if (t->bound && t->resource.resType == CU_RESOURCE_TYPE_ARRAY &&
        t->resource.res.array.hArray == array)
        return CUDA_SUCCESS;
    t->format = a->shape.Format;
    t->channels = a->shape.NumChannels;
    resource.res.array.hArray = array;
    return bind(t, &resource);
}

// *offset is the distance of the address from the next lower aligned one. A range that is longer
// than its allocation (programs pass a very large number to mean all of it) is cut off at its end.
CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref handle, CUdeviceptr address, size_t bytes)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR};
    size_t above = (size_t)(address % HD_CUDA_TEXTURE_ALIGN), most, texel;
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!address) {
        t->bound = false;
        return change(t);
    }
    const struct hd_cuda_alloc *a = hd_devmem_find(address);
    if (!a || address >= HD_CUDA_CONSTANTS || (above && !offset))
        return CUDA_ERROR_INVALID_VALUE;
    most = (size_t)(a->address + a->bytes - (address - above));
    bytes = bytes < most - above ? bytes + above : most;
    texel = hd_arrays_format_bytes(t->format) * t->channels;
    if (texel && bytes / texel > HD_CUDA_LINEAR)
        bytes = HD_CUDA_LINEAR * texel;
    if (offset)
        *offset = above;
    if (t->bound && t->resource.resType == CU_RESOURCE_TYPE_LINEAR &&
        t->resource.res.linear.devPtr == address - above &&
        t->resource.res.linear.sizeInBytes == bytes)
        return CUDA_SUCCESS;
    resource.res.linear.devPtr = address - above;
    resource.res.linear.format = t->format;
    resource.res.linear.numChannels = t->channels;
    resource.res.linear.sizeInBytes = bytes;
    return bind(t, &resource);
}

CUresult cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *shape,
                                 CUdeviceptr address, size_t pitch)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    struct hd_texture view = {.address = 0};
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!shape)
        return CUDA_ERROR_INVALID_VALUE;
    resource.res.pitch2D.devPtr = address;
    resource.res.pitch2D.format = shape->Format;
    resource.res.pitch2D.numChannels = shape->NumChannels;
    resource.res.pitch2D.width = shape->Width;
    resource.res.pitch2D.height = shape->Height;
    resource.res.pitch2D.pitchInBytes = pitch;
    CUresult r = hd_texobjects_view(&resource, NULL, &view);
    if (r != CUDA_SUCCESS)
        return r;
    t->format = shape->Format;
    t->channels = shape->NumChannels;
    return bind(t, &resource);
}

CUresult cuTexRefSetAddress2D_v2(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *shape,
                                 CUdeviceptr address, size_t pitch)
{
    return cuTexRefSetAddress2D_v3(handle, shape, address, pitch);
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels)
{
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!hd_arrays_format_bytes(format) || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    t->format = format;
    t->channels = (unsigned)channels;
    if (!t->bound || t->resource.resType != CU_RESOURCE_TYPE_LINEAR)
        return CUDA_SUCCESS; // an array has a format, and so has pitched memory
    t->resource.res.linear.format = format;
    t->resource.res.linear.numChannels = t->channels;
    return change(t);
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned flags)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = surface(handle);
    if (!t || !hd_handles_get(hd_cuda.handles, HD_HANDLE_ARRAY, array))
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    resource.res.array.hArray = array;
    return bind(t, &resource);
}

// --- how it is read

// Sets a field of the sampling. If this changes it, the reference is written again.
#define SET(handle, field, value, sense)                                                           \
    do {                                                                                           \
        struct reference *t_;                                                                      \
        HD_CUDA_ENTER(HD_CUDA_WORKING);                                                            \
        t_ = texture(handle);                                                                      \
        if (!t_)                                                                                   \
            return CUDA_ERROR_INVALID_HANDLE;                                                      \
        if (!(sense))                                                                              \
            return CUDA_ERROR_INVALID_VALUE;                                                       \
        if (t_->sampling.field == (value))                                                         \
            return CUDA_SUCCESS;                                                                   \
        t_->sampling.field = (value);                                                              \
        return change(t_);                                                                         \
    } while (0)
#define GET(out, handle, field)                                                                    \
    do {                                                                                           \
        const struct reference *t_;                                                                \
        HD_CUDA_ENTER(HD_CUDA_WORKING);                                                            \
        t_ = texture(handle);                                                                      \
        if (!t_)                                                                                   \
            return CUDA_ERROR_INVALID_HANDLE;                                                      \
        if (!(out))                                                                                \
            return CUDA_ERROR_INVALID_VALUE;                                                       \
        *(out) = t_->sampling.field;                                                               \
        return CUDA_SUCCESS;                                                                       \
    } while (0)

CUresult cuTexRefSetAddressMode(CUtexref handle, int dim, CUaddress_mode mode)
{
    if (dim < 0 || dim > 2)
        return CUDA_ERROR_INVALID_VALUE;
    SET(handle, addressMode[dim], mode, (unsigned)mode <= CU_TR_ADDRESS_MODE_BORDER);
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref handle, int dim)
{
    if (dim < 0 || dim > 2)
        return CUDA_ERROR_INVALID_VALUE;
    GET(mode, handle, addressMode[dim]);
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode)
{
    SET(handle, filterMode, mode, (unsigned)mode <= CU_TR_FILTER_MODE_LINEAR);
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    GET(mode, handle, filterMode);
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode)
{
    SET(handle, mipmapFilterMode, mode, (unsigned)mode <= CU_TR_FILTER_MODE_LINEAR);
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref handle)
{
    GET(mode, handle, mipmapFilterMode);
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias)
{
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->sampling.mipmapLevelBias = bias; // there are no mipmap levels
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetMipmapLevelBias(float *bias, CUtexref handle)
{
    GET(bias, handle, mipmapLevelBias);
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most)
{
    SET(handle, maxAnisotropy, most, true);
}

CUresult cuTexRefGetMaxAnisotropy(unsigned *most, CUtexref handle)
{
    GET(most, handle, maxAnisotropy);
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned flags)
{
    SET(handle, flags, flags, true);
}

CUresult cuTexRefGetFlags(unsigned *flags, CUtexref handle)
{
    GET(flags, handle, flags);
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most)
{
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    t->sampling.minMipmapLevelClamp = least; // there are no mipmap levels
    t->sampling.maxMipmapLevelClamp = most;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref handle)
{
    const struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!least || !most)
        return CUDA_ERROR_INVALID_VALUE;
    *least = t->sampling.minMipmapLevelClamp;
    *most = t->sampling.maxMipmapLevelClamp;
    return CUDA_SUCCESS;
}

CUresult cuTexRefSetBorderColor(CUtexref handle, const float *colour)
{
    struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!colour)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(t->sampling.borderColor, colour, sizeof t->sampling.borderColor);
    return change(t);
}

CUresult cuTexRefGetBorderColor(float *colour, CUtexref handle)
{
    const struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!colour)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(colour, t->sampling.borderColor, sizeof t->sampling.borderColor);
    return CUDA_SUCCESS;
}

// --- queries

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref handle)
{
    const struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (format)
        *format = t->format;
    if (channels)
        *channels = (int)t->channels;
    return CUDA_SUCCESS;
}

static CUresult array_of(const struct reference *t, CUarray *array)
{
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!array || !t->bound || t->resource.resType != CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    *array = t->resource.res.array.hArray;
    return CUDA_SUCCESS;
}

CUresult cuTexRefGetArray(CUarray *array, CUtexref handle)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return array_of(texture(handle), array);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref handle)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return array_of(surface(handle), array);
}

CUresult cuTexRefGetAddress_v2(CUdeviceptr *address, CUtexref handle)
{
    const struct reference *t;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = texture(handle);
    if (!t)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!address || !t->bound || t->resource.resType == CU_RESOURCE_TYPE_ARRAY)
        return CUDA_ERROR_INVALID_VALUE;
    *address = t->resource.resType == CU_RESOURCE_TYPE_LINEAR ? t->resource.res.linear.devPtr
                                                              : t->resource.res.pitch2D.devPtr;
    return CUDA_SUCCESS;
}
