// modules.c - from an image to a loaded program: PTX text, fatbins, files; and linking, as far as
// it means handing one PTX text through.
#include "cuda/process.h"

#include "base/file.h"
#include "cuda/fatbin.h"
#include "cuda/queue.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <string.h>

struct hd_cuda_link {
    CUlinkState handle;
    char *text;
    size_t bytes;
};

// What the options of a load ask to be told. A log's size is replaced by what was written.
struct logs {
    CUjit_option *options;
    void **values;
    unsigned n;
};

static size_t size_option(const struct logs *l, CUjit_option option)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->options[i] == option)
            return (size_t)(uint32_t)(uintptr_t)l->values[i];
    return 0;
}

static void write_log(const struct logs *l, CUjit_option buffer, CUjit_option size,
                      const struct hd_diag *d)
{
    size_t room = size_option(l, size), written = 0;

    for (unsigned i = 0; i < l->n; i++) {
        char *to = l->options[i] == buffer ? l->values[i] : NULL;
        if (!to || !room)
            continue;
        to[0] = '\0';
        FILE *f = room > 1 && d ? fmemopen(to, room, "w") : NULL;
        if (f) {
            hd_diag_print(d, f);
            fclose(f);
        }
        to[room - 1] = '\0';
        written = strlen(to);
    }
    for (unsigned i = 0; i < l->n; i++)
        if (l->options[i] == size)
            l->values[i] = (void *)(uintptr_t)written;
}

// Diagnostics go to the program's log if it gave one, else to people.
static void tell(const struct logs *l, const struct hd_diag *d)
{
    bool heard = size_option(l, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) != 0;

    write_log(l, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, NULL);
    write_log(l, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, d->n ? d : NULL);
    if (d->n && !heard)
        hd_cuda_say(d);
}

// The number behind ".target sm_".
static unsigned target_of(const char *text)
{
    static const char word[] = ".target sm_";
    const char *at = strstr(text, word);
    unsigned n = 0;

    for (at = at ? at + sizeof word - 1 : ""; *at >= '0' && *at <= '9' && n < 1000; at++)
        n = n * 10 + (unsigned)(*at - '0');
    return n;
}

// `text` ends in NUL and lives as long as the machine.
static CUresult load_text(CUmodule *module, const char *path, const char *text, size_t bytes,
                          struct hd_diag *d)
{
    struct hd_program *p = hd_ptx_load(hd_cuda.programs, path, (const uint8_t *)text, bytes, d);
    struct hd_cuda_module *m;
    void *handle;

    if (!p)
        return CUDA_ERROR_INVALID_PTX;
    if (!hd_gpu_load(hd_cuda.gpu, p, d))
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (p->symbols[i].space == HD_SPACE_GLOBAL)
            hd_devmem_add(p->symbols[i].address, p->symbols[i].bytes, HD_ALLOC_SYMBOL);
    m = hd_handles_add(hd_cuda.handles, HD_HANDLE_MODULE, sizeof *m, &handle);
    m->handle = handle;
    m->number = ++hd_cuda.n_modules;
    m->context = hd_context_current();
    m->program = p;
    m->functions = HD_ARRAY(hd_cuda.programs, CUfunction, p->n_funcs);
    m->target = target_of(text);
    *module = m->handle;
    return CUDA_SUCCESS;
}

static CUresult load_fatbin(CUmodule *module, const char *path, const uint8_t *bytes, uint64_t n,
                            struct hd_diag *d)
{
    struct hd_fatbin_entry e;
    bool sass;
    size_t text_bytes;

    if (!hd_fatbin_choose(bytes, n, hd_cuda.capability, &e, &sass, d))
        return sass ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
    uint8_t *text = hd_fatbin_unpack(hd_cuda.programs, &e, &text_bytes, d);
    if (!text)
        return CUDA_ERROR_INVALID_IMAGE;
    return load_text(module, hd_arena_printf(hd_cuda.programs, "%s, compute_%u", path, e.arch),
                     (const char *)text, text_bytes, d);
}

// An image of `n` bytes; SIZE_MAX if its size is what it says itself (text ends in NUL).
static CUresult load_image(CUmodule *module, const char *path, const void *image, size_t n,
                           struct hd_diag *d)
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
        return load_fatbin(module, path, bytes, size && size < n ? size : n, d);
    }
    size_t length = strnlen(text, n);
    if (!length)
        return CUDA_ERROR_INVALID_IMAGE;
    return load_text(module, path, hd_arena_strndup(hd_cuda.programs, text, length), length, d);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options,
                            void **values)
{
    struct hd_diag d = {.n = 0};
    struct logs logs = {options, values, n};
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!module || !image || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    r = load_image(module, hd_arena_printf(hd_cuda.programs, "module %u", hd_cuda.n_modules + 1),
                   image, SIZE_MAX, &d);
    tell(&logs, &d);
    return r;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    struct hd_diag d = {.n = 0};
    char err[160];
    size_t n;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!module || !file)
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t *image = hd_file_read(hd_cuda.programs, file, &n, err);
    if (!image)
        return CUDA_ERROR_FILE_NOT_FOUND;
    r = load_image(module, hd_arena_strdup(hd_cuda.programs, file), image, n, &d);
    if (d.n)
        hd_cuda_say(&d);
    return r;
}

