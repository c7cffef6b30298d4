// The Mandelbrot set by Mariani and Silver's subdivision. A block computes the border of a square: if all
// of it takes the same number of iterations, so does its inside, which is filled; a small square is
// computed; for any other, kernels are launched for its four quarters. Numbers are fixed point with 27
// fractional bits, so that the host gets the same.
#define THREADS 64
#define ONE (1 << 27)

__device__ unsigned iterations(int x, int y, int step, unsigned most)
{
    int cr = x * step - 3 * ONE, ci = y * step, r = 0, i = 0;
    unsigned n = 0;

    for (; n < most; n++) {
        long long rr = (long long)r * r >> 27, ii = (long long)i * i >> 27;
        if (rr + ii > 4ll * ONE)
            break;
        i = (int)((long long)r * i >> 26) + ci;
        r = (int)(rr - ii) + cr;
    }
    return n;
}

// Pixels are counted around the square: a side after the other.
__device__ unsigned border(unsigned k, int x, int y, int side, int step, unsigned most)
{
    int along = (int)k % (side - 1);

    switch (k / (side - 1)) {
    case 0:
        return iterations(x + along, y, step, most);
    case 1:
        return iterations(x + side - 1, y + along, step, most);
    case 2:
        return iterations(x + side - 1 - along, y + side - 1, step, most);
    default:
        return iterations(x, y + side - 1 - along, step, most);
    }
}

extern "C" __global__ void square(unsigned *image, int width, int x, int y, int side, int least,
                                  int step, unsigned most)
{
    __shared__ unsigned fewest, greatest;

    if (threadIdx.x == 0) {
        fewest = most;
        greatest = 0;
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 4 * (side - 1); k += THREADS) {
        unsigned n = border(k, x, y, side, step, most);
        atomicMin(&fewest, n);
        atomicMax(&greatest, n);
    }
    __syncthreads();
    if (fewest == greatest || side <= least) {
        for (int k = threadIdx.x; k < side * side; k += THREADS) {
            int px = x + k % side, py = y + k / side;
            image[py * width + px] =
                fewest == greatest ? fewest : iterations(px, py, step, most);
        }
    } else if (threadIdx.x < 4) {
        side /= 2;
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        square<<<1, THREADS, 0, own>>>(image, width, x + (threadIdx.x & 1) * side,
                                       y + (threadIdx.x >> 1) * side, side, least, step, most);
        cudaStreamDestroy(own);
    }
}
