// How many visitors saw each page, from the lines of a server's log: twice MapReduce. The first time map
// emits each line as a key, and reduce one of each group of equal lines. The second time map emits the
// page of a line as the key and the visitor's address as the value, and reduce the size of the group.

#include "../mapreduce_kernels.h"

__device__ static int compare_keys(const unsigned char *keys, const struct record *a,
                                   const struct record *b)
{
    return compare_bytes(keys, a, b);
}

__device__ static unsigned number(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// How many bytes from `at` on are before the next tab.
__device__ static unsigned field_bytes(const unsigned char *at)
{
    unsigned n = 0;

#pragma unroll 1
    while (at[n] != '\t')
        n++;
    return n;
}

// The first map: a line, and its length as a number.
extern "C" __global__ void count_lines(struct sizes to, struct input in)
{
    unsigned i = number();

    if (i < in.n)
        count_one(to, i, in.records[i].key_bytes, sizeof(unsigned));
}

extern "C" __global__ void emit_lines(struct output to, struct input in)
{
    unsigned i = number();

    if (i >= in.n)
        return;
    unsigned bytes = in.records[i].key_bytes;
    *(unsigned *)emit_one(to, i, in.keys + in.records[i].key, bytes, sizeof bytes) = bytes;
}

// The first reduce: one line of each group.
extern "C" __global__ void count_distinct(struct sizes to, struct input in)
{
    unsigned i = number();

    if (i < in.n)
        count_one(to, i, in.records[in.starts[i]].key_bytes, sizeof(unsigned));
}

extern "C" __global__ void emit_distinct(struct output to, struct input in)
{
    unsigned i = number();

    if (i >= in.n)
        return;
    const struct record *first = &in.records[in.starts[i]];
    *(unsigned *)emit_one(to, i, in.keys + first->key, first->key_bytes, sizeof(unsigned)) =
        *(const unsigned *)(in.values + first->value);
}

// The second map: the page and the visitor of a line.
extern "C" __global__ void count_visits(struct sizes to, struct input in)
{
    unsigned i = number();

    if (i >= in.n)
        return;
    const unsigned char *line = in.keys + in.records[i].key;
    unsigned page = field_bytes(line);
    count_one(to, i, page, field_bytes(line + page + 1));
}

extern "C" __global__ void emit_visits(struct output to, struct input in)
{
    unsigned i = number();

    if (i >= in.n)
        return;
    const unsigned char *line = in.keys + in.records[i].key;
    unsigned page = field_bytes(line), visitor = field_bytes(line + page + 1);
    copy_bytes(emit_one(to, i, line, page, visitor), line + page + 1, visitor);
}

// The second reduce: a page, and how many visits its group has.
extern "C" __global__ void count_pages(struct sizes to, struct input in)
{
    unsigned i = number();

    if (i < in.n)
        count_one(to, i, in.records[in.starts[i]].key_bytes, sizeof(unsigned));
}

extern "C" __global__ void emit_pages(struct output to, struct input in)
{
    unsigned i = number();

    if (i >= in.n)
        return;
    const struct record *first = &in.records[in.starts[i]];
    *(unsigned *)emit_one(to, i, in.keys + first->key, first->key_bytes, sizeof(unsigned)) =
        in.starts[i + 1] - in.starts[i];
}
