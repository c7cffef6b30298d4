// host.c (libor) - what rights to swap interest are worth, and how that moves with the last rate.
#include "workload/work.h"

#include <math.h>

#define THREADS 64
#define RATES_MAX 80
#define OPTIONS 15
#define NOTIONAL 100.0
#define ACCRUAL 0.25f

struct market {
    int rates, steps, periods[OPTIONS];
    float volatility[RATES_MAX], fixed[OPTIONS];
    float first, spread, normal;
};

struct dual { // a number and its derivative with respect to the last rate at the start
    double x, d;
};

static struct dual over(struct dual a, struct dual b)
{
    return (struct dual){a.x / b.x, (a.d * b.x - a.x * b.d) / (b.x * b.x)};
}

static struct dual growth(struct dual rate)
{
    return (struct dual){1 + (double)ACCRUAL * rate.x, (double)ACCRUAL * rate.d};
}

static void follow(const struct market *m, struct dual *rate)
{
    double dt = (double)ACCRUAL;

    for (int n = 0; n < m->steps; n++) {
        struct dual drift = {0, 0};
        for (int i = n + 1; i < m->rates; i++) {
            double sigma = (double)m->volatility[i - n - 1];
            struct dual part = over(rate[i], growth(rate[i]));
            drift.x += dt * sigma * part.x;
            drift.d += dt * sigma * part.d;
            double factor = exp(dt * sigma * drift.x +
                                sigma * (sqrt(dt) * (double)m->normal - 0.5 * dt * sigma));
            rate[i].d = factor * (rate[i].d + rate[i].x * dt * sigma * drift.d);
            rate[i].x *= factor;
        }
    }
}

static struct dual value_at(const struct market *m, double first)
{
    struct dual rate[RATES_MAX], value = {0, 0}, bond = {1, 0}, annuity = {0, 0};
    int k = 0; // options are sorted by their periods

    for (int i = 0; i < m->rates; i++)
        rate[i] = (struct dual){first, i == m->rates - 1};
    follow(m, rate);
    for (int i = m->steps; i < m->rates; i++) {
        bond = over(bond, growth(rate[i]));
        annuity.x += (double)ACCRUAL * bond.x;
        annuity.d += (double)ACCRUAL * bond.d;
        for (; k < OPTIONS && m->periods[k] - 1 == i - m->steps; k++) {
            double fixed = (double)m->fixed[k], swap = bond.x + fixed * annuity.x - 1;
            if (swap < 0) {
                value.x -= NOTIONAL * swap;
                value.d -= NOTIONAL * (bond.d + fixed * annuity.d);
            }
        }
    }
    for (int i = 0; i < m->steps; i++)
        value = over(value, growth(rate[i]));
    return value;
}

static void make_market(struct hd_work *w, struct market *m, int rates)
{
    m->rates = rates;
    m->steps = rates / 2;
    m->first = hd_work_random_float(w, 0.045f, 0.05f);
    m->spread = 1e-5f;
    m->normal = hd_work_random_float(w, 0.25f, 0.35f);
    for (int i = 0; i < RATES_MAX; i++)
        m->volatility[i] = hd_work_random_float(w, 0.18f, 0.22f);
    for (int k = 0; k < OPTIONS; k++) { // five times, three rates each
        m->periods[k] = (k / 3 + 1) * m->steps / 5;
        m->fixed[k] = 0.045f + 0.005f * (float)(k % 3);
    }
}

static void upload(struct hd_work *w, const struct market *m)
{
    int options = OPTIONS;
    float accrual = ACCRUAL;

    hd_work_symbol(w, "libor_rates", &m->rates, sizeof m->rates);
    hd_work_symbol(w, "libor_steps", &m->steps, sizeof m->steps);
    hd_work_symbol(w, "libor_options", &options, sizeof options);
    hd_work_symbol(w, "libor_periods", m->periods, sizeof m->periods);
    hd_work_symbol(w, "libor_accrual", &accrual, sizeof accrual);
    hd_work_symbol(w, "libor_volatility", m->volatility, sizeof m->volatility);
    hd_work_symbol(w, "libor_fixed", m->fixed, sizeof m->fixed);
}

static void run(struct hd_work *w)
{
    static const unsigned grids[HD_WORK_SIZES] = {16, 64, 64};
    static const int rates[HD_WORK_SIZES] = {10, 24, 80};
    unsigned blocks = grids[w->size], paths = blocks * THREADS;
    size_t bytes = paths * sizeof(float);
    struct market m;
    float *value = hd_work_array(w, paths, sizeof *value);
    float *value2 = hd_work_array(w, paths, sizeof *value);
    float *slope = hd_work_array(w, paths, sizeof *value);
    float *expected = hd_work_array(w, paths, sizeof *value);
    float *expected_slope = hd_work_array(w, paths, sizeof *value);

    make_market(w, &m, rates[w->size]);
    upload(w, &m);
    CUdeviceptr d_value = hd_work_buffer(w, bytes), d_value2 = hd_work_buffer(w, bytes);
    CUdeviceptr d_slope = hd_work_buffer(w, bytes);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "libor_value"), grid, &d_value, &paths, &m.first, &m.spread,
                   &m.normal);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "libor_slope"), grid, &d_value2, &d_slope, &paths, &m.first,
                   &m.spread, &m.normal);
    hd_work_read(w, value, d_value, bytes);
    hd_work_read(w, value2, d_value2, bytes);
    hd_work_read(w, slope, d_slope, bytes);

    for (unsigned b = 0; b < blocks; b++) {
        struct dual v = value_at(&m, (double)(m.first + m.spread * (float)b));
        for (unsigned t = 0; t < THREADS; t++) {
            expected[b * THREADS + t] = (float)v.x;
            expected_slope[b * THREADS + t] = (float)v.d;
        }
    }
    hd_work_near(w, "values", value, expected, paths, 1e-3);
    hd_work_near(w, "values beside slopes", value2, expected, paths, 1e-3);
    hd_work_near(w, "slopes", slope, expected_slope, paths, 1e-3);
}

const struct hd_workload hd_workload_libor = {
    .name = "libor",
    .brief = "Monte Carlo in the LIBOR market model: arrays in local memory, few warps on an SM",
    .groups = "lfws:LIB",
    .sizes = {"1024 paths, 5 steps", "4096 paths, 12 steps", "4096 paths, 40 steps"},
    .run = run,
};
