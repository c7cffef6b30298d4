// Breadth-first search with two frontiers. Blocks that stay until a stage is over go through the vertices of
// this level and copy their neighbours, with all doubles, to a frontier of edges; a vertex of many edges
// gets a kernel that copies them. A kernel of the host then contracts the frontier to those vertices that
// no bit of a mask marks as visited. Atomics set the bits, so that each vertex is in one frontier, once.
// The host puts a frontier's vertices in order and says where the edges of each block go, so that which
// block launches which kernel does not depend on the order of threads.
#include "../dp_frontier.h"

extern "C" __global__ void clear(int *array, int value, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        array[i] = value;
}

extern "C" __global__ void copy_edges(const unsigned *targets, unsigned n, unsigned *to)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = targets[i];
}

// A child has whole blocks only, but at least one; what they leave over is its parent's work.
extern "C" __global__ void expand(const unsigned *first, const unsigned *targets, int *level,
                                  const unsigned *frontier, unsigned size, unsigned *edges_out,
                                  const unsigned *places, unsigned *count, unsigned most, int depth,
                                  unsigned threshold, unsigned child_threads)
{
    for (unsigned base = blockIdx.x * blockDim.x;; base += gridDim.x * blockDim.x) {
        unsigned begin = 0, edges = 0, done = 0, unused;
        if (base + threadIdx.x < size) {
            unsigned v = frontier[base + threadIdx.x];
            if (level[v] < 0)
                level[v] = depth;
            begin = first[v];
            edges = first[v + 1] - begin;
        }
        unsigned before = dp_before(edges, count, &unused);
        if (*count > most) // no room; a graph's frontiers have at most its edges
            return;
        unsigned *to = edges ? edges_out + places[base / blockDim.x] + before : edges_out;
        if (edges >= threshold) {
            unsigned blocks = max(edges / child_threads, 1u);
            cudaStream_t own;
            cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
            copy_edges<<<blocks, child_threads, 0, own>>>(targets + begin, edges, to);
            cudaStreamDestroy(own);
            done = blocks * child_threads;
        }
        for (; done < edges; done++)
            to[done] = targets[begin + done];
        if (base >= size)
            return;
    }
}

extern "C" __global__ void contract(unsigned *visited, const unsigned *frontier, unsigned size,
                                    unsigned *vertices_out, unsigned *count)
{
    for (unsigned base = blockIdx.x * blockDim.x; base < size; base += gridDim.x * blockDim.x) {
        unsigned v = 0, fresh = 0, place;
        if (base + threadIdx.x < size) {
            v = frontier[base + threadIdx.x];
            unsigned bit = 1u << v % 32;
            fresh = !(visited[v / 32] & bit) && !(atomicOr(&visited[v / 32], bit) & bit);
        }
        unsigned before = dp_before(fresh, count, &place);
        if (fresh)
            vertices_out[place + before] = v;
    }
}
