// libraries.c - cuLibrary*, cuKernel*: code that belongs to no context.
//
// A library is parsed when it is loaded, so that errors in it are reported then. It becomes a
// module of a context when that context first needs one of its kernels or variables. Its texts
// outlive contexts and machines. Its managed variables are those of the current context.
#include "cuda/code/code.h"

#include "base/file.h"
#include "cuda/code/jitlog.h"
#include "cuda/core/queue.h"
#include "cuda/core/supervised.h"
#include "cuda/memory/devmem.h"

#include <string.h>

struct instance { // of a library in a context; stale if either no longer exists
    CUcontext context;
    CUmodule module;
};

struct hd_cuda_library {
    CUlibrary handle;
    struct hd_image image;      // it lives as long as the process uses the device
    struct hd_program *program; // parsed for machine number `machine`
    unsigned machine;
    bool taken; // a module owns the program
    struct instance *instances;
    size_t n_instances, cap_instances;
    CUkernel *kernels;
    unsigned n_kernels;
};

struct hd_cuda_kernel {
    CUkernel handle;
    struct hd_cuda_library *library;
    const char *name;
    uint32_t number;           // of its function, the same each time the library is parsed
    int max_dynamic, carveout; // -1: not set
    CUfunc_cache cache;
};

static struct hd_cuda_library *library_of(CUlibrary handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_LIBRARY, handle);
}

static struct hd_cuda_kernel *kernel_of(CUkernel handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_KERNEL, handle);
}

// --- loading

// The library's program on the present machine.
static CUresult program_of(struct hd_cuda_library *l, struct hd_diag *d)
{
    CUresult r = hd_cuda_machine();

    if (r != CUDA_SUCCESS || (l->program && l->machine == hd_cuda.n_machines))
        return r;
    l->machine = hd_cuda.n_machines;
    l->taken = false;
    r = hd_images_link(hd_cuda.programs, &l->image, &l->program, d);
    return r == CUDA_SUCCESS && !l->program ? CUDA_ERROR_INVALID_IMAGE : r;
}

static void list_kernels(struct hd_cuda_library *l)
{
    const struct hd_program *p = l->program;

    l->kernels = HD_ARRAY(hd_cuda.arena, CUkernel, p->n_funcs);
    for (uint32_t i = 0; i < p->n_funcs; i++) {
        struct hd_cuda_kernel *k;
        void *handle;
        if (!p->funcs[i].is_kernel)
            continue;
        k = hd_handles_add(hd_cuda.handles, HD_HANDLE_KERNEL, sizeof *k, &handle);
        k->handle = handle;
        k->library = l;
        k->name = hd_arena_strdup(hd_cuda.arena, p->funcs[i].name);
        k->number = i;
        k->max_dynamic = k->carveout = -1;
        l->kernels[l->n_kernels++] = k->handle;
    }
}

// A copy that does not end with the machine.
static struct hd_image copy_of(const struct hd_image *x)
{
    struct hd_image own = {.n_texts = x->n_texts, .n_built = x->n_built};

    own.texts = HD_ARRAY(hd_cuda.arena, struct hd_text, x->n_texts);
    own.built = HD_ARRAY(hd_cuda.arena, struct hd_cubin_kernel, x->n_built);
    for (size_t i = 0; i < x->n_texts; i++) {
        const struct hd_text *t = &x->texts[i];
        own.texts[i] = (struct hd_text){
            hd_arena_strdup(hd_cuda.arena, t->path),
            (uint8_t *)hd_arena_strndup(hd_cuda.arena, (const char *)t->text, t->bytes), t->bytes};
    }
    for (size_t i = 0; i < x->n_built; i++) {
        own.built[i] = x->built[i];
        own.built[i].name = hd_arena_strdup(hd_cuda.arena, x->built[i].name);
    }
    return own;
}

static CUresult load(CUlibrary *out, const char *path, const void *image, size_t n,
                     struct hd_diag *d)
{
    struct hd_cuda_library l = {0}, *own;
    struct hd_image x;
    void *handle;
    CUresult r = hd_images_read(path, image, n, &x, d);

    if (r != CUDA_SUCCESS)
        return r;
    l.image = copy_of(&x);
    r = program_of(&l, d);
    if (r != CUDA_SUCCESS)
        return r;
    own = hd_handles_add(hd_cuda.handles, HD_HANDLE_LIBRARY, sizeof *own, &handle);
    *own = l;
    own->handle = handle;
    list_kernels(own);
    *out = own->handle;
    return CUDA_SUCCESS;
}

