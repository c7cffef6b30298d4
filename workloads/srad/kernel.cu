// Speckle reducing anisotropic diffusion (Yu and Acton 2002) of a picture: one step, by two kernels with
// SIDE x SIDE threads for as many pixels. Beyond an edge lies the edge again.

#define SIDE 16

// Where a thread's pixel is, and those beyond its block's edges.
struct place {
    int here, north, south, west, east; // the last four: of the block's column or row of this thread
    bool first_row, last_row, first_column, last_column; // of the picture: the thread's block
};

__device__ static struct place place_of(int side)
{
    int bx = blockIdx.x * SIDE, by = blockIdx.y * SIDE, x = threadIdx.x, y = threadIdx.y;
    struct place p;

    p.first_row = by == 0;
    p.last_row = by == side - SIDE;
    p.first_column = bx == 0;
    p.last_column = bx == side - SIDE;
    p.here = (by + y) * side + bx + x;
    p.north = (p.first_row ? 0 : by - 1) * side + bx + x;
    p.south = (p.last_row ? side - 1 : by + SIDE) * side + bx + x;
    p.west = (by + y) * side + (p.first_column ? 0 : bx - 1);
    p.east = (by + y) * side + (p.last_column ? side - 1 : bx + SIDE);
    return p;
}

// The diffusion coefficient of each pixel, and how its neighbours differ from it. `q0` is the square of
// the speckle scale: variance over squared mean where there is nothing but speckle.
extern "C" __global__ void coefficients(const float *picture, float *to_north, float *to_south,
                                        float *to_west, float *to_east, float *diffusion, int side,
                                        float q0)
{
    __shared__ float tile[SIDE][SIDE], result[SIDE][SIDE];
    __shared__ float north[SIDE][SIDE], south[SIDE][SIDE], west[SIDE][SIDE], east[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    struct place p = place_of(side);

    // A row or column beyond the edge comes once for each of the block's, as in the suite's program.
    north[y][x] = picture[p.north];
    south[y][x] = picture[p.south];
    __syncthreads();
    west[y][x] = picture[p.west];
    east[y][x] = picture[p.east];
    __syncthreads();
    tile[y][x] = picture[p.here];
    __syncthreads();

    float here = tile[y][x];
    float n = (y == 0 ? north[y][x] : tile[y - 1][x]) - here;
    float s = (y == SIDE - 1 ? south[y][x] : tile[y + 1][x]) - here;
    float w = (x == 0 ? west[y][x] : tile[y][x - 1]) - here;
    float e = (x == SIDE - 1 ? east[y][x] : tile[y][x + 1]) - here;
    float gradient = (n * n + s * s + w * w + e * e) / (here * here);
    float laplace = (n + s + w + e) / here;
    float scale = 1 + 0.25f * laplace;
    float q = (0.5f * gradient - 0.0625f * laplace * laplace) / (scale * scale);
    float c = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    result[y][x] = c < 0 ? 0 : c > 1 ? 1 : c;
    __syncthreads();

    diffusion[p.here] = result[y][x];
    to_north[p.here] = n;
    to_south[p.here] = s;
    to_west[p.here] = w;
    to_east[p.here] = e;
}

// What flows between a pixel and its neighbours, `rate` of a quarter of it.
extern "C" __global__ void diffuse(float *picture, const float *to_north, const float *to_south,
                                   const float *to_west, const float *to_east,
                                   const float *diffusion, int side, float rate)
{
    __shared__ float tile[SIDE][SIDE], south[SIDE][SIDE], east[SIDE][SIDE];
    __shared__ float before[SIDE][SIDE], after[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    struct place p = place_of(side);

    before[y][x] = picture[p.here];
    __syncthreads();
    south[y][x] = diffusion[p.south];
    __syncthreads();
    east[y][x] = diffusion[p.east];
    __syncthreads();
    tile[y][x] = diffusion[p.here];
    __syncthreads();

    float here = tile[y][x];
    float below = y == SIDE - 1 ? south[y][x] : tile[y + 1][x];
    float right = x == SIDE - 1 ? east[y][x] : tile[y][x + 1];
    float flow = here * to_north[p.here] + below * to_south[p.here] + here * to_west[p.here] +
                 right * to_east[p.here];
    after[y][x] = before[y][x] + 0.25f * rate * flow;
    __syncthreads();
    picture[p.here] = after[y][x];
}
