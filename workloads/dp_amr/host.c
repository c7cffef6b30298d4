// host.c (dp_amr) - patches of a refined mesh, a kernel for each.
//
// The threshold is the lowest with which there are not more patches than LASER has kernels.
#include "workload/work.h"

#include "../dp_inputs.h"

#include <math.h>

#define CELLS 8
#define FRONTS 3
#define LEVELS 24      // at most
#define SPAN (1 << 28) // of the root patch: its cells halve 24 times and still have a middle

struct front { // as in kernels
    int x, y, radius, width;
};
struct fire {
    struct front fronts[FRONTS];
    int x, y, threshold, levels;
};
struct mesh { // a row of cells for each patch, in the place that a hash gives; NULL: only count
    uint64_t *cells;
    unsigned rows, patches;
};

static int distance_to(int x, int y, int to_x, int to_y)
{
    int64_t dx = x - to_x, dy = y - to_y;

    return (int)sqrt((double)(dx * dx + dy * dy));
}

static int heat(const struct fire *f, int x, int y)
{
    int sum = 0;

    for (int i = 0; i < FRONTS; i++) {
        const struct front *r = &f->fronts[i];
        int inside = r->radius - distance_to(x, y, r->x, r->y);
        int64_t part = (int64_t)inside * 4096 / r->width;
        sum += (int)(part < 0 ? 0 : part > 4096 ? 4096 : part);
    }
    return sum;
}

static bool is_steep(const struct fire *f, int x, int y, int half)
{
    int64_t near = ((int64_t)half << 13) / (distance_to(x, y, f->x, f->y) + 1);

    return near > f->threshold || abs(heat(f, x + half, y) - heat(f, x - half, y)) > f->threshold ||
           abs(heat(f, x, y + half) - heat(f, x, y - half)) > f->threshold;
}

static unsigned row_of(int x, int y, int level, unsigned rows)
{
    unsigned h =
        (unsigned)x * 0x9e3779b1u + (unsigned)y * 0x85ebca77u + (unsigned)level * 0xc2b2ae3du;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (h ^ h >> 15) % rows;
}

// Adds a patch and those that refine it, until there are more than `most`.
static void refine(const struct fire *f, struct mesh *m, int x, int y, int half, int level,
                   unsigned most)
{
    bool steep[4] = {false, false, false, false};

    if (m->patches > most)
        return;
    m->patches++;
    uint64_t *cells = m->cells ? m->cells + row_of(x, y, level, m->rows) * CELLS * CELLS : NULL;
    for (int i = 0; i < CELLS * CELLS; i++) {
        int column = i % CELLS, row = i / CELLS, quarter = column / 4 + 2 * (row / 4);
        int cx = x + (2 * column + 1) * half, cy = y + (2 * row + 1) * half;
        if (cells)
            cells[i] += (uint64_t)heat(f, cx, cy) + 1;
        steep[quarter] = steep[quarter] || is_steep(f, cx, cy, half);
    }
    for (int q = 0; q < 4; q++)
        if (steep[q] && level < f->levels)
            refine(f, m, x + (q & 1) * CELLS * half, y + (q >> 1) * CELLS * half, half / 2,
                   level + 1, most);
}

static unsigned patches_of(const struct fire *f, unsigned most)
{
    struct mesh m = {.cells = NULL};

    refine(f, &m, 0, 0, SPAN / CELLS / 2, 0, most);
    return m.patches;
}

static struct fire make_fire(struct hd_work *w, int levels, unsigned patches)
{
    struct fire f = {.levels = levels};
    int low = 64, high = 16384;

    for (int i = 0; i < FRONTS; i++)
        f.fronts[i] = (struct front){.x = (int)(dp_uniform(w) * SPAN),
                                     .y = (int)(dp_uniform(w) * SPAN),
                                     .radius = (int)((0.15 + 0.3 * dp_uniform(w)) * SPAN),
                                     .width = SPAN >> 8};
    f.x = (int)(dp_uniform(w) * SPAN);
    f.y = (int)(dp_uniform(w) * SPAN);
    while (high - low > 1) {
        f.threshold = (low + high) / 2;
        if (patches_of(&f, patches) > patches)
            low = f.threshold;
        else
            high = f.threshold;
    }
    f.threshold = high;
    return f;
}

static void run(struct hd_work *w)
{
    static const struct {
        int levels;
        unsigned patches, rows;
    } sizes[HD_WORK_SIZES] = {{6, 40, 1 << 12}, {12, 300, 1 << 14}, {24, 1261, 1 << 15}};
    unsigned rows = sizes[w->size].rows;
    struct fire f = make_fire(w, sizes[w->size].levels, sizes[w->size].patches);
    size_t n = (size_t)rows * CELLS * CELLS;
    uint64_t *got = hd_work_array(w, n, sizeof *got);
    uint64_t *expected = hd_work_array(w, n, sizeof *expected);
    struct mesh m = {.cells = expected, .rows = rows};
    int x = 0, y = 0, half = SPAN / CELLS / 2, level = 0;

    CUdeviceptr mesh = hd_work_upload(w, got, n * sizeof *got);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "patch"), ((struct hd_work_grid){1, 1, CELLS * CELLS, 1}),
                   &f, &mesh, &rows, &x, &y, &half, &level);
    hd_work_read(w, got, mesh, n * sizeof *got);
    refine(&f, &m, x, y, half, level, UINT32_MAX - 1);
    hd_work_same(w, "mesh", got, expected, 2 * n);
}

const struct hd_workload hd_workload_dp_amr = {
    .name = "dp_amr",
    .brief = "a mesh refined where a field is steep, a kernel launched for each finer patch",
    .groups = "laser:AMR",
    .dynamic = true,
    .sizes = {"1856 cells, 29 patches, 6 levels", "19,200 cells, 300 patches, 12 levels",
              "80,704 cells, 1261 patches, 24 levels"},
    .run = run,
};
