// Prices of European call options by Monte Carlo: the mean of what an option pays over random walks
// of the share's price, a block for each option, with the spread of that mean.

#define OPTIONS 256
#define THREADS 256
#define SLOTS 256 // partial sums of a block

struct option {
    float spot, strike; // the share's price now, and that at which the option buys
    float drift, spread; // of the price's logarithm until then
};
__constant__ struct option options[OPTIONS];

// The inverse of the cumulative normal distribution, p in (0, 1): a quotient of polynomials in the
// middle, and one polynomial in log(-log p) for the tails (Moro 1995).
__device__ static float inverse_normal(float p)
{
    float y = p - 0.5f, z;

    if (fabsf(y) < 0.42f) {
        z = y * y;
        return y *
               (((-25.44106049637f * z + 41.39119773534f) * z - 18.61500062529f) * z +
                2.50662823884f) /
               ((((3.13082909833f * z - 21.06224101826f) * z + 23.08336743743f) * z -
                 8.47351093090f) * z + 1.0f);
    }
    z = __logf(-__logf(y > 0 ? 1.0f - p : p));
    z = 0.3374754822726147f +
        z * (0.9761690190917186f +
             z * (0.1607979714918209f +
                  z * (0.0276438810333863f +
                       z * (0.0038405729373609f +
                            z * (0.0003951896511919f +
                                 z * (0.0000321767881768f +
                                      z * (0.0000002888167364f + z * 0.0000003960315187f)))))));
    return y > 0 ? z : -z;
}

// Normal variates of `n` equal steps in probability.
extern "C" __global__ void inverse_cnd(float *samples, unsigned n)
{
    float step = 1.0f / (float)(n + 1);

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        samples[i] = inverse_normal((float)(i + 1) * step);
}

// What each option pays in the mean over `n` walks: the sum, and that of the squares.
extern "C" __global__ void option_per_block(const float *samples, unsigned n, float *sums,
                                            float *squares)
{
    __shared__ float paid[SLOTS], squared[SLOTS];
    struct option option = options[blockIdx.x];
    unsigned t = threadIdx.x;

    for (unsigned slot = t; slot < SLOTS; slot += THREADS) {
        float sum = 0, square = 0;
#pragma unroll 1
        for (unsigned i = slot; i < n; i += SLOTS) {
            float over = option.spot * __expf(option.drift + option.spread * samples[i]) - option.strike;
            over = over > 0 ? over : 0;
            sum += over;
            square += over * over;
        }
        paid[slot] = sum;
        squared[slot] = square;
    }
    for (unsigned left = SLOTS / 2; left > 0; left /= 2) {
        __syncthreads();
        for (unsigned slot = t; slot < left; slot += THREADS) {
            paid[slot] += paid[slot + left];
            squared[slot] += squared[slot + left];
        }
    }
    if (t == 0) {
        sums[blockIdx.x] = paid[0];
        squares[blockIdx.x] = squared[0];
    }
}
