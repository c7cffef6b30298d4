// host.c (hotspot) - temperature of a chip over time.
#include "workload/work.h"

#define BLOCK 16
#define HALO 2 // steps of a launch, at most
#define INNER (BLOCK - 2 * HALO)

struct chip { // as in kernel.cu
    float capacity, x, y, air, ambient;
};
// Stable: seconds / capacity * (2 / x + 2 / y + 1 / air) < 1.
static const struct chip chip = {5.0f, 1.0f, 1.25f, 50.0f, 300.0f};
static const float seconds = 1.0f;

static float cell_after(const float *t, float watts, unsigned n, unsigned row, unsigned column)
{
    float here = t[row * n + column];
    float north = row > 0 ? t[(row - 1) * n + column] : here;
    float south = row < n - 1 ? t[(row + 1) * n + column] : here;
    float west = column > 0 ? t[row * n + column - 1] : here;
    float east = column < n - 1 ? t[row * n + column + 1] : here;

    double flow = (double)(north + south - 2 * here) / (double)chip.y +
                  (double)(west + east - 2 * here) / (double)chip.x +
                  (double)(chip.ambient - here) / (double)chip.air;
    return (float)((double)here + (double)seconds / (double)chip.capacity * ((double)watts + flow));
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
    unsigned n = rows[w->size], cells = n * n, halo = HALO;
    unsigned steps = w->size == HD_WORK_PAPER ? HALO : 5; // the paper's: one launch
    size_t bytes = cells * sizeof(float);
    float *now = hd_work_floats(w, cells, 320, 340), *power = hd_work_floats(w, cells, 0, 5);
    float *got = hd_work_array(w, cells, sizeof *got), *next = hd_work_array(w, cells, sizeof *got);

    CUdeviceptr from = hd_work_upload(w, now, bytes), to = hd_work_buffer(w, bytes);
    CUdeviceptr d_power = hd_work_upload(w, power, bytes);
    CUfunction f = hd_work_kernel(w, "hotspot");
    struct hd_work_grid grid = {(n + INNER - 1) / INNER, (n + INNER - 1) / INNER, BLOCK, BLOCK};
    float step_seconds = seconds;
    hd_work_symbol(w, "chip", &chip, sizeof chip);
    for (unsigned done = 0, some; done < steps; done += some) {
        some = steps - done < HALO ? steps - done : HALO;
        HD_WORK_LAUNCH(w, f, grid, &from, &d_power, &to, &n, &n, &some, &halo, &step_seconds);
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
    .sizes = {"60 x 60 cells, 5 steps", "256 x 256 cells, 5 steps", "512 x 512 cells, 2 steps"},
    .run = run,
};
