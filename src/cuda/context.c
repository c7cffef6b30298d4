// context.c - contexts: which one a thread works in, the primary one, what a context may be told.
//
// All contexts share one machine. A machine that failed goes away with its last context; the next
// context gets a new one.
#include "cuda/process.h"

#include "cuda/capture.h"
#include "cuda/queue.h"
#include "devrt/devrt.h"

#include <stdatomic.h>
#include <string.h>

#define DEPTH 64
#define STACK_MAX ((size_t)512 << 10) // bytes of local memory that a thread may have
#define PRINTF_MAX ((size_t)1 << 30)

static _Thread_local struct {
    CUcontext handles[DEPTH]; // the current one last
    unsigned n, number;
} thread;
static atomic_uint n_threads;

unsigned hd_context_thread(void)
{
    if (!thread.number)
        thread.number = atomic_fetch_add(&n_threads, 1) + 1;
    return thread.number;
}

static struct hd_cuda_context *get(CUcontext handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_CONTEXT, handle);
}

struct hd_cuda_context *hd_context_current(void)
{
    return thread.n ? get(thread.handles[thread.n - 1]) : NULL;
}

bool hd_context_gone(void)
{
    return thread.n && !hd_context_current();
}

static CUresult push(CUcontext handle)
{
    if (thread.n == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    thread.handles[thread.n++] = handle;
    return CUDA_SUCCESS;
}

// What the machine can follow. There is one for all contexts: who set a limit last, set it.
static void follow(const struct hd_cuda_context *c)
{
    struct hd_devrt_limits l = HD_DEVRT_LIMITS;
    size_t stack = c->limits[CU_LIMIT_STACK_SIZE];

    l.heap = c->limits[CU_LIMIT_MALLOC_HEAP_SIZE];
    l.printed = (uint32_t)c->limits[CU_LIMIT_PRINTF_FIFO_SIZE];
    l.pending = (uint32_t)c->limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT];
    if (stack > l.stack)
        l.stack = (uint32_t)stack;
    hd_devrt_limit(hd_gpu_devrt(hd_cuda.gpu), &l);
}

static struct hd_cuda_context *new_context(unsigned flags)
{
    static const size_t limits[HD_CUDA_LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
    void *handle;
    struct hd_cuda_context *c =
        hd_handles_add(hd_cuda.handles, HD_HANDLE_CONTEXT, sizeof *c, &handle);

    c->handle = handle;
    c->id = ++hd_cuda.next_context;
    c->flags = flags;
    c->uses = 1;
    memcpy(c->limits, limits, sizeof limits);
    hd_streams_init(&c->legacy, c, 0);
    c->legacy.legacy = true;
    c->legacy.handle = CU_STREAM_LEGACY;
    if (!hd_cuda.n_contexts++)
        follow(c);
    return c;
}

// Everything that was made in the context goes with it.
static void destroy(struct hd_cuda_context *c)
{
    size_t at = 0;
    struct hd_cuda_stream *s;
    struct hd_cuda_event *e;
    struct hd_cuda_array *a;

    if (hd_cuda.broken == CUDA_SUCCESS)
        hd_queue_run();
    else
        hd_queue_drop_all();
    hd_capture_forget(c);
    while ((s = hd_handles_next(hd_cuda.handles, HD_HANDLE_STREAM, &at)))
        if (s->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_STREAM, s->handle);
    for (at = 0; (e = hd_handles_next(hd_cuda.handles, HD_HANDLE_EVENT, &at));)
        if (e->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_EVENT, e->handle);
    for (at = 0; (a = hd_handles_next(hd_cuda.handles, HD_HANDLE_ARRAY, &at));)
        if (a->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_ARRAY, a->handle);
    hd_texobjects_forget(c);
    hd_linking_forget(c);
    hd_modules_forget(c);
    hd_registered_forget(c);
    hd_devmem_forget(c);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_CONTEXT, c->handle);
    if (c == hd_cuda.primary)
        hd_cuda.primary = NULL;
    if (!--hd_cuda.n_contexts && hd_cuda.broken != CUDA_SUCCESS)
        hd_cuda_machine_end();
}

