// registration.c - what constructors of the program tell: its fatbins, kernels and variables.
//
// A fatbin becomes a library of the driver when one of its kernels or variables is first needed. A
// program of relocatable units (a wrapper of version 2) is linked from the PTX of its units.
// Nothing is unloaded when a shared library goes: its launches may be queued.
#include "cudart/registration.h"

#include "cudart/session.h"

#include <stdio.h>
#include <string.h>

#define MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define BUCKETS 4096

struct wrapper { // as compilers write it
    uint32_t magic, version;
    const void *fatbin;
    const void *const *units; // version 2: the fatbins of relocatable units, NULL behind them
};

struct variable;
struct fatbin {
    struct wrapper wrapper;
    CUlibrary library;        // NULL: not needed yet, or
    cudaError_t error;        // why there is none
    CUcontext context;        // that managed variables were last looked up in
    struct variable *managed; // host pointers to be told where these are
};

enum kind { KERNEL, VARIABLE, REFERENCE, GONE };

struct item { // what a host address stands for
    const void *host;
    enum kind kind;
    struct fatbin *fatbin;
    const char *name;               // in PTX
    CUkernel kernel;                // of a KERNEL that has been needed
    struct hd_reference *reference; // of a REFERENCE
    struct item *next;
};

struct variable {
    struct item item;
    size_t bytes;
    void **pointer; // of a managed one, else NULL
    struct variable *next;
};

static struct item *table[BUCKETS]; // all of it under the session's lock

static struct item **bucket(const void *host)
{
    uint64_t h = (uint64_t)(uintptr_t)host * UINT64_C(0x9e3779b97f4a7c15);

    return &table[h >> 52];
}

static struct item *find(const void *host, enum kind kind)
{
    struct item *i = *bucket(host);

    while (i && (i->host != host || i->kind != kind))
        i = i->next;
    return i;
}

static void insert(struct item *i)
{
    struct item **b = bucket(i->host);

    i->next = *b;
    *b = i;
}

// --- loading

static size_t unit_bytes(const void *unit)
{
    uint32_t magic;
    uint64_t rest;

    memcpy(&magic, unit, sizeof magic);
    memcpy(&rest, (const char *)unit + 8, sizeof rest);
    return magic == FATBIN_MAGIC && rest < INT64_MAX ? 16 + (size_t)rest : 0;
}

static CUresult link_units(const void *const *units, CUlibrary *library)
{
    CUlinkState state;
    void *image;
    size_t bytes;
    CUresult r = cuLinkCreate(0, NULL, NULL, &state);

    if (r != CUDA_SUCCESS)
        return r;
    for (unsigned i = 0; units[i] && r == CUDA_SUCCESS; i++) {
        char name[32];
        snprintf(name, sizeof name, "unit %u", i + 1);
        bytes = unit_bytes(units[i]);
        if (!bytes)
            r = CUDA_ERROR_INVALID_IMAGE;
        else
            r = cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, (void *)(uintptr_t)units[i], bytes,
                              name, 0, NULL, NULL);
    }
    if (r == CUDA_SUCCESS)
        r = cuLinkComplete(state, &image, &bytes);
    if (r == CUDA_SUCCESS)
        r = cuLibraryLoadData(library, image, NULL, NULL, 0, NULL, NULL, 0);
    cuLinkDestroy(state);
    return r;
}

static CUresult load(const struct wrapper *w, CUlibrary *library)
{
    if (w->magic != MAGIC || !w->fatbin || w->version < 1 || w->version > 2)
        return CUDA_ERROR_INVALID_IMAGE;
    if (w->version == 2 && w->units && w->units[0])
        return link_units(w->units, library);
    return cuLibraryLoadData(library, w, NULL, NULL, 0, NULL, NULL, 0);
}

static void tell_managed(struct fatbin *f)
{
    CUcontext c;

    if (!f->managed || cuCtxGetCurrent(&c) != CUDA_SUCCESS || c == f->context)
        return;
    f->context = c;
    for (struct variable *v = f->managed; v; v = v->next) {
        CUdeviceptr address;
        if (cuLibraryGetManaged(&address, NULL, f->library, v->item.name) == CUDA_SUCCESS)
            *v->pointer = (void *)(uintptr_t)address;
    }
}

