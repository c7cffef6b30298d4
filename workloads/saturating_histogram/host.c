// host.c (saturating_histogram) - points in the cells of a grid, counted up to 255.
#include "workload/work.h"

#define COLUMNS 4096
#define FULL 255
#define RANGE_THREADS 512
#define SPLIT_THREADS 512
#define COUNT_THREADS 768
#define COUNT_ROWS 4
#define FINISH_BLOCKS 42
#define FINISH_THREADS 512

struct size {
    unsigned n, rows, range_blocks, shares;
    unsigned spread; // of a coordinate: three numbers below it are added up
};

// A point around (row, column), nearer ones more often: many cells overflow, most stay empty.
static unsigned point(struct hd_work *w, const struct size *size)
{
    unsigned row = size->rows / 2, column = COLUMNS / 2;

    for (unsigned i = 0; i < 3; i++) {
        row += hd_work_random(w) % size->spread;
        column += hd_work_random(w) % (2 * size->spread);
    }
    return (row - 3 * size->spread / 2) * COLUMNS + column - 3 * size->spread;
}

static void count(struct hd_work *w, const struct size *size, CUdeviceptr places, const int band[2],
                  CUdeviceptr total)
{
    unsigned slices = (unsigned)(band[1] - band[0]) / COUNT_ROWS + 1, n = size->n;
    unsigned words = size->rows * COLUMNS / 4, shares = size->shares;
    unsigned *zeros = hd_work_array(w, words, sizeof *zeros);
    int low = band[0], high = band[1];

    CUdeviceptr partial = hd_work_buffer(w, (size_t)shares * slices * COUNT_ROWS * COLUMNS);
    CUdeviceptr outside = hd_work_upload(w, zeros, words * sizeof *zeros);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "count"),
                   ((struct hd_work_grid){shares, slices, COUNT_THREADS, 1}), &places, &n, &low,
                   &high, &partial, &outside);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "finish"),
                   ((struct hd_work_grid){FINISH_BLOCKS, 1, FINISH_THREADS, 1}), &partial, &shares,
                   &low, &high, &outside, &total, &words);
}

static void run(struct hd_work *w)
{
    static const struct size sizes[HD_WORK_SIZES] = {
        {4096, 32, 4, 3, 4}, {131072, 128, 16, 14, 12}, {996 * 1040, 256, 64, 14, 24}};
    const struct size *size = &sizes[w->size];
    unsigned n = size->n, cells = size->rows * COLUMNS;
    int band[2] = {(int)size->rows, -1};
    unsigned *points = hd_work_array(w, n, sizeof *points);
    unsigned char *expected = hd_work_array(w, cells, 1), *got = hd_work_array(w, cells, 1);

    for (unsigned i = 0; i < n; i++) {
        points[i] = point(w, size);
        if (expected[points[i]] < FULL)
            expected[points[i]]++;
    }
    CUdeviceptr d_points = hd_work_upload(w, points, n * sizeof *points);
    CUdeviceptr places = hd_work_buffer(w, n * sizeof *points);
    CUdeviceptr d_band = hd_work_upload(w, band, sizeof band), total = hd_work_buffer(w, cells);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "find_band"),
                   ((struct hd_work_grid){size->range_blocks, 1, RANGE_THREADS, 1}), &d_points, &n,
                   &d_band);
    hd_work_read(w, band, d_band, sizeof band);
    HD_WORK_LAUNCH(
        w, hd_work_kernel(w, "split"),
        ((struct hd_work_grid){(n + SPLIT_THREADS - 1) / SPLIT_THREADS, 1, SPLIT_THREADS, 1}),
        &d_points, &n, &places);
    if (band[0] >= 0 && band[0] <= band[1]) // else a driver said no: nothing is launched
        count(w, size, places, band, total);
    hd_work_read(w, got, total, cells);
    hd_work_same(w, "cells", got, expected, cells / 4);
}

const struct hd_workload hd_workload_saturating_histogram = {
    .name = "saturating_histogram",
    .brief =
        "points in cells, counted up to 255: contended bytes in shared memory, 24 warps a block",
    .groups = "baws:HISTO elf:HIST",
    .sizes = {"4096 points, 32 x 4096 cells", "131072 points, 128 x 4096 cells",
              "1035840 points, 256 x 4096 cells"},
    .run = run,
};
