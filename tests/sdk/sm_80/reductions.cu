// reductions.cu - reductions over the lanes of a warp, which kernels of sm_80 and later have.
#include "../check.h"

__global__ void reductions(int *out)
{
    int i = threadIdx.x;
    unsigned int mask = i < 20 ? 0xfffff : 0xfff00000, u = i + 5u;
    int *at = out + i * 8;

    at[0] = __reduce_add_sync(mask, i - 10);
    at[1] = __reduce_min_sync(mask, i - 10);
    at[2] = __reduce_max_sync(mask, 10 - i);
    at[3] = __reduce_min_sync(mask, u - 10);
    at[4] = __reduce_max_sync(mask, u - 10);
    at[5] = __reduce_and_sync(mask, u | 1u << i % 3);
    at[6] = __reduce_or_sync(mask, 1u << i);
    at[7] = __reduce_xor_sync(mask, u);
}

int main()
{
    shared<int> v(32 * 8);

    reductions<<<1, 32>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        int from = i < 20 ? 0 : 20, to = i < 20 ? 20 : 32, add = 0, *at = v + i * 8;
        unsigned int least = ~0u, most = 0, all = ~0u, any = 0, odd = 0;
        for (int k = from; k < to; k++) {
            unsigned int u = k + 5u;
            add += k - 10;
            least = u - 10 < least ? u - 10 : least;
            most = u - 10 > most ? u - 10 : most;
            all &= u | 1u << k % 3;
            any |= 1u << k;
            odd ^= u;
        }
        TRUE(at[0] == add && at[1] == from - 10 && at[2] == 10 - from);
        TRUE((unsigned)at[3] == least && (unsigned)at[4] == most);
        TRUE((unsigned)at[5] == all && (unsigned)at[6] == any && (unsigned)at[7] == odd);
    }
    return ended();
}
