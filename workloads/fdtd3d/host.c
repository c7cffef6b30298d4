// host.c (fdtd3d) - one step of finite differences on a volume.
#include "workload/work.h"

#include <string.h>

#define RADIUS 4
#define BLOCK_X 32
#define BLOCK_Y 16
#define LINE 32 // floats of a cache line: the first inner point of each buffer begins one

static const float stencil[RADIUS + 1] = {0.25f, 0.0625f, 0.03125f, 0.02f, 0.01f};

struct volume {
    unsigned nx, ny, nz;
};

// The inner points of `to`; all others stay.
static void step(const struct volume *v, const float *from, float *to)
{
    size_t width = v->nx + 2 * RADIUS, plane = width * (v->ny + 2 * RADIUS);

    for (unsigned z = RADIUS; z < v->nz + RADIUS; z++)
        for (unsigned y = RADIUS; y < v->ny + RADIUS; y++)
            for (unsigned x = RADIUS; x < v->nx + RADIUS; x++) {
                const float *p = from + z * plane + y * width + x;
                double sum = (double)stencil[0] * (double)*p;
                for (size_t i = 1; i <= RADIUS; i++)
                    sum += (double)stencil[i] *
                           ((double)*(p - i) + (double)p[i] + (double)*(p - i * width) +
                            (double)p[i * width] + (double)*(p - i * plane) + (double)p[i * plane]);
                to[p - from] = (float)sum;
            }
}

static void run(struct hd_work *w)
{
    static const struct volume volumes[HD_WORK_SIZES] = {
        {64, 32, 12}, {128, 128, 20}, {128, 128, 64}};
    struct volume v = volumes[w->size];
    size_t points = (size_t)(v.nx + 2 * RADIUS) * (v.ny + 2 * RADIUS) * (v.nz + 2 * RADIUS);
    size_t pad = (LINE - RADIUS) * sizeof(float), bytes = points * sizeof(float);
    float *from = hd_work_floats(w, points, 0, 1), *to = hd_work_array(w, points, sizeof *to);
    float *got = hd_work_array(w, points, sizeof *got);

    CUdeviceptr d_from = hd_work_buffer(w, bytes + pad) + pad;
    CUdeviceptr d_to = hd_work_buffer(w, bytes + pad) + pad;
    struct hd_work_grid grid = {(v.nx + BLOCK_X - 1) / BLOCK_X, (v.ny + BLOCK_Y - 1) / BLOCK_Y,
                                BLOCK_X, BLOCK_Y};
    hd_work_write(w, d_from, from, bytes);
    hd_work_write(w, d_to, from, bytes);
    hd_work_symbol(w, "stencil", stencil, sizeof stencil);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "FiniteDifferences"), grid, &d_to, &d_from, &v.nx, &v.ny,
                   &v.nz);
    hd_work_read(w, got, d_to, bytes);

    memcpy(to, from, bytes);
    step(&v, from, to);
    hd_work_near(w, "volume", got, to, points, 1e-5);
}

const struct hd_workload hd_workload_fdtd3d = {
    .name = "fdtd3d",
    .brief =
        "finite differences on a volume: planes in registers and shared memory, long unrolled loop",
    .groups = "elf:FDTD",
    .sizes = {"64 x 32 x 12 points", "128 x 128 x 20 points", "128 x 128 x 64 points"},
    .run = run,
};
