// removed.cu - what CUDA 13 has taken out of its headers, as programs before it used it: in kernels, in
// the host's half of a .cu file, and in a host file (removed_host.cpp). sdk/compat/ gives it back.
#include <cuda.h>
#include <thrust/functional.h>

#include <cstdio>

int properties_of_host(int *clock);

struct twice : thrust::unary_function<int, int> {
    __host__ __device__ int operator()(int x) const
    {
        return 2 * x;
    }
};

// 32 + 31 + ... of a warp by shuffles without a mask; the sum goes to every lane.
__global__ void sum(int *out)
{
    int value = twice()(threadIdx.x + 1), from_below;

    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor(value, step);
    from_below = __shfl_up(threadIdx.x, 1);
    if (__any(threadIdx.x == 31) && !__all(threadIdx.x == 31) && __ballot(threadIdx.x < 4) == 15u)
        out[threadIdx.x] = value + __shfl(value, 3) + __shfl_down(value, 1, 16) + from_below;
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int graphs()
{
    cudaGraph_t graph;
    cudaGraphNode_t nodes[2], from[1], to[1];
    size_t n = 1;

    CHECK(!cudaGraphCreate(&graph, 0));
    CHECK(!cudaGraphAddEmptyNode(&nodes[0], graph, 0, 0));
    CHECK(!cudaGraphAddEmptyNode(&nodes[1], graph, 0, 0));
    CHECK(!cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], 1));
    CHECK(!cudaGraphGetEdges(graph, from, to, &n));
    CHECK(n == 1 && from[0] == nodes[0] && to[0] == nodes[1]);
    CHECK(!cudaGraphNodeGetDependencies(nodes[1], from, &n) && from[0] == nodes[0]);
    CHECK(!cudaGraphNodeGetDependentNodes(nodes[0], to, &n) && to[0] == nodes[1]);
    CHECK(!cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], 1));
    CHECK(!cudaGraphGetEdges(graph, 0, 0, &n) && n == 0);
    return cudaGraphDestroy(graph);
}

int main()
{
    int *out, clock = 0;
    cudaDeviceProp prop;
    CUcontext context;

    CHECK(!cuInit(0) && !cuCtxCreate(&context, 0, 0));
    CHECK(!cudaGetDeviceProperties(&prop, 0) && prop.clockRate > 0);
    CHECK(!properties_of_host(&clock) && clock == prop.clockRate);
    CHECK(!cudaMallocManaged(&out, 32 * sizeof *out));
    CHECK(!cudaMemAdvise(out, 128, cudaMemAdviseSetReadMostly, 0));
    CHECK(!cudaMemPrefetchAsync(out, 128, 0));
    CHECK(!cuMemAdvise((CUdeviceptr)out, 128, CU_MEM_ADVISE_UNSET_READ_MOSTLY, 0));
    CHECK(!cuMemPrefetchAsync((CUdeviceptr)out, 128, 0, 0));
    sum<<<1, 32>>>(out);
    CHECK(!cudaThreadSynchronize());
    CHECK(!cudaMemPrefetchAsync(out, 128, cudaCpuDeviceId, 0));
    for (int i = 0; i < 32; i++)
        CHECK(out[i] == 3 * 1056 + (i ? i - 1 : 0));
    if (graphs())
        return 1;
    printf("all right\n");
    return 0;
}
