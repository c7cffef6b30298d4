// together.cu - cooperative groups: blocks that wait for each other, many times; tiles of warps.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Each step reads what all other blocks wrote in the step before.
__global__ void steps(int *a, int *b, int n, int times)
{
    cg::grid_group grid = cg::this_grid();

    for (int t = 0; t < times; t++) {
        for (int i = (int)grid.thread_rank(); i < n; i += (int)grid.size())
            b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
        grid.sync();
        int *swap = a;
        a = b, b = swap;
    }
}

__global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());

    if (!tile.thread_rank())
        out[tile.meta_group_rank()] = sum;
}

static void run(int blocks, int threads, int times)
{
    const int n = 1000;
    int *a, *b, h[n], right[n], next[n];

    for (int i = 0; i < n; i++)
        h[i] = right[i] = i % 7;
    for (int t = 0; t < times; t++) {
        for (int i = 0; i < n; i++)
            next[i] = right[(i + 1) % n] + right[(i + n - 1) % n];
        memcpy(right, next, sizeof right);
    }
    OK(cudaMalloc(&a, sizeof h));
    OK(cudaMalloc(&b, sizeof h));
    OK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    void *args[] = {&a, &b, (void *)&n, &times};
    OK(cudaLaunchCooperativeKernel((void *)steps, blocks, threads, args, 0, 0));
    OK(cudaMemcpy(h, times % 2 ? b : a, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(!memcmp(h, right, sizeof h));
    OK(cudaFree(a));
    OK(cudaFree(b));
}

int main()
{
    int per_sm, *out, h[4];
    cudaDeviceProp p;
    void *none[4] = {};

    OK(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.cooperativeLaunch == 1);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, steps, 64, 0));
    run(1, 64, 3);
    run(p.multiProcessorCount, 64, 6);
    run(per_sm * p.multiProcessorCount, 64, 5); // as many as there is room for
    IS(cudaLaunchCooperativeKernel((void *)steps, per_sm * p.multiProcessorCount + 1, 64, none, 0, 0),
       cudaErrorCooperativeLaunchTooLarge);
    cudaGetLastError();
    OK(cudaMalloc(&out, sizeof h));
    tiles<<<1, 64>>>(out);
    OK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 120 && h[3] == 120 + 48 * 16);
    return verdict();
}
