// Breadth-first search, two launches per level: `expand` visits the neighbours of every node of the
// frontier, `advance` makes the nodes found there the next frontier. One thread per node.

#include "../anew.h"

struct node {
    int first, edges; // targets[first] to targets[first + edges - 1]
};

extern "C" __global__ void expand(const struct node *nodes, const int *targets, bool *frontier,
                                  bool *found, const bool *visited, int *level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || !frontier[v])
        return;
    frontier[v] = false;
    // Several nodes may find the same neighbour; they all write the same level.
#pragma unroll 1
    for (int e = nodes[anew(v)].first; e < nodes[anew(v)].edges + nodes[anew(v)].first; e++) {
        int w = targets[anew(e)];
        if (!visited[anew(w)]) {
            level[anew(w)] = level[anew(v)] + 1;
            found[anew(w)] = true;
        }
    }
}

extern "C" __global__ void advance(bool *frontier, bool *found, bool *visited, bool *more, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || !found[v])
        return;
    frontier[v] = true;
    visited[v] = true;
    *more = true;
    found[v] = false;
}
