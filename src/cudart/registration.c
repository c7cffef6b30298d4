// registration.c - what constructors of the program tell: its fatbins, kernels and variables.
//
// A fatbin becomes a module of the driver when one of its kernels or variables is first needed,
// once for each context that needs it. A program of relocatable units (a wrapper of version 2) is
// linked from the PTX of its units. Nothing is unloaded when a library goes: its launches may be
// queued.
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

struct instance { // of a fatbin in a context
    CUcontext context;
    CUmodule module;
    cudaError_t error; // why there is no module
    struct instance *next;
};

struct variable;
struct fatbin {
    struct wrapper wrapper;
    struct instance *instances;
    struct variable *managed; // host pointers to be told where these are
};

enum kind { KERNEL, VARIABLE, REFERENCE, GONE };

struct item { // what a host address stands for
    const void *host;
    enum kind kind;
    struct fatbin *fatbin;
    const char *name;               // in PTX
    struct cudaKernel_st *kernel;   // of a KERNEL
    struct hd_reference *reference; // of a REFERENCE
    struct item *next;
};

struct cudaKernel_st {
    struct item item, self; // by its host function, and by its handle
    CUcontext context;      // that `function` is of
    CUfunction function;
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

static CUresult link_units(const void *const *units, CUmodule *module)
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
        r = cuModuleLoadData(module, image);
    cuLinkDestroy(state);
    return r;
}

static CUresult load(const struct wrapper *w, CUmodule *module)
{
    if (w->magic != MAGIC || !w->fatbin || w->version < 1 || w->version > 2)
        return CUDA_ERROR_INVALID_IMAGE;
    if (w->version == 2 && w->units && w->units[0])
        return link_units(w->units, module);
    return cuModuleLoadData(module, w);
}

static void tell_managed(const struct fatbin *f, CUmodule module)
{
    for (struct variable *v = f->managed; v; v = v->next) {
        CUdeviceptr address;
        if (cuModuleGetGlobal(&address, NULL, module, v->item.name) == CUDA_SUCCESS)
            *v->pointer = (void *)(uintptr_t)address;
    }
}

// The fatbin's module in the current context. `who` is named if there is none.
static cudaError_t loaded(struct hd_arena *a, struct fatbin *f, CUcontext c, const char *who,
                          CUmodule *out)
{
    struct instance *i = f->instances;
    CUresult r;

    while (i && i->context != c)
        i = i->next;
    if (!i) {
        i = HD_NEW(a, instance);
        i->context = c;
        r = load(&f->wrapper, &i->module);
        i->error = (cudaError_t)r;
        i->next = f->instances;
        f->instances = i;
        if (r == CUDA_SUCCESS)
            tell_managed(f, i->module);
        else
            hd_session_say("%s cannot be used, because its module cannot be loaded: %s", who,
                           cudaGetErrorName((cudaError_t)r));
    }
    *out = i->module;
    return i->error;
}

static cudaError_t function_of(struct hd_arena *a, struct cudaKernel_st *k, CUfunction *out)
{
    CUcontext c;
    CUmodule m;
    CUresult r = cuCtxGetCurrent(&c);
    cudaError_t e;

    if (r != CUDA_SUCCESS)
        return (cudaError_t)r;
    if (k->context != c) {
        char who[200];
        snprintf(who, sizeof who, "kernel %s", k->item.name);
        e = loaded(a, k->item.fatbin, c, who, &m);
        if (e != cudaSuccess)
            return e;
        r = cuModuleGetFunction(&k->function, m, k->item.name);
        if (r != CUDA_SUCCESS)
            return r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)r;
        k->context = c;
    }
    *out = k->function;
    return cudaSuccess;
}

cudaError_t hd_registration_function(const void *function, CUfunction *out)
{
    struct hd_arena *a = hd_session_lock();
    struct item *i = find(function, KERNEL);
    cudaError_t e = cudaErrorInvalidDeviceFunction;
    CUmodule m;

    if (i)
        e = function_of(a, i->kernel, out);
    hd_session_unlock();
    if (!i && function) { // a function of the driver?
        *out = (CUfunction)(uintptr_t)function;
        if (cuFuncGetModule(&m, *out) == CUDA_SUCCESS)
            e = cudaSuccess;
    }
    return e;
}

void *hd_registration_host(CUfunction function)
{
    const void *host = function;

    hd_session_lock();
    for (size_t b = 0; b < BUCKETS; b++)
        for (const struct item *i = table[b]; i; i = i->next)
            if (i->kind == KERNEL && i == &i->kernel->item && i->kernel->function == function)
                host = i->host;
    hd_session_unlock();
    return (void *)(uintptr_t)host;
}

cudaError_t hd_registration_variable(const void *variable, CUdeviceptr *address, size_t *bytes)
{
    struct hd_arena *a = hd_session_lock();
    struct item *i = find(variable, VARIABLE);
    cudaError_t e = cudaErrorInvalidSymbol;
    CUcontext c;
    CUmodule m;

    if (i && cuCtxGetCurrent(&c) == CUDA_SUCCESS) {
        char who[200];
        snprintf(who, sizeof who, "variable %s", i->name);
        e = loaded(a, i->fatbin, c, who, &m);
        if (e == cudaSuccess && cuModuleGetGlobal(address, bytes, m, i->name) != CUDA_SUCCESS)
            e = cudaErrorInvalidSymbol;
    }
    hd_session_unlock();
    return e;
}

#if HD_CUDART < 12
cudaError_t hd_registration_reference(const void *host, CUmodule *module, struct hd_reference **out)
{
    struct hd_arena *a = hd_session_lock();
    struct item *i = find(host, REFERENCE);
    cudaError_t e = cudaErrorInvalidTexture;
    CUcontext c;

    if (i && cuCtxGetCurrent(&c) == CUDA_SUCCESS) {
        char who[200];
        snprintf(who, sizeof who, "texture %s", i->name);
        e = loaded(a, i->fatbin, c, who, module);
        *out = i->reference;
    }
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
    struct cudaKernel_st *k = HD_NEW(a, cudaKernel_st);

    (void)device, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    name_item(a, &k->item, KERNEL, handle, host, name);
    name_item(a, &k->self, KERNEL, handle, k, name);
    k->item.kernel = k->self.kernel = k;
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
    struct hd_arena *a;
    CUcontext c;
    CUmodule m;

    if (hd_session_enter() != cudaSuccess)
        return 0;
    a = hd_session_lock();
    if (cuCtxGetCurrent(&c) == CUDA_SUCCESS)
        loaded(a, (struct fatbin *)handle, c, "a managed variable", &m);
    hd_session_unlock();
    return 1;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    struct item *i;
    CUfunction f;

    if (!kernel)
        return hd_session_note(cudaErrorInvalidValue);
    hd_session_lock();
    i = find(function, KERNEL);
    hd_session_unlock();
    if (!i) { // a handle is a kernel too
        cudaError_t e = hd_registration_function(function, &f);
        *kernel = (cudaKernel_t)(uintptr_t)function;
        return hd_session_note(e);
    }
    *kernel = i->kernel;
    return cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
    HD_RT_ENTER();
    return __cudaGetKernel(kernel, function);
}