// What is wrong with a library is known for good; that the device is in trouble is not.
static bool is_final(CUresult r)
{
    return r == CUDA_ERROR_INVALID_IMAGE || r == CUDA_ERROR_INVALID_PTX ||
           r == CUDA_ERROR_NO_BINARY_FOR_GPU;
}

// The fatbin's library. `what` and `name` are named if there is none.
static cudaError_t loaded(struct fatbin *f, const char *what, const char *name)
{
    CUresult r;

    if (!f->library && f->error == cudaSuccess) {
        r = load(&f->wrapper, &f->library);
        if (r != CUDA_SUCCESS) {
            f->library = NULL;
            if (is_final(r))
                f->error = (cudaError_t)r;
            hd_session_say("%s%s cannot be used, because its module cannot be loaded: %s", what,
                           name, cudaGetErrorName((cudaError_t)r));
            return (cudaError_t)r;
        }
    }
    if (f->library)
        tell_managed(f);
    return f->error;
}

static cudaError_t kernel_of(struct item *i)
{
    cudaError_t e = loaded(i->fatbin, "kernel ", i->name);
    CUresult r;

    if (e != cudaSuccess || i->kernel)
        return e;
    r = cuLibraryGetKernel(&i->kernel, i->fatbin->library, i->name);
    return r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)r;
}

// Of the driver's: a function, or a kernel of a library.
static cudaError_t handle_of(const void *function, CUfunction *out)
{
    CUmodule m;
    CUresult r;

    if (!function)
        return cudaErrorInvalidDeviceFunction;
    r = cuKernelGetFunction(out, (CUkernel)(uintptr_t)function);
    if (r == CUDA_ERROR_INVALID_HANDLE) {
        *out = (CUfunction)(uintptr_t)function;
        r = cuFuncGetModule(&m, *out);
    }
    return r == CUDA_ERROR_INVALID_HANDLE ? cudaErrorInvalidDeviceFunction : (cudaError_t)r;
}

cudaError_t hd_registration_function(const void *function, CUfunction *out)
{
    struct item *i;
    cudaError_t e;

    hd_session_lock();
    i = find(function, KERNEL);
    e = i ? kernel_of(i) : handle_of(function, out);
    if (i && e == cudaSuccess)
        e = (cudaError_t)cuKernelGetFunction(out, i->kernel);
    hd_session_unlock();
    return e;
}

void *hd_registration_host(CUfunction function)
{
    const void *host = function;
    CUfunction f;

    hd_session_lock();
    for (size_t b = 0; b < BUCKETS; b++)
        for (const struct item *i = table[b]; i; i = i->next)
            if (i->kind == KERNEL && i->kernel &&
                cuKernelGetFunction(&f, i->kernel) == CUDA_SUCCESS && f == function)
                host = i->host;
    hd_session_unlock();
    return (void *)(uintptr_t)host;
}

cudaError_t hd_registration_variable(const void *variable, CUdeviceptr *address, size_t *bytes)
{
    cudaError_t e = cudaErrorInvalidSymbol;
    struct item *i;
    CUresult r;

    hd_session_lock();
    i = find(variable, VARIABLE);
    if (i)
        e = loaded(i->fatbin, "variable ", i->name);
    if (e == cudaSuccess) {
        r = cuLibraryGetGlobal(address, bytes, i->fatbin->library, i->name);
        e = r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)r;
    }
    hd_session_unlock();
    return e;
}

#if HD_CUDART < 12
cudaError_t hd_registration_reference(const void *host, CUmodule *module, struct hd_reference **out)
{
    cudaError_t e = cudaErrorInvalidTexture;
    struct item *i;

    hd_session_lock();
    i = find(host, REFERENCE);
    if (i) {
        e = loaded(i->fatbin, "texture ", i->name);
        *out = i->reference;
    }
    if (e == cudaSuccess)
        e = (cudaError_t)cuLibraryGetModule(module, i->fatbin->library);
    hd_session_unlock();
    return e;
}
#endif

