// lanes.cu - variables that only some lanes of a warp write before all of them give them to a
// shuffle: the warp-aggregated atomic. A compiler may not conclude that all lanes have written
// them.
#include "check.h"

#define THREADS 32

__device__ int next_of(int *counter)
{
    unsigned here = __activemask(), lane = threadIdx.x % 32;
    int leader = __ffs(here) - 1, first;

    if (lane == (unsigned)leader)
        first = atomicAdd(counter, __popc(here));
    first = __shfl_sync(here, first, leader);
    return first + __popc(here & ((1u << lane) - 1));
}

__global__ void take_numbers(int *counter, int *numbers)
{
    if (threadIdx.x % 3 == 1)
        numbers[threadIdx.x] = next_of(counter);
}

__constant__ float whole[16384]; // all 64 KiB

__global__ void last_of_whole(float *out)
{
    *out = whole[16383];
}

int main()
{
    shared<int> counter(1), numbers(THREADS);
    shared<float> last(1);
    float value = 2.5f;
    int expected = 0;

    *counter = 0;
    take_numbers<<<1, THREADS>>>(counter, numbers);
    OK(cudaDeviceSynchronize());
    for (int i = 1; i < THREADS; i += 3)
        TRUE(numbers[i] == expected++);
    TRUE(*counter == expected);
    OK(cudaMemcpyToSymbol(whole, &value, sizeof value, sizeof whole - sizeof value));
    last_of_whole<<<1, 1>>>(last);
    OK(cudaDeviceSynchronize());
    TRUE(*last == value);
    return ended();
}
