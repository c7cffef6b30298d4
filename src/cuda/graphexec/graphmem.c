// graphmem.c - memory that graphs allocate and free: checks at a launch, and statistics.
#include "cuda/graphexec/graphexec.h"

#include "cuda/memory/devmem.h"

#include <string.h>

static CUdeviceptr address_of(const struct hd_graph_work *w)
{
    return w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC  ? w->u.alloc.dptr
           : w->type == CU_GRAPH_NODE_TYPE_MEM_FREE ? w->u.free
                                                    : 0;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool has(const struct hd_graph_plan *p, CUgraphNodeType type, CUdeviceptr address)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct hd_plan_node *node = &p->nodes[i];
        if (node->work->type == type && address_of(node->work) == address)
            return true;
        for (uint32_t k = 0; k < node->n_bodies; k++)
            if (has(node->bodies[k], type, address))
                return true;
    }
    return false;
}

static CUresult free_first(struct hd_cuda_stream *s, struct hd_cuda_alloc *a)
{
    struct hd_cuda_op op = {.kind = &hd_devmem_free, .u.free = a->address};

    a->held = false;
    return hd_queue_add(s, &op, NULL);
}

// The part of the check, or of the change, for one node.
static CUresult launch_node(const struct hd_cuda_exec *e, struct hd_cuda_stream *s,
                            const struct hd_graph_work *w, bool change)
{
    bool automatic = e->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    CUdeviceptr address = address_of(w);
    struct hd_cuda_alloc *a = hd_devmem_reserved(address);
    CUresult r = CUDA_SUCCESS;

    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    if (w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC) {
        if (a->held && (!change || !automatic))
            return automatic ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        if (a->held)
            r = free_first(s, a);
        if (change)
            a->held = !has(e->plan, CU_GRAPH_NODE_TYPE_MEM_FREE, address);
    } else if (!has(e->plan, CU_GRAPH_NODE_TYPE_MEM_ALLOC, address)) {
        if (!change)
            return a->held ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        a->held = false;
    }
    return r;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static CUresult launch(const struct hd_cuda_exec *e, const struct hd_graph_plan *p,
                       struct hd_cuda_stream *s, bool change)
{
    CUresult r = CUDA_SUCCESS;

    for (uint32_t i = 0; i < p->n && r == CUDA_SUCCESS; i++) {
        const struct hd_plan_node *node = &p->nodes[i];
        if (address_of(node->work))
            r = launch_node(e, s, node->work, change);
        for (uint32_t k = 0; k < node->n_bodies && r == CUDA_SUCCESS; k++)
            r = launch(e, node->bodies[k], s, change);
    }
    return r;
}

CUresult hd_graphmem_launch(const struct hd_cuda_exec *e, struct hd_cuda_stream *s)
{
    CUresult r = launch(e, e->plan, s, false);

    return r == CUDA_SUCCESS ? launch(e, e->plan, s, true) : r;
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    hd_devmem_graph_memory()[CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT] =
        hd_devmem_graph_memory()[CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT];
    return CUDA_SUCCESS;
}

static CUresult counter(CUdevice device, CUgraphMem_attribute attribute, const void *value)
{
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    return value && (unsigned)attribute <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    r = counter(device, attribute, value);
    if (r == CUDA_SUCCESS)
        memcpy(value, &hd_devmem_graph_memory()[attribute], sizeof(uint64_t));
    return r;
}

// Resets the highest values to what is used now.
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void *value)
{
    uint64_t to;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    r = counter(device, attribute, value);
    if (r != CUDA_SUCCESS)
        return r;
    memcpy(&to, value, sizeof to);
    if (to || (attribute != CU_GRAPH_MEM_ATTR_USED_MEM_HIGH &&
               attribute != CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH))
        return CUDA_ERROR_INVALID_VALUE;
    hd_devmem_graph_memory()[attribute] = hd_devmem_graph_memory()[attribute - 1];
    return CUDA_SUCCESS;
}
