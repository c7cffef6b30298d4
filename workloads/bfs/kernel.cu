// Breadth-first search, a launch per level: every node of the frontier marks the neighbours that
// have not been visited. One thread per node. What it marks is the next frontier, an array of its
// own; a neighbour in this frontier may not have said yet that it is visited, but its level tells. So
// a level is done whatever the order of threads.

#include "../anew.h"

struct node {
    int first, edges; // targets[first] to targets[first + edges - 1]
};

extern "C" __global__ void visit(const struct node *nodes, const int *targets, bool *frontier,
                                 bool *next, bool *visited, int *level, bool *more, int n)
{
    int v = anew(blockIdx.x * blockDim.x) + threadIdx.x;

    if (anew(v >= n) || anew(!frontier[anew(v)]))
        return;
    frontier[anew(v)] = false;
    visited[anew(v)] = true;
    // Several nodes may find the same neighbour; they all write the same.
#pragma unroll 1
    for (int e = nodes[anew(v)].first;
         anew(e < nodes[anew(v)].edges + nodes[anew(v)].first); e++) {
        int w = targets[anew(e)];
        if (anew(!visited[anew(w)]) && anew(level[anew(w)] > level[anew(v)])) {
            level[anew(w)] = level[anew(v)] + 1;
            next[anew(w)] = true;
            *more = true;
        }
    }
}
