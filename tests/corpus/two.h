// two.h - what two.cu and two.other.cu share.
#ifndef CORPUS_TWO_H
#define CORPUS_TWO_H

struct shape {
    __device__ virtual int area() const = 0;
};

extern __device__ int their_table[8];
extern __device__ int their_counters[32];
extern __constant__ int their_constant[4];

__device__ int theirs(int x);
__device__ int recursive(int x);
__device__ int calls_same_name(int x);
__device__ int read_counter(int i);
__device__ int apply(int (*f)(int), int x);
__device__ int called_back(int x); // of two.cu
__device__ shape *make_square(void *room, int side);
__device__ shape *make_circle(void *room, int radius);

#endif
