// barriers.cu - shared variables whose address nobody takes, written by one thread and read by
// others after a barrier or a fence of the block: a compiler may keep none of them in a register
// across it.
#include "check.h"

#define TASKS 8
#define THREADS 64

__global__ void tasks(int *out)
{
    __shared__ int task;

    if (threadIdx.x == 0)
        task = 0;
    __syncthreads();
    for (;;) {
        int mine = task;
        __syncthreads();
        if (mine >= TASKS)
            break;
        out[mine * THREADS + threadIdx.x] += 1;
        if (threadIdx.x == 0)
            task = task + 1;
        __syncthreads();
    }
}

__global__ void votes(int *out)
{
    __shared__ int last;
    int found = 0;

    for (int i = 0; i < TASKS; i++) {
        if (threadIdx.x == (unsigned)i)
            last = 10 * i;
        found += __syncthreads_or(threadIdx.x == (unsigned)i) && last == 10 * i;
        found += __syncthreads_count(1) == THREADS && last == 10 * i;
        __syncthreads();
    }
    out[threadIdx.x] = found;
}

__global__ void warps(int *out)
{
    __shared__ int last;
    int found = 0;

    for (int i = 0; i < TASKS; i++) {
        if (threadIdx.x == (unsigned)i)
            last = 10 * i;
        __syncwarp();
        found += last == 10 * i;
        __syncwarp();
    }
    out[threadIdx.x] = found;
}

int main()
{
    int *out;

    OK(cudaMallocManaged(&out, TASKS * THREADS * sizeof *out));
    for (int i = 0; i < TASKS * THREADS; i++)
        out[i] = 0;
    tasks<<<1, THREADS>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < TASKS * THREADS; i++)
        TRUE(out[i] == 1);
    votes<<<1, THREADS>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++)
        TRUE(out[i] == 2 * TASKS);
    warps<<<1, 32>>>(out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        TRUE(out[i] == TASKS);
    return ended();
}
