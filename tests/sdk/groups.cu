// groups.cu - cooperative groups: tiles of tiles and their places, tiles of the lanes that happen
// to be together, partitions by label and by condition, values of any type that go to other lanes.
#define N 96 // programs define such names before they include headers
#define F 1
#define K 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

#define THREADS N

// A tile whose parent is forgotten keeps its place.
static __device__ int place(const cg::thread_block_tile<8> &t)
{
    return t.meta_group_rank() * 100 + t.meta_group_size();
}

__global__ void places(int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto two = cg::tiled_partition<2>(eight);
    int *at = out + threadIdx.x * 4;

    at[0] = warp.meta_group_rank() * 100 + warp.meta_group_size();
    at[1] = place(eight);
    at[2] = two.meta_group_rank() * 100 + two.meta_group_size();
    at[3] = place(cg::tiled_partition<8>(block));
}

// Seven lanes in tiles of four, by the group's type and without it.
__global__ void left_over(int *out)
{
    if (threadIdx.x % 3 == 1 && threadIdx.x < 20) {
        cg::coalesced_group group = cg::coalesced_threads();
        cg::coalesced_group tile = cg::tiled_partition(group, 4);
        cg::thread_group any = cg::tiled_partition((const cg::thread_group &)group, 4);
        int *at = out + threadIdx.x * 4;

        at[0] = tile.size() * 10 + tile.thread_rank();
        at[1] = tile.meta_group_rank() * 10 + tile.meta_group_size();
        at[2] = tile.shfl((int)threadIdx.x, 0);
        at[3] = (int)any.size() * 10 + any.thread_rank();
    }
}

__global__ void partitions(int *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto label = cg::labeled_partition(warp, (int)threadIdx.x % 3);
    auto half = cg::binary_partition(warp, threadIdx.x < 10);
    auto third = cg::labeled_partition(half, (int)threadIdx.x % 3);
    int *at = out + threadIdx.x * 4, all;

    at[0] = label.size() * 100 + label.thread_rank();
    at[1] = label.meta_group_rank() * 10 + label.meta_group_size();
    at[2] = half.size() * 100 + half.thread_rank();
    at[3] = third.size() * 100 + third.thread_rank();
    at[3] += 10000 * (third.match_any(1) == (1u << third.size()) - 1);
    at[3] += 20000 * (third.match_all(1, all) != 0 && all);
}

struct record {
    int a;
    double b;
    short c;
    char d[3];
};

__global__ void values(int *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = threadIdx.x, ok = 0;
    record mine = {i, i + 0.5, (short)-i, {(char)i, 1, 2}}, got;

    got = tile.shfl(mine, 3);
    ok += got.a == (i & 16) + 3 && got.b == got.a + 0.5 && got.c == -got.a && got.d[0] == got.a &&
          got.d[2] == 2;
    got = tile.shfl_xor(mine, 1);
    ok += got.a == (i ^ 1) && got.b == (i ^ 1) + 0.5;
    float2 pair = tile.shfl_down(make_float2(i, -i), 1);
    ok += pair.x == (i % 16 == 15 ? i : i + 1) && pair.y == -pair.x;
    ok += tile.shfl_up((unsigned char)i, 2) == (i % 16 < 2 ? i : i - 2);
    out[i] = ok;
    if (i & 1) {
        auto group = cg::coalesced_threads();
        ok = group.shfl(mine, 2).a == 5;
        out[i] += ok + (group.shfl_down(mine, 1).a == (i == 31 ? 31 : i + 2));
    }
}

// Both branches begin alike, and other lanes are in each.
__global__ void branches(int *out)
{
    int i = threadIdx.x, size, lanes;

    if (i & 1)
        size = cg::coalesced_threads().size();
    else
        size = 100 + cg::coalesced_threads().size();
    if (i < 5)
        lanes = __popc(__activemask());
    else
        lanes = 100 + __popc(__activemask());
    out[2 * i] = size;
    out[2 * i + 1] = lanes;
}

__global__ void grid(int *out)
{
    auto g = cg::this_grid();

    out[g.thread_rank()] = g.block_index().y * 10 + g.block_index().x;
}

int main()
{
    shared<int> v(THREADS * 4);

    places<<<1, THREADS>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < THREADS; i++) {
        TRUE(v[i * 4] == i / 32 * 100 + 3);
        TRUE(v[i * 4 + 1] == i % 32 / 8 * 100 + 4);
        TRUE(v[i * 4 + 2] == i % 8 / 2 * 100 + 4);
        TRUE(v[i * 4 + 3] == i / 8 * 100 + 12);
    }
    left_over<<<1, 32>>>(v);
    OK(cudaDeviceSynchronize());
    for (int k = 0; k < 7; k++) {
        int *at = v + (k * 3 + 1) * 4;
        TRUE(at[0] == (k < 4 ? 40 : 30) + k % 4);
        TRUE(at[1] == k / 4 * 10 + 2);
        TRUE(at[2] == (k < 4 ? 1 : 13));
        TRUE(at[3] == at[0]);
    }
    partitions<<<1, 32>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++) {
        int *at = v + i * 4, third = i < 10 ? (i % 3 == 0 ? 4 : 3) : (i % 3 == 1 ? 8 : 7);
        TRUE(at[0] == (i % 3 == 2 ? 10 : 11) * 100 + i / 3);
        TRUE(at[1] == i % 3 * 10 + 3);
        TRUE(at[2] == (i < 10 ? 1000 + i : 2200 + i - 10));
        TRUE(at[3] % 10000 / 100 == third && at[3] / 10000 == 3);
    }
    values<<<1, 32>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        TRUE(v[i] == (i & 1 ? 6 : 4));
    branches<<<1, 32>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        TRUE(v[2 * i] == (i & 1 ? 16 : 116) && v[2 * i + 1] == (i < 5 ? 5 : 127));
    grid<<<dim3(3, 2), 4>>>(v);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 24; i++)
        TRUE(v[i] == i / 4 / 3 * 10 + i / 4 % 3);
    return ended();
}
