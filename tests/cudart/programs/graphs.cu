// graphs.cu - graphs and stream capture by the runtime API.
#include "check.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define N 1024

__device__ int table[N];
__constant__ int factor = 3;

__global__ void scale(int *x, int add)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = x[i] * factor + add;
}

__global__ void take(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += table[i];
}

static void CUDART_CB count(void *data)
{
    ++*(int *)data;
}

static int *filled(int value)
{
    std::vector<int> v(N, value);
    int *p;

    OK(cudaMalloc(&p, N * sizeof(int)));
    OK(cudaMemcpy(p, v.data(), N * sizeof(int), cudaMemcpyHostToDevice));
    return p;
}

static int last(const int *p)
{
    int v;

    OK(cudaMemcpy(&v, p + N - 1, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

static void explicit_graph()
{
    int *x = filled(1), *y = filled(0), calls = 0, add = 4;
    std::vector<int> host(N, 10), out(N);
    void *args[] = {&x, &add};
    cudaGraph_t g;
    cudaGraphNode_t set, symbol, kernel, copy, back, call;
    cudaKernelNodeParams k = {};
    cudaMemsetParams m = {};
    cudaHostNodeParams h = {count, &calls};

    OK(cudaGraphCreate(&g, 0));
    m.dst = x;
    m.value = 2;
    m.elementSize = 4;
    m.width = N;
    m.height = 1;
    OK(cudaGraphAddMemsetNode(&set, g, nullptr, 0, &m));
    OK(cudaGraphAddMemcpyNodeToSymbol(&symbol, g, nullptr, 0, table, host.data(), N * sizeof(int), 0,
                                      cudaMemcpyHostToDevice));
    k.func = (void *)scale;
    k.gridDim = dim3(N / 128);
    k.blockDim = dim3(128);
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&kernel, g, &set, 1, &k)); // 10
    cudaGraphNode_t both[] = {kernel, symbol};
    k.func = (void *)take;
    OK(cudaGraphAddKernelNode(&copy, g, both, 2, &k)); // 20
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(x, N * sizeof(int), N, 1);
    c.dstPtr = make_cudaPitchedPtr(y, N * sizeof(int), N, 1);
    c.extent = make_cudaExtent(N * sizeof(int), 1, 1);
    c.kind = cudaMemcpyDeviceToDevice;
    OK(cudaGraphAddMemcpyNode(&back, g, &copy, 1, &c));
    cudaMemcpy3DParms asked;
    OK(cudaGraphMemcpyNodeGetParams(back, &asked));
    EXPECT(asked.srcPtr.ptr == x && asked.kind == cudaMemcpyDeviceToDevice &&
          asked.extent.width == N * sizeof(int));
    cudaGraphNode_t fetch;
    OK(cudaGraphAddMemcpyNode1D(&fetch, g, &back, 1, out.data(), y, N * sizeof(int),
                                cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&call, g, &fetch, 1, &h));
    size_t n = 0;
    OK(cudaGraphGetNodes(g, nullptr, &n));
    EXPECT(n == 7);
    OK(cudaGraphKernelNodeGetParams(kernel, &k));
    EXPECT(k.func == (void *)scale && k.gridDim.x == N / 128 && *(int *)k.kernelParams[1] == 4);

    cudaGraphExec_t e;
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphUpload(e, s));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(out[0] == 20 && out[N - 1] == 20 && calls == 1);
    add = 5;
    k.kernelParams = args;
    OK(cudaGraphExecKernelNodeSetParams(e, kernel, &k));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(out[N - 1] == 21);
    host[N - 1] = 100;
    OK(cudaGraphNodeSetEnabled(e, kernel, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(out[N - 1] == 102 && calls == 3);
    IS(cudaGraphAddKernelNode(&copy, g, nullptr, 0, nullptr), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
}

static cudaGraph_t captured(cudaStream_t s, cudaStream_t t, int *x, int *y, int add)
{
    cudaEvent_t fork, join;
    cudaGraph_t g;

    OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, s));
    OK(cudaStreamWaitEvent(t, fork, 0));
    scale<<<N / 128, 128, 0, s>>>(x, add);
    scale<<<N / 128, 128, 0, t>>>(y, add);
    OK(cudaMemsetAsync(y, 0, sizeof(int), t));
    OK(cudaEventRecord(join, t));
    OK(cudaStreamWaitEvent(s, join, 0));
    scale<<<N / 128, 128, 0, s>>>(y, 1);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));
    return g;
}

static void capture()
{
    int *x = filled(1), *y = filled(1);
    cudaStream_t s, t;
    cudaGraphExec_t e;
    cudaGraphExecUpdateResultInfo info;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    cudaGraph_t g = captured(s, t, x, y, 1);
    EXPECT(last(x) == 1);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(last(x) == 4 && last(y) == 13);
    g = captured(s, t, x, y, 2);
    OK(cudaGraphExecUpdate(e, g, &info));
    EXPECT(info.result == cudaGraphExecUpdateSuccess);
    OK(cudaGraphLaunch(e, t));
    OK(cudaDeviceSynchronize());
    EXPECT(last(x) == 14 && last(y) == 124);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    scale<<<N / 128, 128>>>(x, 1); // the default stream would wait for this one
    EXPECT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    EXPECT(cudaStreamEndCapture(s, &g) == cudaErrorStreamCaptureInvalidated && g == nullptr);
    cudaGetLastError();
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    void *p;
    IS(cudaMalloc(&p, 4), cudaErrorStreamCaptureUnsupported);
    IS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
    cudaGetLastError();
    // Memory of the graph's own.
    int *m;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMallocAsync(&m, N * sizeof(int), s));
    OK(cudaMemcpyAsync(m, x, N * sizeof(int), cudaMemcpyDeviceToDevice, s));
    scale<<<N / 128, 128, 0, s>>>(m, 0);
    OK(cudaMemcpyAsync(y, m, N * sizeof(int), cudaMemcpyDeviceToDevice, s));
    OK(cudaFreeAsync(m, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    EXPECT(last(y) == 42);
}

static void launches()
{
    int *x = filled(0), n = 10000;
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    take<<<1, 32, 0, s>>>(x);
    take<<<1, 32, 0, s>>>(x);
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < n; i++)
        OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    int v;
    OK(cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost));
    EXPECT(v == 2 * n * 10);
}

int main()
{
    explicit_graph();
    capture();
    launches();
    return verdict();
}
