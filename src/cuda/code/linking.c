// linking.c - cuLink*: makes one image (images.c) of several PTX texts, fatbins and files.
//
// Texts are only collected when they are added. cuLinkComplete links them and reports errors in the
// log that was given to cuLinkCreate. Objects and libraries of the host are not supported.
#include "cuda/code/code.h"

#include "base/file.h"
#include "cuda/code/jitlog.h"

#include <string.h>

struct hd_cuda_link {
    CUlinkState handle;
    struct hd_cuda_context *context;
    struct hd_jitlog log;
    struct hd_image image;
};

static struct hd_cuda_link *get(CUlinkState state)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_LINK, state);
}

static void context_ends(const struct hd_cuda_context *c)
{
    struct hd_cuda_link *l;
    size_t at = 0;

    while ((l = hd_handles_next(hd_cuda.handles, HD_HANDLE_LINK, &at)))
        if (l->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_LINK, l->handle);
}

const struct hd_part hd_linking_part = {.context_ends = context_ends};

CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
    struct hd_cuda_link *l;
    CUjit_option *own;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!state || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    l = hd_handles_add(hd_cuda.handles, HD_HANDLE_LINK, sizeof *l, &handle);
    // Only the values have to stay valid after the call, not the list of options.
    own = HD_ARRAY(hd_cuda.programs, CUjit_option, n);
    if (n)
        memcpy(own, options, n * sizeof *own);
    l->log = hd_jitlog_begin(own, values, n);
    l->handle = handle;
    l->context = hd_current_context();
    *state = l->handle;
    return CUDA_SUCCESS;
}

// Adds the texts and counts of one input to the image that is linked.
static void collect(struct hd_image *to, const struct hd_image *from)
{
    for (size_t i = 0; i < from->n_texts; i++)
        if (!hd_fatbin_is_runtime((const char *)from->texts[i].text))
            *HD_PUSH(hd_cuda.programs, to->texts, to->n_texts, to->cap_texts) = from->texts[i];
    for (size_t i = 0; i < from->n_built; i++)
        *HD_PUSH(hd_cuda.programs, to->built, to->n_built, to->cap_built) = from->built[i];
}

static CUresult add(struct hd_cuda_link *l, CUjitInputType type, const char *path, const void *data,
                    size_t bytes)
{
    struct hd_diag d = {.n = 0};
    struct hd_image one = {.n_texts = 0};
    CUresult r = CUDA_ERROR_NOT_SUPPORTED;

    if ((unsigned)type == HD_CUDA_INPUT_BUILT) {
        hd_images_built(data, bytes, &l->image);
        return CUDA_SUCCESS;
    }
    if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY || type == CU_JIT_INPUT_CUBIN)
        r = hd_images_read(path, data, bytes, &one, &d);
    else if (type == CU_JIT_INPUT_LIBRARY && memmem(data, bytes, "cuda_device_runtime.o", 21))
        return CUDA_SUCCESS;
    else if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "%s: objects and libraries are not linked", path),
                     "give PTX (nvcc -ptx -rdc=true) or a fatbin");
    else
        r = CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        collect(&l->image, &one);
    if (d.n)
        hd_jitlog_tell(&l->log, &d);
    return r;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                          const char *name, unsigned n, CUjit_option *options, void **values)
{
    struct hd_cuda_link *l;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!data || !bytes || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    if (!name)
        name = hd_arena_printf(hd_cuda.programs, "input %zu", l->image.n_texts + 1);
    return add(l, type, name, data, bytes);
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned n,
                          CUjit_option *options, void **values)
{
    struct hd_cuda_link *l;
    char err[HD_FILE_WHY];
    size_t bytes;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!path || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    const uint8_t *data = hd_file_read(hd_cuda.programs, path, &bytes, err);
    return data ? add(l, type, path, data, bytes) : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    struct hd_diag d = {.n = 0};
    struct hd_arena *scratch;
    struct hd_cuda_link *l;
    struct hd_program *p;
    CUresult r;
    size_t size;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!image || !l->image.n_texts)
        return CUDA_ERROR_INVALID_VALUE;
    scratch = hd_arena_new(); // linked only to find errors; the result is dropped
    r = hd_images_link(scratch, &l->image, &p, &d);
    hd_jitlog_tell(&l->log, &d);
    hd_arena_free(scratch);
    if (r != CUDA_SUCCESS)
        return r;
    *image = hd_images_make(&l->image, &size);
    if (bytes)
        *bytes = size;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!get(state))
        return CUDA_ERROR_INVALID_HANDLE;
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_LINK, state);
    return CUDA_SUCCESS;
}
