// The product of two sparse matrices. The first is stored in rows, the second in columns, all of which
// have `deep` elements, in slices of 64 columns (sliced ELLPACK): first the first element of each column
// of the slice, then the second of each, and so on. A block multiplies a row with columns after it has
// spread the row's elements in shared memory, where each element of a column finds its partner;
// `blockDim.y` threads share a column.
//
// A block of the host's kernel has some rows and a part of the columns. For each row that needs more
// multiplications than the threshold, one of its threads launches a kernel; its threads multiply the
// other rows themselves, one after another.
#define INNER 512   // columns of the first matrix at most
#define THREADS 256 // of a block at most
#define SLICE 64    // columns

struct __attribute__((aligned(8))) element {
    unsigned at;
    float value;
};
struct sparse {
    const element *columns; // of the second matrix
    unsigned inner, deep;
};

__device__ void multiply_row(const element *row, unsigned n, const sparse &m, float *to,
                             unsigned from, unsigned end, unsigned step)
{
    __shared__ float spread[INNER], sums[THREADS];
    unsigned t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;

    for (unsigned i = t; i < m.inner; i += threads)
        spread[i] = 0;
    __syncthreads();
    for (unsigned i = t; i < n; i += threads)
        spread[row[i].at] = row[i].value;
    __syncthreads();
    for (; from < end; from += step) { // the same for all threads
        unsigned column = from + threadIdx.x;
        const element *first = m.columns + column / SLICE * SLICE * m.deep + column % SLICE;
        float sum = 0;
        for (unsigned e = threadIdx.y; e < m.deep; e += blockDim.y) {
            element b = first[e * SLICE];
            sum = fmaf(spread[b.at], b.value, sum);
        }
        sums[t] = sum;
        __syncthreads();
        if (threadIdx.y == 0) {
            for (unsigned y = 1; y < blockDim.y; y++)
                sum += sums[t + y * blockDim.x];
            to[column] = sum;
        }
        __syncthreads();
    }
}

extern "C" __global__ void multiply_columns(const element *row, unsigned n, sparse m, float *to,
                                            unsigned from, unsigned end)
{
    multiply_row(row, n, m, to, from + blockIdx.x * blockDim.x, end, gridDim.x * blockDim.x);
}

extern "C" __global__ void multiply(const unsigned *first, const element *elements, sparse m,
                                    float *product, unsigned width, unsigned rows,
                                    unsigned each, unsigned part, unsigned child_x,
                                    unsigned child_y, unsigned threshold)
{
    unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned begin = blockIdx.x * each, end = min(begin + each, rows);
    unsigned from = blockIdx.y * part;

    if (begin + t < end) {
        unsigned r = begin + t, n = first[r + 1] - first[r];
        if (n * part > threshold) {
            cudaStream_t own;
            cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
            multiply_columns<<<part / child_x, dim3(child_x, child_y), 0, own>>>(
                elements + first[r], n, m, product + r * width, from, from + part);
            cudaStreamDestroy(own);
        }
    }
    for (unsigned r = begin; r < end; r++) {
        unsigned n = first[r + 1] - first[r];
        if (n * part <= threshold)
            multiply_row(elements + first[r], n, m, product + r * width, from, from + part,
                         blockDim.x);
    }
}
