// streams.c - streams as objects; what they hold is in queue.c.
//
// A question whether a stream or event is done runs the machine until it is: host time does not
// pass on the device, so a program that polls must not be told to come back later.
#include "cuda/process.h"

#include "cuda/capture.h"
#include "cuda/queue.h"

#include <string.h>

void hd_streams_init(struct hd_cuda_stream *s, struct hd_cuda_context *c, unsigned flags)
{
    s->context = c;
    s->id = hd_cuda.next_stream++;
    s->flags = flags;
}

// The per-thread default stream, made when it is first used.
static struct hd_cuda_stream *of_thread(struct hd_cuda_context *c)
{
    unsigned me = hd_context_thread();
    struct hd_cuda_stream *s = c->threads;

    while (s && s->thread != me)
        s = s->next;
    if (!s) {
        s = HD_NEW(hd_cuda.arena, hd_cuda_stream);
        hd_streams_init(s, c, 0);
        s->handle = CU_STREAM_PER_THREAD;
        s->thread = me;
        s->next = c->threads;
        c->threads = s;
    }
    return s;
}

struct hd_cuda_stream *hd_streams_get(CUstream handle)
{
    struct hd_cuda_context *c = hd_context_current();

    if (!handle || handle == CU_STREAM_LEGACY)
        return &c->legacy;
    if (handle == CU_STREAM_PER_THREAD)
        return of_thread(c);
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_STREAM, handle);
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority)
{
    struct hd_cuda_stream *s;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!stream || flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    (void)priority; // clamped to the only one there is
    s = hd_handles_add(hd_cuda.handles, HD_HANDLE_STREAM, sizeof *s, &handle);
    hd_streams_init(s, hd_context_current(), flags);
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
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_leave(s);
    if (r != CUDA_SUCCESS)
        return r;
    if (s->head)
        r = hd_queue_run();
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
    if (r == CUDA_SUCCESS && (s->head || s->legacy))
        return hd_queue_run();
    hd_copytime_host_waited();
    return r;
}

CUresult cuStreamQuery(CUstream stream)
{
    return cuStreamSynchronize(stream);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    struct hd_cuda_op op = {.kind = HD_OP_WAIT};
    struct hd_cuda_stream *s;
    struct hd_cuda_event *e;
    bool done;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    e = hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, event);
    if (!s || !e)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_EVENT_WAIT_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_wait(s, e, flags == CU_EVENT_WAIT_EXTERNAL, &done);
    if (r != CUDA_SUCCESS || done)
        return r;
    op.u.record.event = e;
    op.u.record.number = e->recorded;
    // One that is over is no reason to wait, unless it was over later than this stream is now.
    if (e->done >= e->recorded && !hd_copytime_on())
        return CUDA_SUCCESS;
    return hd_queue_add(s, &op, NULL);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    struct hd_cuda_op op = {.kind = HD_OP_HOST,
                            .u.host = {.callback = callback, .stream = stream, .data = data}};
    struct hd_cuda_stream *s;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = hd_capture_refuse(s);
    return r == CUDA_SUCCESS ? hd_queue_add(s, &op, NULL) : r;
}

// Questions about a stream begin with these.
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

// --- attributes: hints that are kept and handed back

static bool is_hint(CUlaunchAttributeID id)
{
    return id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
           id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
}

CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value)
{
    ASK(value);
    if (!is_hint(id) && id != CU_LAUNCH_ATTRIBUTE_PRIORITY) // that is always 0
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
    CUresult r = hd_capture_refuse(s);
    if (r != CUDA_SUCCESS)
        return r;
    a = hd_devmem_find(address);
    return a && hd_cuda_managed(a) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
