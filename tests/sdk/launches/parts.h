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

// An abstract class of both files. What its constructor calls sees its own table of functions.
struct number {
    int base;
    __device__ number(int b) : base(b)
    {
        seen();
    }
    __device__ __noinline__ void seen()
    {
        base++;
    }
    __device__ virtual int value() const = 0;
};
struct sum : number {
    __device__ sum(int b) : number(b)
    {
    }
    __device__ int value() const override
    {
        return base + 100;
    }
};
__device__ int distant_number(const number &n);

#endif
