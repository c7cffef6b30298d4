// graphs.cu - what the headers say of graphs: the forms of CUDA 11, layouts, objects that a graph
// keeps, symbols by name, attributes. tests/cudart/programs/graphs.cu runs more of them.
#include "check.h"

#include <cstddef>

#define N 256

__device__ int table[N];

__global__ void add(int *a, int v) { a[blockIdx.x * blockDim.x + threadIdx.x] += v; }

static_assert(sizeof(cudaKernelNodeParams) >= 56, "the kernel's node");
static_assert(offsetof(cudaKernelNodeParams, sharedMemBytes) == 32, "after the two sizes");
static_assert(offsetof(cudaKernelNodeParams, extra) == 48, "after the arguments");
static_assert(sizeof(cudaMemsetParams) == 40, "the node that fills");
static_assert(sizeof(cudaHostNodeParams) == 16, "the node that calls");
static_assert(offsetof(cudaMemAllocNodeParams, accessDescs) == 88, "after the pool's properties");
static_assert(offsetof(cudaMemAllocNodeParams, dptr) == 112, "after the size");
#if CUDART_VERSION < 12000
static_assert(sizeof(cudaKernelNodeParams) == 56 && sizeof(cudaMemAllocNodeParams) == 120, "of 11.5");
static_assert(sizeof(cudaExternalSemaphoreSignalParams) == 144, "of 11.5");
static_assert(sizeof(cudaExternalSemaphoreWaitParams) == 144, "of 11.5");
static_assert(sizeof(cudaExternalMemoryHandleDesc) == 40, "of 11.5");
static_assert(offsetof(cudaExternalMemoryMipmappedArrayDesc, numLevels) == 60, "of 11.5");
#endif

struct counted {
    int *deleted;
    ~counted() { ++*deleted; }
};

static void CUDART_CB call(void *data) { ++*(int *)data; }

// Copies to a variable and from it, a call, an object.
static void nodes(cudaStream_t s)
{
    int *a, deleted = 0, calls = 0, from[N], to[N];
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaGraphNode_t set, in, kernel, out, node;
    cudaMemsetParams fill = {};
    cudaKernelNodeParams k = {};
    cudaHostNodeParams host = {call, &calls};
    cudaUserObject_t object;
    int v = 5;
    void *args[] = {&a, &v};

    for (int i = 0; i < N; i++)
        from[i] = i, to[i] = -1;
    OK(cudaMalloc(&a, N * sizeof(int)));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaUserObjectCreate(&object, new counted{&deleted}, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove));
    fill.dst = a;
    fill.elementSize = 4;
    fill.width = N;
    fill.height = 1;
    OK(cudaGraphAddMemsetNode(&set, g, nullptr, 0, &fill));
    OK(cudaGraphAddMemcpyNodeToSymbol(&in, g, nullptr, 0, table, from, sizeof from, 0, cudaMemcpyHostToDevice));
    k.func = (void *)add;
    k.gridDim = dim3(N / 64);
    k.blockDim = dim3(64);
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&kernel, g, &set, 1, &k));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&out, g, &in, 1, to, table, sizeof to, 0, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&node, g, &out, 1, &host));

    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(out, &type));
    TRUE(type == cudaGraphNodeTypeMemcpy);
    OK(cudaGraphNodeGetType(node, &type));
    TRUE(type == cudaGraphNodeTypeHost);
#if CUDART_VERSION < 12000
    cudaGraphNode_t first, last, failed;
    char log[64];
    size_t n = 0;
    OK(cudaGraphAddDependencies(g, &kernel, &node, 1));
    OK(cudaGraphGetEdges(g, nullptr, nullptr, &n));
    TRUE(n == 4);
    n = 1;
    OK(cudaGraphNodeGetDependentNodes(in, &last, &n));
    OK(cudaGraphNodeGetDependencies(out, &first, &n));
    TRUE(n == 1 && last == out && first == in);
    OK(cudaGraphInstantiate(&e, g, &failed, log, sizeof log));
#else
    OK(cudaGraphInstantiate(&e, g, 0));
#endif
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    TRUE(to[0] == 0 && to[N - 1] == N - 1 && calls == 1);
    OK(cudaGraphMemcpyNodeSetParamsFromSymbol(out, from, table, 4, 4, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(e, in, table, from + 9, 4, 0, cudaMemcpyHostToDevice));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    TRUE(to[0] == 9 && to[1] == 1 && calls == 2);
    cudaGraph_t clone;
    OK(cudaGraphClone(&clone, g));
#if CUDART_VERSION < 12000
    cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
    OK(cudaGraphExecUpdate(e, clone, &failed, &result));
    TRUE(result == cudaGraphExecUpdateSuccess);
#endif
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphExecDestroy(e));
    TRUE(deleted == 0);
    OK(cudaGraphDestroy(g));
    TRUE(deleted == 1);
    OK(cudaFree(a));
}

// What is known of a capture while it goes on, and of the graph's memory after it.
static void capture(cudaStream_t s)
{
    cudaStreamCaptureStatus status;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaGraph_t g;
    cudaGraphExec_t e;
    unsigned long long id = 0;
    size_t bytes = 1;
    int *a, got = 0;

    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    TRUE(mode == cudaStreamCaptureModeGlobal);
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    OK(cudaStreamIsCapturing(s, &status));
    TRUE(status == cudaStreamCaptureStatusNone);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMallocAsync(&a, N * sizeof(int), s));
    OK(cudaMemsetAsync(a, 0, N * sizeof(int), s));
#if CUDART_VERSION < 12000
    cudaGraph_t known;
    const cudaGraphNode_t *after;
    size_t n = 0;
    OK(cudaStreamGetCaptureInfo(s, &status, &id));
    TRUE(status == cudaStreamCaptureStatusActive && id != 0);
    OK(cudaStreamGetCaptureInfo_v2(s, &status, &id, &known, &after, &n));
    TRUE(n == 1 && known);
#endif
    add<<<N / 64, 64, 0, s>>>(a, 7);
    OK(cudaMemcpyAsync(&got, a + N - 1, sizeof got, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(a, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiateWithFlags(&e, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    TRUE(got == 7);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
    OK(cudaDeviceGraphMemTrim(0));
    (void)id;
}

int main()
{
    cudaStream_t s;

    OK(cudaStreamCreate(&s));
    nodes(s);
    capture(s);
    return ended();
}
