// host.c (nearest_neighbor) - the records that lie nearest to a point of the map.
#include "workload/work.h"

#include <math.h>

#define THREADS 256
#define NEAREST 5 // how many are asked for

struct place {
    float latitude, longitude;
};

// The shortest distances, in order.
static float *shortest(struct hd_work *w, const float *distance, unsigned n)
{
    float *best = hd_work_array(w, NEAREST + 1, sizeof *best);

    for (unsigned k = 0; k < NEAREST; k++)
        best[k] = INFINITY;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = NEAREST;
        for (; k > 0 && distance[i] < best[k - 1]; k--)
            best[k] = best[k - 1];
        best[k] = distance[i];
    }
    return best;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES] = {10691, 21382, 42764};
    float latitude = 30, longitude = 90; // of the point
    unsigned n = sizes[w->size];
    struct place *places = hd_work_array(w, n, sizeof *places);
    float *got = hd_work_array(w, n, sizeof *got), *expected = hd_work_array(w, n, sizeof *got);

    for (unsigned i = 0; i < n; i++) {
        places[i].latitude = hd_work_random_float(w, 7, 64);
        places[i].longitude = hd_work_random_float(w, 0, 358);
    }
    CUdeviceptr d_places = hd_work_upload(w, places, n * sizeof *places);
    CUdeviceptr d_distance = hd_work_buffer(w, n * sizeof *got);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "distances"), grid, &d_places, &d_distance, &n, &latitude,
                   &longitude);
    hd_work_read(w, got, d_distance, n * sizeof *got);

    for (unsigned i = 0; i < n; i++)
        expected[i] = (float)hypot((double)latitude - (double)places[i].latitude,
                                   (double)longitude - (double)places[i].longitude);
    hd_work_near(w, "distances", got, expected, n, 1e-6);
    hd_work_near(w, "nearest", shortest(w, got, n), shortest(w, expected, n), NEAREST, 1e-6);
}

const struct hd_workload hd_workload_nearest_neighbor = {
    .name = "nearest_neighbor",
    .brief = "distances of hurricanes from a point: short threads, nothing but memory and a root",
    .groups = "lfws:NNEI",
    .sizes = {"10691 records", "21382 records", "42764 records"},
    .run = run,
};
