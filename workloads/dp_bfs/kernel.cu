// Breadth-first search, a stage per level: a thread per vertex looks at the edges of its vertex, if that
// is of this level, or launches a kernel that does so if there are many. A kernel of the host then gives
// the vertices that were found their level. Nobody changes levels while a stage reads them, so the
// order of threads changes nothing, nor which kernels are launched.

extern "C" __global__ void visit_edges(const unsigned *targets, unsigned n, const int *level,
                                       unsigned *found)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && level[targets[i]] < 0)
        found[targets[i]] = 1;
}

extern "C" __global__ void visit(const unsigned *first, const unsigned *targets, const int *level,
                                 unsigned *found, unsigned n, int depth, unsigned threshold)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || level[v] != depth)
        return;
    unsigned begin = first[v], edges = first[v + 1] - begin;
    if (edges > threshold) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        visit_edges<<<(edges + blockDim.x - 1) / blockDim.x, blockDim.x, 0, own>>>(
            targets + begin, edges, level, found);
        cudaStreamDestroy(own);
        return;
    }
    for (unsigned e = begin; e < begin + edges; e++)
        if (level[targets[e]] < 0)
            found[targets[e]] = 1;
}

extern "C" __global__ void settle(int *level, unsigned *found, unsigned *more, unsigned n, int depth)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || !found[v])
        return;
    found[v] = 0;
    level[v] = depth + 1;
    *more = 1;
}
