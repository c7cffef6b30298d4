// hostfuncs.c - functions of the program in streams: cuLaunchHostFunc, cuStreamAddCallback.
#include "cuda/stream/stream.h"

#include "cuda/stream/capture.h"

// Calls the program's function. It may not call this interface: HD_CUDA_ENTER refuses while it
// runs.
static void call(const struct hd_cuda_host *h, CUresult status)
{
    unsigned depth = hd_cuda_callback_begin();

    if (h->callback)
        h->callback(h->stream, status, h->data);
    else
        h->function(h->data);
    hd_cuda_callback_end(depth);
}

static void perform(struct hd_cuda_op *op)
{
    call(&op->u.host, CUDA_SUCCESS);
}

// Callbacks receive errors, host functions do not.
static void failed(struct hd_cuda_op *op, CUresult error)
{
    if (op->u.host.callback)
        call(&op->u.host, error);
}

const struct hd_op_kind hd_hostfuncs_op = {
    .perform = perform, .failed = failed, .calls_host = true};

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    struct hd_cuda_op op = {.kind = &hd_hostfuncs_op,
                            .u.host = {.function = function, .data = data}};
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_HOST,
                              .u.host = {.fn = function, .userData = data}};
    struct hd_cuda_stream *s;
    bool captured;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = function ? hd_capture_enqueues(s, &captured) : CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return r;
    return captured ? hd_capture_add(s, &w) : hd_progress_add(s, &op);
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags)
{
    struct hd_cuda_op op = {.kind = &hd_hostfuncs_op,
                            .u.host = {.callback = callback, .stream = stream, .data = data}};
    struct hd_cuda_stream *s;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!callback || flags)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult r = hd_capture_unhandled(s);
    return r == CUDA_SUCCESS ? hd_progress_add(s, &op) : r;
}
