// host.c (asian_option) - price of an Asian option by random walks.
#include "workload/work.h"

#include "../xorwow.h"

#include "../normal.h"

#define THREADS 128
#define BLOCKS 300 // at most: ten for each of 15 SMs, twice over
#define STEPS 87   // days of trade in four months

struct option { // as in kernel.cu
    float spot, strike, drift, spread, discount;
};

// 3 % interest and 20 % volatility a year of 261 days of trade.
static const struct option option = {40.0f, 35.0f, 3.8314e-5f, 1.23797e-2f, 0.9900498f};

static void walk(struct xorwow *g, unsigned threads, float *prices, unsigned walks)
{
    for (unsigned i = 0; i < walks; i++) {
        float price = option.spot, normal = 0, other = 0;
        for (unsigned step = 0; step < STEPS; step++) {
            if (step % 2 == 0)
                normal_pair(&g[i % threads], &normal, &other);
            else
                normal = other;
            price *= normal_exp(fmaf(option.spread, normal, option.drift));
            prices[(size_t)step * walks + i] = price;
        }
    }
}

static void value(const float *prices, unsigned walks, unsigned threads, float *payments)
{
    for (unsigned i = 0; i < walks; i++) {
        double sum = 0;
        for (unsigned step = 0; step < STEPS; step++)
            sum += (double)prices[(size_t)step * walks + i];
        double above = sum / STEPS - (double)option.strike;
        if (above > 0)
            payments[i % threads / THREADS] += (float)(above * (double)option.discount);
    }
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {256, 1920, 100000};
    unsigned walks = sizes[w->size], blocks = (walks + THREADS - 1) / THREADS, steps = STEPS;
    unsigned seed = hd_work_random(w);
    size_t n = (size_t)walks * STEPS;

    while (blocks > BLOCKS)
        blocks /= 2;
    unsigned threads = blocks * THREADS;
    unsigned *matrices = hd_work_array(w, XORWOW_POWERS * XORWOW_MATRIX, sizeof *matrices);
    struct xorwow *g = hd_work_array(w, threads, sizeof *g);
    float *got = hd_work_array(w, n, sizeof *got), *prices = hd_work_array(w, n, sizeof *prices);
    float *got_payments = hd_work_array(w, blocks, sizeof *got_payments);
    float *payments = hd_work_array(w, blocks, sizeof *payments);
    xorwow_matrices(matrices);

    CUdeviceptr d_matrices =
        hd_work_upload(w, matrices, XORWOW_POWERS * XORWOW_MATRIX * sizeof *matrices);
    CUdeviceptr generators = hd_work_buffer(w, threads * sizeof *g);
    CUdeviceptr d_prices = hd_work_buffer(w, n * sizeof *prices);
    CUdeviceptr d_payments = hd_work_buffer(w, blocks * sizeof *payments);
    CUdeviceptr d_option = hd_work_upload(w, &option, sizeof option);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "start_generators"), grid, &generators, &d_matrices, &seed);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "walk"), grid, &generators, &d_prices, &d_option, &walks,
                   &steps);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "value"), grid, &d_prices, &d_payments, &d_option, &walks,
                   &steps);
    hd_work_read(w, got, d_prices, n * sizeof *got);
    hd_work_read(w, got_payments, d_payments, blocks * sizeof *payments);

    xorwow_generators(g, threads, matrices, seed);
    walk(g, threads, prices, walks);
    value(prices, walks, threads, payments);
    hd_work_near(w, "prices", got, prices, n, 1e-4);
    hd_work_near(w, "payments", got_payments, payments, blocks, 1e-4);
}

const struct hd_workload hd_workload_asian_option = {
    .name = "asian_option",
    .brief = "an option's price by random walks: starts of generators, long arithmetic, streams",
    .groups = "lfws:SAOP",
    .sizes = {"256 walks of 87 steps", "1920 walks of 87 steps", "100000 walks of 87 steps"},
    .run = run,
};
