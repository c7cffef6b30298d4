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

// Of the lanes `group` those that are together with the calling one if the lanes are counted off by n.
HD_GROUP unsigned int hd_counted_off(unsigned int group, unsigned int n)
{
    unsigned int mine = __popc(group & hd_lanes_below()) / n, lanes = 0, at = 0;

    for (unsigned int left = group; left; left &= left - 1, at++)
        lanes |= at / n == mine ? left & -left : 0;
    return lanes;
}

// A value's way to other lanes. What is no number goes in words of 32 bits.
template <class T> struct hd_number {
    static const bool is = false;
};
#define HD_NUMBER(T)                                                                               \
    template <> struct hd_number<T> {                                                              \
        static const bool is = true;                                                               \
    };
HD_NUMBER(int)
HD_NUMBER(unsigned int)
HD_NUMBER(long)
HD_NUMBER(unsigned long)
HD_NUMBER(long long)
HD_NUMBER(unsigned long long)
HD_NUMBER(float)
HD_NUMBER(double)
#undef HD_NUMBER
template <class T, bool = hd_number<T>::is> struct hd_way {
    template <class Function> static HD_MEMBER T go(const T &v, Function shuffle) { return shuffle(v); }
};
template <class T> struct hd_way<T, false> {
    static_assert(__is_trivially_copyable(T) && sizeof(T) <= 32,
                  "only values of up to 32 bytes, which may be copied as bytes, go to other lanes");
    template <class Function> static HD_MEMBER T go(const T &v, Function shuffle)
    {
        unsigned int words[(sizeof(T) + 3) / 4] = {};
        T got = v;

        __builtin_memcpy(words, &v, sizeof(T));
#pragma unroll
        for (unsigned int i = 0; i < sizeof words / 4; i++)
            words[i] = shuffle(words[i]);
        __builtin_memcpy(&got, words, sizeof(T));
        return got;
    }
};
// The shuffle instructions as functions that take any of these.
#define HD_SHUFFLE(name, to)                                                                       \
    struct hd_##name {                                                                             \
        unsigned int mask, width;                                                                  \
        to by;                                                                                     \
        template <class Word> HD_MEMBER Word operator()(Word w) const                              \
        {                                                                                          \
            return __##name##_sync(mask, w, by, (int)width);                                       \
        }                                                                                          \
    };
HD_SHUFFLE(shfl, int)
HD_SHUFFLE(shfl_up, unsigned int)
HD_SHUFFLE(shfl_down, unsigned int)
HD_SHUFFLE(shfl_xor, int)
#undef HD_SHUFFLE

class thread_block;
template <unsigned int Size, class Parent = void> class thread_block_tile;

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
    HD_MEMBER explicit coalesced_group(unsigned int lanes, unsigned int rank = 0, unsigned int of = 1)
        : thread_group(false, lanes), meta_rank(rank), meta_size(of)
    {
    }
    HD_MEMBER unsigned int size() const { return (unsigned int)__popc(mask); }
    HD_MEMBER unsigned int num_threads() const { return size(); }
    // The place among the groups that were made at once out of a larger one.
    HD_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
    HD_MEMBER unsigned int meta_group_size() const { return meta_size; }
    template <class T> HD_MEMBER T shfl(T v, int rank) const
    {
        return hd_way<T>::go(v, hd_shfl{mask, 32, lane(rank)});
    }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const
    {
        unsigned int to = thread_rank() + d;
        return shfl(v, to < size() ? (int)to : (int)thread_rank());
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const
    {
        unsigned int at = thread_rank();
        return shfl(v, at >= d ? (int)(at - d) : (int)at);
    }
    HD_MEMBER int any(int p) const { return __any_sync(mask, p); }
    HD_MEMBER int all(int p) const { return __all_sync(mask, p); }
    HD_MEMBER unsigned int ballot(int p) const { return packed(__ballot_sync(mask, p)); }
    template <class T> HD_MEMBER unsigned int match_any(T v) const
    {
        return packed(__match_any_sync(mask, v));
    }
    template <class T> HD_MEMBER unsigned int match_all(T v, int &p) const
    {
        return packed(__match_all_sync(mask, v, &p));
    }

  private:
    unsigned int meta_rank, meta_size;
    friend __device__ coalesced_group tiled_partition(const coalesced_group &, unsigned int);
    template <class T> friend __device__ coalesced_group labeled_partition(const coalesced_group &, T);
    friend __device__ coalesced_group binary_partition(const coalesced_group &, bool);
    HD_MEMBER int lane(int rank) const { return (int)__fns(mask, 0, rank + 1); }
    HD_MEMBER unsigned int packed(unsigned int lanes) const
    {
        unsigned int r = 0, n = 0;
        for (unsigned int m = mask; m; m &= m - 1, n++)
            r |= (lanes & m & -m ? 1u : 0u) << n;
        return r;
    }
};
// Each place of a program has its own operand: see heddle/barriers.h.
#ifdef __OPTIMIZE__
HD_GROUP coalesced_group coalesced_threads(unsigned int place = __builtin_LINE() * 1024u + __builtin_COLUMN())
{
    unsigned int lanes;
    __asm__ __volatile__("activemask.b32 %0;" : "=r"(lanes) : "i"(place));
    return coalesced_group(lanes);
}
#else
HD_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
#endif

