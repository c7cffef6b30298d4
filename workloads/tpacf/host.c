// host.c (tpacf) - pairs of points on a sphere, counted by their distance.
#include "workload/work.h"

#include <math.h>

#define THREADS 256 // as in kernel.cu
#define BINS 20
#define UNIT 0x1p-11f // see make_points()

struct sky {
    unsigned n, sets; // points of a set; random sets, after the observed one
    float *x, *y, *z;
    float edges[BINS + 1];
};

// Five bins for each tenfold angle, from one minute of arc on.
static void make_edges(struct sky *s)
{
    for (int i = 0; i <= BINS; i++)
        s->edges[i] = (float)cos(pow(10, i / 5.0) / 60 * acos(-1) / 180);
}

// A direction; nearly on the sphere. Coordinates are multiples of UNIT, so the sum of three
// products is exact, and the bin of a pair does not depend on who computes it.
static void make_point(struct sky *s, size_t i, double z, double longitude)
{
    double flat = sqrt(fmax(1 - z * z, 0));

    s->x[i] = (float)rint(flat * cos(longitude) / (double)UNIT) * UNIT;
    s->y[i] = (float)rint(flat * sin(longitude) / (double)UNIT) * UNIT;
    s->z[i] = (float)rint(z / (double)UNIT) * UNIT;
}

// Random points are anywhere, observed ones in heaps of eight.
static void make_points(struct hd_work *w, struct sky *s)
{
    size_t all = (size_t)s->n * (s->sets + 1);
    double z = 0, longitude = 0, turn = 2 * acos(-1);

    s->x = hd_work_array(w, all, sizeof *s->x);
    s->y = hd_work_array(w, all, sizeof *s->y);
    s->z = hd_work_array(w, all, sizeof *s->z);
    for (size_t i = 0; i < all; i++) {
        if (i >= s->n || i % 8 == 0) {
            z = (double)hd_work_random_float(w, -1, 1);
            longitude = turn * (double)hd_work_random_float(w, 0, 1);
            make_point(s, i, z, longitude);
        } else {
            double away = (double)hd_work_random_float(w, -0.1f, 0.1f);
            make_point(s, i, fmin(fmax(z + away, -1), 1),
                       longitude + (double)hd_work_random_float(w, -0.1f, 0.1f));
        }
    }
}

static void count(const struct sky *s, size_t i, size_t k, unsigned *counts)
{
    float cosine = s->x[i] * s->x[k] + s->y[i] * s->y[k] + s->z[i] * s->z[k];

    for (int bin = 0; bin < BINS; bin++)
        if (cosine < s->edges[bin] && cosine >= s->edges[bin + 1])
            counts[bin]++;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][2] = {{64, 3}, {256, 2}, {1024, 20}};
    struct sky s = {.n = sizes[w->size][0], .sets = sizes[w->size][1]};
    unsigned blocks = 2 * s.sets + 1;
    size_t points = (size_t)s.n * (s.sets + 1) * sizeof(float), n = (size_t)blocks * BINS;
    unsigned *got = hd_work_array(w, n, sizeof *got);
    unsigned *expected = hd_work_array(w, n, sizeof *expected);

    make_edges(&s);
    make_points(w, &s);
    CUdeviceptr x = hd_work_upload(w, s.x, points), y = hd_work_upload(w, s.y, points);
    CUdeviceptr z = hd_work_upload(w, s.z, points), to = hd_work_buffer(w, n * sizeof *got);
    hd_work_symbol(w, "edges", s.edges, sizeof s.edges);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "gen_hists"),
                   ((struct hd_work_grid){blocks, 1, THREADS, 1}), &to, &x, &y, &z, &s.sets, &s.n);
    hd_work_read(w, got, to, n * sizeof *got);

    for (unsigned b = 0; b < blocks; b++)
        for (size_t i = 0; i < s.n; i++)
            for (size_t k = 0; k < (b <= s.sets ? i : s.n); k++)
                count(&s, (size_t)s.n * (b <= s.sets ? b : b - s.sets) + i,
                      (b <= s.sets ? (size_t)s.n * b : 0) + k, &expected[b * BINS]);
    hd_work_same(w, "pairs", got, expected, n);
}

const struct hd_workload hd_workload_tpacf = {
    .name = "tpacf",
    .brief =
        "pairs of points counted by distance: binary search, diverging atomics in shared memory",
    .groups = "elf:TPACF",
    .sizes = {"64 points, 3 random sets", "256 points, 2 random sets",
              "1024 points, 20 random sets"},
    .run = run,
};
