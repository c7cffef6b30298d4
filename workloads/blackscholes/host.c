// host.c (blackscholes) - prices of options.
#include "workload/work.h"

#include <math.h>

#define THREADS 128

struct price {
    double call, put;
};

static double normal(double d)
{
    return 0.5 * erfc(-d * sqrt(0.5));
}

static struct price price_of(double s, double x, double t, double rate, double volatility)
{
    double spread = volatility * sqrt(t);
    double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
    double d2 = d1 - spread, discounted = x * exp(-rate * t);

    return (struct price){s * normal(d1) - discounted * normal(d2),
                          discounted * normal(-d2) - s * normal(-d1)};
}

static void run(struct hd_work *w)
{
    static const unsigned counts[HD_WORK_SIZES] = {20000, 400000, 4000000};
    static const unsigned grids[HD_WORK_SIZES] = {60, 480, 480};
    unsigned n = counts[w->size];
    size_t bytes = n * sizeof(float);
    float rate = 0.02f, volatility = 0.3f;
    float *spot = hd_work_floats(w, n, 5, 30), *strike = hd_work_floats(w, n, 1, 100);
    float *years = hd_work_floats(w, n, 0.25f, 10);
    float *call = hd_work_array(w, n, sizeof *call), *put = hd_work_array(w, n, sizeof *put);
    float *calls = hd_work_array(w, n, sizeof *call), *puts = hd_work_array(w, n, sizeof *put);

    CUdeviceptr d_spot = hd_work_upload(w, spot, bytes),
                d_strike = hd_work_upload(w, strike, bytes);
    CUdeviceptr d_years = hd_work_upload(w, years, bytes);
    CUdeviceptr d_call = hd_work_buffer(w, bytes), d_put = hd_work_buffer(w, bytes);
    struct hd_work_grid grid = {grids[w->size], 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "blackscholes"), grid, &d_spot, &d_strike, &d_years,
                   &d_call, &d_put, &rate, &volatility, &n);
    hd_work_read(w, call, d_call, bytes);
    hd_work_read(w, put, d_put, bytes);

    for (unsigned i = 0; i < n; i++) {
        struct price p = price_of((double)spot[i], (double)strike[i], (double)years[i],
                                  (double)rate, (double)volatility);
        calls[i] = (float)p.call;
        puts[i] = (float)p.put;
    }
    // The approximations are good to about 1e-6 of the larger of price and strike.
    hd_work_near(w, "call", call, calls, n, 1e-4);
    hd_work_near(w, "put", put, puts, n, 1e-4);
}

const struct hd_workload hd_workload_blackscholes = {
    .name = "blackscholes",
    .brief = "option prices: exp, log, square root and division on the special function unit",
    .groups = "first8 elf:BS",
    .sizes = {"20000 options", "400000 options", "4 M options"},
    .run = run,
};
