// What are rights to swap interest worth on a path of interest rates, and how much does that move with
// the rate that is furthest away? A path follows the LIBOR market model in `steps` steps of `accrual`
// years: rate i is that of period i, and each step changes those whose periods have not begun. The
// derivative goes backwards through the same steps (the adjoint of Giles and Glasserman 2006) and needs
// the rates of all of them. Rates and sums of a thread are arrays in its local memory.

#define RATES_MAX 80
#define STEPS_MAX 40
#define OPTIONS_MAX 15
#define NOTIONAL 100.0f

extern "C" {
__constant__ int libor_rates, libor_steps, libor_options, libor_periods[OPTIONS_MAX];
__constant__ float libor_accrual, libor_volatility[RATES_MAX], libor_fixed[OPTIONS_MAX];
}

// Where a path begins: the same in all threads of a block, so that none goes another way.
__device__ static void begin(float *rate, float *shock, float first, float spread, float normal)
{
    for (int i = 0; i < libor_rates; i++) {
        shock[i] = normal;
        rate[i] = first + spread * blockIdx.x;
    }
}

// The rates at the last step. With `all` the rates of each step, those at the start first.
template <bool STORE> __device__ static void follow(float *rate, const float *shock, float *all)
{
    if (STORE)
        for (int i = 0; i < libor_rates; i++)
            all[i] = rate[i];
    for (int n = 0; n < libor_steps; n++) {
        float jump = sqrtf(libor_accrual) * shock[n], drift = 0;
#pragma unroll 1
        for (int i = n + 1; i < libor_rates; i++) {
            float sigma = libor_volatility[i - n - 1], weight = libor_accrual * sigma;
            drift += __fdividef(weight * rate[i], 1.0f + libor_accrual * rate[i]);
            double exponent = weight * drift + sigma * (jump - 0.5 * weight);
            rate[i] *= __expf((float)exponent);
            if (STORE)
                all[(n + 1) * libor_rates + i] = rate[i];
        }
    }
}

// Discount factors of the last periods and what an annuity until then is worth.
__device__ static void discount(const float *rate, float *bond, float *annuity)
{
    float b = 1, s = 0;

    for (int i = libor_steps; i < libor_rates; i++) {
        b = __fdividef(b, 1.0f + libor_accrual * rate[i]);
        s += libor_accrual * b;
        bond[i - libor_steps] = b;
        annuity[i - libor_steps] = s;
    }
}

// Of the time before the options can be used.
__device__ static float discount_steps(const float *rate)
{
    float b = 1;

    for (int i = 0; i < libor_steps; i++)
        b /= 1.0f + libor_accrual * rate[i];
    return b;
}

extern "C" __global__ void libor_value(float *values, int paths, float first, float spread,
                                       float normal)
{
    float rate[RATES_MAX], shock[RATES_MAX], bond[STEPS_MAX], annuity[STEPS_MAX];

    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths;
         path += blockDim.x * gridDim.x) {
        float value = 0;
        begin(rate, shock, first, spread, normal);
        follow<false>(rate, shock, 0);
        discount(rate, bond, annuity);
        for (int k = 0; k < libor_options; k++) {
            int last = libor_periods[k] - 1;
            float swap = bond[last] + libor_fixed[k] * annuity[last] - 1.0f;
            if (swap < 0)
                value -= NOTIONAL * swap;
        }
        values[path] = value * discount_steps(rate);
    }
}

// What the options are worth; `rate` becomes the derivative with respect to each rate.
__device__ static float value_and_slopes(float *rate)
{
    float bond[STEPS_MAX], annuity[STEPS_MAX], by_bond[STEPS_MAX], by_annuity[STEPS_MAX];
    float value = 0;
    int periods = libor_rates - libor_steps;

    discount(rate, bond, annuity);
    for (int m = 0; m < periods; m++) {
        by_bond[m] = 0;
        by_annuity[m] = 0;
    }
    for (int k = 0; k < libor_options; k++) {
        int last = libor_periods[k] - 1;
        float swap = bond[last] + libor_fixed[k] * annuity[last] - 1.0f;
        if (swap < 0) {
            value -= NOTIONAL * swap;
            by_annuity[last] -= NOTIONAL * libor_fixed[k];
            by_bond[last] -= NOTIONAL;
        }
    }
    float b = discount_steps(rate);
    value *= b;
    for (int m = periods - 1; m >= 0; m--) {
        float growth = 1.0f + libor_accrual * rate[m + libor_steps];
        by_bond[m] += libor_accrual * by_annuity[m];
        if (m > 0) {
            by_annuity[m - 1] += by_annuity[m];
            by_bond[m - 1] += __fdividef(by_bond[m], growth);
        }
        rate[m + libor_steps] = -by_bond[m] * bond[m] * __fdividef(libor_accrual, growth);
    }
    for (int i = 0; i < libor_steps; i++)
        rate[i] = -value * libor_accrual / (1.0f + libor_accrual * rate[i]);
    for (int i = libor_steps; i < libor_rates; i++)
        rate[i] *= b;
    return value;
}

// Backwards: derivatives with respect to the rates after a step become those to the rates before.
__device__ static void follow_back(float *slope, const float *all)
{
    for (int n = libor_steps - 1; n >= 0; n--) {
        const float *before = all + n * libor_rates, *after = before + libor_rates;
        float by_drift = 0;
#pragma unroll 1
        for (int i = libor_rates - 1; i > n; i--) {
            float sigma = libor_volatility[i - n - 1];
            float part = __fdividef(libor_accrual, 1.0f + libor_accrual * before[i]);
            by_drift += sigma * after[i] * slope[i];
            slope[i] = slope[i] * __fdividef(after[i], before[i]) + by_drift * sigma * part * part;
        }
    }
}

extern "C" __global__ void libor_slope(float *values, float *slopes, int paths, float first,
                                       float spread, float normal)
{
    float rate[RATES_MAX], shock[RATES_MAX], all[RATES_MAX * (STEPS_MAX + 1)];

    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths;
         path += blockDim.x * gridDim.x) {
        begin(rate, shock, first, spread, normal);
        follow<true>(rate, shock, all);
        values[path] = value_and_slopes(rate);
        follow_back(rate, all);
        slopes[path] = rate[libor_rates - 1];
    }
}
