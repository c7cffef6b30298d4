// stream_calls.c - cuStream*: streams are made, queried and waited for.
//
// A query whether a stream or event is done runs the machine until it is: host time does not pass
// on the device, so a program that polls would wait forever if the answer were "not yet".
#include "cuda/stream/stream.h"

#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"

#include <string.h>

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    struct hd_cuda_stream *s;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!stream || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    (void)priority; // clamped to the only priority
    s = hd_handles_add(hd_cuda.handles, HD_HANDLE_STREAM, sizeof *s, &handle);
    hd_streams_init(s, hd_current_context(), flags);
    s->handle = handle;
    *stream = s->handle;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_handles_get(hd_cuda.handles, HD_HANDLE_STREAM, stream);
    if (!s || s->destroyed)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_leave(s);
    if (r != CUDA_SUCCESS)
        return r;
    if (s->head)
        r = hd_queue_run_some();
    s->destroyed = true;
    if (!s->head)
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_STREAM, stream);
    return r;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_refuse(s);
    if (r != CUDA_SUCCESS)
        return r;
    if (!s->head && !s->legacy) {
        hd_copytime_host_waited();
        return CUDA_SUCCESS;
    }
    return hd_queue_run_stream(s);
}

CUresult cuStreamQuery(CUstream stream)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_refuse(s);
    if (r == CUDA_SUCCESS && (s->head || s->legacy))
        r = hd_queue_run_some();
    return r == CUDA_SUCCESS && hd_queue_busy(s) ? CUDA_ERROR_NOT_READY : r;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    struct hd_cuda_op op = {.kind = &hd_events_wait};
    struct hd_cuda_stream *s;
    struct hd_cuda_event *e;
    bool done;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    e = hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, event);
    if (!s || !e || e->destroyed)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_wait(s, e, flags == CU_EVENT_WAIT_EXTERNAL, &done);
    if (r != CUDA_SUCCESS || done)
        return r;
    op.u.record.event = e;
    op.u.record.number = e->recorded;
    // There is no reason to wait for one that is done, unless its time is later than the stream's.
    if (e->done >= e->recorded && !hd_copytime_on())
        return CUDA_SUCCESS;
    return hd_queue_add(s, &op, NULL);
}

// All streams of a context; of the current one, which must not have failed, for NULL.
CUresult cuCtxSynchronize_v2(CUcontext context)
{
    const struct hd_cuda_context *c;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    c = context ? hd_handles_get(hd_cuda.handles, HD_HANDLE_CONTEXT, context)
                : hd_current_context();
    if (!c)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (hd_cuda.broken != CUDA_SUCCESS)
        return hd_cuda.broken;
    r = hd_capture_waits(c);
    return r == CUDA_SUCCESS ? hd_queue_run_submitted() : r;
}

CUresult cuCtxSynchronize(void)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING); // a context that was destroyed has an error of its own
    return cuCtxSynchronize_v2(NULL);
}

// Queries of a stream begin with these.
#define ASK(out)                                                                                   \
    struct hd_cuda_stream *s;                                                                      \
    HD_CUDA_ENTER(HD_CUDA_WORKING);                                                                \
    s = hd_streams_get(stream);                                                                    \
    if (!s)                                                                                        \
        return CUDA_ERROR_INVALID_HANDLE;                                                          \
    if (!(out))                                                                                    \
    return CUDA_ERROR_INVALID_VALUE

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
    ASK(flags);
    *flags = s->flags;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    ASK(priority);
    *priority = 0;
    return CUDA_SUCCESS;
}

// --- attributes: hints that are stored and returned

static bool is_hint(CUlaunchAttributeID id)
{
    return id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
           id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
}

CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value)
{
    ASK(value);
    if (!is_hint(id) && id != CU_LAUNCH_ATTRIBUTE_PRIORITY) // priorities are always 0
        return CUDA_ERROR_INVALID_VALUE;
    *value = is_hint(id) ? s->hints[id] : (CUlaunchAttributeValue){.priority = 0};
    return CUDA_SUCCESS;
}

CUresult cuStreamSetAttribute(CUstream stream, CUlaunchAttributeID id,
                              const CUlaunchAttributeValue *value)
{
    struct hd_cuda_stream *s;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!value || !is_hint(id))
        return CUDA_ERROR_INVALID_VALUE;
    s->hints[id] = *value;
    return CUDA_SUCCESS;
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
    struct hd_cuda_stream *t, *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    t = hd_streams_get(to);
    f = hd_streams_get(from);
    if (!t || !f)
        return CUDA_ERROR_INVALID_HANDLE;
    memcpy(t->hints, f->hints, sizeof t->hints);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    ASK(context);
    *context = s->context->handle;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    ASK(id);
    *id = s->id;
    return CUDA_SUCCESS;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags)
{
    const struct hd_cuda_alloc *a;

    (void)bytes, (void)flags;
    ASK(address);
    CUresult r = hd_capture_unhandled(s);
    if (r != CUDA_SUCCESS)
        return r;
    a = hd_devmem_find(address);
    return a && hd_cuda_managed(a) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void context_ends(const struct hd_cuda_context *c)
{
    struct hd_cuda_stream *s;
    size_t at = 0;

    while ((s = hd_handles_next(hd_cuda.handles, HD_HANDLE_STREAM, &at)))
        if (s->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_STREAM, s->handle);
}

const struct hd_part hd_stream_calls_part = {.context_ends = context_ends};
