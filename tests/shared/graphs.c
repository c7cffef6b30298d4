// graphs.c - graphs of the kernels of kernels.h, for tests of the driver API. See graphs.h.
#include "shared/graphs.h"

CUgraph graphs_new(void)
{
    CUgraph g;

    OK(cuGraphCreate(&g, 0));
    return g;
}

CUgraphExec graphs_instance(CUgraph g)
{
    CUgraphExec e;

    OK(cuGraphInstantiate(&e, g, 0));
    return e;
}

void graphs_run(CUgraphExec e)
{
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
}

CUdeviceptr graphs_ints(void)
{
    static const int zeros[WORLD_N];

    return world_filled(zeros, WORLD_N);
}

CUgraphNode graphs_kernel(CUgraph g, const char *name, CUdeviceptr x, int number, CUgraphNode a,
                          CUgraphNode b)
{
    void *args[] = {&x, &number};
    CUgraphNode node, after[] = {a ? a : b, b};
    CUDA_KERNEL_NODE_PARAMS p = {.func = world_function(name),
                                 .gridDimX = WORLD_N / 64,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 64,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = args};

    OK(cuGraphAddKernelNode(&node, g, after, (size_t)(a != NULL) + (b != NULL), &p));
    return node;
}

CUDA_MEMCPY3D graphs_line(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = from,
                           .srcPitch = bytes,
                           .srcHeight = 1,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = to,
                           .dstPitch = bytes,
                           .dstHeight = 1,
                           .WidthInBytes = bytes,
                           .Height = 1,
                           .Depth = 1};
}