static CUresult look_at_options(const CUlibraryOption *options, unsigned n, bool file)
{
    if (n && !options)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < n; i++)
        if ((unsigned)options[i] > CU_LIBRARY_BINARY_IS_PRESERVED ||
            (file && options[i] == CU_LIBRARY_BINARY_IS_PRESERVED))
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options,
                           void **values, unsigned n, CUlibraryOption *library_options,
                           void **library_values, unsigned n_library)
{
    struct hd_diag d = {.n = 0};
    struct hd_jitlog log = hd_jitlog_begin(options, values, n);
    CUresult r;

    (void)library_values;
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!library || !image || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    r = look_at_options(library_options, n_library, false);
    if (r == CUDA_SUCCESS)
        r = hd_cuda_machine();
    if (r == CUDA_SUCCESS)
        r = load(library, hd_arena_printf(hd_cuda.arena, "module %u", hd_cuda.n_modules + 1), image,
                 SIZE_MAX, &d);
    hd_jitlog_tell(&log, &d);
    return r;
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options,
                               void **values, unsigned n, CUlibraryOption *library_options,
                               void **library_values, unsigned n_library)
{
    struct hd_diag d = {.n = 0};
    struct hd_jitlog log = hd_jitlog_begin(options, values, n);
    char err[HD_FILE_WHY];
    size_t bytes;
    CUresult r;

    (void)library_values;
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!library || !file || (n && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    r = look_at_options(library_options, n_library, true);
    if (r == CUDA_SUCCESS)
        r = hd_cuda_machine();
    if (r != CUDA_SUCCESS)
        return r;
    uint8_t *image = hd_file_read(hd_cuda.programs, file, &bytes, err);
    if (!image)
        return CUDA_ERROR_FILE_NOT_FOUND;
    r = load(library, file, image, bytes, &d);
    hd_jitlog_tell(&log, &d);
    return r;
}

// The library's module in a context, made if there is none.
static CUresult module_in(struct hd_cuda_library *l, struct hd_cuda_context *c,
                          struct hd_cuda_module **out)
{
    struct hd_diag d = {.n = 0};
    struct instance *i = l->instances, *end = i + l->n_instances;
    CUmodule m;
    CUresult r;

    while (i < end && i->context != c->handle)
        i++;
    *out = i < end ? hd_handles_get(hd_cuda.handles, HD_HANDLE_MODULE, i->module) : NULL;
    if (*out)
        return CUDA_SUCCESS;
    if (l->taken) // a module takes the program, because each variable of a program has one address
        l->program = NULL;
    r = program_of(l, &d);
    if (r == CUDA_SUCCESS)
        r = hd_modules_make(l->program, l->image.texts, c, &m, &d);
    if (d.n)
        hd_cuda_say(&d);
    if (r != CUDA_SUCCESS) {
        hd_supervised_launch_failed();
        return r;
    }
    l->taken = true;
    *out = hd_handles_get(hd_cuda.handles, HD_HANDLE_MODULE, m);
    (*out)->library = l->handle;
    if (i == end)
        i = HD_PUSH(hd_cuda.arena, l->instances, l->n_instances, l->cap_instances);
    *i = (struct instance){c->handle, m};
    return CUDA_SUCCESS;
}

CUresult cuLibraryUnload(CUlibrary library)
{
    struct hd_cuda_library *l;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_cuda.gpu && hd_cuda.broken == CUDA_SUCCESS ? hd_queue_run() : CUDA_SUCCESS;
    if (r != CUDA_SUCCESS)
        return r;
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE; // another thread has unloaded it meanwhile
    for (size_t i = 0; i < l->n_instances; i++)
        hd_modules_unload(l->instances[i].module);
    for (unsigned i = 0; i < l->n_kernels; i++)
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_KERNEL, l->kernels[i]);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_LIBRARY, l->handle);
    return CUDA_SUCCESS;
}

// --- what a library has

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    const struct hd_cuda_library *l;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!kernel || !name)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < l->n_kernels; i++)
        if (!strcmp(kernel_of(l->kernels[i])->name, name)) {
            *kernel = l->kernels[i];
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library)
{
    const struct hd_cuda_library *l;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = l->n_kernels;
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned n, CUlibrary library)
{
    const struct hd_cuda_library *l;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!kernels)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < l->n_kernels && i < n; i++)
        kernels[i] = l->kernels[i];
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    struct hd_cuda_library *l;
    struct hd_cuda_module *m;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    l = library_of(library);
    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    r = module_in(l, hd_current_context(), &m);
    if (r == CUDA_SUCCESS)
        *module = m->handle;
    return r;
}

