// two.other.cu - the second module of two.cu.
#include "corpus.h"
#include "two.h"

#if ON_DEVICE
#include <new>
#endif

__device__ int their_table[8] = {1, 1, 2, 3, 5, 8, 13, 21};
__device__ int their_counters[32];
__constant__ int their_constant[4] = {-1, -2, -3, -4};
static __device__ int hidden = 2000;

struct square : shape {
    int side;
    __device__ square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct circle : shape {
    int radius;
    __device__ circle(int r) : radius(r) {}
    __device__ int area() const override { return 3 * radius * radius; }
};

__device__ int theirs(int x) { return called_back(x + 1) - their_table[x & 7]; }
__device__ int recursive(int x) { return x <= 1 ? 1 : x * recursive(x - 1); }
__device__ __noinline__ static int same_name(int x) { return x + hidden; }
__device__ int calls_same_name(int x) { return same_name(2 * x); }
__device__ int read_counter(int i) { return their_counters[i] + 1; }
__device__ int apply(int (*f)(int), int x) { return f(x) ^ 0x55; }
__device__ shape *make_square(void *room, int side) { return new (room) square(side); }
__device__ shape *make_circle(void *room, int radius) { return new (room) circle(radius); }
