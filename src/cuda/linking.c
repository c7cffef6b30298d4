// linking.c - cuLink*: PTX from several texts, fatbins and files becomes one image; see linking.h.
//
// Texts are only collected as they are added; cuLinkComplete links them and tells what is wrong, in
// the log that cuLinkCreate was given. Objects and libraries of the host are left out.
#include "cuda/linking.h"

#include "base/file.h"
#include "cuda/jitlog.h"
#include "cuda/process.h"
#include "ptx/ptx.h"

#include <string.h>

static const char magic[8] = "HDLINK1";

struct hd_cuda_link {
    CUlinkState handle;
    struct hd_cuda_context *context;
    struct hd_jitlog log;
    struct hd_text *texts;
    size_t n_texts, cap;
};

// --- images: magic, size of all, number of texts; then for each the lengths of its path and its
// text, and both with a NUL. Numbers have 8 bytes.

struct reader {
    const uint8_t *at, *end;
};

static bool take(struct reader *r, uint64_t bytes, const uint8_t **out)
{
    if (bytes > (uint64_t)(r->end - r->at))
        return false;
    *out = r->at;
    r->at += bytes;
    return true;
}

static bool take_number(struct reader *r, uint64_t *out)
{
    const uint8_t *at;
    bool there = take(r, sizeof *out, &at);

    if (there)
        memcpy(out, at, sizeof *out);
    return there;
}

static bool take_string(struct reader *r, uint64_t bytes, const uint8_t **out)
{
    return bytes < SIZE_MAX && take(r, bytes + 1, out) && !(*out)[bytes];
}

bool hd_linking_is_image(const void *image, size_t n)
{
    return n >= 24 && !strncmp(image, magic, sizeof magic);
}

CUresult hd_linking_texts(const void *image, size_t n, const struct hd_text **texts,
                          uint32_t *n_texts)
{
    uint64_t size, count;
    struct hd_text *out;

    memcpy(&size, (const char *)image + 8, sizeof size);
    memcpy(&count, (const char *)image + 16, sizeof count);
    if (size > n || size < 24 || !count || count > size / 16)
        return CUDA_ERROR_INVALID_IMAGE;
    uint8_t *copy = hd_arena_get(hd_cuda.programs, size, 1);
    memcpy(copy, image, size);
    struct reader r = {copy + 24, copy + size};
    out = HD_ARRAY(hd_cuda.programs, struct hd_text, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t path_bytes, text_bytes;
        const uint8_t *path;
        if (!take_number(&r, &path_bytes) || !take_number(&r, &text_bytes) ||
            !take_string(&r, path_bytes, &path) || !take_string(&r, text_bytes, &out[i].text))
            return CUDA_ERROR_INVALID_IMAGE;
        out[i].path = (const char *)path;
        out[i].bytes = text_bytes;
    }
    *texts = out;
    *n_texts = (uint32_t)count;
    return CUDA_SUCCESS;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

static void *make_image(const struct hd_cuda_link *l, size_t *bytes)
{
    uint64_t size = 24, count = l->n_texts;
    uint8_t *image, *to;

    for (size_t i = 0; i < count; i++)
        size += 16 + strlen(l->texts[i].path) + 1 + l->texts[i].bytes + 1;
    image = to = hd_arena_get(hd_cuda.programs, size, 1);
    to = put(to, magic, sizeof magic);
    to = put(to, &size, sizeof size);
    to = put(to, &count, sizeof count);
    for (size_t i = 0; i < count; i++) {
        uint64_t lengths[2] = {strlen(l->texts[i].path), l->texts[i].bytes};
        to = put(to, lengths, sizeof lengths);
        to = put(to, l->texts[i].path, lengths[0] + 1);
        to = put(to, l->texts[i].text, lengths[1] + 1);
    }
    *bytes = size;
    return image;
}

// --- the interface

static struct hd_cuda_link *get(CUlinkState state)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_LINK, state);
}

void hd_linking_forget(const struct hd_cuda_context *c)
{
    struct hd_cuda_link *l;
    size_t at = 0;

    while ((l = hd_handles_next(hd_cuda.handles, HD_HANDLE_LINK, &at)))
        if (l->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_LINK, l->handle);
}

CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
    struct hd_cuda_link *l;
    CUjit_option *own;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!state || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    l = hd_handles_add(hd_cuda.handles, HD_HANDLE_LINK, sizeof *l, &handle);
    // The interface lets only the values live on.
    own = HD_ARRAY(hd_cuda.programs, CUjit_option, n);
    if (n)
        memcpy(own, options, n * sizeof *own);
    l->log = hd_jitlog_begin(own, values, n);
    l->handle = handle;
    l->context = hd_context_current();
    *state = l->handle;
    return CUDA_SUCCESS;
}

bool hd_linking_is_runtime(const char *text)
{
    return strstr(text, "cuda_device_runtime_cu") != NULL;
}

static CUresult add(struct hd_cuda_link *l, CUjitInputType type, const char *path, const void *data,
                    size_t bytes)
{
    struct hd_diag d = {.n = 0};
    struct hd_text text = {0};
    CUresult r = CUDA_ERROR_NOT_SUPPORTED;

    if (type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY || type == CU_JIT_INPUT_CUBIN)
        r = hd_modules_text(path, data, bytes, &text, &d);
    else if (type == CU_JIT_INPUT_LIBRARY && memmem(data, bytes, "cuda_device_runtime.o", 21))
        return CUDA_SUCCESS;
    else if (type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "%s: objects and libraries are not linked", path),
                     "give PTX (nvcc -ptx -rdc=true) or a fatbin");
    else
        r = CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS && !hd_linking_is_runtime((const char *)text.text))
        *HD_PUSH(hd_cuda.programs, l->texts, l->n_texts, l->cap) = text;
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
        name = hd_arena_printf(hd_cuda.programs, "input %zu", l->n_texts + 1);
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
    const struct hd_program *p;
    size_t size;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!image || !l->n_texts)
        return CUDA_ERROR_INVALID_VALUE;
    scratch = hd_arena_new(); // only to see whether it works
    p = hd_ptx_link(scratch, l->texts, (uint32_t)l->n_texts, &d);
    hd_jitlog_tell(&l->log, &d);
    hd_arena_free(scratch);
    if (!p)
        return CUDA_ERROR_INVALID_PTX;
    *image = make_image(l, &size);
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
