// host.c (srad) - a picture made free of speckle by diffusion.
#include "workload/work.h"

#include <math.h>

#define SIDE 16
#define SPECKLE 128 // rows and columns of the corner that holds nothing but speckle, at most
#define RATE 0.5f

// Variance over squared mean in the corner.
static float speckle(const float *picture, unsigned side)
{
    unsigned n = side < SPECKLE ? side : SPECKLE;
    double sum = 0, squares = 0, pixels = (double)n * n;

    for (unsigned y = 0; y < n; y++)
        for (unsigned x = 0; x < n; x++) {
            double pixel = (double)picture[y * side + x];
            sum += pixel;
            squares += pixel * pixel;
        }
    double mean = sum / pixels;
    return (float)((squares / pixels - mean * mean) / (mean * mean));
}

// The pixel's neighbours north, south, west, east; an edge is its own neighbour.
static void neighbours(unsigned side, unsigned y, unsigned x, unsigned at[4])
{
    at[0] = (y > 0 ? y - 1 : y) * side + x;
    at[1] = (y < side - 1 ? y + 1 : y) * side + x;
    at[2] = y * side + (x > 0 ? x - 1 : x);
    at[3] = y * side + (x < side - 1 ? x + 1 : x);
}

static double coefficient(const float *picture, unsigned here, const unsigned at[4], double q0)
{
    double pixel = (double)picture[here], squares = 0, sum = 0;

    for (unsigned i = 0; i < 4; i++) {
        double d = (double)picture[at[i]] - pixel;
        squares += d * d;
        sum += d;
    }
    double gradient = squares / (pixel * pixel), laplace = sum / pixel, scale = 1 + 0.25 * laplace;
    double q = (0.5 * gradient - 0.0625 * laplace * laplace) / (scale * scale);
    return fmin(fmax(1 / (1 + (q - q0) / (q0 * (1 + q0))), 0), 1);
}

static void step(float *picture, float *diffusion, float *next, unsigned side)
{
    double q0 = (double)speckle(picture, side);
    unsigned at[4];

    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            neighbours(side, y, x, at);
            diffusion[y * side + x] = (float)coefficient(picture, y * side + x, at, q0);
        }
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++) {
            unsigned here = y * side + x;
            double pixel = (double)picture[here], flow = 0;
            neighbours(side, y, x, at);
            for (unsigned i = 0; i < 4; i++) // north and west by the pixel's own coefficient
                flow += (double)diffusion[i & 1 ? at[i] : here] * ((double)picture[at[i]] - pixel);
            next[here] = (float)(pixel + 0.25 * (double)RATE * flow);
        }
    for (size_t i = 0; i < (size_t)side * side; i++)
        picture[i] = next[i];
}

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {96, 320, 2048};
    unsigned side = sides[w->size], steps = 2;
    size_t n = (size_t)side * side, bytes = n * sizeof(float);
    float *picture = hd_work_floats(w, n, 0, 1), *got = hd_work_array(w, n, sizeof *got);
    float *diffusion = hd_work_array(w, n, sizeof *got), *next = hd_work_array(w, n, sizeof *got);
    CUdeviceptr to[4], d_picture, d_diffusion;
    struct hd_work_grid grid = {side / SIDE, side / SIDE, SIDE, SIDE};
    float rate = RATE;

    for (size_t i = 0; i < n; i++)
        got[i] = picture[i] = expf(picture[i]);
    d_picture = hd_work_upload(w, picture, bytes);
    d_diffusion = hd_work_buffer(w, bytes);
    for (unsigned i = 0; i < 4; i++)
        to[i] = hd_work_buffer(w, bytes);
    for (unsigned i = 0; i < steps; i++) {
        float q0 = speckle(got, side);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "coefficients"), grid, &d_picture, &to[0], &to[1],
                       &to[2], &to[3], &d_diffusion, &side, &q0);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "diffuse"), grid, &d_picture, &to[0], &to[1], &to[2],
                       &to[3], &d_diffusion, &side, &rate);
        hd_work_read(w, got, d_picture, bytes);
    }

    for (unsigned i = 0; i < steps; i++)
        step(picture, diffusion, next, side);
    hd_work_near(w, "picture", got, picture, n, 1e-4);
}

const struct hd_workload hd_workload_srad = {
    .name = "srad",
    .brief = "diffusion in a picture, two stencils in shared memory: barriers, edges, divisions",
    .groups = "baws:SRAD2 elf:SRAD",
    .sizes = {"96 x 96, 2 steps", "320 x 320, 2 steps", "2048 x 2048, 2 steps"},
    .run = run,
};
