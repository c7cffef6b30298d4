// host.c (stencil) - steps of Jacobi's iteration on a box of points.
#include "workload/work.h"

#define THREADS_X 32
#define THREADS_Y 4
#define WIDTH (2 * THREADS_X)

struct box {
    int nx, ny, nz, steps;
};

static void step(const struct box *b, const float *from, float *to, float c0, float c1)
{
    size_t nx = (size_t)b->nx, layer = nx * (size_t)b->ny, i = 0;

    for (int z = 0; z < b->nz; z++)
        for (int y = 0; y < b->ny; y++)
            for (int x = 0; x < b->nx; x++, i++)
                if (x > 0 && y > 0 && z > 0 && x < b->nx - 1 && y < b->ny - 1 && z < b->nz - 1)
                    to[i] = c1 * (from[i + layer] + from[i - layer] + from[i - nx] + from[i + nx] +
                                  from[i + 1] + from[i - 1]) -
                            from[i] * c0;
}

static void run(struct hd_work *w)
{
    static const struct box sizes[HD_WORK_SIZES] = {
        {64, 16, 8, 2}, {128, 64, 16, 4}, {128, 128, 32, 100}};
    struct box b = sizes[w->size];
    size_t n = (size_t)b.nx * (size_t)b.ny * (size_t)b.nz, bytes = n * sizeof(float);
    float *points[2] = {hd_work_floats(w, n, 0, 1), hd_work_array(w, n, sizeof(float))};
    float *got = hd_work_array(w, n, sizeof *got), c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f;
    struct hd_work_grid grid = {(unsigned)b.nx / WIDTH, (unsigned)b.ny / THREADS_Y, THREADS_X,
                                THREADS_Y};

    // The outer points stay as they are.
    for (size_t i = 0; i < n; i++)
        points[1][i] = points[0][i];
    CUdeviceptr d[2] = {hd_work_upload(w, points[0], bytes), hd_work_upload(w, points[1], bytes)};
    CUfunction kernel = hd_work_kernel(w, "stencil");
    for (int s = 0; s < b.steps; s++) {
        HD_WORK_LAUNCH(w, kernel, grid, &c0, &c1, &d[s & 1], &d[1 - (s & 1)], &b.nx, &b.ny, &b.nz);
        step(&b, points[s & 1], points[1 - (s & 1)], c0, c1);
    }
    hd_work_read(w, got, d[b.steps & 1], bytes);
    hd_work_near(w, "points", got, points[b.steps & 1], n, 1e-5);
}

const struct hd_workload hd_workload_stencil = {
    .name = "stencil",
    .brief = "seven-point stencil: planes in shared memory, two barriers for each of them",
    .groups = "baws:STENCIL elf:ST",
    .sizes = {"64 x 16 x 8 points, 2 steps", "128 x 64 x 16 points, 4 steps",
              "128 x 128 x 32 points, 100 steps"},
    .run = run,
};