// --- what programs call

void **__cudaRegisterFatBinary(void *wrapper)
{
    struct hd_arena *a = hd_session_lock();
    struct fatbin *f = HD_NEW(a, fatbin);

    if (wrapper)
        memcpy(&f->wrapper, wrapper, sizeof f->wrapper);
    hd_session_unlock();
    return (void **)f;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle; // nothing is loaded before it is needed
}

void __cudaUnregisterFatBinary(void **handle)
{
    const struct fatbin *f = (struct fatbin *)handle;

    hd_session_lock(); // the addresses may come to mean something else
    for (unsigned b = 0; b < BUCKETS; b++)
        for (struct item *i = table[b]; i; i = i->next)
            if (i->fatbin == f)
                i->kind = GONE;
    hd_session_unlock();
}

static void name_item(struct hd_arena *a, struct item *i, enum kind kind, void **handle,
                      const void *host, const char *name)
{
    *i = (struct item){.host = host,
                       .kind = kind,
                       .fatbin = (struct fatbin *)handle,
                       .name = hd_arena_strdup(a, name)};
    insert(i);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp)
{
    struct hd_arena *a = hd_session_lock();

    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    name_item(a, HD_NEW(a, item), KERNEL, handle, host, name);
    hd_session_unlock();
}

static void variable(void **handle, const void *host, void **pointer, const char *name,
                     size_t bytes)
{
    struct hd_arena *a = hd_session_lock();
    struct variable *v = HD_NEW(a, variable);
    struct fatbin *f = (struct fatbin *)handle;

    name_item(a, &v->item, VARIABLE, handle, host, name);
    v->bytes = bytes;
    v->pointer = pointer;
    if (pointer) {
        v->next = f->managed;
        f->managed = v;
    }
    hd_session_unlock();
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
                       size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    variable(handle, host, NULL, name, bytes);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int external, size_t bytes, int constant, int global)
{
    (void)device, (void)external, (void)constant, (void)global;
    variable(handle, host, host, name, bytes);
}

#if HD_CUDART < 12
static void reference(void **handle, const void *host, const char *name, int fractions)
{
    struct hd_arena *a = hd_session_lock();
    struct item *i = HD_NEW(a, item);

    name_item(a, i, REFERENCE, handle, host, name);
    i->reference = HD_NEW(a, hd_reference);
    i->reference->name = i->name;
    i->reference->fractions = fractions;
    hd_session_unlock();
}

// Compilers give the name in PTX as `device`; `name` is the one in C++.
// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device,
                           const char *name, int dimensions, int normalized, int external)
{
    (void)name, (void)dimensions, (void)external;
    reference(handle, host, (const char *)device, normalized);
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *host, const void **device,
                           const char *name, int dimensions, int external)
{
    (void)name, (void)dimensions, (void)external;
    reference(handle, host, (const char *)device, 0);
}
#endif

void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes)
{
    (void)handle, (void)name, (void)host, (void)bytes; // kernels do not see the host's variables
}

void __cudaRegisterUnifiedTable(void **handle, void *table_of_functions)
{
    (void)handle, (void)table_of_functions;
}

// Called before the host first touches a managed variable.
char __cudaInitModule(void **handle)
{
    if (hd_session_enter() != cudaSuccess)
        return 0;
    hd_session_lock();
    loaded((struct fatbin *)handle, "a managed variable", "");
    hd_session_unlock();
    return 1;
}

cudaError_t hd_registration_kernel(const void *function, CUkernel *out)
{
    struct item *i;
    cudaError_t e;
    CUfunction f;

    hd_session_lock();
    i = find(function, KERNEL);
    e = i ? kernel_of(i) : handle_of(function, &f);
    if (e == cudaSuccess)
        *out = i ? i->kernel : (CUkernel)(uintptr_t)function;
    hd_session_unlock();
    return e;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    HD_RT_ENTER();
    return hd_session_note(kernel ? hd_registration_kernel(function, kernel)
                                  : cudaErrorInvalidValue);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    return __cudaGetKernel(kernel, function);
}
