// sm_70_rt.hpp - __match_any_sync and __match_all_sync; clang's intrinsics include this file where they
// are known to the architecture.
#ifndef HEDDLE_SM_70_RT_HPP
#define HEDDLE_SM_70_RT_HPP

#define HD_MATCH(type, bits, as)                                                                   \
    static __device__ __inline__ unsigned int __match_any_sync(unsigned int mask, type v)          \
    {                                                                                              \
        return (unsigned int)__match##bits##_any_sync(mask, __builtin_bit_cast(as, v));            \
    }                                                                                              \
    static __device__ __inline__ unsigned int __match_all_sync(unsigned int mask, type v, int *p)  \
    {                                                                                              \
        return (unsigned int)__match##bits##_all_sync(mask, __builtin_bit_cast(as, v), p);         \
    }
HD_MATCH(int, 32, unsigned int)
HD_MATCH(unsigned int, 32, unsigned int)
HD_MATCH(float, 32, unsigned int)
HD_MATCH(long, 64, unsigned long long)
HD_MATCH(unsigned long, 64, unsigned long long)
HD_MATCH(long long, 64, unsigned long long)
HD_MATCH(unsigned long long, 64, unsigned long long)
HD_MATCH(double, 64, unsigned long long)
#undef HD_MATCH

#endif
