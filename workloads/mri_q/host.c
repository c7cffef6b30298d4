// host.c (mri_q) - the matrix Q of magnetic resonance imaging.
#include "workload/work.h"

#include <math.h>

#define SAMPLES 1024 // in constant memory at a time, as in kernel.cu
#define TWO_PI 6.283185307179586
#define MAGNITUDE_THREADS 512
#define THREADS 256

struct sample { // as in kernel.cu
    float x, y, z, magnitude;
};

struct scan {
    unsigned n_samples, side, n_points;
    float *samples[3], *phi[2], *points[3]; // coordinates; real and imaginary part
};

// Samples are at any places, and points in a regular grid.
static void make_scan(struct hd_work *w, struct scan *s)
{
    s->n_points = s->side * s->side * s->side;
    for (unsigned axis = 0; axis < 3; axis++) {
        s->samples[axis] = hd_work_floats(w, s->n_samples, -0.5f, 0.5f);
        s->points[axis] = hd_work_array(w, s->n_points, sizeof *s->points[axis]);
    }
    for (unsigned part = 0; part < 2; part++)
        s->phi[part] = hd_work_floats(w, s->n_samples, -1, 1);
    for (unsigned i = 0; i < s->n_points; i++) {
        unsigned at[3] = {i % s->side, i / s->side % s->side, i / s->side / s->side};
        for (unsigned axis = 0; axis < 3; axis++)
            s->points[axis][i] = 8 * ((float)at[axis] / (float)s->side - 0.5f);
    }
}

static float *magnitudes_on_device(struct hd_work *w, const struct scan *s)
{
    size_t bytes = s->n_samples * sizeof(float);
    float *magnitudes = hd_work_array(w, s->n_samples, sizeof *magnitudes);
    CUdeviceptr re = hd_work_upload(w, s->phi[0], bytes), im = hd_work_upload(w, s->phi[1], bytes);
    CUdeviceptr to = hd_work_buffer(w, bytes);
    unsigned n = s->n_samples, blocks = (n + MAGNITUDE_THREADS - 1) / MAGNITUDE_THREADS;

    HD_WORK_LAUNCH(w, hd_work_kernel(w, "ComputePhiMag"),
                   ((struct hd_work_grid){blocks, 1, MAGNITUDE_THREADS, 1}), &re, &im, &to, &n);
    hd_work_read(w, magnitudes, to, bytes);
    return magnitudes;
}

static void q_on_device(struct hd_work *w, const struct scan *s, const float *magnitudes,
                        float *got[2])
{
    size_t bytes = s->n_points * sizeof(float);
    struct sample *chunk = hd_work_array(w, SAMPLES, sizeof *chunk);
    CUdeviceptr points[3], sums[2];

    for (unsigned axis = 0; axis < 3; axis++)
        points[axis] = hd_work_upload(w, s->points[axis], bytes);
    for (unsigned part = 0; part < 2; part++)
        sums[part] = hd_work_upload(w, got[part], bytes);
    for (unsigned first = 0, n; first < s->n_samples; first += n) {
        n = s->n_samples - first < SAMPLES ? s->n_samples - first : SAMPLES;
        for (unsigned i = 0; i < n; i++)
            chunk[i] = (struct sample){s->samples[0][first + i], s->samples[1][first + i],
                                       s->samples[2][first + i], magnitudes[first + i]};
        hd_work_symbol(w, "samples", chunk, n * sizeof *chunk);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "ComputeQ"),
                       ((struct hd_work_grid){s->n_points / THREADS, 1, THREADS, 1}), &n,
                       &points[0], &points[1], &points[2], &sums[0], &sums[1]);
    }
    for (unsigned part = 0; part < 2; part++)
        hd_work_read(w, got[part], sums[part], bytes);
}

static void q_on_host(const struct scan *s, float *expected[2])
{
    for (unsigned i = 0; i < s->n_points; i++) {
        double re = 0, im = 0;
        for (unsigned k = 0; k < s->n_samples; k++) {
            double a = (double)s->phi[0][k], b = (double)s->phi[1][k], angle = 0;
            for (unsigned axis = 0; axis < 3; axis++)
                angle += (double)s->samples[axis][k] * (double)s->points[axis][i];
            re += (a * a + b * b) * cos(TWO_PI * angle);
            im += (a * a + b * b) * sin(TWO_PI * angle);
        }
        expected[0][i] = (float)re;
        expected[1][i] = (float)im;
    }
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][2] = {{101, 8}, {384, 16}, {2048, 32}};
    struct scan s = {.n_samples = sizes[w->size][0], .side = sizes[w->size][1]};
    float *got[2], *expected[2];

    make_scan(w, &s);
    for (unsigned part = 0; part < 2; part++) {
        got[part] = hd_work_array(w, s.n_points, sizeof *got[part]);
        expected[part] = hd_work_array(w, s.n_points, sizeof *expected[part]);
    }
    q_on_device(w, &s, magnitudes_on_device(w, &s), got);
    q_on_host(&s, expected);
    // The approximations of sine and cosine are good to about 1e-6 of a sample's magnitude.
    hd_work_near(w, "real parts", got[0], expected[0], s.n_points, 1e-3);
    hd_work_near(w, "imaginary parts", got[1], expected[1], s.n_points, 1e-3);
}

const struct hd_workload hd_workload_mri_q = {
    .name = "mri_q",
    .brief = "sums of sines and cosines over samples in constant memory: special function unit",
    .groups = "elf:MRIQ",
    .sizes = {"101 samples, 8^3 points", "384 samples, 16^3 points", "2048 samples, 32^3 points"},
    .run = run,
};
