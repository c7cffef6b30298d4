// capture.c - stream capture: which streams are captured, in which mode, and its errors.
//
// A capture begins in one stream and extends to others that wait for an event recorded in it. Each
// captured stream keeps the nodes that its next operation depends on. A dependency between captured
// and queued work is an error, and such an error invalidates the capture: its streams refuse
// everything until the capture is ended, which then returns no graph.
#include "cuda/stream/capture.h"

#include "cuda/memory/devmem.h"

#include <string.h>

struct hd_cuda_capture {
    uint64_t id; // numbers captures from 1
    CUstreamCaptureMode mode;
    unsigned thread; // the one that began it
    bool invalid;
    bool given; // the program gave the graph
    struct hd_cuda_graph *graph;
    struct hd_cuda_stream *origin, *streams;
    struct hd_cuda_capture *next;
};

static struct hd_cuda_capture *captures;
static uint64_t last_id;
static _Thread_local CUstreamCaptureMode thread_mode;

static struct hd_cuda_capture *by_id(uint64_t id)
{
    struct hd_cuda_capture *c = captures;

    while (c && c->id != id)
        c = c->next;
    return c;
}

static void join(struct hd_cuda_capture *c, struct hd_cuda_stream *s)
{
    s->capture = c;
    s->tail_nodes = NULL;
    s->n_tail_nodes = s->cap_tail_nodes = 0;
    s->next_captured = c->streams;
    c->streams = s;
}

static void depend(struct hd_cuda_stream *s, CUgraphNode node)
{
    for (size_t i = 0; i < s->n_tail_nodes; i++)
        if (s->tail_nodes[i] == node)
            return;
    *HD_PUSH(s->capture->graph->arena, s->tail_nodes, s->n_tail_nodes, s->cap_tail_nodes) = node;
}

static void end(struct hd_cuda_capture *c)
{
    struct hd_cuda_capture **at = &captures;

    for (struct hd_cuda_stream *s = c->streams; s; s = s->next_captured) {
        s->capture = NULL;
        s->tail_nodes = NULL;
        s->n_tail_nodes = s->cap_tail_nodes = 0;
    }
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    c->graph->capturing = false;
}

static bool in_context(const struct hd_cuda_capture *c, const struct hd_cuda_context *context)
{
    for (const struct hd_cuda_stream *s = c->streams; s; s = s->next_captured)
        if (s->context == context)
            return true;
    return false;
}

// Drops the captures of a context's streams before the context ends; all if it is NULL.
static void forget(const struct hd_cuda_context *context)
{
    struct hd_cuda_capture *c = captures, *next;

    for (; c; c = next) {
        struct hd_cuda_graph *g = c->graph;
        bool given = c->given;
        next = c->next;
        if (context && !in_context(c, context))
            continue;
        end(c);
        if (!given)
            hd_graph_free(g);
    }
}

static void machine_ends(void)
{
    forget(NULL);
}

const struct hd_part hd_capture_part = {
    .forbids = hd_capture_unsafe, .context_ends = forget, .machine_ends = machine_ends};

// --- what captures forbid

// Whether a stream of the context that the legacy stream would wait for is captured.
static bool implied(const struct hd_cuda_capture *c, const struct hd_cuda_context *context)
{
    for (const struct hd_cuda_stream *s = c->streams; s; s = s->next_captured)
        if (s->context == context && !(s->flags & CU_STREAM_NON_BLOCKING))
            return true;
    return false;
}

static CUresult legacy(const struct hd_cuda_context *context, bool spoil)
{
    CUresult r = CUDA_SUCCESS;

    for (struct hd_cuda_capture *c = captures; c; c = c->next)
        if (implied(c, context)) {
            c->invalid = c->invalid || spoil;
            r = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        }
    return r;
}

