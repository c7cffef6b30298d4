// host.c (particle_filter) - a bright disk, followed through a video by a particle filter.
#include "workload/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 512
#define RADIUS 5
#define DISK_MAX ((2 * RADIUS - 1) * (2 * RADIUS - 1))
#define BACKGROUND 100
#define FOREGROUND 228

struct video {
    int side, frames;       // pixel (x, y) of frame f is at (x * side + y) * frames + f
    int points;             // of the disk
    int disk[2 * DISK_MAX]; // row and column of each, from the middle
    unsigned char *pixels;
};

// What the kernels left in each frame after the first: `n` numbers each.
struct record {
    size_t n;
    float *x, *y, *weights, *shares, *running, *draws, *drawn_x, *drawn_y;
};

struct device {
    CUdeviceptr x, y, drawn_x, drawn_y, places, disk, likelihoods, video, weights, shares, seeds,
        sums, running, draws;
};

static size_t pixels_of(const struct video *v)
{
    return (size_t)v->side * (size_t)v->side * (size_t)v->frames;
}

static void make_video(struct hd_work *w, struct video *v)
{
    v->pixels = hd_work_array(w, pixels_of(v), 1);
    for (int y = 1 - RADIUS; y < RADIUS; y++)
        for (int x = 1 - RADIUS; x < RADIUS; x++)
            if (x * x + y * y < RADIUS * RADIUS) {
                v->disk[2 * v->points] = y;
                v->disk[2 * v->points++ + 1] = x;
            }
    for (int x = 0, at = 0; x < v->side; x++)
        for (int y = 0; y < v->side; y++)
            for (int f = 0; f < v->frames; f++, at++) {
                int dx = x - (v->side / 2 + f), dy = y - (v->side / 2 - 2 * f);
                int colour = dx * dx + dy * dy < RADIUS * RADIUS ? FOREGROUND : BACKGROUND;
                v->pixels[at] = (unsigned char)(colour + (int)(hd_work_random(w) % 21) - 10);
            }
}

static struct record make_record(struct hd_work *w, size_t n, size_t frames)
{
    struct record r = {.n = n};
    float **arrays[] = {&r.x,       &r.y,     &r.weights, &r.shares,
                        &r.running, &r.draws, &r.drawn_x, &r.drawn_y};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = hd_work_array(w, n * frames, sizeof(float));
    return r;
}

static struct device upload(struct hd_work *w, const struct video *v, const int *seeds, size_t n)
{
    struct device d;
    size_t bytes = n * sizeof(float), pixels = pixels_of(v);
    float *middle = hd_work_array(w, n, sizeof *middle);
    int half = v->side / 2;

    for (size_t i = 0; i < n; i++)
        middle[i] = (float)half;
    d.drawn_x = hd_work_upload(w, middle, bytes);
    d.drawn_y = hd_work_upload(w, middle, bytes);
    d.x = hd_work_buffer(w, bytes);
    d.y = hd_work_buffer(w, bytes);
    d.places = hd_work_buffer(w, bytes * (size_t)v->points);
    d.disk = hd_work_upload(w, v->disk, 2 * (size_t)v->points * sizeof(int));
    d.likelihoods = hd_work_buffer(w, bytes);
    d.video = hd_work_upload(w, v->pixels, pixels);
    d.weights = hd_work_buffer(w, bytes);
    d.shares = hd_work_buffer(w, bytes);
    d.seeds = hd_work_upload(w, seeds, bytes);
    d.sums = hd_work_buffer(w, bytes);
    d.running = hd_work_buffer(w, bytes);
    d.draws = hd_work_buffer(w, bytes);
    return d;
}

// One frame; what each kernel gives is read into row f - 1 of the record.
static void track(struct hd_work *w, const struct video *v, struct device *d, struct record *r,
                  int f)
{
    int n = (int)r->n, points = v->points, pixels = v->side * v->side * v->frames;
    int side = v->side, frames = v->frames;
    struct hd_work_grid grid = {(unsigned)(n + THREADS - 1) / THREADS, 1, THREADS, 1};
    size_t at = r->n * (size_t)(f - 1), bytes = r->n * sizeof(float);

    HD_WORK_LAUNCH(w, hd_work_kernel(w, "likelihood"), grid, &d->x, &d->y, &d->drawn_x, &d->drawn_y,
                   &d->places, &d->disk, &d->likelihoods, &d->video, &d->weights, &n, &points,
                   &pixels, &f, &side, &frames, &d->seeds, &d->sums);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "sum"), grid, &d->sums, &n);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "normalize_weight"), grid, &d->weights, &d->shares, &n,
                   &d->sums, &d->running, &d->draws, &d->seeds);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "find_index"), grid, &d->x, &d->y, &d->running, &d->draws,
                   &d->drawn_x, &d->drawn_y, &n);
    hd_work_read(w, r->x + at, d->x, bytes);
    hd_work_read(w, r->y + at, d->y, bytes);
    hd_work_read(w, r->weights + at, d->weights, bytes);
    hd_work_read(w, r->shares + at, d->shares, bytes);
    hd_work_read(w, r->running + at, d->running, bytes);
    hd_work_read(w, r->draws + at, d->draws, bytes);
    hd_work_read(w, r->drawn_x + at, d->drawn_x, bytes);
    hd_work_read(w, r->drawn_y + at, d->drawn_y, bytes);
}

