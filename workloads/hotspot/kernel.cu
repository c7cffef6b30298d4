// Temperature of a chip over time: each cell exchanges heat with its four neighbours and with the
// air, and gets what its circuits dissipate. A block keeps a BLOCK x BLOCK piece in shared memory
// and does up to `halo` steps on it; each step makes the outermost ring of cells stale, so a block
// writes the `inner` x `inner` cells in the middle, and pieces overlap by their halos.

#include "../anew.h"

#define BLOCK 16

// Set by the host: heat capacity, resistances along x, y and to the air, temperature of the air.
struct chip {
    float capacity, x, y, air, ambient;
};
extern "C" {
__constant__ struct chip chip;
}

extern "C" __global__ void hotspot(const float *from, const float *power, float *to, int rows,
                                   int columns, int steps, int halo, float seconds)
{
    __shared__ float now[BLOCK][BLOCK], next[BLOCK][BLOCK], watts[BLOCK][BLOCK];
    float step = seconds / chip.capacity;
    float flow_x = 1 / chip.x, flow_y = 1 / chip.y, flow_air = 1 / chip.air;
    int x = threadIdx.x, y = threadIdx.y;
    int inner = BLOCK - 2 * halo;
    int top = inner * (int)blockIdx.y - halo, left = inner * (int)blockIdx.x - halo;
    int row = top + y, column = left + x, cell = columns * row + column;
    // The piece's rows and columns that are on the chip.
    int first_row = top < 0 ? -top : 0, first_column = left < 0 ? -left : 0;
    int last_row = top + BLOCK > rows ? rows - 1 - top : BLOCK - 1;
    int last_column = left + BLOCK > columns ? columns - 1 - left : BLOCK - 1;
    bool computed = false;

    if (within(row, 0, rows - 1) & within(column, 0, columns - 1)) {
        now[y][x] = from[cell];
        watts[y][x] = power[cell];
    }
    __syncthreads();
    // At the chip's edge a cell is its own neighbour.
    int north = max(y - 1, first_row), south = min(y + 1, last_row);
    int west = max(x - 1, first_column), east = min(x + 1, last_column);
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
        computed = false;
        if (within(x, s + 1, BLOCK - 2 - s) & within(y, s + 1, BLOCK - 2 - s) &
            within(x, first_column, last_column) & within(y, first_row, last_row)) {
            computed = true;
            float here = now[anew(y)][anew(x)];
            float along_y = now[anew(south)][anew(x)] + now[anew(north)][anew(x)];
            float along_x = now[anew(y)][anew(east)] + now[anew(y)][anew(west)];
            // 2.0 makes it a sum in double precision.
            next[anew(y)][anew(x)] =
                (float)(here + step * (watts[anew(y)][anew(x)] + (along_y - 2.0 * here) * flow_y +
                                       (along_x - 2.0 * here) * flow_x +
                                       (chip.ambient - here) * flow_air));
        }
        __syncthreads();
        if (s == steps - 1)
            break;
        if (anew(computed))
            now[y][x] = next[y][x];
        __syncthreads();
    }
    if (computed)
        to[cell] = next[y][x];
}
