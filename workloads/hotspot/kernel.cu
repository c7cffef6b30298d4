// Temperature of a chip over time: each cell exchanges heat with its four neighbours and with the
// air, and gets what its circuits dissipate. A block keeps a BLOCK x BLOCK piece in shared memory
// and does up to HALO steps on it; each step makes the outermost ring of cells stale, so a block
// writes the INNER x INNER cells in the middle, and pieces overlap by their halos.

#define BLOCK 16
#define HALO 2
#define INNER (BLOCK - 2 * HALO)

// Set by the host: time step / capacity, conductances along x, y and to the air, temperature of
// the air.
struct coefficients {
    float step, x, y, air, ambient;
};
extern "C" {
__constant__ struct coefficients chip;
}

extern "C" __global__ void hotspot(const float *from, const float *power, float *to, int rows,
                                   int columns, int steps)
{
    __shared__ float now[BLOCK][BLOCK], next[BLOCK][BLOCK];
    int x = threadIdx.x, y = threadIdx.y;
    int column = (int)blockIdx.x * INNER + x - HALO, row = (int)blockIdx.y * INNER + y - HALO;
    bool on_chip = row >= 0 && row < rows && column >= 0 && column < columns;
    float watts = 0;

    if (on_chip) {
        now[y][x] = from[row * columns + column];
        watts = power[row * columns + column];
    }
    __syncthreads();
    // At the chip's edge a cell is its own neighbour.
    int north = row > 0 ? y - 1 : y, south = row < rows - 1 ? y + 1 : y;
    int west = column > 0 ? x - 1 : x, east = column < columns - 1 ? x + 1 : x;
    for (int s = 1; s <= steps; s++) {
        bool fresh = on_chip && x >= s && x < BLOCK - s && y >= s && y < BLOCK - s;
        if (fresh) {
            float t = now[y][x];
            float flow = (now[north][x] + now[south][x] - 2.0f * t) * chip.y +
                         (now[y][west] + now[y][east] - 2.0f * t) * chip.x +
                         (chip.ambient - t) * chip.air;
            next[y][x] = t + chip.step * (watts + flow);
        }
        __syncthreads();
        if (fresh)
            now[y][x] = next[y][x];
        __syncthreads();
    }
    if (on_chip && x >= HALO && x < BLOCK - HALO && y >= HALO && y < BLOCK - HALO)
        to[row * columns + column] = now[y][x];
}
