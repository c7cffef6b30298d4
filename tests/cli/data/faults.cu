// faults.cu - what faults.ptx names as its source. Lines count.
__device__ void put(int *p, int v)
{
    *p = v;
}
__device__ void twice(int *p, int v)
{
    put(p, v);
}
__global__ void wild(int *p, int step)
{
    twice(p + step * threadIdx.x, 1);
}
