// One step of Jacobi's iteration on a box of points: each inner point from itself and its six neighbours.
// A block goes up along z with the points of a plane in shared memory; every thread has two of them,
// and keeps the points below and above in registers.

#define THREADS_X 32
#define THREADS_Y 4
#define WIDTH (2 * THREADS_X)

__device__ static float new_value(float c0, float c1, float below, float above, float left, float right,
                                  float front, float back, float here)
{
    return c1 * (above + below + front + back + right + left) - here * c0;
}

extern "C" __global__ void stencil(float c0, float c1, const float *from, float *to, int nx, int ny, int nz)
{
    __shared__ float plane[THREADS_Y * WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y, a = ty * WIDTH + tx, b = a + THREADS_X;
    int x = blockIdx.x * WIDTH + tx, x2 = x + THREADS_X, y = blockIdx.y * THREADS_Y + ty;
    int i = y * nx + x, i2 = i + THREADS_X, layer = nx * ny;
    bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    bool inside2 = x2 < nx - 1 && y > 0 && y < ny - 1;
    float below = from[i], below2 = from[i2], here = from[i + layer], here2 = from[i2 + layer];

    plane[a] = here;
    plane[b] = here2;
    __syncthreads();
#pragma unroll 1
    for (int z = 1; z < nz - 1; z++) {
        i += layer;
        i2 += layer;
        float above = from[i + layer], above2 = from[i2 + layer];
        // Neighbours of other blocks come from memory.
        if (inside) {
            float left = tx > 0 ? plane[a - 1] : from[i - 1];
            float front = ty > 0 ? plane[a - WIDTH] : from[i - nx];
            float back = ty < THREADS_Y - 1 ? plane[a + WIDTH] : from[i + nx];
            to[i] = new_value(c0, c1, below, above, left, plane[a + 1], front, back, here);
        }
        if (inside2) {
            float right = tx < THREADS_X - 1 ? plane[b + 1] : from[i2 + 1];
            float front = ty > 0 ? plane[b - WIDTH] : from[i2 - nx];
            float back = ty < THREADS_Y - 1 ? plane[b + WIDTH] : from[i2 + nx];
            to[i2] = new_value(c0, c1, below2, above2, plane[b - 1], right, front, back, here2);
        }
        __syncthreads();
        below = here;
        below2 = here2;
        here = plane[a] = above;
        here2 = plane[b] = above2;
        __syncthreads();
    }
}
