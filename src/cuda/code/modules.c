// modules.c - programs on the device: cuModule*.
#include "cuda/code/code.h"

#include "base/file.h"
#include "cuda/code/jitlog.h"
#include "cuda/core/queue.h"
#include "cuda/memory/devmem.h"

#include <string.h>

// Texts end in NUL and live as long as the machine.
CUresult hd_modules_make(struct hd_program *p, const struct hd_text *texts,
                         struct hd_cuda_context *c, CUmodule *out, struct hd_diag *d)
{
    struct hd_cuda_module *m;
    void *handle;

    if (!hd_gpu_load(hd_cuda.gpu, p, d))
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (p->symbols[i].space == HD_SPACE_GLOBAL) {
            hd_devmem_add(p->symbols[i].address, p->symbols[i].bytes,
                          p->symbols[i].managed ? HD_ALLOC_MANAGED_SYMBOL : HD_ALLOC_SYMBOL);
            hd_devmem_find(p->symbols[i].address)->context = c;
        }
    m = hd_handles_add(hd_cuda.handles, HD_HANDLE_MODULE, sizeof *m, &handle);
    m->handle = handle;
    m->number = ++hd_cuda.n_modules;
    m->context = c;
    m->program = p;
    m->functions = HD_ARRAY(hd_cuda.programs, CUfunction, p->n_funcs);
    m->target = hd_images_target(texts);
    *out = m->handle;
    return CUDA_SUCCESS;
}

static CUresult load_image(CUmodule *module, const char *path, const void *image, size_t n,
                           struct hd_diag *d)
{
    struct hd_image x;
    struct hd_program *p;
    CUresult r = hd_images_read(path, image, n, &x, d);

    if (r == CUDA_SUCCESS)
        r = hd_images_link(hd_cuda.programs, &x, &p, d);
    return r == CUDA_SUCCESS ? hd_modules_make(p, x.texts, hd_current_context(), module, d) : r;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options,
                            void **values)
{
    struct hd_diag d = {.n = 0};
    struct hd_jitlog log = hd_jitlog_begin(options, values, n);
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!module || !image || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    r = load_image(module, hd_arena_printf(hd_cuda.programs, "module %u", hd_cuda.n_modules + 1),
                   image, SIZE_MAX, &d);
    hd_jitlog_tell(&log, &d);
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
    char err[HD_FILE_WHY];
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

// The code stays as long as the machine, because the results list its launches; the variables are
// freed.
static void unload(struct hd_cuda_module *m)
{
    const struct hd_program *p = m->program;

    hd_parts_module_ends(m);
    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (p->symbols[i].space == HD_SPACE_GLOBAL)
            hd_devmem_release(p->symbols[i].address);
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (m->functions[i])
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_FUNCTION, m->functions[i]);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_MODULE, m->handle);
}

void hd_modules_unload(CUmodule module)
{
    struct hd_cuda_module *m = get(module);

    if (m)
        unload(m);
}

static void context_ends(const struct hd_cuda_context *c)
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
    if (m->library)
        return CUDA_ERROR_NOT_PERMITTED; // it is unloaded with its library
    r = hd_queue_run();
    if (r != CUDA_SUCCESS)
        return r;
    m = get(module);
    if (!m)
        return CUDA_ERROR_INVALID_HANDLE; // another thread has unloaded it meanwhile
    unload(m);
    return CUDA_SUCCESS;
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

// Constants have device addresses too.
static uint8_t *constant_at(uint64_t offset, uint64_t bytes)
{
    struct hd_cuda_module *m;
    size_t at = 0;

    while ((m = hd_handles_next(hd_cuda.handles, HD_HANDLE_MODULE, &at)))
        if (m->number == offset >> 32)
            return hd_gpu_const(hd_cuda.gpu, m->program, (uint32_t)offset, bytes);
    return NULL;
}

static void machine_made(void)
{
    hd_devmem_window(constant_at);
}

const struct hd_part hd_modules_part = {.machine_made = machine_made, .context_ends = context_ends};

CUresult hd_modules_variable(const struct hd_cuda_module *m, const char *name, CUdeviceptr *address,
                             size_t *bytes)
{
    for (uint32_t i = 0; i < m->program->n_symbols; i++) {
        const struct hd_symbol *s = &m->program->symbols[i];
        if (s->opaque || strcmp(s->name, name) != 0)
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

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
    const struct hd_cuda_module *m;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    m = get(module);
    return m ? hd_modules_variable(m, name, address, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
