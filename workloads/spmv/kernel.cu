// A sparse matrix times a vector. The matrix is stored by jagged diagonals (Saad 1989): rows are sorted
// by their number of elements, and the k-th elements of all rows that have one lie one after another, so
// the threads of a warp, a row each, read neighbours. Rows are filled up to the longest of their warp.
// A thread fetches ahead: an element's column one round before its value and the vector's element.

#define WARP 32
#define DIAGONALS 4096
#define GROUPS 4096 // of WARP rows

extern "C" {
__constant__ int diagonals[DIAGONALS]; // where each begins
__constant__ int lengths[GROUPS];      // elements of a row
}

extern "C" __global__ void spmv_jds(float *to, const float *values, const int *columns,
                                    const int *rows, const float *vector, int n)
{
    int row = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (row >= n)
        return;
    int length = lengths[row / WARP], at = diagonals[0] + row;
    float sum = 0, value = values[at];
    int column = columns[at];
    float factor = vector[column];
    if (length > 1) {
        at = diagonals[1] + row;
        column = columns[at];
#pragma unroll 1
        for (int k = 2; k < length; k++) {
            float next_value = values[at];
            at = diagonals[k] + row;
            int next_column = columns[at];
            float next_factor = vector[column];
            sum += value * factor;
            column = next_column;
            value = next_value;
            factor = next_factor;
        }
        sum += value * factor;
        value = values[at];
        factor = vector[column];
    }
    to[rows[row]] = sum + value * factor;
}
