// children.cu - kernels that launch kernels: a quicksort whose halves are kernels, a search through
// a graph with a kernel for each vertex of many edges, and a grid that launches itself again until
// nothing is left. nvcc -rdc=true children.cu -lcudadevrt
#include "check.h"

#include <algorithm>
#include <vector>

static unsigned seed = 1;
static unsigned draw(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (unsigned)((unsigned long long)(seed >> 8) * below >> 24);
}

// --- quicksort

#define FEW 16
#define DEEP 16

__device__ void insertion_sort(int *v, int lo, int hi)
{
    for (int i = lo + 1; i <= hi; i++) {
        int x = v[i], k = i;
        for (; k > lo && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

__global__ void quicksort(int *v, int lo, int hi, int depth)
{
    if (hi - lo < FEW || depth >= DEEP) {
        insertion_sort(v, lo, hi);
        return;
    }
    int pivot = v[(lo + hi) / 2], i = lo, k = hi;
    while (i <= k) {
        while (v[i] < pivot)
            i++;
        while (v[k] > pivot)
            k--;
        if (i <= k) {
            int x = v[i];
            v[i++] = v[k];
            v[k--] = x;
        }
    }
    cudaStream_t s;
    if (lo < k) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(v, lo, k, depth + 1);
        cudaStreamDestroy(s);
    }
    if (i < hi) {
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        quicksort<<<1, 1, 0, s>>>(v, i, hi, depth + 1);
        cudaStreamDestroy(s);
    }
}

static void sorts()
{
    const int n = 600;
    std::vector<int> v(n);
    int *at;

    for (int &x : v)
        x = (int)draw(10000);
    OK(cudaMalloc(&at, n * sizeof *at));
    OK(cudaMemcpy(at, v.data(), n * sizeof *at, cudaMemcpyHostToDevice));
    quicksort<<<1, 1>>>(at, 0, n - 1, 0);
    std::sort(v.begin(), v.end());
    std::vector<int> got(n);
    OK(cudaMemcpy(got.data(), at, n * sizeof *at, cudaMemcpyDeviceToHost));
    EXPECT(got == v);
    OK(cudaFree(at));
}

// --- breadth-first search

struct graph {
    int n;
    const int *first, *edges; // of vertex v: from first[v] to first[v + 1]
    int *level;
};

__global__ void visit_edges(graph g, int v, int level, int *found)
{
    int e = g.first[v] + blockIdx.x * blockDim.x + threadIdx.x;
    if (e < g.first[v + 1] && atomicCAS(&g.level[g.edges[e]], -1, level + 1) == -1)
        *found = 1;
}

__global__ void visit(graph g, int level, int *found)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n || g.level[v] != level)
        return;
    int edges = g.first[v + 1] - g.first[v];
    if (edges > 24) { // so many that a grid of its own takes them
        visit_edges<<<(edges + 31) / 32, 32, 0, cudaStreamFireAndForget>>>(g, v, level, found);
        return;
    }
    for (int e = g.first[v]; e < g.first[v + 1]; e++)
        if (atomicCAS(&g.level[g.edges[e]], -1, level + 1) == -1)
            *found = 1;
}

static void searches()
{
    const int n = 500;
    std::vector<int> first{0}, edges, level(n, -1), now{0};
    for (int v = 0; v < n; v++) {
        int more = v % 25 ? (int)draw(4) : 25 + (int)draw(60);
        for (int e = 0; e < more; e++)
            edges.push_back((int)draw(n));
        first.push_back((int)edges.size());
    }
    level[0] = 0;
    for (int depth = 1; !now.empty(); depth++) {
        std::vector<int> next;
        for (int v : now)
            for (int e = first[v]; e < first[v + 1]; e++)
                if (level[edges[e]] < 0) {
                    level[edges[e]] = depth;
                    next.push_back(edges[e]);
                }
        now = next;
    }
    int *d_first, *d_edges, *d_level, *found, more = 1, zero = 0;
    OK(cudaMalloc(&d_first, first.size() * sizeof(int)));
    OK(cudaMalloc(&d_edges, edges.size() * sizeof(int)));
    OK(cudaMalloc(&d_level, n * sizeof(int)));
    OK(cudaMalloc(&found, sizeof(int)));
    OK(cudaMemcpy(d_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
    OK(cudaMemset(d_level, 0xff, n * sizeof(int)));
    OK(cudaMemcpy(d_level, &zero, sizeof(int), cudaMemcpyHostToDevice));
    graph g = {n, d_first, d_edges, d_level};
    for (int depth = 0; more; depth++) {
        OK(cudaMemset(found, 0, sizeof(int)));
        visit<<<(n + 127) / 128, 128>>>(g, depth, found);
        OK(cudaMemcpy(&more, found, sizeof(int), cudaMemcpyDeviceToHost));
    }
    std::vector<int> got(n);
    OK(cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(got == level);
}

// --- a tail that is the grid again

__global__ void halve(unsigned *v, unsigned n, unsigned *rounds)
{
    unsigned i = threadIdx.x;
    if (i < n / 2)
        v[i] += v[n - 1 - i];
    if (i == 0) {
        ++*rounds;
        if (n > 2)
            halve<<<1, blockDim.x, 0, cudaStreamTailLaunch>>>(v, (n + 1) / 2, rounds);
    }
}

__global__ void fails(cudaError_t *errors)
{
    halve<<<1, 4096>>>(nullptr, 0, nullptr);
    errors[0] = cudaGetLastError();
    errors[1] = cudaGetLastError();
}

static void tails()
{
    unsigned *v, *rounds, host[100], sum = 0, got, n;
    cudaError_t *errors, failed[2];

    OK(cudaMallocManaged(&v, sizeof host));
    OK(cudaMalloc(&rounds, sizeof *rounds));
    OK(cudaMemset(rounds, 0, sizeof *rounds));
    for (unsigned &x : host)
        sum += x = draw(1000);
    OK(cudaMemcpy(v, host, sizeof host, cudaMemcpyDefault));
    halve<<<1, 64>>>(v, 100, rounds);
    OK(cudaMemcpy(&n, rounds, sizeof n, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&got, v, sizeof got, cudaMemcpyDefault));
    EXPECT(got == sum);
    EXPECT(n == 7);
    OK(cudaMalloc(&errors, sizeof failed));
    fails<<<1, 1>>>(errors);
    OK(cudaMemcpy(failed, errors, sizeof failed, cudaMemcpyDeviceToHost));
    EXPECT(failed[0] == cudaErrorInvalidConfiguration && failed[1] == cudaSuccess);
}

int main()
{
    size_t limit;

    OK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
    EXPECT(limit == 2048);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
    sorts();
    searches();
    tails();
    return verdict();
}
