// other.cu - a unit of main.cu.
#include "units.h"

__device__ int shared_table[4];
static __device__ int offset(int x) { return x + 10; }
__device__ int other_offset(int x) { return offset(x); }
