// images.c - from an image to PTX texts: text, fatbins, linked images.
//
// On a GPU the result of cuLinkComplete is machine code. Here it is the texts themselves, in a
// format that a program may keep in a file and load later like a cubin.
#include "cuda/code/code.h"

#include "ptx/ptx.h"

#include <stdio.h>
#include <string.h>

static const char magic[8] = "HDLINK1";

// The number after ".target sm_".
unsigned hd_images_target(const struct hd_text *texts)
{
    static const char word[] = ".target sm_";
    const char *at = strstr((const char *)texts[0].text, word);
    unsigned n = 0;

    for (at = at ? at + sizeof word - 1 : ""; *at >= '0' && *at <= '9' && n < 1000; at++)
        n = n * 10 + (unsigned)(*at - '0');
    return n;
}

// --- images. Format: magic number, total size, number of texts; then for each text the lengths of
// its path and of its text, and both with a final NUL; then the number of kernels whose registers
// are known, and for each the length of its name, the registers, and the name with a final NUL.
// Numbers have 8 bytes.

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

static bool is_linked(const void *image, size_t n)
{
    return n >= 24 && !strncmp(image, magic, sizeof magic);
}

static CUresult read_linked(const void *image, size_t n, struct hd_image *out)
{
    uint64_t size, count;

    memcpy(&size, (const char *)image + 8, sizeof size);
    memcpy(&count, (const char *)image + 16, sizeof count);
    if (size > n || size < 24 || !count || count > size / 16)
        return CUDA_ERROR_INVALID_IMAGE;
    uint8_t *copy = hd_arena_get(hd_cuda.programs, size, 1);
    memcpy(copy, image, size);
    struct reader r = {copy + 24, copy + size};
    for (uint64_t i = 0; i < count; i++) {
        uint64_t path_bytes, text_bytes;
        const uint8_t *path, *text;
        if (!take_number(&r, &path_bytes) || !take_number(&r, &text_bytes) ||
            !take_string(&r, path_bytes, &path) || !take_string(&r, text_bytes, &text))
            return CUDA_ERROR_INVALID_IMAGE;
        *HD_PUSH(hd_cuda.programs, out->texts, out->n_texts, out->cap_texts) =
            (struct hd_text){(const char *)path, text, text_bytes};
    }
    if (!take_number(&r, &count))
        return CUDA_ERROR_INVALID_IMAGE;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t name_bytes, regs;
        const uint8_t *name;
        if (!take_number(&r, &name_bytes) || !take_number(&r, &regs) ||
            !take_string(&r, name_bytes, &name) || regs > UINT8_MAX)
            return CUDA_ERROR_INVALID_IMAGE;
        *HD_PUSH(hd_cuda.programs, out->built, out->n_built, out->cap_built) =
            (struct hd_cubin_kernel){.name = (const char *)name, .regs = (uint32_t)regs};
    }
    return CUDA_SUCCESS;
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

void *hd_images_make(const struct hd_image *x, size_t *bytes)
{
    uint64_t size = 32, count = x->n_texts, built = x->n_built;
    uint8_t *image, *to;

    for (size_t i = 0; i < count; i++)
        size += 16 + strlen(x->texts[i].path) + 1 + x->texts[i].bytes + 1;
    for (size_t i = 0; i < built; i++)
        size += 16 + strlen(x->built[i].name) + 1;
    image = to = hd_arena_get(hd_cuda.programs, size, 1);
    to = put(to, magic, sizeof magic);
    to = put(to, &size, sizeof size);
    to = put(to, &count, sizeof count);
    for (size_t i = 0; i < count; i++) {
        uint64_t lengths[2] = {strlen(x->texts[i].path), x->texts[i].bytes};
        to = put(to, lengths, sizeof lengths);
        to = put(to, x->texts[i].path, lengths[0] + 1);
        to = put(to, x->texts[i].text, lengths[1] + 1);
    }
    to = put(to, &built, sizeof built);
    for (size_t i = 0; i < built; i++) {
        uint64_t head[2] = {strlen(x->built[i].name), x->built[i].regs};
        to = put(to, head, sizeof head);
        to = put(to, x->built[i].name, head[0] + 1);
    }
    *bytes = size;
    return image;
}

