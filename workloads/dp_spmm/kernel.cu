// A sparse matrix in rows of its non-zeros times a dense one. A thread owns a row of the first: if the
// row has more non-zeros than the threshold, kernels are launched whose threads own a column of the
// product each, `parts` kernels for the row; otherwise the thread computes the row itself.

__device__ float element(const unsigned *columns, const float *values, unsigned n, const float *b,
                         unsigned width, unsigned column)
{
    float sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum = fmaf(values[i], b[columns[i] * width + column], sum);
    return sum;
}

extern "C" __global__ void multiply_row(const unsigned *columns, const float *values, unsigned n,
                                        const float *b, float *row, unsigned width, unsigned from,
                                        unsigned to)
{
    unsigned column = from + blockIdx.x * blockDim.x + threadIdx.x;

    if (column < to)
        row[column] = element(columns, values, n, b, width, column);
}

extern "C" __global__ void multiply(const unsigned *first, const unsigned *columns,
                                    const float *values, const float *b, float *c, unsigned rows,
                                    unsigned width, unsigned parts, unsigned threshold)
{
    unsigned r = blockIdx.x * blockDim.x + threadIdx.x;

    if (r >= rows)
        return;
    unsigned begin = first[r], n = first[r + 1] - begin;
    float *row = c + r * width;
    if (n > threshold) {
        unsigned part = width / parts;
        for (unsigned from = 0; from < width; from += part) {
            cudaStream_t own;
            cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
            multiply_row<<<(part + 63) / 64, 64, 0, own>>>(columns + begin, values + begin, n, b,
                                                           row, width, from, from + part);
            cudaStreamDestroy(own);
        }
        return;
    }
    for (unsigned column = 0; column < width; column++)
        row[column] = element(columns + begin, values + begin, n, b, width, column);
}
