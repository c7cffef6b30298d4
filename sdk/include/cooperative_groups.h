// cooperative_groups.h - groups of threads that synchronise: the block, tiles of it, the threads that
// happen to be together, the grid. CUDA C++ Programming Guide, "Cooperative Groups".
#ifndef HEDDLE_SDK_COOPERATIVE_GROUPS_H
#define HEDDLE_SDK_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{
#define HD_GROUP static __device__ __inline__ __attribute__((always_inline, unused))
#define HD_MEMBER __device__ __inline__ __attribute__((always_inline))

HD_GROUP unsigned int hd_rank()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HD_GROUP unsigned int hd_lane()
{
    unsigned int r;
    __asm__("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}
HD_GROUP unsigned int hd_lanes_below()
{
    unsigned int r;
    __asm__("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    return r;
}

class thread_block;
template <unsigned int N, class Parent = void> class thread_block_tile;

// A group whose kind is not known when the program is compiled: a block, or lanes of a warp.
class thread_group
{
  public:
    HD_MEMBER unsigned long long size() const
    {
        return block ? blockDim.x * blockDim.y * blockDim.z : (unsigned int)__popc(mask);
    }
    HD_MEMBER unsigned long long num_threads() const { return size(); }
    HD_MEMBER unsigned int thread_rank() const
    {
        return block ? hd_rank() : (unsigned int)__popc(mask & hd_lanes_below());
    }
    HD_MEMBER void sync() const
    {
        if (block)
            __syncthreads();
        else
            __syncwarp(mask);
    }
    HD_MEMBER bool is_valid() const { return true; }

  protected:
    HD_MEMBER thread_group(bool is_block, unsigned int lanes) : block(is_block), mask(lanes) {}
    bool block;
    unsigned int mask; // lanes, if it is not the block
    friend __device__ thread_group tiled_partition(const thread_group &, unsigned int);
};

class thread_block : public thread_group
{
  public:
    HD_MEMBER thread_block() : thread_group(true, 0) {}
    static HD_MEMBER void sync() { __syncthreads(); }
    static HD_MEMBER unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    static HD_MEMBER unsigned int num_threads() { return size(); }
    static HD_MEMBER unsigned int thread_rank() { return hd_rank(); }
    static HD_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static HD_MEMBER dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static HD_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static HD_MEMBER dim3 dim_threads() { return group_dim(); }
};
HD_GROUP thread_block this_thread_block() { return thread_block(); }

// Lanes of a warp, as many as the mask has: shuffles go by rank.
class coalesced_group : public thread_group
{
  public:
    HD_MEMBER explicit coalesced_group(unsigned int lanes) : thread_group(false, lanes) {}
    HD_MEMBER unsigned int size() const { return (unsigned int)__popc(mask); }
    HD_MEMBER unsigned int num_threads() const { return size(); }
    HD_MEMBER unsigned int meta_group_rank() const { return 0; }
    HD_MEMBER unsigned int meta_group_size() const { return 1; }
    template <class T> HD_MEMBER T shfl(T v, int rank) const { return __shfl_sync(mask, v, lane(rank)); }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const
    {
        unsigned int to = thread_rank() + d;
        T got = __shfl_sync(mask, v, lane(to < size() ? (int)to : (int)thread_rank()));
        return got;
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const
    {
        unsigned int at = thread_rank();
        return __shfl_sync(mask, v, lane(at >= d ? (int)(at - d) : (int)at));
    }
    HD_MEMBER int any(int p) const { return __any_sync(mask, p); }
    HD_MEMBER int all(int p) const { return __all_sync(mask, p); }
    HD_MEMBER unsigned int ballot(int p) const { return packed(__ballot_sync(mask, p)); }
    template <class T> HD_MEMBER unsigned int match_any(T v) const
    {
        return packed(__match_any_sync(mask, v));
    }

  private:
    HD_MEMBER int lane(int rank) const { return (int)__fns(mask, 0, rank + 1); }
    HD_MEMBER unsigned int packed(unsigned int lanes) const
    {
        unsigned int r = 0, n = 0;
        for (unsigned int m = mask; m; m &= m - 1, n++)
            r |= (lanes & m & -m ? 1u : 0u) << n;
        return r;
    }
};
HD_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// N neighbouring threads of a block, a power of two up to a warp.
template <unsigned int N, class Parent> class thread_block_tile : public thread_group
{
    static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

  public:
    HD_MEMBER thread_block_tile() : thread_group(false, lanes()) {}
    // Of which group it is a part does not matter where it goes.
    template <class Other>
    HD_MEMBER thread_block_tile(const thread_block_tile<N, Other> &) : thread_block_tile()
    {
    }
    static HD_MEMBER unsigned int size() { return N; }
    static HD_MEMBER unsigned int num_threads() { return N; }
    static HD_MEMBER unsigned int thread_rank() { return hd_rank() & (N - 1); }
    static HD_MEMBER unsigned int meta_group_rank() { return hd_rank() / N; }
    static HD_MEMBER unsigned int meta_group_size()
    {
        return (blockDim.x * blockDim.y * blockDim.z + N - 1) / N;
    }
    HD_MEMBER void sync() const { __syncwarp(mask); }
    template <class T> HD_MEMBER T shfl(T v, int rank) const { return __shfl_sync(mask, v, rank, N); }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const
    {
        return __shfl_down_sync(mask, v, d, N);
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const
    {
        return __shfl_up_sync(mask, v, d, N);
    }
    template <class T> HD_MEMBER T shfl_xor(T v, unsigned int l) const
    {
        return __shfl_xor_sync(mask, v, (int)l, N);
    }
    HD_MEMBER int any(int p) const { return __any_sync(mask, p); }
    HD_MEMBER int all(int p) const { return __all_sync(mask, p); }
    HD_MEMBER unsigned int ballot(int p) const { return __ballot_sync(mask, p) >> first(); }
    template <class T> HD_MEMBER unsigned int match_any(T v) const
    {
        return __match_any_sync(mask, v) >> first();
    }
    template <class T> HD_MEMBER unsigned int match_all(T v, int &p) const
    {
        return __match_all_sync(mask, v, &p) >> first();
    }

  private:
    static HD_MEMBER unsigned int first() { return hd_lane() & ~(N - 1); }
    static HD_MEMBER unsigned int lanes()
    {
        return N == 32 ? ~0u : ((1u << (N & 31)) - 1) << first();
    }
};
template <unsigned int N, class Parent> HD_GROUP thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
    return thread_block_tile<N, Parent>();
}
__device__ __inline__ thread_group tiled_partition(const thread_group &, unsigned int n)
{
    unsigned int first = hd_lane() & ~(n - 1);

    return thread_group(false, n >= 32 ? ~0u : ((1u << n) - 1) << first);
}
HD_GROUP coalesced_group binary_partition(const coalesced_group &g, bool p)
{
    unsigned int with = __ballot_sync(__activemask(), p), together = __activemask();

    (void)g;
    return coalesced_group(p ? with : together & ~with);
}

// All blocks of a cooperative launch. The launch gives them a place in memory to meet at.
class grid_group
{
  public:
    HD_MEMBER bool is_valid() const { return place() != nullptr; }
    HD_MEMBER void sync() const
    {
        unsigned int *at = place();

        if (!at)
            __trap();
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
            unsigned int blocks = gridDim.x * gridDim.y * gridDim.z, before;
            // The first block adds what the others leave to the top bit: each round turns it over.
            unsigned int step = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0
                                    ? 0x80000000u - (blocks - 1)
                                    : 1;
            __threadfence();
            before = atomicAdd(at, step);
            while (!((before ^ *(volatile unsigned int *)at) & 0x80000000u))
                continue;
            __threadfence();
        }
        __syncthreads();
    }
    static HD_MEMBER unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
    }
    static HD_MEMBER unsigned long long num_threads() { return size(); }
    static HD_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static HD_MEMBER unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static HD_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + hd_rank();
    }
    static HD_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static HD_MEMBER dim3 dim_blocks() { return group_dim(); }

  private:
    static HD_MEMBER unsigned int *place()
    {
        unsigned int high, low;
        __asm__ __volatile__("mov.u32 %0, %%envreg1; mov.u32 %1, %%envreg2;" : "=r"(high), "=r"(low));
        unsigned long long at = (unsigned long long)high << 32 | low;
        return at ? (unsigned int *)(at + 4) : nullptr;
    }
};
HD_GROUP grid_group this_grid() { return grid_group(); }

template <class Group> HD_GROUP void sync(const Group &g) { g.sync(); }
template <class Group> HD_GROUP unsigned long long group_size(const Group &g) { return g.size(); }
template <class Group> HD_GROUP unsigned long long thread_rank(const Group &g) { return g.thread_rank(); }

#undef HD_GROUP
#undef HD_MEMBER
} // namespace cooperative_groups

#endif
