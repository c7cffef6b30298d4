// barriers.h - barriers and fences that clang does not move loads and stores of shared memory across.
//
// To clang's alias analysis (globals-aa of clang 14) an intrinsic like that of bar.sync may read a
// variable whose address is never taken, but cannot write it. So it reads such a __shared__ variable
// before the barrier that other threads write it in front of, and once for a whole loop. Nothing is
// assumed of an asm that clobbers memory: each of these functions is or has one. They take the place
// of clang's by macros, because one of the names is built in.
#ifndef HEDDLE_BARRIERS_H
#define HEDDLE_BARRIERS_H

#define HD_BARRIER static __inline__ __device__ __attribute__((always_inline))

HD_BARRIER void hd_memory_seen() { __asm__ __volatile__("" ::: "memory"); }

HD_BARRIER void hd_syncthreads() { __asm__ __volatile__("bar.sync 0;" ::: "memory"); }

#define HD_VOTE(name)                                                                              \
    HD_BARRIER int hd_syncthreads_##name(int vote)                                                 \
    {                                                                                              \
        hd_memory_seen();                                                                          \
        int result = __syncthreads_##name(vote);                                                   \
        hd_memory_seen();                                                                          \
        return result;                                                                             \
    }
HD_VOTE(and)
HD_VOTE(count)
HD_VOTE(or)
#undef HD_VOTE

#define HD_FENCE(name)                                                                             \
    HD_BARRIER void hd_##name()                                                                    \
    {                                                                                              \
        hd_memory_seen();                                                                          \
        __##name();                                                                                \
        hd_memory_seen();                                                                          \
    }
HD_FENCE(threadfence)
HD_FENCE(threadfence_block)
HD_FENCE(threadfence_system)
#undef HD_FENCE

HD_BARRIER void hd_syncwarp(unsigned int mask = 0xffffffff)
{
    hd_memory_seen();
    __syncwarp(mask);
    hd_memory_seen();
}

// The lanes that are here. clang takes equal code at the start of both branches of a condition in front
// of it, and there other lanes are: so each place has an operand of its own, which the text does not show.
template <unsigned int Place> HD_BARRIER unsigned int hd_activemask()
{
    unsigned int lanes;
    __asm__ __volatile__("activemask.b32 %0;" : "=r"(lanes) : "n"(Place));
    return lanes;
}
#define __activemask() hd_activemask<__COUNTER__>()

#define __syncthreads() hd_syncthreads()
#define __syncthreads_and(vote) hd_syncthreads_and(vote)
#define __syncthreads_count(vote) hd_syncthreads_count(vote)
#define __syncthreads_or(vote) hd_syncthreads_or(vote)
#define __threadfence() hd_threadfence()
#define __threadfence_block() hd_threadfence_block()
#define __threadfence_system() hd_threadfence_system()
#define __syncwarp(...) hd_syncwarp(__VA_ARGS__)

#endif