CUresult hd_capture_enqueues(struct hd_cuda_stream *s, bool *captured)
{
    *captured = false;
    if (!captures)
        return CUDA_SUCCESS;
    if (s->legacy)
        return legacy(s->context, true);
    if (!s->capture)
        return CUDA_SUCCESS;
    *captured = true;
    return s->capture->invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

CUresult hd_capture_refuse(struct hd_cuda_stream *s)
{
    if (!captures)
        return CUDA_SUCCESS;
    if (s->legacy)
        return legacy(s->context, true);
    if (!s->capture)
        return CUDA_SUCCESS;
    if (s->capture->invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    s->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult hd_capture_unhandled(const struct hd_cuda_stream *s)
{
    if (captures && s->legacy)
        return legacy(s->context, true);
    return !captures || !s->capture ? CUDA_SUCCESS
           : s->capture->invalid    ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                                    : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult hd_capture_unsafe(void)
{
    CUresult r = CUDA_SUCCESS;

    if (!captures || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_SUCCESS;
    for (struct hd_cuda_capture *c = captures; c; c = c->next) {
        bool own = c->thread == hd_current_thread();
        if ((own && c->mode != CU_STREAM_CAPTURE_MODE_RELAXED) ||
            (!own && c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
             thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL)) {
            c->invalid = true;
            r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    }
    return r;
}

CUresult hd_capture_waits(const struct hd_cuda_context *context)
{
    CUresult r = CUDA_SUCCESS;

    for (struct hd_cuda_capture *c = captures; c; c = c->next)
        if (in_context(c, context)) {
            c->invalid = true;
            r = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        }
    return r;
}

CUresult hd_capture_waits_event(const struct hd_cuda_event *e)
{
    struct hd_cuda_capture *c = e->capture ? by_id(e->capture) : NULL;

    if (c)
        c->invalid = true;
    return e->capture ? CUDA_ERROR_CAPTURED_EVENT : hd_capture_unsafe();
}

// --- nodes

void *hd_capture_keep(const struct hd_cuda_stream *s, size_t bytes)
{
    return hd_arena_get(s->capture->graph->arena, bytes, 1);
}

// Removes nodes that the program has destroyed from those that the stream depends on.
static void clean(struct hd_cuda_stream *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n_tail_nodes; i++)
        if (hd_graph_node(s->tail_nodes[i]))
            s->tail_nodes[n++] = s->tail_nodes[i];
    s->n_tail_nodes = n;
}

CUresult hd_capture_add(struct hd_cuda_stream *s, const struct hd_graph_work *w)
{
    struct hd_cuda_node *node;

    clean(s);
    node = hd_graph_add(s->capture->graph, s->tail_nodes, NULL, s->n_tail_nodes, w);
    s->n_tail_nodes = 0;
    depend(s, node->handle);
    return CUDA_SUCCESS;
}

CUresult hd_capture_alloc(struct hd_cuda_stream *s, CUdeviceptr *address, size_t bytes)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                              .u.alloc = {.poolProps = {.allocType = 1, .location = {.type = 1}},
                                          .bytesize = bytes,
                                          .dptr = hd_devmem_reserve(bytes)}};

    if (!w.u.alloc.dptr)
        return hd_devmem_full();
    *address = w.u.alloc.dptr;
    hd_userobjects_own(s->capture->graph, hd_devmem_abandon, (void *)(uintptr_t)*address);
    return hd_capture_add(s, &w);
}

// --- events

CUresult hd_capture_record(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .u.event = e->handle};

    if (external)
        return hd_capture_add(s, &w);
    clean(s);
    e->capture = s->capture->id;
    e->n_nodes = s->n_tail_nodes;
    e->nodes = HD_ARRAY(s->capture->graph->arena, CUgraphNode, e->n_nodes);
    if (e->n_nodes)
        memcpy(e->nodes, s->tail_nodes, e->n_nodes * sizeof *e->nodes);
    return CUDA_SUCCESS;
}

static CUresult wait_captured(struct hd_cuda_stream *s, const struct hd_cuda_event *e)
{
    struct hd_cuda_capture *c = by_id(e->capture);

    if (!c)
        return CUDA_ERROR_CAPTURED_EVENT; // its capture has ended
    if (c->invalid || (s->capture && s->capture->invalid))
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (s->legacy) {
        c->invalid = true;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (s->capture && s->capture != c) {
        c->invalid = s->capture->invalid = true;
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (!s->capture)
        join(c, s);
    for (size_t i = 0; i < e->n_nodes; i++)
        if (hd_graph_node(e->nodes[i]))
            depend(s, e->nodes[i]);
    return CUDA_SUCCESS;
}

CUresult hd_capture_wait(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external,
                         bool *done)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .u.event = e->handle};
    bool captured;
    CUresult r;

    *done = true;
    if (e->capture)
        return wait_captured(s, e);
    r = hd_capture_enqueues(s, &captured);
    *done = captured;
    if (r != CUDA_SUCCESS || !captured)
        return r;
    if (external)
        return hd_capture_add(s, &w);
    if (!e->recorded)
        return CUDA_SUCCESS;
    s->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
}

// --- the interface

static CUresult begin(CUstream stream, struct hd_cuda_graph *g, const CUgraphNode *after, size_t n,
                      CUstreamCaptureMode mode)
{
    struct hd_cuda_stream *s = hd_streams_get(stream);
    struct hd_cuda_capture *c;

    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if ((unsigned)mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (s->legacy)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (s->capture || (g && g->capturing))
        return CUDA_ERROR_ILLEGAL_STATE;
    bool given = g != NULL;
    if (!g)
        g = hd_graph_new(false);
    c = HD_NEW(g->arena, hd_cuda_capture);
    *c = (struct hd_cuda_capture){.id = ++last_id,
                                  .mode = mode,
                                  .thread = hd_current_thread(),
                                  .given = given,
                                  .graph = g,
                                  .origin = s,
                                  .next = captures};
    captures = c;
    g->capturing = true;
    join(c, s);
    for (size_t i = 0; i < n; i++)
        depend(s, after[i]);
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return begin(stream, NULL, NULL, 0, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *after,
                                     const CUgraphEdgeData *data, size_t n,
                                     CUstreamCaptureMode mode)
{
    struct hd_cuda_graph *g;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_graph_check(g, after, data, n);
    return r == CUDA_SUCCESS ? begin(stream, g, after, n, mode) : r;
}

// Whether everything that was captured in the stream leads to the stream where the capture began:
// the origin must depend on all nodes of this stream.
static bool is_joined(const struct hd_cuda_capture *c, const struct hd_cuda_stream *s)
{
    const struct hd_cuda_stream *o = c->origin;

    return hd_graph_reaches(c->graph, o->tail_nodes, o->n_tail_nodes, s->tail_nodes,
                            s->n_tail_nodes);
}

static bool joined(const struct hd_cuda_capture *c)
{
    for (const struct hd_cuda_stream *s = c->streams; s; s = s->next_captured)
        if (!is_joined(c, s))
            return false;
    return true;
}

CUresult hd_capture_leave(struct hd_cuda_stream *s)
{
    struct hd_cuda_capture *c = s->capture;

    if (!c || c->invalid || s == c->origin || !is_joined(c, s))
        return hd_capture_refuse(s);
    for (struct hd_cuda_stream **at = &c->streams; *at; at = &(*at)->next_captured)
        if (*at == s) {
            *at = s->next_captured;
            break;
        }
    s->capture = NULL;
    s->tail_nodes = NULL;
    s->n_tail_nodes = s->cap_tail_nodes = 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    struct hd_cuda_stream *s;
    struct hd_cuda_capture *c;
    CUresult r = CUDA_SUCCESS;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    c = s->capture;
    if (!c)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (!graph && !c->given) // otherwise the program already has it
        return CUDA_ERROR_INVALID_VALUE;
    if (c->mode != CU_STREAM_CAPTURE_MODE_RELAXED && c->thread != hd_current_thread())
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    if (c->origin != s) {
        c->invalid = true;
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    }
    if (c->invalid)
        r = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!joined(c))
        r = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    if (graph)
        *graph = r == CUDA_SUCCESS ? c->graph->handle : NULL;
    end(c);
    if (r != CUDA_SUCCESS && !c->given)
        hd_graph_free(c->graph);
    return r;
}

// The legacy stream has no status while streams that it waits for are captured.
static CUresult status_of(CUstream stream, struct hd_cuda_stream **out,
                          CUstreamCaptureStatus *status)
{
    struct hd_cuda_stream *s = hd_streams_get(stream);

    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!status)
        return CUDA_ERROR_INVALID_VALUE;
    *out = s;
    if (s->legacy && legacy(s->context, false) != CUDA_SUCCESS)
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    *status = !s->capture           ? CU_STREAM_CAPTURE_STATUS_NONE
              : s->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                    : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    struct hd_cuda_stream *s;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return status_of(stream, &s, status);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id,
                                   CUgraph *graph, const CUgraphNode **dependencies,
                                   const CUgraphEdgeData **data, size_t *n)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    r = status_of(stream, &s, status);
    if (r != CUDA_SUCCESS || *status != CU_STREAM_CAPTURE_STATUS_ACTIVE)
        return r;
    clean(s);
    if (id)
        *id = s->capture->id;
    if (graph)
        *graph = s->capture->graph->handle;
    if (dependencies)
        *dependencies = s->tail_nodes;
    if (data) // all edges have the default kind
        *data = hd_capture_keep(s, s->n_tail_nodes * sizeof **data);
    if (n)
        *n = s->n_tail_nodes;
    return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *data, size_t n, unsigned flags)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!s->capture)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (s->capture->invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    r = flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES
            ? CUDA_ERROR_INVALID_VALUE
            : hd_graph_check(s->capture->graph, dependencies, data, n);
    if (r != CUDA_SUCCESS)
        return r;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
        s->n_tail_nodes = 0;
    for (size_t i = 0; i < n; i++)
        depend(s, dependencies[i]);
    return CUDA_SUCCESS;
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    CUstreamCaptureMode old = thread_mode;

    if (!mode || (unsigned)*mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    thread_mode = *mode;
    *mode = old;
    return CUDA_SUCCESS;
}
