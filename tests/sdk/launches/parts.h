// parts.h - what parts_a.cu and parts_b.cu have of each other.
#ifndef TESTS_SDK_PARTS_H
#define TESTS_SDK_PARTS_H

__device__ int distant_function(int x);
__global__ void distant_kernel(int *p, char n, bool more);
void other_half(int *p);

template <class T> __global__ void twice(int *p, T x)
{
    *p = (int)(x * 2);
}

#endif
