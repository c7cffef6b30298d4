// One step of Jacobi's method for Laplace's equation on a grid of three dimensions: a point becomes the
// mean of its six neighbours, one on the boundary stays. A block goes up through the planes with a tile
// of BLOCK_X x BLOCK_Y points and a halo around it; the planes below, here and above are in shared memory,
// plane z in slot z % 3.

#define BLOCK_X 32
#define BLOCK_Y 4
#define WIDTH (BLOCK_X + 2) // of the tile with its halo
#define TILE (WIDTH * (BLOCK_Y + 2))
#define HALO (2 * (BLOCK_X + BLOCK_Y + 2)) // one thread for each of its points

extern "C" __global__ void laplace3d(int nx, int ny, int nz, const float *from, float *to)
{
    __shared__ float planes[3][TILE];
    int t = threadIdx.x + threadIdx.y * BLOCK_X;
    int x = threadIdx.x + blockIdx.x * BLOCK_X, y = threadIdx.y + blockIdx.y * BLOCK_Y;
    int here = threadIdx.x + 1 + (threadIdx.y + 1) * WIDTH; // own point in a tile
    bool inside = x < nx && y < ny;

    // The halo: rows below and above, corners included, then the two columns.
    bool halo = t < HALO;
    int hx = 0, hy = 0;
    if (halo) {
        if (t < 2 * WIDTH) {
            hx = t % WIDTH - 1;
            hy = t < WIDTH ? -1 : BLOCK_Y;
        } else {
            hx = t % 2 ? BLOCK_X : -1;
            hy = (t - 2 * WIDTH) / 2;
        }
    }
    int halo_here = hx + 1 + (hy + 1) * WIDTH;
    hx += blockIdx.x * BLOCK_X;
    hy += blockIdx.y * BLOCK_Y;
    halo = halo && hx >= 0 && hx < nx && hy >= 0 && hy < ny;

    if (inside)
        planes[0][here] = from[x + nx * y];
    if (halo)
        planes[0][halo_here] = from[hx + nx * hy];
#pragma unroll 1
    for (int z = 0; z < nz; z++) {
        float *below = planes[(z + 2) % 3], *middle = planes[z % 3], *above = planes[(z + 1) % 3];
        if (inside && z < nz - 1)
            above[here] = from[x + nx * (y + ny * (z + 1))];
        if (halo && z < nz - 1)
            above[halo_here] = from[hx + nx * (hy + ny * (z + 1))];
        __syncthreads();
        if (inside) {
            float value;
            if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1)
                value = middle[here];
            else
                value = (middle[here - 1] + middle[here + 1] + middle[here - WIDTH] +
                         middle[here + WIDTH] + below[here] + above[here]) *
                        (1.0f / 6.0f);
            to[x + nx * (y + ny * z)] = value;
        }
        __syncthreads();
    }
}
