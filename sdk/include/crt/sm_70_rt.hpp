// sm_70_rt.hpp - __match_any_sync and __match_all_sync; clang's intrinsics include this file where they
// are known to the architecture.
#ifndef HEDDLE_SM_70_RT_HPP
#define HEDDLE_SM_70_RT_HPP

// In PTX: an older clang takes the result of the 64-bit forms for 64 bits.
#define HD_MATCH(type, bits, as, c)                                                                \
    static __device__ __inline__ unsigned int __match_any_sync(unsigned int mask, type v)          \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__ __volatile__("match.any.sync.b" #bits " %0, %1, %2;"                               \
                             : "=r"(r) : c(__builtin_bit_cast(as, v)), "r"(mask));                 \
        return r;                                                                                  \
    }                                                                                              \
    static __device__ __inline__ unsigned int __match_all_sync(unsigned int mask, type v, int *p)  \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__ __volatile__("{ .reg .pred p; match.all.sync.b" #bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                             : "=r"(r), "=r"(*p) : c(__builtin_bit_cast(as, v)), "r"(mask));       \
        return r;                                                                                  \
    }
HD_MATCH(int, 32, unsigned int, "r")
HD_MATCH(unsigned int, 32, unsigned int, "r")
HD_MATCH(float, 32, unsigned int, "r")
HD_MATCH(long, 64, unsigned long long, "l")
HD_MATCH(unsigned long, 64, unsigned long long, "l")
HD_MATCH(long long, 64, unsigned long long, "l")
HD_MATCH(unsigned long long, 64, unsigned long long, "l")
HD_MATCH(double, 64, unsigned long long, "l")
#undef HD_MATCH

#endif