// `Size` neighbouring threads of a block, a power of two up to a warp.
template <unsigned int Size, class Parent> class thread_block_tile : public thread_group
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8, 16 or 32 threads");

  public:
    // A tile of the block, and one of another group: the rank-th of so many.
    HD_MEMBER thread_block_tile()
        : thread_block_tile(hd_rank() / Size, (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size)
    {
    }
    HD_MEMBER thread_block_tile(unsigned int rank, unsigned int of)
        : thread_group(false, lanes()), meta_rank(rank), meta_size(of)
    {
    }
    // A tile forgets of which group it is a part, but not its place there.
    template <class Other>
    HD_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &t)
        : thread_block_tile(t.meta_group_rank(), t.meta_group_size())
    {
    }
    static HD_MEMBER unsigned int size() { return Size; }
    static HD_MEMBER unsigned int num_threads() { return Size; }
    static HD_MEMBER unsigned int thread_rank() { return hd_rank() & (Size - 1); }
    HD_MEMBER unsigned int meta_group_rank() const { return meta_rank; }
    HD_MEMBER unsigned int meta_group_size() const { return meta_size; }
    HD_MEMBER unsigned int hd_lanes() const { return mask; }
    HD_MEMBER void sync() const { __syncwarp(mask); }
    template <class T> HD_MEMBER T shfl(T v, int rank) const
    {
        return hd_way<T>::go(v, hd_shfl{mask, Size, rank});
    }
    template <class T> HD_MEMBER T shfl_down(T v, unsigned int d) const
    {
        return hd_way<T>::go(v, hd_shfl_down{mask, Size, d});
    }
    template <class T> HD_MEMBER T shfl_up(T v, unsigned int d) const
    {
        return hd_way<T>::go(v, hd_shfl_up{mask, Size, d});
    }
    template <class T> HD_MEMBER T shfl_xor(T v, unsigned int l) const
    {
        return hd_way<T>::go(v, hd_shfl_xor{mask, Size, (int)l});
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
    unsigned int meta_rank, meta_size;
    static HD_MEMBER unsigned int first() { return hd_lane() & ~(Size - 1); }
    static HD_MEMBER unsigned int lanes()
    {
        return Size == 32 ? ~0u : ((1u << (Size & 31)) - 1) << first();
    }
};
HD_GROUP thread_block_tile<1> this_thread() { return thread_block_tile<1>(0, 1); }

// Of which groups there are tiles, and how many threads these have at most.
template <class Parent> struct hd_tiles {
    static const unsigned int most = 0;
};
template <> struct hd_tiles<thread_block> {
    static const unsigned int most = 32;
};
template <unsigned int Size, class Parent> struct hd_tiles<thread_block_tile<Size, Parent>> {
    static const unsigned int most = Size;
};
template <unsigned int Size, class Parent> HD_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent &g)
{
    static_assert(hd_tiles<Parent>::most > 0,
                  "only blocks and tiles have tiles whose size is known when the program is compiled");
    static_assert(Size <= hd_tiles<Parent>::most, "a tile is not larger than the group that it is part of");
    return thread_block_tile<Size, Parent>(g.thread_rank() / Size, (g.size() + Size - 1) / Size);
}
// What is left over at the end of a group of lanes is a smaller tile.
__device__ __inline__ thread_group tiled_partition(const thread_group &g, unsigned int n)
{
    unsigned int first = hd_lane() & ~(n - 1);

    if (!g.block)
        return thread_group(false, hd_counted_off(g.mask, n));
    return thread_group(false, n >= 32 ? ~0u : ((1u << n) - 1) << first);
}
__device__ __inline__ coalesced_group tiled_partition(const coalesced_group &g, unsigned int n)
{
    return coalesced_group(hd_counted_off(g.mask, n), g.thread_rank() / n, (g.size() + n - 1) / n);
}

// The lanes that have the same label. The groups are counted by the first lane of each.
HD_GROUP coalesced_group hd_same_label(unsigned int group, unsigned int together)
{
    unsigned int first = together & -together, firsts = __ballot_sync(group, first == 1u << hd_lane());

    return coalesced_group(together, (unsigned int)__popc(firsts & (first - 1)), (unsigned int)__popc(firsts));
}
template <class T> __device__ __inline__ coalesced_group labeled_partition(const coalesced_group &g, T label)
{
    return hd_same_label(g.mask, __match_any_sync(g.mask, label));
}
template <unsigned int Size, class Parent, class T>
HD_GROUP coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &g, T label)
{
    return labeled_partition(coalesced_group(g.hd_lanes()), label);
}
// The lanes for which the condition holds, and those for which it does not.
__device__ __inline__ coalesced_group binary_partition(const coalesced_group &g, bool p)
{
    unsigned int with = __ballot_sync(g.mask, p);

    return coalesced_group(p ? with : g.mask & ~with, p, 2);
}
template <unsigned int Size, class Parent>
HD_GROUP coalesced_group binary_partition(const thread_block_tile<Size, Parent> &g, bool p)
{
    return binary_partition(coalesced_group(g.hd_lanes()), p);
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
    static HD_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
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