static struct hd_cuda_module *get(CUmodule module)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_MODULE, module);
}

// Its code stays with the machine (launches of it are in the results); its variables go.
static void unload(struct hd_cuda_module *m)
{
    const struct hd_program *p = m->program;

    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (p->symbols[i].space == HD_SPACE_GLOBAL)
            hd_devmem_release(p->symbols[i].address);
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (m->functions[i])
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_FUNCTION, m->functions[i]);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_MODULE, m->handle);
}

void hd_modules_forget(const struct hd_cuda_context *c)
{
    struct hd_cuda_module *m;
    size_t at = 0;

    while ((m = hd_handles_next(hd_cuda.handles, HD_HANDLE_MODULE, &at)))
        if (m->context == c)
            unload(m);
}

CUresult cuModuleUnload(CUmodule module)
{
    struct hd_cuda_module *m;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_queue_run();
    if (r == CUDA_SUCCESS)
        unload(m);
    return r;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    struct hd_cuda_module *m;
    const struct hd_func *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!function || !name)
        return CUDA_ERROR_INVALID_VALUE;
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    f = hd_program_find(m->program, name);
    if (!f || !f->is_kernel)
        return CUDA_ERROR_NOT_FOUND;
    *function = hd_functions_of(m, f);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module)
{
    const struct hd_cuda_module *m;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = 0;
    for (uint32_t i = 0; i < m->program->n_funcs; i++)
        *count += m->program->funcs[i].is_kernel;
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned n, CUmodule module)
{
    struct hd_cuda_module *m;
    unsigned k = 0;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!functions)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < m->program->n_funcs && k < n; i++)
        if (m->program->funcs[i].is_kernel)
            functions[k++] = hd_functions_of(m, &m->program->funcs[i]);
    return CUDA_SUCCESS;
}

uint8_t *hd_modules_constant_at(uint64_t address, uint64_t bytes)
{
    struct hd_cuda_module *m;
    uint64_t offset = address - HD_CUDA_CONSTANTS;
    size_t at = 0;

    while ((m = hd_handles_next(hd_cuda.handles, HD_HANDLE_MODULE, &at)))
        if (m->number == offset >> 32)
            return hd_gpu_const(hd_cuda.gpu, m->program, (uint32_t)offset, bytes);
    return NULL;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
    const struct hd_cuda_module *m;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE;
    for (uint32_t i = 0; i < m->program->n_symbols; i++) {
        const struct hd_symbol *s = &m->program->symbols[i];
        if (strcmp(s->name, name) != 0)
            continue;
        if (address)
            *address = s->space == HD_SPACE_CONST
                           ? HD_CUDA_CONSTANTS + ((uint64_t)m->number << 32) + s->address
                           : s->address;
        if (bytes)
            *bytes = s->bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

static struct hd_cuda_link *get_link(CUlinkState state)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_LINK, state);
}

CUresult cuLinkCreate_v2(unsigned n, CUjit_option *options, void **values, CUlinkState *state)
{
    struct hd_cuda_link *l;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!state || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    l = hd_handles_add(hd_cuda.handles, HD_HANDLE_LINK, sizeof *l, &handle);
    l->handle = handle;
    *state = l->handle;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t bytes,
                          const char *name, unsigned n, CUjit_option *options, void **values)
{
    struct hd_cuda_link *l;

    (void)name, (void)n, (void)options, (void)values;
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get_link(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!data || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_JIT_INPUT_CUBIN)
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (type != CU_JIT_INPUT_PTX || l->text) { // several texts would have to be linked
        struct hd_diag d = {.n = 0};
        hd_diag_add(&d, NULL, 0, 0, "cuLinkAddData: only one PTX text can be linked");
        hd_cuda_say(&d);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    l->bytes = strnlen(data, bytes);
    l->text = hd_arena_strndup(hd_cuda.programs, data, l->bytes);
    return CUDA_SUCCESS;
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned n,
                          CUjit_option *options, void **values)
{
    char err[160];
    size_t bytes;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!path)
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t *data = hd_file_read(hd_cuda.programs, path, &bytes, err);
    return data ? cuLinkAddData_v2(state, type, data, bytes, path, n, options, values)
                : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes)
{
    const struct hd_cuda_link *l;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = get_link(state);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!image || !l->text)
        return CUDA_ERROR_INVALID_VALUE;
    *image = l->text;
    if (bytes)
        *bytes = l->bytes + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!get_link(state))
        return CUDA_ERROR_INVALID_HANDLE;
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_LINK, state);
    return CUDA_SUCCESS;
}
