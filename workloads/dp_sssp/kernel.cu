// Shortest paths from one vertex. Blocks that stay until a stage is over relax the edges of the vertices
// in a frontier, each thread those of its vertex, and a vertex of many edges gets a kernel that relaxes
// them. A thread that shortens a distance appends the vertex to the next frontier, at the place that a
// counter of all threads gives. Distances are read and changed in place: vertices may be in a frontier
// twice, unless all edges are equally long, which they are here.
// The frontier and its counter; `most` has room for all edges.
struct queue {
    unsigned *vertices, *count, most;
};

extern "C" __global__ void clear(int *array, int value, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        array[i] = value;
}

__device__ static void relax_edge(unsigned target, int offer, int *distance, queue next)
{
    if (offer >= distance[target] || offer >= atomicMin(&distance[target], offer))
        return;
    unsigned place = atomicAdd(next.count, 1);
    if (*next.count <= next.most)
        next.vertices[place] = target;
}

extern "C" __global__ void relax_edges(const unsigned *targets, const int *lengths, unsigned n,
                                       int from, int *distance, queue next)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        relax_edge(targets[i], from + lengths[i], distance, next);
}

// A child has whole blocks only; what they leave over is its parent's work.
extern "C" __global__ void relax(const unsigned *first, const unsigned *targets, const int *lengths,
                                 int *distance, const unsigned *frontier, unsigned size, queue next,
                                 unsigned threshold)
{
    for (unsigned base = blockIdx.x * blockDim.x; base < size; base += gridDim.x * blockDim.x) {
        if (base + threadIdx.x >= size)
            return;
        unsigned v = frontier[base + threadIdx.x];
        int from = distance[v];
        unsigned begin = first[v], edges = first[v + 1] - begin, done = 0;
        if (edges >= threshold) {
            cudaStream_t own;
            cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
            done = edges / threshold * threshold;
            relax_edges<<<edges / threshold, threshold, 0, own>>>(targets + begin, lengths + begin,
                                                                  done, from, distance, next);
            cudaStreamDestroy(own);
        }
        for (; done < edges; done++)
            relax_edge(targets[begin + done], from + lengths[begin + done], distance, next);
    }
}
