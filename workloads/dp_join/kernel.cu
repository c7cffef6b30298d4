// Join of two relations whose rows lie in buckets by their keys. A first kernel, a thread per row of the
// first relation, counts the rows of the second that have its key; a prefix sum of the counts says where
// each row's pairs go. Then a thread owns a bucket: where more pairs are possible than the threshold, it
// launches a kernel with a thread for each row of its bucket; otherwise it goes through the rows itself.

struct row {
    unsigned key, value;
};

extern "C" __global__ void count_matches(const row *one, const row *two, const unsigned *first_two,
                                         unsigned *matches, unsigned n, unsigned keys)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;

    if (i >= n)
        return;
    unsigned key = one[i].key, bucket = key / keys;
    for (unsigned k = first_two[bucket]; k < first_two[bucket + 1]; k++)
        count += two[k].key == key;
    matches[i] = count;
}

__device__ void emit(row mine, const row *two, unsigned n_two, uint2 *to)
{
    for (unsigned k = 0; k < n_two; k++) {
        row other = two[k];
        if (other.key == mine.key)
            *to++ = make_uint2(mine.value, other.value);
    }
}

extern "C" __global__ void join_bucket(const row *one, unsigned n_one, const row *two,
                                       unsigned n_two, const unsigned *at, uint2 *pairs)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n_one)
        emit(one[i], two, n_two, pairs + at[i]);
}

extern "C" __global__ void join(const row *one, const unsigned *first_one, const row *two,
                                const unsigned *first_two, const unsigned *at, uint2 *pairs,
                                unsigned buckets, unsigned threshold)
{
    unsigned b = blockIdx.x * blockDim.x + threadIdx.x;

    if (b >= buckets)
        return;
    unsigned i = first_one[b], n_one = first_one[b + 1] - i;
    unsigned k = first_two[b], n_two = first_two[b + 1] - k;
    if (n_one * n_two > threshold) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        join_bucket<<<(n_one + 31) / 32, 32, 0, own>>>(one + i, n_one, two + k, n_two, at + i, pairs);
        cudaStreamDestroy(own);
        return;
    }
    for (; i < first_one[b + 1]; i++)
        emit(one[i], two + k, n_two, pairs + at[i]);
}
