// Cheapest way from the top row of a grid to each cell of a lower one, moving down, or down and one
// to the side. A launch does up to HALO rows: a block keeps THREADS columns of costs in shared
// memory; each row makes one more column at either side stale, so it writes those in the middle.

#define THREADS 256
#define HALO 20

extern "C" __global__ void pathfinder(const int *wall, const int *from, int *to, int columns,
                                      int first_row, int rows)
{
    __shared__ int now[THREADS], next[THREADS];
    int t = threadIdx.x;
    int column = (int)blockIdx.x * (THREADS - 2 * HALO) + t - HALO;
    bool on_grid = column >= 0 && column < columns;

    if (on_grid)
        now[t] = from[column];
    __syncthreads();
    // At the grid's edge a column is its own neighbour.
    int left = column > 0 ? t - 1 : t, right = column < columns - 1 ? t + 1 : t;
    for (int r = 1; r <= rows; r++) {
        bool fresh = on_grid && t >= r && t < THREADS - r;
        if (fresh) {
            int best = min(now[t], min(now[left], now[right]));
            next[t] = best + wall[(first_row + r - 1) * columns + column];
        }
        __syncthreads();
        if (fresh)
            now[t] = next[t];
        __syncthreads();
    }
    if (on_grid && t >= HALO && t < THREADS - HALO)
        to[column] = now[t];
}
