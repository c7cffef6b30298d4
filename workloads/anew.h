// anew.h - for kernels that are to execute about as many instructions as in the papers' time.
//
// The compilers of that time kept a condition as a number, and worked out anew in a loop, and at each
// use, addresses and what depends on parameters. Today's would not; a value that goes through here
// is opaque to them. It adds no instruction by itself, but those that the old compilers left in.
#ifndef HEDDLE_WORKLOADS_ANEW_H
#define HEDDLE_WORKLOADS_ANEW_H

__device__ static inline int anew(int x)
{
    asm volatile("" : "+r"(x));
    return x;
}

// What memory holds is opaque too: it is read again. The old compilers could not tell apart pointers into
// different memories, so that sums in global memory stayed there.
__device__ static inline void forget(void)
{
    asm volatile("" ::: "memory");
}

__device__ static inline bool within(int x, int low, int high)
{
    return anew(x >= low) & anew(x <= high);
}

#endif
