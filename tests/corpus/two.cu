// two.cu - a program of two modules (-rdc=true): functions, variables, constants, templates of the other.
#include "corpus.h"
#include "two.h"

__device__ int mine[4] = {5, 6, 7, 8};
static __device__ int hidden = 100; // the other module has its own

__device__ int called_back(int x) { return x * 3 + mine[x & 3]; }
__device__ __noinline__ static int same_name(int x) { return x + hidden; }

PROGRAM(corpus, 2, 32, 9)
{
    int t = (int)threadIdx.x;
    shape *shapes[2];
    char room[2][32];

    U32(theirs(t)), U32(recursive(t % 7)), U32(same_name(t)), U32(calls_same_name(t));
    U32(their_table[t & 7]), U32(their_constant[t & 3]);
    their_counters[t] = t * t;
    U32(read_counter(t));
    U32(apply(t & 1 ? called_back : theirs, t));
    shapes[0] = make_square(room[0], t), shapes[1] = make_circle(room[1], t);
    U32(shapes[t & 1]->area());
}
