// How many ways are there to place n queens? Each thread places the queens of the last rows behind
// rows that the host has filled, and a block adds up what its threads found. A set of columns is a
// word; the sets of each row that a thread is in wait in shared memory while it tries those below.

#define THREADS 96
#define ROWS 10 // at most so many are left to a thread

// Sets of a row, behind each other in shared memory: columns taken, diagonals to the left and to
// the right taken, columns still to be tried.
enum { COLUMN = 0, LEFT = THREADS * ROWS, RIGHT = 2 * LEFT, OPEN = 3 * LEFT };

extern "C" __global__ void nqueens(int rows, unsigned all, const unsigned *columns,
                                   const unsigned *lefts, const unsigned *rights, unsigned *found,
                                   int starts)
{
    __shared__ unsigned sets[4 * THREADS * ROWS], sum[THREADS];
    int t = threadIdx.x, start = blockIdx.x * blockDim.x + t;
    unsigned ways = 0;

    if (start < starts) {
        int first = t * ROWS, row = first;
        sets[row + COLUMN] = columns[start];
        sets[row + LEFT] = lefts[start];
        sets[row + RIGHT] = rights[start];
        sets[row + OPEN] = all & ~(columns[start] | lefts[start] | rights[start]);
        while (row >= first) {
            unsigned to_try = sets[row + OPEN], queen = to_try & -to_try;
            sets[row + OPEN] = to_try ^ queen;
            if (!to_try) {
                row--;
            } else if (row + 1 == first + rows) {
                ways++;
            } else {
                unsigned column = sets[row + COLUMN] | queen;
                unsigned left = (sets[row + LEFT] | queen) << 1;
                unsigned right = (sets[row + RIGHT] | queen) >> 1;
                row++;
                sets[row + COLUMN] = column;
                sets[row + LEFT] = left;
                sets[row + RIGHT] = right;
                sets[row + OPEN] = all & ~(column | left | right);
            }
        }
    }
    sum[t] = ways;
    __syncthreads();
    for (int half = THREADS / 2; half >= 3; half /= 2) { // 48, 24, 12, 6, 3
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
    if (t == 0)
        found[blockIdx.x] = sum[0] + sum[1] + sum[2];
}
