// Which pages were seen most: MapReduce without a reduce. Map turns a page and how often it was seen
// around, and pages are sorted by that number.

#include "../mapreduce_kernels.h"

__device__ static int compare_keys(const unsigned char *keys, const struct record *a,
                                   const struct record *b)
{
    unsigned x = *(const unsigned *)(keys + a->key), y = *(const unsigned *)(keys + b->key);

    return (x > y) - (x < y);
}

extern "C" __global__ void count_ranks(struct sizes to, struct input in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < in.n)
        count_one(to, i, in.records[i].value_bytes, in.records[i].key_bytes);
}

extern "C" __global__ void emit_ranks(struct output to, struct input in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= in.n)
        return;
    const struct record *from = &in.records[i];
    unsigned char *page = emit_one(to, i, in.values + from->value, from->value_bytes, from->key_bytes);
    copy_bytes(page, in.keys + from->key, from->key_bytes);
}
