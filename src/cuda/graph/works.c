// works.c - what a node does, as data.
#include "cuda/graph/graphs.h"

#include <string.h>

void hd_works_copy(struct hd_arena *a, const struct hd_graph_work *from, struct hd_graph_work *to)
{
    *to = *from;
    if (from->type != CU_GRAPH_NODE_TYPE_KERNEL)
        return;
    uint32_t bytes = from->u.kernel.request.kernel->param_bytes;
    uint8_t *block = hd_arena_get(a, bytes, 1);
    if (bytes)
        memcpy(block, from->u.kernel.request.params, bytes);
    to->u.kernel.request.params = block;
    if (!from->u.kernel.hints)
        return;
    to->u.kernel.hints = HD_ARRAY(a, CUlaunchAttributeValue, HD_GRAPH_HINTS);
    memcpy(to->u.kernel.hints, from->u.kernel.hints, HD_GRAPH_HINTS * sizeof *to->u.kernel.hints);
}
