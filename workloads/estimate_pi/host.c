// host.c (estimate_pi) - pi from random points.
#include "workload/work.h"

#include "../xorwow.h"

#define THREADS 128
#define BLOCKS 300 // at most: ten for each of 15 SMs, twice over

static void count_inside(struct xorwow *g, unsigned threads, unsigned points, unsigned *inside)
{
    for (unsigned i = 0; i < points; i++) {
        float x = xorwow_uniform(&g[i % threads]), y = xorwow_uniform(&g[i % threads]);
        if (fmaf(x, x, y * y) < 1)
            inside[i % threads / THREADS]++;
    }
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {256, 1920, 100000};
    unsigned points = sizes[w->size], blocks = (points + THREADS - 1) / THREADS;
    unsigned seed = hd_work_random(w);

    while (blocks > BLOCKS)
        blocks /= 2;
    unsigned threads = blocks * THREADS;
    unsigned *matrices = hd_work_array(w, XORWOW_POWERS * XORWOW_MATRIX, sizeof *matrices);
    struct xorwow *g = hd_work_array(w, threads, sizeof *g);
    struct xorwow *got = hd_work_array(w, threads, sizeof *got);
    unsigned *got_inside = hd_work_array(w, blocks, sizeof *got_inside);
    unsigned *inside = hd_work_array(w, blocks, sizeof *inside);
    xorwow_matrices(matrices);

    CUdeviceptr d_matrices =
        hd_work_upload(w, matrices, XORWOW_POWERS * XORWOW_MATRIX * sizeof *matrices);
    CUdeviceptr generators = hd_work_buffer(w, threads * sizeof *g);
    CUdeviceptr d_inside = hd_work_buffer(w, blocks * sizeof *inside);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "start_generators"), grid, &generators, &d_matrices, &seed);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "count_inside"), grid, &generators, &d_inside, &points);
    hd_work_read(w, got, generators, threads * sizeof *got);
    hd_work_read(w, got_inside, d_inside, blocks * sizeof *inside);

    xorwow_generators(g, threads, matrices, seed);
    // A copy: counting draws from them.
    struct xorwow *drawn = hd_work_array(w, threads, sizeof *drawn);
    memcpy(drawn, g, threads * sizeof *g);
    count_inside(drawn, threads, points, inside);
    hd_work_same(w, "generators", got, g, threads * sizeof *g / sizeof(uint32_t));
    hd_work_same(w, "inside", got_inside, inside, blocks);
}

const struct hd_workload hd_workload_estimate_pi = {
    .name = "estimate_pi",
    .brief = "pi by random points; nearly all of it is the start of the threads' generators: loads",
    .groups = "lfws:EPP",
    .sizes = {"256 points", "1920 points", "100000 points"},
    .run = run,
};
