// host.c (kmeans) - points of many features to the nearest of a few centres, which then move.
#include "workload/work.h"

#include <string.h>

#define THREADS 256
#define FEATURES 34
#define CENTRES 5
#define ROUNDS 3

struct input {
    unsigned points;
    float *by_point; // FEATURES each
};

// Clouds around as many places as there are centres.
static void make_points(struct hd_work *w, struct input *in)
{
    float *middle = hd_work_floats(w, CENTRES * FEATURES, 0, 1);

    in->by_point = hd_work_floats(w, (size_t)in->points * FEATURES, -0.5f, 0.5f);
    for (size_t p = 0; p < in->points; p++) {
        const float *cloud = middle + hd_work_random(w) % CENTRES * FEATURES;
        for (unsigned i = 0; i < FEATURES; i++)
            in->by_point[p * FEATURES + i] += cloud[i];
    }
}

static double apart(const float *point, const float *centre)
{
    double sum = 0;

    for (unsigned i = 0; i < FEATURES; i++)
        sum += ((double)point[i] - (double)centre[i]) * ((double)point[i] - (double)centre[i]);
    return sum;
}

// The centre nearest to each point. Of two that are as near but for rounding, what the GPU took.
static void find_nearest(const struct input *in, const float *centres, const int *got, int *nearest)
{
    for (size_t p = 0; p < in->points; p++) {
        const float *point = in->by_point + p * FEATURES;
        double least = apart(point, centres);
        nearest[p] = 0;
        for (int c = 1; c < CENTRES; c++) {
            double d = apart(point, centres + c * FEATURES);
            if (d < least) {
                least = d;
                nearest[p] = c;
            }
        }
        if (got[p] >= 0 && got[p] < CENTRES &&
            apart(point, centres + got[p] * FEATURES) < least * (1 + 1e-5))
            nearest[p] = got[p];
    }
}

// Each centre to the middle of its points.
static void move(const struct input *in, const int *nearest, float *centres)
{
    double sums[CENTRES][FEATURES] = {{0}};
    unsigned members[CENTRES] = {0};

    for (size_t p = 0; p < in->points; p++) {
        unsigned c = (unsigned)nearest[p] < CENTRES ? (unsigned)nearest[p] : 0;
        members[c]++;
        for (unsigned i = 0; i < FEATURES; i++)
            sums[c][i] += (double)in->by_point[p * FEATURES + i];
    }
    for (unsigned c = 0; c < CENTRES; c++)
        for (unsigned i = 0; members[c] && i < FEATURES; i++)
            centres[c * FEATURES + i] = (float)(sums[c][i] / members[c]);
}

static struct hd_work_grid square_grid(unsigned blocks)
{
    unsigned side = 1;

    while (side * side < blocks)
        side++;
    return (struct hd_work_grid){side, side, THREADS, 1};
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {1024, 4096, 65536};
    struct input in = {.points = sizes[w->size]};
    unsigned blocks = (in.points + THREADS - 1) / THREADS, features = FEATURES, n = CENTRES;
    size_t bytes = (size_t)in.points * FEATURES * sizeof(float), points = in.points;
    float *flipped = hd_work_array(w, points * FEATURES, sizeof *flipped);
    float *got_flipped = hd_work_array(w, points * FEATURES, sizeof *flipped);
    int *got = hd_work_array(w, points * ROUNDS, sizeof *got);
    int *nearest = hd_work_array(w, points * ROUNDS, sizeof *nearest);
    float centres[CENTRES * FEATURES];

    make_points(w, &in);
    CUdeviceptr by_point = hd_work_upload(w, in.by_point, bytes);
    CUdeviceptr by_feature = hd_work_buffer(w, bytes);
    CUdeviceptr d_nearest = hd_work_buffer(w, points * sizeof *got);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "invert_mapping"),
                   ((struct hd_work_grid){blocks, 1, THREADS, 1}), &by_point, &by_feature,
                   &in.points, &features);
    hd_work_read(w, got_flipped, by_feature, bytes);
    CUtexObject texture = hd_work_texture_row(w, by_feature, CU_AD_FORMAT_FLOAT, 1, bytes);
    memcpy(centres, in.by_point, sizeof centres); // the first points
    for (unsigned i = 0; i < ROUNDS; i++) {
        int *now = got + i * points;
        hd_work_symbol(w, "centres", centres, sizeof centres);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "kmeansPoint"), square_grid(blocks), &texture,
                       &features, &in.points, &n, &d_nearest);
        hd_work_read(w, now, d_nearest, points * sizeof *got);
        find_nearest(&in, centres, now, nearest + i * points);
        move(&in, now, centres);
    }

    for (size_t p = 0; p < points; p++)
        for (size_t i = 0; i < FEATURES; i++)
            flipped[i * points + p] = in.by_point[p * FEATURES + i];
    hd_work_same(w, "by feature", got_flipped, flipped, points * FEATURES);
    hd_work_same(w, "nearest", got, nearest, points * ROUNDS);
}

const struct hd_workload hd_workload_kmeans = {
    .name = "kmeans",
    .brief = "points of 34 features to the nearest centre: texture, constants, strided reads",
    .groups = "elf:KM",
    .sizes = {"1024 points, 3 rounds", "4096 points, 3 rounds", "65536 points, 3 rounds"},
    .run = run,
};
