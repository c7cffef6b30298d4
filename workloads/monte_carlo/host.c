// host.c (monte_carlo) - prices of European call options by Monte Carlo.
#include "workload/work.h"

#include <math.h>

#define OPTIONS 256
#define THREADS 256
#define SAMPLE_BLOCKS 128
#define SAMPLE_THREADS 128
#define RATE 0.06 // of interest, a year
#define VOLATILITY 0.1

struct option { // as in kernel.cu
    float spot, strike, drift, spread;
};

static double polynomial(const double *c, unsigned n, double x)
{
    double sum = c[n - 1];

    for (unsigned i = n - 1; i > 0; i--)
        sum = sum * x + c[i - 1];
    return sum;
}

// As in kernel.cu.
static double inverse_normal(double p)
{
    static const double above[] = {2.50662823884, -18.61500062529, 41.39119773534, -25.44106049637};
    static const double below[] = {1, -8.47351093090, 23.08336743743, -21.06224101826,
                                   3.13082909833};
    static const double tail[] = {0.3374754822726147, 0.9761690190917186, 0.1607979714918209,
                                  0.0276438810333863, 0.0038405729373609, 0.0003951896511919,
                                  0.0000321767881768, 0.0000002888167364, 0.0000003960315187};
    double y = p - 0.5;

    if (fabs(y) < 0.42)
        return y * polynomial(above, 4, y * y) / polynomial(below, 5, y * y);
    double z = polynomial(tail, 9, log(-log(y > 0 ? 1 - p : p)));
    return y > 0 ? z : -z;
}

static void price(const struct option *o, const float *samples, unsigned n, float *sum,
                  float *square)
{
    double sums = 0, squares = 0;

    for (unsigned i = 0; i < n; i++) {
        double end =
            (double)o->spot * exp((double)o->drift + (double)o->spread * (double)samples[i]);
        double over = fmax(end - (double)o->strike, 0);
        sums += over;
        squares += over * over;
    }
    *sum = (float)sums;
    *square = (float)squares;
}

static void run(struct hd_work *w)
{
    // Options, walks, blocks that make the samples.
    static const unsigned sizes[HD_WORK_SIZES][3] = {
        {15, 4096, 8}, {128, 32768, 32}, {OPTIONS, 1u << 18, SAMPLE_BLOCKS}};
    unsigned n_options = sizes[w->size][0], n = sizes[w->size][1], blocks = sizes[w->size][2];
    struct option options[OPTIONS] = {{0}};
    float *samples = hd_work_array(w, n, sizeof *samples), *got = hd_work_array(w, n, sizeof *got);
    float *sums = hd_work_array(w, OPTIONS, sizeof *sums);
    float *squares = hd_work_array(w, OPTIONS, sizeof *squares);
    float *got_sums = hd_work_array(w, OPTIONS, sizeof *sums);
    float *got_squares = hd_work_array(w, OPTIONS, sizeof *squares);

    for (unsigned i = 0; i < n_options; i++) {
        double years = (double)hd_work_random_float(w, 1, 5);
        options[i] =
            (struct option){hd_work_random_float(w, 5, 50), hd_work_random_float(w, 10, 25),
                            (float)((RATE - 0.5 * VOLATILITY * VOLATILITY) * years),
                            (float)(VOLATILITY * sqrt(years))};
    }
    hd_work_symbol(w, "options", options, sizeof options);
    CUdeviceptr d_samples = hd_work_buffer(w, n * sizeof *samples);
    CUdeviceptr d_sums = hd_work_buffer(w, n_options * sizeof *sums);
    CUdeviceptr d_squares = hd_work_buffer(w, n_options * sizeof *squares);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "inverse_cnd"),
                   ((struct hd_work_grid){blocks, 1, SAMPLE_THREADS, 1}), &d_samples, &n);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "option_per_block"),
                   ((struct hd_work_grid){n_options, 1, THREADS, 1}), &d_samples, &n, &d_sums,
                   &d_squares);
    hd_work_read(w, got, d_samples, n * sizeof *got);
    hd_work_read(w, got_sums, d_sums, n_options * sizeof *sums);
    hd_work_read(w, got_squares, d_squares, n_options * sizeof *squares);

    for (unsigned i = 0; i < n; i++)
        samples[i] = (float)inverse_normal((double)(i + 1) / (double)(n + 1));
    for (unsigned i = 0; i < n_options; i++)
        price(&options[i], samples, n, &sums[i], &squares[i]);
    hd_work_near(w, "samples", got, samples, n, 1e-3);
    hd_work_near(w, "sums", got_sums, sums, n_options, 2e-4);
    hd_work_near(w, "squares", got_squares, squares, n_options, 5e-4);
}

const struct hd_workload hd_workload_monte_carlo = {
    .name = "monte_carlo",
    .brief = "option prices by Monte Carlo: one stream for all blocks, exponentials, halvings at "
             "the end",
    .groups = "pro:MonteCarlo",
    .sizes = {"15 options, 4096 walks", "128 options, 32768 walks", "256 options, 262144 walks"},
    .run = run,
};
