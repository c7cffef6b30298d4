// Adaptive refinement of a mesh: a patch has 8 x 8 cells, each computed by a thread of one block. Where
// the field changes by more than the threshold across a cell of a quarter of the patch, a kernel is
// launched for that quarter, with cells half as wide. The field is that of a combustion: fronts that
// expand as rings, and a point where the fire began, to which the mesh is refined to its last level.
// A patch keeps its cells in a row of the mesh, which a hash of its place gives. Parameters describe the
// field, so that no two kernels touch the same memory, unless the hash gives them one row: then the row
// has their sum, whose order does not matter. Cells have 64 bits, so that a line has those of half a
// warp, of which old GPUs make one request of an atomic. All is integer, so that the host finds the same patches; a square root is rounded as IEEE 754 says.
#define CELLS 8
#define FRONTS 3

struct front {
    int x, y, radius, width;
};
struct fire {
    front fronts[FRONTS];
    int x, y; // where it began
    int threshold, levels;
};

__device__ int distance_to(int x, int y, int to_x, int to_y)
{
    long long dx = x - to_x, dy = y - to_y;

    return (int)__dsqrt_rn((double)(dx * dx + dy * dy));
}

// Heat of a point: each front goes from 0 to 4096 within its width.
__device__ int heat(const fire &f, int x, int y)
{
    int sum = 0;

    for (int i = 0; i < FRONTS; i++) {
        const front *r = &f.fronts[i];
        int inside = r->radius - distance_to(x, y, r->x, r->y);
        int part = (int)((long long)inside * 4096 / r->width);
        sum += min(max(part, 0), 4096);
    }
    return sum;
}

__device__ unsigned row_of(int x, int y, int level, unsigned rows)
{
    unsigned h = (unsigned)x * 0x9e3779b1u + (unsigned)y * 0x85ebca77u + (unsigned)level * 0xc2b2ae3du;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) % rows;
}

extern "C" __global__ void patch(fire f, unsigned long long *mesh, unsigned rows, int x, int y,
                                 int half, int level)
{
    __shared__ unsigned steep[4];
    int column = threadIdx.x % CELLS, row = threadIdx.x / CELLS;
    int quarter = column / (CELLS / 2) + 2 * (row / (CELLS / 2));
    int cx = x + (2 * column + 1) * half, cy = y + (2 * row + 1) * half;

    if (threadIdx.x < 4)
        steep[threadIdx.x] = 0;
    __syncthreads();
    int across = abs(heat(f, cx + half, cy) - heat(f, cx - half, cy));
    int down = abs(heat(f, cx, cy + half) - heat(f, cx, cy - half));
    int near = (int)(((long long)half << 13) / (distance_to(cx, cy, f.x, f.y) + 1));
    if (max(max(across, down), near) > f.threshold)
        steep[quarter] = 1;
    atomicAdd(&mesh[row_of(x, y, level, rows) * CELLS * CELLS + threadIdx.x],
              (unsigned long long)heat(f, cx, cy) + 1);
    __syncthreads();
    if (threadIdx.x < 4 && steep[threadIdx.x] && level < f.levels) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        patch<<<1, CELLS * CELLS, 0, own>>>(f, mesh, rows, x + (int)(threadIdx.x & 1) * CELLS * half,
                                            y + (int)(threadIdx.x >> 1) * CELLS * half, half / 2,
                                            level + 1);
        cudaStreamDestroy(own);
    }
}