// --- any image

void hd_images_built(const void *container, size_t n, struct hd_image *out)
{
    struct hd_cubin cubin;

    if (!hd_cubin_choose(hd_cuda.programs, container, n, hd_cuda.capability, &cubin))
        return;
    for (size_t i = 0; i < cubin.n_kernels; i++)
        *HD_PUSH(hd_cuda.programs, out->built, out->n_built, out->cap_built) = cubin.kernels[i];
}

static CUresult fatbin_text(const char *path, const uint8_t *bytes, uint64_t n, struct hd_text *out,
                            struct hd_diag *d)
{
    struct hd_fatbin_entry e;
    bool sass;

    if (!hd_fatbin_choose(bytes, n, hd_cuda.capability, &e, &sass, d))
        return sass ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
    out->text = hd_fatbin_unpack(hd_cuda.programs, &e, &out->bytes, d);
    out->path = hd_arena_printf(hd_cuda.programs, "%s, compute_%u", path, e.arch);
    return out->text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

static CUresult read_text(const char *path, const void *image, size_t n, struct hd_image *counts,
                          struct hd_text *out, struct hd_diag *d)
{
    const char *text = image;
    const uint8_t *bytes = image;

    if (n >= 4 && !strncmp(text,
                           "\x7f"
                           "ELF",
                           4)) {
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "%s holds machine code only (a cubin), no PTX", path),
            "give the driver PTX (nvcc -ptx) or a fatbin with PTX in it");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (n >= 24 && !strncmp(text, "\xb1\x43\x62\x46", 4)) { // a struct that points to a fatbin
        const void *fatbin;
        memcpy(&fatbin, bytes + 8, sizeof fatbin);
        if (!fatbin || n != SIZE_MAX)
            return CUDA_ERROR_INVALID_IMAGE;
        bytes = fatbin;
        text = (const char *)bytes;
    }
    if (n >= 16 && !strncmp(text, "\x50\xed\x55\xba", 4)) {
        uint64_t size = hd_fatbin_bytes(bytes);
        size = size && size < n ? size : n;
        CUresult r = fatbin_text(path, bytes, size, out, d);
        if (r == CUDA_SUCCESS)
            hd_images_built(bytes, size, counts);
        return r;
    }
    out->bytes = strnlen(text, n);
    out->text = (uint8_t *)hd_arena_strndup(hd_cuda.programs, text, out->bytes);
    out->path = hd_arena_strdup(hd_cuda.programs, path);
    return out->bytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

CUresult hd_images_read(const char *path, const void *image, size_t n, struct hd_image *out,
                        struct hd_diag *d)
{
    struct hd_text text = {0};
    CUresult r;

    *out = (struct hd_image){.n_texts = 0};
    if (is_linked(image, n))
        return read_linked(image, n, out);
    r = read_text(path, image, n, out, &text, d);
    if (r == CUDA_SUCCESS)
        *HD_PUSH(hd_cuda.programs, out->texts, out->n_texts, out->cap_texts) = text;
    return r;
}

CUresult hd_images_link(struct hd_arena *a, const struct hd_image *image, struct hd_program **out,
                        struct hd_diag *d)
{
    *out = hd_ptx_link(a, image->texts, (uint32_t)image->n_texts, d);
    if (*out) {
        hd_cubin_give(a, image->built, image->n_built, *out);
        return CUDA_SUCCESS;
    }
    for (size_t i = 0; i < image->n_texts; i++)
        if (hd_ptx_too_new(&image->texts[i]))
            return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    return CUDA_ERROR_INVALID_PTX;
}
