// Cheapest way from the top row of a grid to each cell of a lower one, moving down, or down and one
// to the side. A launch does several rows: a block keeps THREADS columns of costs in shared memory;
// each row makes one more column at either side stale, so it writes those in the middle.

#include "../anew.h"

#define THREADS 256

extern "C" __global__ void pathfinder(const int *wall, const int *from, int *to, int columns,
                                      int first_row, int rows)
{
    __shared__ int now[THREADS], next[THREADS];
    int t = threadIdx.x, inner = THREADS - 2 * rows;
    int column = (int)blockIdx.x * inner + t - rows;
    int left = t - 1, right = t + 1; // neighbours; at the grid's edge a column is its own
    bool on_grid = within(column, 0, columns - 1), computed = false;

    left = column == 0 ? t : left;
    right = column == columns - 1 ? t : right;
    if (on_grid)
        now[t] = from[column];
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < rows; r++) {
        computed = false;
        if (within(t, anew(r) + 1, THREADS - 2 - anew(r)) & anew(on_grid)) {
            computed = true;
            int best = min(now[anew(t)], min(now[anew(left)], now[anew(right)]));
            int cell = anew(columns) * (anew(first_row) + r) + anew(column);
            next[anew(t)] = best + wall[cell];
        }
        __syncthreads();
        if (r == rows - 1)
            break;
        if (anew(computed))
            now[t] = next[t];
        __syncthreads();
    }
    if (computed)
        to[column] = next[t];
}
