// host.c (mri_gridding) - samples at any places, brought to the points of a regular grid.
#include "workload/work.h"

#include "../scan.h"

#define THREADS 256
#define DIGIT_BITS 4
#define DIGITS 16
#define TILE 64
#define RADIUS 2
#define STEEPNESS 9.0f // the window's shape: a quarter of the square of Kaiser and Bessel's beta
#define SCALE (1.0f / 67.2f) // nearly 1 in the middle
#define STEPS 64             // places of a sample between two points

struct sample { // as in kernel.cu
    float x, y, z, re, im, density;
};

struct gridding {
    unsigned n, side, digits, cells;
    struct sample *samples;
};

struct points { // one number for each point
    float *re, *im, *density;
};

// Places are multiples of 1 / STEPS, so that squares of distances are exact, and whether a sample
// is near enough to a point does not depend on who computes it.
static float place(struct hd_work *w, unsigned side)
{
    unsigned steps = (side - 1) * STEPS;

    return (float)((hd_work_random(w) % steps + hd_work_random(w) % steps) / 2) / STEPS;
}

static void make_samples(struct hd_work *w, struct gridding *g)
{
    g->samples = hd_work_array(w, g->n, sizeof *g->samples);
    for (unsigned i = 0; i < g->n; i++) {
        struct sample *s = &g->samples[i];
        s->x = place(w, g->side);
        s->y = place(w, g->side);
        s->z = place(w, g->side);
        s->re = hd_work_random_float(w, -1, 1);
        s->im = hd_work_random_float(w, -1, 1);
        s->density = hd_work_random_float(w, 0.5f, 1);
    }
}

struct order { // of samples: cells and which sample, twice
    CUdeviceptr cells[2], samples[2], counts;
    struct scan scan;
};

// By cells: one pass a digit. Returns where the order is.
static CUdeviceptr sort(struct hd_work *w, const struct gridding *g, struct order *o)
{
    struct hd_work_grid grid = {g->n / THREADS, 1, THREADS, 1};
    unsigned now = 0, counts = grid.x * DIGITS;

    for (unsigned shift = 0; shift < g->digits * DIGIT_BITS; shift += DIGIT_BITS, now = 1 - now) {
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "split_sort"), grid, &o->cells[now], &o->samples[now],
                       &shift, &o->counts);
        scan_run(w, &o->scan, o->counts, o->counts, counts);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "rearrange"), grid, &o->cells[1 - now],
                       &o->samples[1 - now], &o->cells[now], &o->samples[now], &shift, &o->counts);
    }
    return o->samples[now];
}

static void grid_on_device(struct hd_work *w, const struct gridding *g, struct points *got)
{
    size_t words = g->n * sizeof(unsigned), points = g->cells * sizeof(float);
    unsigned n = g->n, side = g->side, cells = g->cells + 1;
    unsigned *none = hd_work_array(w, cells, sizeof *none);
    struct hd_work_grid grid = {g->n / THREADS, 1, THREADS, 1};
    float steepness = STEEPNESS, scale = SCALE;
    struct order o = {.counts = hd_work_buffer(w, g->n / THREADS * DIGITS * sizeof(unsigned))};

    o.scan = scan_make(w, cells);
    for (unsigned i = 0; i < 2; i++) {
        o.cells[i] = hd_work_buffer(w, words);
        o.samples[i] = hd_work_buffer(w, words);
    }
    CUdeviceptr samples = hd_work_upload(w, g->samples, g->n * sizeof *g->samples);
    CUdeviceptr sorted = hd_work_buffer(w, g->n * sizeof *g->samples);
    CUdeviceptr starts = hd_work_upload(w, none, cells * sizeof *none);
    CUdeviceptr re = hd_work_buffer(w, points), im = hd_work_buffer(w, points);
    CUdeviceptr density = hd_work_buffer(w, points);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "bin_samples"), grid, &samples, &n, &side, &o.cells[0],
                   &o.samples[0], &starts);
    scan_run(w, &o.scan, starts, starts, cells);
    CUdeviceptr order = sort(w, g, &o);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "reorder"), grid, &sorted, &samples, &order, &n);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "grid_samples"),
                   ((struct hd_work_grid){g->cells / TILE, 1, TILE, 1}), &sorted, &starts, &side,
                   &steepness, &scale, &re, &im, &density);
    hd_work_read(w, got->re, re, points);
    hd_work_read(w, got->im, im, points);
    hd_work_read(w, got->density, density, points);
}

static double bessel(double v)
{
    double term = 1, sum = 1;

    for (int k = 1; k < 30; k++) {
        term *= v / (k * k);
        sum += term;
    }
    return sum;
}

// What one sample adds to the points around it; sums are kept as double.
static void spread(const struct gridding *g, const struct sample *s, double (*sums)[3])
{
    int side = (int)g->side, x0 = (int)s->x, y0 = (int)s->y, z0 = (int)s->z;

    for (int z = z0 - RADIUS; z <= z0 + RADIUS; z++)
        for (int y = y0 - RADIUS; y <= y0 + RADIUS; y++)
            for (int x = x0 - RADIUS; x <= x0 + RADIUS; x++) {
                double dx = (double)s->x - x, dy = (double)s->y - y, dz = (double)s->z - z;
                double far = dx * dx + dy * dy + dz * dz;
                if (far >= RADIUS * RADIUS || x < 0 || y < 0 || z < 0 || x >= side || y >= side ||
                    z >= side)
                    continue;
                double weight = bessel((double)STEEPNESS * (1 - far / (RADIUS * RADIUS))) *
                                (double)SCALE * (double)s->density;
                double *sum = sums[(z * side + y) * side + x];
                sum[0] += weight * (double)s->re;
                sum[1] += weight * (double)s->im;
                sum[2] += weight;
            }
}

static struct points make_points(struct hd_work *w, unsigned n)
{
    return (struct points){hd_work_array(w, n, sizeof(float)), hd_work_array(w, n, sizeof(float)),
                           hd_work_array(w, n, sizeof(float))};
}

static void run(struct hd_work *w)
{
    // Samples, points of a side, and digits of a cell's number.
    static const unsigned sizes[HD_WORK_SIZES][3] = {
        {512, 16, 3}, {4096, 32, 4}, {1u << 18, 64, 5}};
    struct gridding g = {
        .n = sizes[w->size][0], .side = sizes[w->size][1], .digits = sizes[w->size][2]};

    g.cells = g.side * g.side * g.side;
    make_samples(w, &g);
    struct points got = make_points(w, g.cells), expected = make_points(w, g.cells);
    grid_on_device(w, &g, &got);

    double(*sums)[3] = hd_work_array(w, g.cells, sizeof *sums);
    for (unsigned i = 0; i < g.n; i++)
        spread(&g, &g.samples[i], sums);
    for (unsigned i = 0; i < g.cells; i++) {
        expected.re[i] = (float)sums[i][0];
        expected.im[i] = (float)sums[i][1];
        expected.density[i] = (float)sums[i][2];
    }
    hd_work_near(w, "real parts", got.re, expected.re, g.cells, 1e-4);
    hd_work_near(w, "imaginary parts", got.im, expected.im, g.cells, 1e-4);
    hd_work_near(w, "densities", got.density, expected.density, g.cells, 1e-4);
}

const struct hd_workload hd_workload_mri_gridding = {
    .name = "mri_gridding",
    .brief = "samples to a grid: radix sort by one-bit splits, sums over near samples by tiles",
    .groups = "baws:MG",
    .sizes = {"512 samples, 16^3 points", "4096 samples, 32^3 points",
              "262144 samples, 64^3 points"},
    .run = run,
};
