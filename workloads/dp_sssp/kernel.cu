// Shortest paths from one vertex: a stage relaxes the edges of the vertices whose distance changed in
// the stage before, one thread per vertex, or a kernel launched for it if they are many. Offers are
// collected in an array of their own; a kernel of the host then takes those that are shorter. So a stage
// reads no distance that it changes.

extern "C" __global__ void relax_edges(const unsigned *targets, const unsigned *weights, unsigned n,
                                       int distance, int *offer)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicMin(&offer[targets[i]], distance + (int)weights[i]);
}

extern "C" __global__ void relax(const unsigned *first, const unsigned *targets,
                                 const unsigned *weights, const int *distance, unsigned *changed,
                                 int *offer, unsigned n, unsigned threshold)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || !changed[v])
        return;
    unsigned begin = first[v], edges = first[v + 1] - begin;
    int d = distance[v];
    changed[v] = 0;
    if (edges > threshold) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        relax_edges<<<(edges + blockDim.x - 1) / blockDim.x, blockDim.x, 0, own>>>(
            targets + begin, weights + begin, edges, d, offer);
        cudaStreamDestroy(own);
        return;
    }
    for (unsigned e = begin; e < begin + edges; e++)
        atomicMin(&offer[targets[e]], d + (int)weights[e]);
}

extern "C" __global__ void settle(int *distance, const int *offer, unsigned *changed, unsigned *more,
                                  unsigned n)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || offer[v] >= distance[v])
        return;
    distance[v] = offer[v];
    changed[v] = 1;
    *more = 1;
}
