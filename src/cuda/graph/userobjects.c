// userobjects.c - objects of the program that live as long as graphs hold references to them.
#include "cuda/graph/graphs.h"

#include <string.h>

static struct hd_cuda_user_object *get(CUuserObject handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_USER_OBJECT, handle);
}

// The program's function may not call this interface, like other host functions.
static void let_go(struct hd_cuda_user_object *o, unsigned n)
{
    unsigned depth;

    o->references -= n;
    if (o->references)
        return;
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_USER_OBJECT, o->handle);
    if (o->ours) {
        o->destroy(o->data);
        return;
    }
    depth = hd_cuda_callback_begin();
    o->destroy(o->data);
    hd_cuda_callback_end(depth);
}

void hd_userobjects_release(const struct hd_graph_reference *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct hd_cuda_user_object *o = get(list[i].object);
        if (o && list[i].n)
            let_go(o, list[i].n);
    }
}

void hd_userobjects_retain(const struct hd_graph_reference *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct hd_cuda_user_object *o = get(list[i].object);
        if (o)
            o->references += list[i].n;
    }
}

static struct hd_cuda_user_object *create(CUhostFn destroy, void *data, unsigned references)
{
    void *handle;
    struct hd_cuda_user_object *o =
        hd_handles_add(hd_cuda.handles, HD_HANDLE_USER_OBJECT, sizeof *o, &handle);

    *o = (struct hd_cuda_user_object){handle, destroy, data, references, false};
    return o;
}

void hd_userobjects_own(struct hd_cuda_graph *g, CUhostFn destroy, void *data)
{
    struct hd_cuda_user_object *o = create(destroy, data, 1);

    o->ours = true;
    *HD_PUSH(g->arena, g->references, g->n_references, g->cap_references) =
        (struct hd_graph_reference){o->handle, 1};
}

CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned references,
                            unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!object || !destroy || !references || references > INT32_MAX ||
        flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
        return CUDA_ERROR_INVALID_VALUE;
    *object = create(destroy, data, references)->handle;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned n)
{
    struct hd_cuda_user_object *o;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    o = get(object);
    if (!o || !n || n > INT32_MAX - o->references)
        return CUDA_ERROR_INVALID_VALUE;
    o->references += n;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned n)
{
    struct hd_cuda_user_object *o;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    o = get(object);
    if (!o || !n || n > o->references)
        return CUDA_ERROR_INVALID_VALUE;
    let_go(o, n);
    return CUDA_SUCCESS;
}

static struct hd_graph_reference *held(const struct hd_cuda_graph *g, CUuserObject object)
{
    for (size_t i = 0; i < g->n_references; i++)
        if (g->references[i].object == object)
            return &g->references[i];
    return NULL;
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned n, unsigned flags)
{
    struct hd_cuda_user_object *o;
    struct hd_graph_reference *r;
    struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    o = get(object);
    if (!g || !o || !n || flags > CU_GRAPH_USER_OBJECT_MOVE || n > INT32_MAX - o->references ||
        (flags == CU_GRAPH_USER_OBJECT_MOVE && n > o->references))
        return CUDA_ERROR_INVALID_VALUE;
    r = held(g, object);
    if (!r) {
        r = HD_PUSH(g->arena, g->references, g->n_references, g->cap_references);
        *r = (struct hd_graph_reference){object, 0};
    }
    r->n += n;
    if (flags != CU_GRAPH_USER_OBJECT_MOVE)
        o->references += n;
    return CUDA_SUCCESS;
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned n)
{
    struct hd_cuda_user_object *o;
    struct hd_graph_reference *r;
    struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    o = get(object);
    r = g && o ? held(g, object) : NULL;
    if (!r || !n || n > r->n)
        return CUDA_ERROR_INVALID_VALUE;
    r->n -= n;
    let_go(o, n);
    return CUDA_SUCCESS;
}
