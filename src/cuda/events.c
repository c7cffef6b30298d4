// events.c - marks in streams. Their time is the machine's clock: cycles over the core frequency.
#include "cuda/process.h"

#include "cuda/capture.h"
#include "cuda/queue.h"

static struct hd_cuda_event *get(CUevent event)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, event);
}

CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    struct hd_cuda_event *e;
    void *handle;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!event || flags & ~7u ||
        (flags & (CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING)) == CU_EVENT_INTERPROCESS)
        return CUDA_ERROR_INVALID_VALUE;
    e = hd_handles_add(hd_cuda.handles, HD_HANDLE_EVENT, sizeof *e, &handle);
    e->handle = handle;
    e->context = hd_context_current();
    e->flags = flags;
    *event = e->handle;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!get(event))
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_queue_run(); // queued operations may name it
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_EVENT, event);
    return r;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    struct hd_cuda_op op = {.kind = HD_OP_RECORD};
    struct hd_cuda_stream *s;
    struct hd_cuda_event *e;
    bool captured;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = get(event);
    s = hd_streams_get(stream);
    if (flags > CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (!e || !s || e->context != s->context)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_enqueues(s, &captured);
    if (r != CUDA_SUCCESS)
        return r;
    if (captured)
        return hd_capture_record(s, e, flags == CU_EVENT_RECORD_EXTERNAL);
    e->capture = 0;
    op.u.record.event = e;
    op.u.record.number = ++e->recorded;
    r = hd_queue_add(s, &op, NULL);
    // Another process cannot make this one run what is queued: ipc.c.
    return r == CUDA_SUCCESS && (e->flags & CU_EVENT_INTERPROCESS) ? hd_queue_run() : r;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

CUresult cuEventSynchronize(CUevent event)
{
    const struct hd_cuda_event *e;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = get(event);
    if (!e)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_waits_event(e);
    if (r == CUDA_SUCCESS && e->done < e->recorded)
        return hd_queue_run();
    hd_copytime_host_waited();
    return r;
}

CUresult cuEventQuery(CUevent event)
{
    return cuEventSynchronize(event);
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    const struct hd_cuda_event *a, *b;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = get(start);
    b = get(end);
    if (!milliseconds)
        return CUDA_ERROR_INVALID_VALUE;
    if (!a || !b)
        return CUDA_ERROR_INVALID_HANDLE;
    if (a->capture || b->capture)
        return CUDA_ERROR_CAPTURED_EVENT;
    if (!a->recorded || !b->recorded || (a->flags | b->flags) & CU_EVENT_DISABLE_TIMING)
        return CUDA_ERROR_INVALID_HANDLE;
    if (a->done < a->recorded || b->done < b->recorded)
        return CUDA_ERROR_NOT_READY;
    double ticks = b->at >= a->at ? (double)(b->at - a->at) : -(double)(a->at - b->at);
    *milliseconds = (float)(ticks / (hd_cuda.config.clock.core * 1000.0));
    return CUDA_SUCCESS;
}
