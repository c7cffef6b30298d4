// reduce.h - sums, least and greatest of a tile's values.
#ifndef HEDDLE_SDK_COOPERATIVE_GROUPS_REDUCE_H
#define HEDDLE_SDK_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define HD_REDUCER(name, ...)                                                                      \
    template <class T> struct name {                                                               \
        __device__ T operator()(T a, T b) const { return __VA_ARGS__; }                            \
    };
HD_REDUCER(plus, a + b)
HD_REDUCER(less, b < a ? b : a)
HD_REDUCER(greater, a < b ? b : a)
HD_REDUCER(bit_and, a & b)
HD_REDUCER(bit_or, a | b)
HD_REDUCER(bit_xor, a ^ b)
#undef HD_REDUCER

template <unsigned int Size, class Parent, class T, class Function>
static __device__ __inline__ T reduce(const thread_block_tile<Size, Parent> &g, T v, Function f)
{
    for (unsigned int d = Size / 2; d; d /= 2)
        v = f(v, g.shfl_xor(v, d));
    return v;
}
template <class T, class Function>
static __device__ __inline__ T reduce(const coalesced_group &g, T v, Function f)
{
    T r = g.shfl(v, 0);

    for (unsigned int i = 1; i < g.size(); i++)
        r = f(r, g.shfl(v, (int)i));
    return r;
}
} // namespace cooperative_groups

#endif
