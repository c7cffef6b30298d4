// events.c - events. Their time is the machine's clock, cycles divided by the core frequency; if
// copies take time, it is the time of their stream (copytime.h).
//
// Without timing, a warp instruction counts as a cycle. Programs divide by times, wait for some to
// pass and choose by them, so that neither 0 nor NaN would serve them: the time stays a positive
// number, and a message says once that it is no measurement.
#include "cuda/stream/stream.h"

#include "cuda/stream/capture.h"

static struct hd_cuda_event *get(CUevent event)
{
    struct hd_cuda_event *e = hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, event);

    return e && !e->destroyed ? e : NULL;
}

// If an event is recorded in several streams, an earlier record may be executed later: it is
// ignored.
static void record(struct hd_cuda_op *op)
{
    struct hd_cuda_event *e = op->u.record.event;

    if (op->u.record.number < e->done)
        return;
    e->done = op->u.record.number;
    e->at = hd_copytime_now(hd_queue_acting(), hd_queue_ticks());
}

static bool is_recorded(const struct hd_cuda_op *op)
{
    return op->u.record.event->done >= op->u.record.number;
}

static void go_on(struct hd_cuda_op *op)
{
    const struct hd_cuda_event *e = op->u.record.event;

    if (e->done == op->u.record.number) // otherwise it is the time of a later record
        hd_copytime_wait(hd_queue_acting(), hd_queue_ticks(), e->at);
}

const struct hd_op_kind hd_events_record = {.perform = record};
const struct hd_op_kind hd_events_wait = {.ready = is_recorded, .perform = go_on};

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
    e->context = hd_current_context();
    e->flags = flags;
    *event = e->handle;
    return CUDA_SUCCESS;
}

// A graph launch, which has steps, may use events too.
static bool may_name(const struct hd_cuda_op *op, const void *event)
{
    return op->kind->can || ((op->kind == &hd_events_record || op->kind == &hd_events_wait) &&
                             op->u.record.event == event);
}

// Queued operations may still use the event, such as its record after a wait for a value that has
// not been written. Then it lives on without a handle, as long as its context.
CUresult cuEventDestroy_v2(CUevent event)
{
    struct hd_cuda_event *e;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!get(event))
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_queue_run_some();
    e = get(event); // a host function may have destroyed it
    if (e && r == CUDA_SUCCESS && hd_queue_holds(may_name, e))
        e->destroyed = true;
    else if (e)
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_EVENT, event);
    return r;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags)
{
    struct hd_cuda_op op = {.kind = &hd_events_record};
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
    // Another process cannot make this one run what is queued: see ipc.c.
    return r == CUDA_SUCCESS && (e->flags & CU_EVENT_INTERPROCESS) ? hd_queue_run_some() : r;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    return cuEventRecordWithFlags(event, stream, CU_EVENT_RECORD_DEFAULT);
}

struct record {
    CUevent event;
    uint64_t number;
};

// The record has happened, or the event was destroyed.
static bool is_over(const void *record)
{
    const struct record *r = record;
    const struct hd_cuda_event *e = get(r->event);

    return !e || e->done >= r->number;
}

CUresult cuEventSynchronize(CUevent event)
{
    const struct hd_cuda_event *e;
    struct record record = {.event = event};
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = get(event);
    if (!e)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_waits_event(e);
    if (r != CUDA_SUCCESS || e->done >= e->recorded) {
        hd_copytime_host_waited();
        return r;
    }
    record.number = e->recorded;
    r = hd_queue_run_until(is_over, &record);
    return r == CUDA_SUCCESS && !get(event) ? CUDA_ERROR_INVALID_HANDLE : r;
}

CUresult cuEventQuery(CUevent event)
{
    const struct hd_cuda_event *e;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = get(event);
    if (!e)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_waits_event(e);
    if (r == CUDA_SUCCESS && e->done < e->recorded)
        r = hd_queue_run_some();
    return r == CUDA_SUCCESS && e->done < e->recorded ? CUDA_ERROR_NOT_READY : r;
}

static void warn_of_times(void)
{
    static bool said;
    struct hd_diag d = {.n = 0};

    if (said)
        return;
    said = true;
    if (hd_cuda.options.gpu.functional_only)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "the program asks for the time between events, and this run has "
                                 "no timing: each warp instruction counts as a cycle of %u MHz, so "
                                 "its times and rates are not measurements",
                                 hd_cuda.config.clock.core),
                     "a run with timing simulates them");
    else
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "the program asks for the time between events, and launches "
                                 "outside the sample take no time"),
                     "a run without --sample simulates all");
    d.entries[0].warning = true;
    hd_cuda_say(&d);
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
    if (hd_cuda.options.gpu.functional_only || hd_cuda.options.gpu.sample)
        warn_of_times();
    double ticks = b->at >= a->at ? (double)(b->at - a->at) : -(double)(a->at - b->at);
    *milliseconds = (float)(ticks / (hd_cuda.config.clock.core * 1000.0));
    return CUDA_SUCCESS;
}

static void context_ends(const struct hd_cuda_context *c)
{
    struct hd_cuda_event *e;
    size_t at = 0;

    while ((e = hd_handles_next(hd_cuda.handles, HD_HANDLE_EVENT, &at)))
        if (e->context == c)
            hd_handles_drop(hd_cuda.handles, HD_HANDLE_EVENT, e->handle);
}

const struct hd_part hd_events_part = {.context_ends = context_ends};
