// host.c (laplace3d) - one step of Jacobi's method for Laplace's equation in three dimensions.
#include "workload/work.h"

#define BLOCK_X 32
#define BLOCK_Y 4

struct grid {
    unsigned nx, ny, nz;
};

static float step_at(const struct grid *g, const float *u, unsigned x, unsigned y, unsigned z)
{
    unsigned plane = g->nx * g->ny, i = x + y * g->nx + z * plane;

    if (x == 0 || x == g->nx - 1 || y == 0 || y == g->ny - 1 || z == 0 || z == g->nz - 1)
        return u[i];
    return (u[i - 1] + u[i + 1] + u[i - g->nx] + u[i + g->nx] + u[i - plane] + u[i + plane]) / 6;
}

static void run(struct hd_work *w)
{
    static const struct grid grids[HD_WORK_SIZES] = {{40, 20, 10}, {100, 100, 60}, {100, 100, 100}};
    struct grid g = grids[w->size];
    unsigned points = g.nx * g.ny * g.nz;
    float *u = hd_work_floats(w, points, 0, 1), *got = hd_work_array(w, points, sizeof *got);
    float *expected = hd_work_array(w, points, sizeof *got);

    CUdeviceptr from = hd_work_upload(w, u, points * sizeof *u);
    CUdeviceptr to = hd_work_buffer(w, points * sizeof *u);
    struct hd_work_grid grid = {(g.nx + BLOCK_X - 1) / BLOCK_X, (g.ny + BLOCK_Y - 1) / BLOCK_Y,
                                BLOCK_X, BLOCK_Y};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "laplace3d"), grid, &g.nx, &g.ny, &g.nz, &from, &to);
    hd_work_read(w, got, to, points * sizeof *got);

    for (unsigned i = 0; i < points; i++)
        expected[i] = step_at(&g, u, i % g.nx, i / g.nx % g.ny, i / g.nx / g.ny);
    hd_work_near(w, "u", got, expected, points, 1e-6);
}

const struct hd_workload hd_workload_laplace3d = {
    .name = "laplace3d",
    .brief =
        "a step of Jacobi's method in three dimensions: planes in shared memory, halos, barriers",
    .groups = "lfws:LPS pro:LPS elf:LPS",
    .sizes = {"40 x 20 x 10 points", "100 x 100 x 60 points", "100 x 100 x 100 points"},
    .run = run,
};
