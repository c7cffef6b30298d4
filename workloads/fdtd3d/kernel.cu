// A finite-difference stencil on a volume: a point becomes a weighted sum of itself and of the RADIUS points
// before and after it along x, y and z. A block of BLOCK_X x BLOCK_Y threads goes up through the planes. What
// a thread needs of the planes below and above its point is in registers and moves along; what it needs
// of the point's own plane is in shared memory, with a halo. `from` and `to` have a halo of RADIUS as well.

#define RADIUS 4
#define BLOCK_X 32
#define BLOCK_Y 16

extern "C" {
__constant__ float stencil[RADIUS + 1]; // weights by distance
}

// With 64 registers a block fits on an SM that has 32,768.
extern "C" __global__ void __maxnreg__(64)
    FiniteDifferences(float *to, const float *from, int nx, int ny, int nz)
{
    __shared__ float tile[BLOCK_Y + 2 * RADIUS][BLOCK_X + 2 * RADIUS];
    int x = threadIdx.x, y = threadIdx.y, tx = x + RADIUS, ty = y + RADIUS;
    int column = blockIdx.x * BLOCK_X + x, row = blockIdx.y * BLOCK_Y + y;
    int width = nx + 2 * RADIUS, plane = width * (ny + 2 * RADIUS);
    bool reads = column < nx + RADIUS && row < ny + RADIUS;
    bool writes = column < nx && row < ny;
    int ahead = (row + RADIUS) * width + column + RADIUS; // the next point to be read
    float below[RADIUS], above[RADIUS], here = 0;

    for (int i = RADIUS - 2; i >= 0; i--, ahead += plane)
        if (reads)
            below[i] = from[ahead];
    if (reads)
        here = from[ahead];
    int at = ahead; // the point in the middle
    ahead += plane;
    for (int i = 0; i < RADIUS; i++, ahead += plane)
        if (reads)
            above[i] = from[ahead];

#ifdef __NVCC__ // clang cannot unroll a loop with barriers whose number of rounds it does not know
#pragma unroll 9
#endif
    for (int z = 0; z < nz; z++) {
        for (int i = RADIUS - 1; i > 0; i--)
            below[i] = below[i - 1];
        below[0] = here;
        here = above[0];
        for (int i = 0; i < RADIUS - 1; i++)
            above[i] = above[i + 1];
        if (reads)
            above[RADIUS - 1] = from[ahead];
        ahead += plane;
        at += plane;
        __syncthreads();

        // The halo, without its corners, and the block's own points.
        if (y < RADIUS) {
            tile[y][tx] = from[at - RADIUS * width];
            tile[y + BLOCK_Y + RADIUS][tx] = from[at + BLOCK_Y * width];
        }
        if (x < RADIUS) {
            tile[ty][x] = from[at - RADIUS];
            tile[ty][x + BLOCK_X + RADIUS] = from[at + BLOCK_X];
        }
        tile[ty][tx] = here;
        __syncthreads();

        float sum = stencil[0] * here;
#pragma unroll
        for (int i = 1; i <= RADIUS; i++)
            sum += stencil[i] * (above[i - 1] + below[i - 1] + tile[ty - i][tx] +
                                 tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
        if (writes)
            to[at] = sum;
    }
}