static float uniform(int seed)
{
    return fabsf((float)seed / 2147483647.0f);
}

static int after(int seed)
{
    return (int)(1103515245u * (unsigned)seed + 12345u) % 2147483647;
}

static double normal(int *seed)
{
    int first = after(*seed);

    *seed = after(first);
    return sqrt(-2 * log((double)uniform(first))) *
           cos(6.28318530717958648 * (double)uniform(*seed));
}

static double weigh(const struct video *v, float x, float y, int f)
{
    double sum = 0;

    for (int k = 0; k < v->points; k++) {
        int column = (int)x + v->disk[2 * k + 1], row = (int)y + v->disk[2 * k];
        int at = abs((column * v->side + row) * v->frames + f);
        double pixel = v->pixels[at < v->side * v->side * v->frames ? at : 0];
        sum += ((pixel - BACKGROUND) * (pixel - BACKGROUND) -
                (pixel - FOREGROUND) * (pixel - FOREGROUND)) /
               1000;
    }
    return exp(sum / v->points);
}

// What each kernel makes of what the GPU gave it: a filter is chaotic, so that the host's own would
// soon be elsewhere.
static void expect(const struct video *v, int *seeds, const struct record *got,
                   const struct record *to, int f)
{
    size_t n = got->n, at = n * (size_t)(f - 1), hit = 0;
    int half = v->side / 2;
    double all = 0, middle = half;

    for (size_t i = 0; i < n; i++) {
        double x = f > 1 ? (double)got->drawn_x[at - n + i] : middle;
        double y = f > 1 ? (double)got->drawn_y[at - n + i] : middle;
        to->x[at + i] = (float)(x + 1 + 5 * normal(&seeds[i]));
        to->y[at + i] = (float)(y - 2 + 2 * normal(&seeds[i]));
        to->weights[at + i] = (float)(weigh(v, got->x[at + i], got->y[at + i], f) / (double)n);
        all += (double)got->weights[at + i];
    }
    for (size_t i = 0; i < n; i++) {
        to->shares[at + i] = (float)((double)got->weights[at + i] / all);
        to->running[at + i] = to->shares[at + i] + (i ? to->running[at + i - 1] : 0);
        to->draws[at + i] = uniform(after(seeds[0])) / (float)n + (float)i / (float)n;
    }
    for (size_t i = 0; i < n; i++) { // draws rise, and so do running sums
        while (hit < n - 1 && got->running[at + hit] < got->draws[at + i])
            hit++;
        to->drawn_x[at + i] = got->x[at + hit];
        to->drawn_y[at + i] = got->y[at + hit];
    }
}

static void run(struct hd_work *w)
{
    static const int sides[HD_WORK_SIZES] = {64, 128, 128};
    static const int frames[HD_WORK_SIZES] = {3, 3, 10};
    static const size_t particles[HD_WORK_SIZES] = {200, 1000, 1000};
    struct video v = {.side = sides[w->size], .frames = frames[w->size]};
    size_t n = particles[w->size], rows = (size_t)v.frames - 1;
    int *seeds = hd_work_array(w, n, sizeof *seeds);
    struct record got = make_record(w, n, rows), expected = make_record(w, n, rows);

    make_video(w, &v);
    for (size_t i = 0; i < n; i++)
        seeds[i] = (int)(hd_work_random(w) >> 1);
    struct device d = upload(w, &v, seeds, n);
    for (int f = 1; f < v.frames; f++)
        track(w, &v, &d, &got, f);

    for (int f = 1; f < v.frames; f++)
        expect(&v, seeds, &got, &expected, f);
    hd_work_near(w, "x", got.x, expected.x, n * rows, 1e-3);
    hd_work_near(w, "y", got.y, expected.y, n * rows, 1e-3);
    hd_work_near(w, "weights", got.weights, expected.weights, n * rows, 1e-3);
    hd_work_near(w, "shares", got.shares, expected.shares, n * rows, 1e-5);
    hd_work_near(w, "running sums", got.running, expected.running, n * rows, 1e-4);
    hd_work_near(w, "draws", got.draws, expected.draws, n * rows, 1e-5);
    hd_work_same(w, "drawn x", got.drawn_x, expected.drawn_x, n * rows);
    hd_work_same(w, "drawn y", got.drawn_y, expected.drawn_y, n * rows);
}

const struct hd_workload hd_workload_particle_filter = {
    .name = "particle_filter",
    .brief = "a disk followed through a video by particles: one or two blocks, serial loops, many "
             "launches",
    .groups = "elf:PF",
    .sizes = {"64 x 64 pixels, 3 frames, 200 particles",
              "128 x 128 pixels, 3 frames, 1000 particles",
              "128 x 128 pixels, 10 frames, 1000 particles"},
    .run = run,
};
