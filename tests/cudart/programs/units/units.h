// units.h - what the units of main.cu share.
#ifndef UNITS_H
#define UNITS_H

extern __device__ int other_offset(int x);
extern __device__ int shared_table[4];

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape()
    {
    }
};
struct square : shape {
    int side;
    __device__ square(int s) : side(s)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }
};
struct triangle : shape {
    int base, height;
    __device__ triangle(int b, int h) : base(b), height(h)
    {
    }
    __device__ int area() const override
    {
        return base * height / 2;
    }
};
extern __device__ int measure(const shape *s);

int first_library(int x);
int second_library(int x);

// The same template in both libraries: the loader makes its host stub one.
template <typename T> __global__ void times(T *x, T factor)
{
    *x *= factor;
}

#endif