static CUresult variable(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name,
                         bool managed)
{
    struct hd_cuda_library *l = library_of(library);
    const struct hd_cuda_alloc *a;
    struct hd_cuda_module *m;
    CUdeviceptr at;
    CUresult r;

    if (!l)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name || (!address && !bytes))
        return CUDA_ERROR_INVALID_VALUE;
    r = module_in(l, hd_current_context(), &m);
    if (r == CUDA_SUCCESS)
        r = hd_modules_variable(m, name, &at, bytes);
    if (r != CUDA_SUCCESS)
        return r;
    a = hd_devmem_find(at);
    if (managed && !(a && hd_cuda_managed(a)))
        return CUDA_ERROR_NOT_FOUND;
    if (address)
        *address = at;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return variable(address, bytes, library, name, false);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return variable(address, bytes, library, name, true);
}

// Functions that both host and device may call need a system in which both share all memory.
CUresult cuLibraryGetUnifiedFunction(void **function, CUlibrary library, const char *symbol)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!library_of(library))
        return CUDA_ERROR_INVALID_HANDLE;
    return function && symbol ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
}

// --- kernels

// A kernel as a function without a context, for reading and setting its attributes.
struct sketch {
    struct hd_cuda_module module;
    struct hd_cuda_function function;
};

static CUresult draw(const struct hd_cuda_kernel *k, struct sketch *s)
{
    struct hd_diag d = {.n = 0};
    struct hd_cuda_library *l = k->library;
    CUresult r = program_of(l, &d);

    if (r != CUDA_SUCCESS)
        return r;
    s->module =
        (struct hd_cuda_module){.program = l->program, .target = hd_images_target(l->image.texts)};
    hd_functions_init(&s->function, &s->module, &l->program->funcs[k->number]);
    if (k->max_dynamic >= 0)
        s->function.max_dynamic = k->max_dynamic;
    if (k->carveout >= 0)
        s->function.carveout = k->carveout;
    return CUDA_SUCCESS;
}

struct hd_cuda_function *hd_libraries_function(CUkernel kernel, struct hd_cuda_context *c)
{
    const struct hd_cuda_kernel *k = kernel_of(kernel);
    struct hd_cuda_function *f;
    struct hd_cuda_module *m;
    struct sketch s;
    bool fresh;

    if (!k || !c || module_in(k->library, c, &m) != CUDA_SUCCESS)
        return NULL;
    fresh = !m->functions[k->number];
    f = hd_handles_get(hd_cuda.handles, HD_HANDLE_FUNCTION,
                       hd_functions_of(m, &m->program->funcs[k->number]));
    if (fresh && draw(k, &s) == CUDA_SUCCESS) {
        f->kernel = kernel;
        f->max_dynamic = s.function.max_dynamic;
        f->carveout = s.function.carveout;
        f->cache = k->cache;
    }
    return f;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    struct hd_cuda_function *f;
    struct hd_cuda_kernel *k;
    struct hd_cuda_module *m;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!function)
        return CUDA_ERROR_INVALID_VALUE;
    r = module_in(k->library, hd_current_context(), &m);
    if (r != CUDA_SUCCESS)
        return r;
    f = hd_libraries_function(kernel, hd_current_context());
    *function = f->handle;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    const struct hd_cuda_kernel *k;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!library)
        return CUDA_ERROR_INVALID_VALUE;
    *library = k->library->handle;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    const struct hd_cuda_kernel *k;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = k->name;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice device)
{
    const struct hd_cuda_kernel *k;
    struct sketch s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    r = value ? draw(k, &s) : CUDA_ERROR_INVALID_VALUE;
    return r == CUDA_SUCCESS ? hd_functions_attribute(&s.function, attribute, value) : r;
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice device)
{
    struct hd_cuda_function *f;
    struct hd_cuda_kernel *k;
    struct sketch s;
    size_t at = 0;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    r = draw(k, &s);
    if (r == CUDA_SUCCESS)
        r = hd_functions_set(&s.function, attribute, value);
    if (r != CUDA_SUCCESS)
        return r;
    k->max_dynamic = s.function.max_dynamic;
    k->carveout = s.function.carveout;
    while ((f = hd_handles_next(hd_cuda.handles, HD_HANDLE_FUNCTION, &at)))
        if (f->kernel == kernel)
            (void)hd_functions_set(f, attribute, value);
    return CUDA_SUCCESS;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    struct hd_cuda_kernel *k;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    k->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes)
{
    const struct hd_cuda_kernel *k;
    struct sketch s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    k = kernel_of(kernel);
    if (!k)
        return CUDA_ERROR_INVALID_HANDLE;
    r = draw(k, &s);
    return r == CUDA_SUCCESS ? hd_functions_param(s.function.func, index, offset, bytes) : r;
}
