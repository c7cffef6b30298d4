// host.c (hotspot) - temperature of a chip over time.
#include "workload/work.h"

#define BLOCK 16
#define HALO 2 // steps in a launch
#define INNER (BLOCK - 2 * HALO)

struct coefficients { // as in kernel.cu
    float step, x, y, air, ambient;
};
// The step is stable: step * (2x + 2y + air) < 1.
static const struct coefficients chip = {0.2f, 1.0f, 0.8f, 0.02f, 300.0f};

static float cell_after(const float *t, float watts, unsigned n, unsigned row, unsigned column)
{
    float here = t[row * n + column];
    float north = row > 0 ? t[(row - 1) * n + column] : here;
    float south = row < n - 1 ? t[(row + 1) * n + column] : here;
    float west = column > 0 ? t[row * n + column - 1] : here;
    float east = column < n - 1 ? t[row * n + column + 1] : here;

    return here +
           chip.step * (watts + (north + south - 2 * here) * chip.y +
                        (west + east - 2 * here) * chip.x + (chip.ambient - here) * chip.air);
}

// One step from `from` to `to`.
static void step(const float *from, const float *power, float *to, unsigned n)
{
    for (unsigned row = 0; row < n; row++)
        for (unsigned column = 0; column < n; column++)
            to[row * n + column] = cell_after(from, power[row * n + column], n, row, column);
}

static void run(struct hd_work *w)
{
    static const unsigned rows[HD_WORK_SIZES] = {60, 256, 512};
    unsigned n = rows[w->size], cells = n * n, steps = 5;
    size_t bytes = cells * sizeof(float);
    float *now = hd_work_floats(w, cells, 320, 340), *power = hd_work_floats(w, cells, 0, 5);
    float *got = hd_work_array(w, cells, sizeof *got), *next = hd_work_array(w, cells, sizeof *got);

    CUdeviceptr from = hd_work_upload(w, now, bytes), to = hd_work_buffer(w, bytes);
    CUdeviceptr d_power = hd_work_upload(w, power, bytes);
    CUfunction f = hd_work_kernel(w, "hotspot");
    struct hd_work_grid grid = {(n + INNER - 1) / INNER, (n + INNER - 1) / INNER, BLOCK, BLOCK};
    hd_work_symbol(w, "chip", &chip, sizeof chip);
    for (unsigned done = 0, some; done < steps; done += some) {
        some = steps - done < HALO ? steps - done : HALO;
        HD_WORK_LAUNCH(w, f, grid, &from, &d_power, &to, &n, &n, &some);
        CUdeviceptr last = to;
        to = from;
        from = last;
    }
    hd_work_read(w, got, from, bytes);

    for (unsigned i = 0; i < steps; i++) {
        step(now, power, next, n);
        float *last = next;
        next = now;
        now = last;
    }
    hd_work_near(w, "temperature", got, now, cells, 1e-5);
}

const struct hd_workload hd_workload_hotspot = {
    .name = "hotspot",
    .brief = "heat on a chip, a stencil in shared memory with halos: barriers, idle edges",
    .groups = "first8 lfws:HSP pro:hotspot elf:HS",
    .sizes = {"60 x 60 cells, 5 steps", "256 x 256 cells, 5 steps", "512 x 512 cells, 5 steps"},
    .run = run,
};
