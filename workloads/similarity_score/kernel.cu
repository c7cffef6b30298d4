// How similar the documents of each pair are: MapReduce without a reduce. Map emits the cosine of the angle
// between two documents' features as the key and the pair as the value; then pairs are sorted by it.

#include "../mapreduce_kernels.h"

__device__ static int compare_keys(const unsigned char *keys, const struct record *a,
                                   const struct record *b)
{
    float x = *(const float *)(keys + a->key), y = *(const float *)(keys + b->key);

    return (x > y) - (x < y);
}

struct pair {
    unsigned a, b; // numbers of documents
};

// in.keys: pairs; in.values: the features of all documents, of which records say where a pair's are.
extern "C" __global__ void count_scores(struct sizes to, struct input in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < in.n)
        count_one(to, i, sizeof(float), sizeof(struct pair));
}

extern "C" __global__ void emit_scores(struct output to, struct input in)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= in.n)
        return;
    const struct pair *pair = (const struct pair *)(in.keys + in.records[i].key);
    unsigned features = in.records[i].value_bytes / sizeof(float);
    const float *a = (const float *)in.values + pair->a * features;
    const float *b = (const float *)in.values + pair->b * features;
    float product = 0.0f, square_a = 0.0f, square_b = 0.0f;

#pragma unroll 1
    for (unsigned k = 0; k < features; k++) {
        product = fmaf(a[k], b[k], product);
        square_a = fmaf(a[k], a[k], square_a);
        square_b = fmaf(b[k], b[k], square_b);
    }
    float score = product / (sqrtf(square_a) * sqrtf(square_b));
    struct pair *value = (struct pair *)emit_one(to, i, (const unsigned char *)&score, sizeof score,
                                                 sizeof *pair);
    *value = *pair;
}
