// spaces.cu - pointers whose space only the run knows: shared, global, local, constant, parameters.
#include "corpus.h"

__device__ int in_global[32];
__constant__ int in_constant[4] = {11, 22, 33, 44};

__device__ __noinline__ int read(const int *p, int i) { return p[i]; }
__device__ __noinline__ void write(int *p, int i, int v) { p[i] = v; }
__device__ __noinline__ int *choose(int k, int *a, int *b, int *c) { return k == 0 ? a : k == 1 ? b : c; }

PROGRAM(corpus, 1, 32, 9)
{
    __shared__ int in_shared[32];
    int in_local[4] = {1, 2, 3, 4}, t = (int)threadIdx.x;

    in_shared[t] = t * 3;
    in_global[t] = t * 5;
    __syncthreads();
    int *p = choose(t % 3, &in_shared[t], &in_global[t], &in_local[t & 3]);
    U32(read(p, 0));
    write(p, 0, 1000 + t);
    __syncthreads();
    U32(in_shared[t]), U32(in_global[t]), U32(in_local[t & 3]);
    const int *q = t & 1 ? in_constant : in_local;
    U32(read(q, t & 3)), U32(read(t & 2 ? in_shared : in_global, 31 - t));
#if ON_DEVICE
    U32(__isShared(&in_shared[t]) | __isGlobal(&in_global[t]) << 1 | __isLocal(in_local) << 2 | __isConstant(in_constant) << 3 | __isShared(&in_global[t]) << 4);
    U32(*(int *)__cvta_shared_to_generic(__cvta_generic_to_shared(&in_shared[3])));
    size_t g = __cvta_generic_to_global(&in_global[4]);
    U32(*(int *)__cvta_global_to_generic(g));
#else
    U32(15), U32(in_shared[3]), U32(in_global[4]);
#endif
}
