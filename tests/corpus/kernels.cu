// kernels.cu - several kernels in one module, bounded, templated, with dynamic shared memory and state.
#include "corpus.h"

__device__ unsigned state[256];

extern "C" __global__ void __launch_bounds__(64, 2) first(uint32_t *__restrict__ out)
{
    sink s = row_of(out, 2);
    state[thread_number()] = draw(1);
    U32(state[thread_number()]), U32(gridDim.x * 1000 + blockDim.x);
}
LAUNCH(first, 4, 64, 0, 2)

extern "C" __global__ void second(uint32_t *out)
{
    DYNAMIC_SHARED(unsigned, room);
    sink s = row_of(out, 3);
    unsigned t = threadIdx.x;
    uint64_t *wide = (uint64_t *)(room + 64);

    room[t] = state[blockIdx.x * 64 + t];
    wide[63 - t] = (uint64_t)room[t] << 8;
    __syncthreads();
    U32(room[t ^ 5]), U64(wide[t]);
}
LAUNCH(second, 3, 64, 768, 3)

template <int N> __device__ unsigned rotated(unsigned x) { return x << N | x >> (32 - N); }

extern "C" __global__ void third(uint32_t *out)
{
    sink s = row_of(out, 5);
    U32(rotated<7>(state[thread_number() & 255])), U32(threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16), U32(blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16);
    U32(blockDim.x | blockDim.y << 8 | blockDim.z << 16), U32(gridDim.x | gridDim.y << 8 | gridDim.z << 16);
}
LAUNCH3(third, 2, 3, 2, 5, 2, 3, 0, 5)

extern "C" __global__ void fourth(uint32_t *out)
{
    sink s = row_of(out, 1);
    if (threadIdx.x & 1) {
        U32(1);
        return;
    }
    U32(state[2] + threadIdx.x);
}
LAUNCH(fourth, 2, 33, 0, 1)
