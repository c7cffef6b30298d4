// Colours of a graph: in each stage those vertices take the stage's colour that have the greatest rank
// among their neighbours without one (Jones and Plassmann 1993); ranks put many edges first, then a
// hash. A thread per vertex compares its neighbours, or launches a kernel that does so if they are many.
// A kernel of the host then gives the colour. Nobody changes colours while a stage reads them.

extern "C" __global__ void judge_edges(const unsigned *targets, unsigned n, unsigned v,
                                       const unsigned long long *rank, const int *colour,
                                       unsigned *first_here)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && colour[targets[i]] < 0 && rank[targets[i]] > rank[v])
        first_here[v] = 0;
}

extern "C" __global__ void judge(const unsigned *first, const unsigned *targets,
                                 const unsigned long long *rank, const int *colour,
                                 unsigned *first_here, unsigned n, unsigned threshold)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || colour[v] >= 0)
        return;
    unsigned begin = first[v], edges = first[v + 1] - begin;
    if (edges > threshold) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        judge_edges<<<(edges + blockDim.x - 1) / blockDim.x, blockDim.x, 0, own>>>(
            targets + begin, edges, v, rank, colour, first_here);
        cudaStreamDestroy(own);
        return;
    }
    for (unsigned e = begin; e < begin + edges; e++)
        if (colour[targets[e]] < 0 && rank[targets[e]] > rank[v]) {
            first_here[v] = 0;
            break;
        }
}

extern "C" __global__ void settle(int *colour, unsigned *first_here, unsigned *more, unsigned n,
                                  int stage)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;

    if (v >= n || colour[v] >= 0)
        return;
    if (first_here[v]) {
        colour[v] = stage;
    } else {
        first_here[v] = 1;
        *more = 1;
    }
}
