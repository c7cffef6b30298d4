// registration.c - the fatbins, kernels and variables that constructors of the program register.
//
// A fatbin becomes a library of the driver when one of its kernels or variables is first needed. A
// program of relocatable units (a wrapper of version 2, or units of `heddle cc`) is linked from the
// PTX of its units. Nothing is unloaded when the program unloads a shared library, because its
// launches may still be queued.
#include "cudart/registration.h"

#include "base/lock.h"
#include "cudart/session.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define MAGIC 0x466243b1u
#define FATBIN_MAGIC 0xba55ed50u
#define BUCKETS 4096

struct wrapper { // layout as compilers emit it
    uint32_t magic, version;
    const void *fatbin;
    const void *const *units; // version 2: the fatbins of relocatable units, NULL at the end
};

struct variable;
struct fatbin {
    struct wrapper wrapper;
    CUlibrary library;        // NULL: not needed yet, or
    cudaError_t error;        // the reason why it could not be loaded
    CUcontext context;        // the one in which managed variables were last looked up
    struct variable *managed; // host pointers that receive their addresses
};

enum kind { KERNEL, VARIABLE, REFERENCE, GONE };

struct item { // what a host address means
    const void *host;
    enum kind kind;
    struct fatbin *fatbin;
    const char *name;               // in PTX
    CUkernel kernel;                // of a KERNEL that has been used
    struct hd_reference *reference; // of a REFERENCE
    struct item *next;
};

struct variable {
    struct item item;
    size_t bytes;
    void **pointer; // of a managed one, else NULL
    struct variable *next;
};

// Protected by the lock of the tables. Items are never removed, and only `kind` and `kernel` change
// after they were added. The fields `library`, `error` and `context` of a fatbin are protected by
// the lock of loading.
static struct item *table[BUCKETS];
static struct hd_lock loading = HD_LOCK_INIT(HD_LOCK_LOADING);

static struct item **bucket(const void *host)
{
    uint64_t h = (uint64_t)(uintptr_t)host * UINT64_C(0x9e3779b97f4a7c15);

    return &table[h >> 52];
}

static struct item *find(const void *host, enum kind kind)
{
    struct item *i;

    hd_session_lock();
    i = *bucket(host);
    while (i && (i->host != host || i->kind != kind))
        i = i->next;
    hd_session_unlock();
    return i;
}

static CUkernel known_kernel(const struct item *i)
{
    CUkernel k;

    hd_session_lock();
    k = i->kernel;
    hd_session_unlock();
    return k;
}

static void insert(struct item *i)
{
    struct item **b = bucket(i->host);

    i->next = *b;
    *b = i;
}

// --- loading

static void forked(void)
{
    hd_lock_forked(&loading);
}

__attribute__((constructor)) static void at_start(void)
{
    pthread_atfork(NULL, NULL, forked);
}

static size_t unit_bytes(const void *unit)
{
    uint32_t magic;
    uint64_t rest;

    memcpy(&magic, unit, sizeof magic);
    memcpy(&rest, (const char *)unit + 8, sizeof rest);
    return magic == FATBIN_MAGIC && rest < INT64_MAX ? 16 + (size_t)rest : 0;
}

static CUresult add(CUlinkState state, unsigned type, const void *container, size_t bytes,
                    const char *name)
{
    return cuLinkAddData(state, (CUjitInputType)type, (void *)(uintptr_t)container, bytes, name, 0,
                         NULL, NULL);
}

// `linked` is the container with the machine code that the units became.
static CUresult link_units(const void *const *units, const void *linked, CUlibrary *library)
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
            r = add(state, CU_JIT_INPUT_FATBINARY, units[i], bytes, name);
    }
    bytes = unit_bytes(linked);
    if (r == CUDA_SUCCESS && bytes)
        r = add(state, HD_CUDA_INPUT_BUILT, linked, bytes, NULL);
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
        return link_units(w->units, w->fatbin, library);
    return cuLibraryLoadData(library, w, NULL, NULL, 0, NULL, NULL, 0);
}

static struct variable *managed_of(const struct fatbin *f)
{
    struct variable *first;

    hd_session_lock();
    first = f->managed;
    hd_session_unlock();
    return first;
}

static void tell_managed(struct fatbin *f, CUcontext now)
{
    struct variable *v = managed_of(f);

    if (!v || now == f->context)
        return;
    f->context = now;
    for (; v; v = v->next) {
        CUdeviceptr address;
        if (cuLibraryGetManaged(&address, NULL, f->library, v->item.name) == CUDA_SUCCESS)
            *v->pointer = (void *)(uintptr_t)address;
    }
}

// An error in a library is final; an error of the device is not.
static bool is_final(CUresult r)
{
    return r == CUDA_ERROR_INVALID_IMAGE || r == CUDA_ERROR_INVALID_PTX ||
           r == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || r == CUDA_ERROR_NO_BINARY_FOR_GPU;
}

// The fatbin's library. If there is none, the message names `what` and `name`. A function of the
// program that the driver calls is refused before it could wait for a thread that loads.
static cudaError_t loaded(struct fatbin *f, const char *what, const char *name)
{
    CUcontext now;
    cudaError_t e;
    CUresult r = cuCtxGetCurrent(&now);

    if (r != CUDA_SUCCESS)
        return (cudaError_t)r;
    hd_lock_take(&loading);
    if (!f->library && f->error == cudaSuccess) {
        r = load(&f->wrapper, &f->library);
        if (r != CUDA_SUCCESS) {
            f->library = NULL;
            if (is_final(r))
                f->error = (cudaError_t)r;
            hd_session_say("%s%s cannot be used, because its module cannot be loaded: %s", what,
                           name, cudaGetErrorName((cudaError_t)r));
        }
    }
    if (f->library)
        tell_managed(f, now);
    e = r != CUDA_SUCCESS ? (cudaError_t)r : f->error;
    hd_lock_release(&loading);
    return e;
}