void hd_context_forget_all(void)
{
    thread.n = 0; // other threads' handles are recognised as stale
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (thread.n == DEPTH)
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = hd_cuda_machine();
    if (r == CUDA_SUCCESS) {
        *context = new_context(flags)->handle;
        r = push(*context);
    }
    return r;
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int n, unsigned flags, CUdevice device)
{
    return affinity || n ? CUDA_ERROR_NOT_SUPPORTED : cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, const CUctxCreateParams *params, unsigned flags,
                        CUdevice device)
{
    if (params && params->cigParams)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (!params)
        return cuCtxCreate_v2(context, flags, device);
    return cuCtxCreate_v3(context, params->execAffinityParams, params->numExecAffinityParams, flags,
                          device);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    struct hd_cuda_context *c;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    c = get(context);
    if (!c || c->primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (c == hd_context_current())
        thread.n--;
    destroy(c);
    return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    struct hd_cuda_context *c;

    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    c = hd_context_current();
    if (!context || flags)
        return CUDA_ERROR_INVALID_VALUE;
    c->uses++;
    *context = c->handle;
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context)
{
    struct hd_cuda_context *c;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    c = get(context);
    if (!c || c->primary || c != hd_context_current())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--c->uses)
        return CUDA_SUCCESS;
    thread.n--;
    destroy(c);
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    return get(context) ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!thread.n)
        return CUDA_ERROR_INVALID_CONTEXT;
    thread.n--;
    if (context)
        *context = thread.handles[thread.n];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (context && !get(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (thread.n)
        thread.n--;
    return context ? push(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = thread.n ? thread.handles[thread.n - 1] : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = HD_CUDA_DEVICE;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned *flags)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = hd_context_current()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    hd_context_current()->flags = flags;
    return CUDA_SUCCESS;
}

// A context by its handle, the current one for NULL.
static struct hd_cuda_context *named(CUcontext context)
{
    return context ? get(context) : hd_context_current();
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
    struct hd_cuda_context *c;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    c = named(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!id)
        return CUDA_ERROR_INVALID_VALUE;
    *id = c->id;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!named(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = 3020; // of the context interface, as drivers answer since 3.2
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!named(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = HD_CUDA_DEVICE;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!named(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (hd_cuda.broken != CUDA_SUCCESS)
        return hd_cuda.broken;
    CUresult r = hd_capture_waits(named(context));
    return r == CUDA_SUCCESS ? hd_queue_run() : r;
}

CUresult cuCtxSynchronize(void)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = hd_capture_waits(hd_context_current());
    return r == CUDA_SUCCESS ? hd_queue_run() : r;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    size_t most = SIZE_MAX;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if ((unsigned)limit >= HD_CUDA_LIMITS)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    if (limit == CU_LIMIT_STACK_SIZE)
        most = STACK_MAX;
    else if (limit == CU_LIMIT_PRINTF_FIFO_SIZE)
        most = PRINTF_MAX;
    else if (limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT)
        most = UINT32_MAX;
    if (value > most)
        return CUDA_ERROR_INVALID_VALUE;
    if (limit == CU_LIMIT_MALLOC_HEAP_SIZE && value > hd_cuda.total_memory)
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = hd_queue_run(); // what is queued was launched under the old one
    if (r != CUDA_SUCCESS)
        return r;
    hd_context_current()->limits[limit] = value;
    follow(hd_context_current());
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)limit >= HD_CUDA_LIMITS)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = hd_context_current()->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = hd_context_current()->cache;
    return CUDA_SUCCESS;
}

// The split of the machine is what its configuration says: preferences are kept, not followed.
CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    hd_context_current()->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = hd_context_current()->banks;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        return CUDA_ERROR_INVALID_VALUE;
    hd_context_current()->banks = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0; // the machine knows no priorities
    return CUDA_SUCCESS;
}

CUresult cuCtxResetPersistingL2Cache(void)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    r = hd_cuda_machine();
    if (r != CUDA_SUCCESS)
        return r;
    if (hd_cuda.primary) {
        hd_cuda.primary->uses++;
    } else {
        hd_cuda.primary = new_context(hd_cuda.primary_flags);
        hd_cuda.primary->primary = true;
    }
    *context = hd_cuda.primary->handle;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!hd_cuda.primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!--hd_cuda.primary->uses)
        destroy(hd_cuda.primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (hd_cuda.primary)
        destroy(hd_cuda.primary);
    hd_pools_reset();
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    hd_cuda.primary_flags = flags;
    if (hd_cuda.primary)
        hd_cuda.primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = hd_cuda.primary_flags;
    *active = hd_cuda.primary != NULL;
    return CUDA_SUCCESS;
}
