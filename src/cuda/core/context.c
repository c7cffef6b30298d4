// context.c - contexts: created and destroyed, the primary context, limits and other settings.
//
// All contexts share one machine. A machine that failed goes away with its last context; the next
// context gets a new one.
#include "cuda/core/process.h"

#include "cuda/core/parts.h"
#include "cuda/core/queue.h"
#include "devrt/devrt.h"

#include <string.h>

#define STACK_MAX ((size_t)512 << 10) // bytes of local memory that a thread may have
#define PRINTF_MAX ((size_t)1 << 30)

static struct hd_cuda_context *primary;
static unsigned primary_flags;
static unsigned n_contexts, last_id;

void hd_context_forget(void)
{
    primary = NULL;
    primary_flags = n_contexts = last_id = 0;
}

static struct hd_cuda_context *get(CUcontext handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_CONTEXT, handle);
}

// Applies those limits that the machine supports. All contexts have one machine: the limit that was
// set last is valid.
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
    c->id = ++last_id;
    c->flags = flags;
    c->uses = 1;
    memcpy(c->limits, limits, sizeof limits);
    hd_streams_init(&c->legacy, c, 0);
    c->legacy.legacy = true;
    c->legacy.handle = CU_STREAM_LEGACY;
    if (!n_contexts++)
        follow(c);
    return c;
}

// A context is about to end: everything that is queued happens first. NULL if another thread has
// ended the context meanwhile.
static struct hd_cuda_context *drained(CUcontext context)
{
    if (hd_cuda.broken == CUDA_SUCCESS && hd_queue_run() == CUDA_ERROR_DEINITIALIZED)
        return NULL; // everything has ended
    return get(context);
}

// Everything that was made in the context goes with it.
static void destroy(struct hd_cuda_context *c)
{
    hd_queue_drop_all(); // if something could not happen
    hd_parts_context_ends(c);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_CONTEXT, c->handle);
    if (c == primary)
        primary = NULL;
    if (!--n_contexts && hd_cuda.broken != CUDA_SUCCESS)
        hd_cuda_machine_end();
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!context || flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (hd_current_full())
        return CUDA_ERROR_OUT_OF_MEMORY;
    r = hd_cuda_machine();
    if (r == CUDA_SUCCESS) {
        *context = new_context(flags)->handle;
        hd_current_push(*context);
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
    c = drained(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (c == hd_current_context())
        hd_current_pop();
    destroy(c);
    return CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *context, unsigned flags)
{
    struct hd_cuda_context *c;

    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    c = hd_current_context();
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
    if (!c || c->primary || c != hd_current_context())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (c->uses == 1)
        c = drained(context);
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (--c->uses)
        return CUDA_SUCCESS;
    hd_current_pop();
    destroy(c);
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!get(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    return hd_current_push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    CUcontext top;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    top = hd_current_pop();
    if (!top)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        *context = top;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (context && !get(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    hd_current_pop();
    if (context)
        hd_current_push(context); // this cannot fail: the pop made room, or the stack was empty
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = hd_current_handle();
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
    *flags = hd_current_context()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    hd_current_context()->flags = flags;
    return CUDA_SUCCESS;
}

// A context by its handle, the current one for NULL.
static struct hd_cuda_context *named(CUcontext context)
{
    return context ? get(context) : hd_current_context();
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
    *version = 3020; // the version of the context interface that drivers since CUDA 3.2 return
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
    r = hd_queue_run(); // work that is already queued was launched under the old limit
    if (r != CUDA_SUCCESS)
        return r;
    hd_current_context()->limits[limit] = value;
    follow(hd_current_context());
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)limit >= HD_CUDA_LIMITS)
        return CUDA_ERROR_UNSUPPORTED_LIMIT;
    *value = hd_current_context()->limits[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = hd_current_context()->cache;
    return CUDA_SUCCESS;
}

// The machine's configuration decides how shared memory and L1 are split: preferences are kept but
// have no effect.
CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    hd_current_context()->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    *config = hd_current_context()->banks;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if ((unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE)
        return CUDA_ERROR_INVALID_VALUE;
    hd_current_context()->banks = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    HD_CUDA_ENTER(HD_CUDA_CURRENT);
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0; // the machine has no priorities
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
    if (primary) {
        primary->uses++;
    } else {
        primary = new_context(primary_flags);
        primary->primary = true;
    }
    *context = primary->handle;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (primary && primary->uses == 1)
        drained(primary->handle);
    if (!primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!--primary->uses)
        destroy(primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (primary && drained(primary->handle))
        destroy(primary);
    hd_parts_device_reset();
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (flags & ~(unsigned)CU_CTX_FLAGS_MASK)
        return CUDA_ERROR_INVALID_VALUE;
    primary_flags = flags;
    if (primary)
        primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!flags || !active)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = primary_flags;
    *active = primary != NULL;
    return CUDA_SUCCESS;
}
