// host.c (pathfinder) - cheapest ways down a grid.
#include "workload/work.h"

#include <string.h>

#define THREADS 256
#define HALO 20 // rows in a launch
#define INNER (THREADS - 2 * HALO)

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Costs of all cells of the last row.
static void find_ways(const int *wall, int *now, int *next, unsigned columns, unsigned rows)
{
    memcpy(now, wall, columns * sizeof *now);
    for (unsigned r = 1; r < rows; r++) {
        for (unsigned c = 0; c < columns; c++) {
            int left = now[c > 0 ? c - 1 : c], right = now[c < columns - 1 ? c + 1 : c];
            next[c] = least(now[c], least(left, right)) + wall[r * columns + c];
        }
        memcpy(now, next, columns * sizeof *now);
    }
}

static void run(struct hd_work *w)
{
    static const unsigned widths[HD_WORK_SIZES] = {2500, 30000, 100000};
    static const unsigned heights[HD_WORK_SIZES] = {31, 61, 100};
    unsigned columns = widths[w->size], rows = heights[w->size];
    size_t bytes = columns * sizeof(int);
    int *wall = hd_work_array(w, (size_t)rows * columns, sizeof *wall);
    int *got = hd_work_array(w, columns, sizeof *got);
    int *expected = hd_work_array(w, columns, sizeof *got);

    for (size_t i = 0; i < (size_t)rows * columns; i++)
        wall[i] = (int)(hd_work_random(w) % 10);
    CUdeviceptr d_wall = hd_work_upload(w, wall, rows * bytes);
    CUdeviceptr from = hd_work_upload(w, wall, bytes), to = hd_work_buffer(w, bytes);
    CUfunction f = hd_work_kernel(w, "pathfinder");
    // The last launch may do fewer rows, each block more columns, and its last blocks nothing.
    struct hd_work_grid grid = {(columns + INNER - 1) / INNER, 1, THREADS, 1};
    for (unsigned row = 1, some; row < rows; row += some) {
        some = rows - row < HALO ? rows - row : HALO;
        HD_WORK_LAUNCH(w, f, grid, &d_wall, &from, &to, &columns, &row, &some);
        CUdeviceptr last = to;
        to = from;
        from = last;
    }
    hd_work_read(w, got, from, bytes);

    find_ways(wall, expected, hd_work_array(w, columns, sizeof *got), columns, rows);
    hd_work_same(w, "costs", got, expected, columns);
}

const struct hd_workload hd_workload_pathfinder = {
    .name = "pathfinder",
    .brief = "cheapest ways down a grid, row by row in shared memory: two barriers a row",
    .groups = "first8 lfws:PF pro:pathfinder",
    .sizes = {"2500 columns, 31 rows", "30000 columns, 61 rows", "100000 columns, 100 rows"},
    .run = run,
};
