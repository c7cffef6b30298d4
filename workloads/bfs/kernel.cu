// Breadth-first search, a level per round: `expand` visits the neighbours of every node of the
// frontier, `advance` makes the nodes found there the next frontier. One thread per node. Edges of
// node v are targets[first[v]] to targets[first[v + 1] - 1].

extern "C" __global__ void expand(const unsigned *first, const unsigned *targets,
                                  unsigned char *frontier, const unsigned char *visited,
                                  unsigned char *found, int *level, unsigned nodes)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= nodes || !frontier[v])
        return;
    frontier[v] = 0;
    // Several nodes may find the same neighbour; they all write the same level.
    for (unsigned e = first[v]; e < first[v + 1]; e++) {
        unsigned w = targets[e];
        if (!visited[w]) {
            level[w] = level[v] + 1;
            found[w] = 1;
        }
    }
}

extern "C" __global__ void advance(unsigned char *frontier, unsigned char *visited,
                                   unsigned char *found, int *more, unsigned nodes)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= nodes || !found[v])
        return;
    frontier[v] = 1;
    visited[v] = 1;
    found[v] = 0;
    *more = 1;
}
