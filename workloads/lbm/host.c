// host.c (lbm) - one step of a fluid in a box whose lid moves.
#include "workload/work.h"

#include <string.h>

// As in kernel.cu.
#define ROW 128
#define LAYER ((size_t)ROW * 120)
#define MARGIN (2 * LAYER)
#define CELLS (MARGIN + 32 * LAYER + MARGIN)
#define DIRECTIONS 19
#define WALL 1u
#define DRIVEN 2u
#define OMEGA 1.95

#define WIDTH 120 // cells of a row

static const int directions[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

// The host keeps only the rows and layers that the box has.
struct box {
    int rows, layers;
    size_t cells; // numbers of a direction, ROW a row
};

static size_t place(const struct box *b, int x, int y, int z)
{
    return ((size_t)z * (size_t)b->rows + (size_t)y) * ROW + (size_t)x;
}

static bool inside(const struct box *b, int x, int y, int z)
{
    return x >= 0 && x < WIDTH && y >= 0 && y < b->rows && z >= 0 && z < b->layers;
}

static double weight(int i)
{
    return i == 0 ? 1.0 / 3 : i < 7 ? 1.0 / 18 : 1.0 / 36;
}

// The box has walls all around, and the fluid beside the lowest and the highest is driven.
static unsigned kind(const struct box *b, int x, int y, int z)
{
    if (x == 0 || x == WIDTH - 1 || y == 0 || y == b->rows - 1 || z == 0 || z == b->layers - 1)
        return WALL;
    if ((z == 1 || z == b->layers - 2) && x > 1 && x < WIDTH - 2 && y > 1 && y < b->rows - 2)
        return DRIVEN;
    return 0;
}

// Near rest, with the kinds after the directions.
static float *make_cells(struct hd_work *w, const struct box *b)
{
    float *cells = hd_work_array(w, (DIRECTIONS + 1) * b->cells, sizeof *cells);

    for (int z = 0; z < b->layers; z++)
        for (int y = 0; y < b->rows; y++)
            for (int x = 0; x < WIDTH; x++) {
                size_t here = place(b, x, y, z);
                unsigned is = kind(b, x, y, z);
                for (int i = 0; i < DIRECTIONS; i++)
                    cells[(size_t)i * b->cells + here] =
                        (float)weight(i) * hd_work_random_float(w, 0.9f, 1.1f);
                memcpy(&cells[DIRECTIONS * b->cells + here], &is, sizeof is);
            }
    return cells;
}

static void collide(double f[DIRECTIONS], bool driven)
{
    double density = 0, v[3] = {0}, rest = 1;

    for (int i = 0; i < DIRECTIONS; i++) {
        density += f[i];
        for (int axis = 0; axis < 3; axis++)
            v[axis] += directions[i][axis] * f[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] = driven ? (double[]){0.005, 0.002, 0}[axis] : v[axis] / density;
        rest -= 1.5 * v[axis] * v[axis];
    }
    for (int i = 0; i < DIRECTIONS; i++) {
        double a = directions[i][0] * v[0] + directions[i][1] * v[1] + directions[i][2] * v[2];
        f[i] += OMEGA * (weight(i) * density * (rest + 3 * a + 4.5 * a * a) - f[i]);
    }
}

// What the step brings to each cell. `from_outside` stays 1 where it is not from a cell of the box.
static void step(const struct box *b, const float *from, float *to, unsigned char *from_outside)
{
    double f[DIRECTIONS];

    for (int z = 0; z < b->layers; z++)
        for (int y = 0; y < b->rows; y++)
            for (int x = 0; x < WIDTH; x++) {
                size_t here = place(b, x, y, z);
                unsigned is = kind(b, x, y, z);
                for (int i = 0; i < DIRECTIONS; i++) { // a wall sends back: 1 and 2, 3 and 4, ...
                    int of = is & WALL && i ? ((i - 1) ^ 1) + 1 : i;
                    f[i] = (double)from[(size_t)of * b->cells + here];
                }
                if (!(is & WALL))
                    collide(f, is & DRIVEN);
                for (int i = 0; i < DIRECTIONS; i++) {
                    const int *d = directions[i];
                    if (!inside(b, x + d[0], y + d[1], z + d[2]))
                        continue;
                    size_t at = (size_t)i * b->cells + place(b, x + d[0], y + d[1], z + d[2]);
                    to[at] = (float)f[i];
                    from_outside[at] = 0;
                }
            }
}

// One layer of one direction, on the device and here.
static CUdeviceptr on_device(CUdeviceptr all, int direction, int layer)
{
    return all + ((size_t)direction * CELLS + MARGIN + (size_t)layer * LAYER) * sizeof(float);
}

static float *on_host(const struct box *b, float *all, int direction, int layer)
{
    return &all[(size_t)direction * b->cells + place(b, 0, 0, layer)];
}

static void run(struct hd_work *w)
{
    static const int sizes[HD_WORK_SIZES][2] = {{8, 4}, {24, 16}, {120, 32}}; // rows, layers
    struct box b = {.rows = sizes[w->size][0], .layers = sizes[w->size][1]};
    size_t layer_bytes = (size_t)b.rows * ROW * sizeof(float);
    size_t all = (DIRECTIONS + 1) * CELLS * sizeof(float);
    CUdeviceptr from = hd_work_buffer(w, all), to = hd_work_buffer(w, all);

    b.cells = (size_t)b.rows * (size_t)b.layers * ROW;
    float *cells = make_cells(w, &b);
    size_t n = DIRECTIONS * b.cells;
    float *got = hd_work_array(w, n, sizeof *got), *expected = hd_work_array(w, n, sizeof *got);
    unsigned char *from_outside = hd_work_array(w, n, 1);
    for (int i = 0; i <= DIRECTIONS; i++)
        for (int z = 0; z < b.layers; z++)
            hd_work_write(w, on_device(from, i, z), on_host(&b, cells, i, z), layer_bytes);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "StreamCollide"),
                   ((struct hd_work_grid){(unsigned)b.rows, (unsigned)b.layers, WIDTH, 1}), &from,
                   &to);
    for (int i = 0; i < DIRECTIONS; i++)
        for (int z = 0; z < b.layers; z++)
            hd_work_read(w, on_host(&b, got, i, z), on_device(to, i, z), layer_bytes);

    memset(from_outside, 1, n);
    step(&b, cells, expected, from_outside);
    for (size_t i = 0; i < n; i++)
        if (from_outside[i])
            got[i] = 0;
    hd_work_near(w, "cells", got, expected, n, 1e-6);
}

const struct hd_workload hd_workload_lbm = {
    .name = "lbm",
    .brief = "fluid by the lattice Boltzmann method: 20 loads and 19 stores a thread, no reuse",
    .groups = "elf:LBM",
    .sizes = {"120 x 8 x 4 cells", "120 x 24 x 16 cells", "120 x 120 x 32 cells"},
    .run = run,
};
