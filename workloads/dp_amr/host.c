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
struct mesh { // sums over the patches of each level
    unsigned cells[LEVELS + 1], patches[LEVELS + 1], total;
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

// Adds a patch and those that refine it, until there are more than `most`.
static void refine(const struct fire *f, struct mesh *m, int x, int y, int half, int level,
                   unsigned most)
{
    bool steep[4] = {false, false, false, false};

    if (m->total > most)
        return;
    m->total++;
    m->patches[level]++;
    for (int i = 0; i < CELLS * CELLS; i++) {
        int column = i % CELLS, row = i / CELLS, quarter = column / 4 + 2 * (row / 4);
        int cx = x + (2 * column + 1) * half, cy = y + (2 * row + 1) * half;
        m->cells[level] += (unsigned)heat(f, cx, cy);
        steep[quarter] = steep[quarter] || is_steep(f, cx, cy, half);
    }
    for (int q = 0; q < 4; q++)
        if (steep[q] && level < f->levels)
            refine(f, m, x + (q & 1) * CELLS * half, y + (q >> 1) * CELLS * half, half / 2,
                   level + 1, most);
}

static struct mesh mesh_of(const struct fire *f, unsigned most)
{
    struct mesh m = {.total = 0};

    refine(f, &m, 0, 0, SPAN / CELLS / 2, 0, most);
    return m;
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
        if (mesh_of(&f, patches).total > patches)
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
        unsigned patches;
    } sizes[HD_WORK_SIZES] = {{6, 40}, {12, 300}, {24, 1261}};
    struct fire f = make_fire(w, sizes[w->size].levels, sizes[w->size].patches);
    struct mesh *got = hd_work_array(w, 1, sizeof *got);
    struct mesh *expected = hd_work_array(w, 1, sizeof *expected);
    int x = 0, y = 0, half = SPAN / CELLS / 2, level = 0;

    CUdeviceptr fire = hd_work_upload(w, &f, sizeof f);
    CUdeviceptr cells = hd_work_upload(w, got->cells, sizeof got->cells);
    CUdeviceptr patches = hd_work_upload(w, got->patches, sizeof got->patches);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "patch"), ((struct hd_work_grid){1, 1, CELLS * CELLS, 1}),
                   &fire, &cells, &patches, &x, &y, &half, &level);
    hd_work_read(w, got->cells, cells, sizeof got->cells);
    hd_work_read(w, got->patches, patches, sizeof got->patches);
    *expected = mesh_of(&f, UINT32_MAX - 1);
    hd_work_same(w, "patches", got->patches, expected->patches, LEVELS + 1);
    hd_work_same(w, "heat", got->cells, expected->cells, LEVELS + 1);
}

const struct hd_workload hd_workload_dp_amr = {
    .name = "dp_amr",
    .brief = "a mesh refined where a field is steep, a kernel launched for each finer patch",
    .groups = "laser:AMR",
    .dynamic = true,
    .sizes = {"40 patches, 6 levels", "300 patches, 12 levels", "1261 patches, 24 levels"},
    .run = run,
};