static cudaError_t kernel_of(struct item *i, CUkernel *out)
{
    CUkernel k = known_kernel(i);
    cudaError_t e;
    CUresult r;

    if (!k || managed_of(i->fatbin)) {
        e = loaded(i->fatbin, "kernel ", i->name);
        if (e != cudaSuccess)
            return e;
    }
    if (!k) {
        r = cuLibraryGetKernel(&k, i->fatbin->library, i->name);
        if (r != CUDA_SUCCESS)
            return r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : (cudaError_t)r;
        hd_session_lock();
        i->kernel = k;
        hd_session_unlock();
    }
    *out = k;
    return cudaSuccess;
}

// The driver's handle: a function, or a kernel of a library.
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
    struct item *i = find(function, KERNEL);
    CUkernel k;
    cudaError_t e = i ? kernel_of(i, &k) : handle_of(function, out);

    return i && e == cudaSuccess ? (cudaError_t)cuKernelGetFunction(out, k) : e;
}

// The next item after `after` whose kernel is known, NULL at the end.
static const struct item *next_kernel(unsigned *b, const struct item *after, CUkernel *kernel)
{
    const struct item *i;

    hd_session_lock();
    i = after ? after->next : table[*b];
    while ((!i || i->kind != KERNEL || !i->kernel) && *b < BUCKETS)
        i = i ? i->next : ++*b < BUCKETS ? table[*b] : NULL;
    if (i)
        *kernel = i->kernel;
    hd_session_unlock();
    return i;
}

void *hd_registration_host(CUfunction function)
{
    const struct item *i = NULL;
    unsigned b = 0;
    CUkernel k;
    CUfunction f;

    while ((i = next_kernel(&b, i, &k)))
        if (cuKernelGetFunction(&f, k) == CUDA_SUCCESS && f == function)
            return (void *)(uintptr_t)i->host;
    return function;
}

cudaError_t hd_registration_variable(const void *variable, CUdeviceptr *address, size_t *bytes)
{
    const struct item *i = find(variable, VARIABLE);
    cudaError_t e = i ? loaded(i->fatbin, "variable ", i->name) : cudaErrorInvalidSymbol;
    CUresult r;

    if (e != cudaSuccess)
        return e;
    r = cuLibraryGetGlobal(address, bytes, i->fatbin->library, i->name);
    return r == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : (cudaError_t)r;
}

#if HD_CUDART < 12
cudaError_t hd_registration_reference(const void *host, CUmodule *module, struct hd_reference **out)
{
    const struct item *i = find(host, REFERENCE);
    cudaError_t e = i ? loaded(i->fatbin, "texture ", i->name) : cudaErrorInvalidTexture;

    if (i)
        *out = i->reference;
    return e == cudaSuccess ? (cudaError_t)cuLibraryGetModule(module, i->fatbin->library) : e;
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

#if HD_CUDART < 12
// The units of a program or shared library are in one fatbin. They are linked when one is needed.
struct linked {
    const void *base; // of the program or library
    struct fatbin fatbin;
    const void **units; // NULL at the end
    size_t n, cap;
    struct linked *next;
};
static struct linked *linked;

static struct linked *linked_of(struct hd_arena *a, const void *wrapper)
{
    Dl_info at = {0};
    struct linked *l = linked;

    if (!dladdr(wrapper, &at))
        at.dli_fbase = NULL;
    while (l && l->base != at.dli_fbase)
        l = l->next;
    if (l)
        return l;
    l = HD_NEW(a, linked);
    l->base = at.dli_fbase;
    l->next = linked;
    linked = l;
    return l;
}

void __heddleRegisterUnit(void (*globals)(void **), const void *wrapper, const void *id,
                          void (*unused)(void **))
{
    struct hd_arena *a = hd_session_lock();
    struct linked *l = linked_of(a, wrapper);
    const struct wrapper *w = wrapper;

    (void)id, (void)unused;
    if (!l->n)
        l->fatbin.wrapper = (struct wrapper){MAGIC, 2, w->fatbin, NULL};
    *HD_PUSH(a, l->units, l->n, l->cap) = w->fatbin;
    *HD_PUSH(a, l->units, l->n, l->cap) = NULL;
    l->n--;
    l->fatbin.wrapper.units = l->units;
    hd_session_unlock();
    globals((void **)&l->fatbin);
}
#endif

void __cudaUnregisterFatBinary(void **handle)
{
    const struct fatbin *f = (struct fatbin *)handle;

    hd_session_lock(); // the addresses may be used for something else later
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

// Compilers pass the name in PTX as `device` and the C++ name as `name`.
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
    loaded((struct fatbin *)handle, "a managed variable", "");
    return 1;
}

cudaError_t hd_registration_kernel(const void *function, CUkernel *out)
{
    struct item *i = find(function, KERNEL);
    cudaError_t e;
    CUfunction f;

    if (i)
        return kernel_of(i, out);
    e = handle_of(function, &f);
    if (e == cudaSuccess)
        *out = (CUkernel)(uintptr_t)function;
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
