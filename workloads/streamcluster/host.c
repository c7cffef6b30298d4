// host.c (streamcluster) - centres for a set of points: a local search for the facility location
// problem (Charikar and Guha 1999). Every open centre costs `price`, every point its distance.
//
// The search runs twice, once with the gains that the device computes and once with the host's.
#include "workload/work.h"

#include <math.h>
#include <string.h>

#define THREADS 512
#define CENTRES_MIN 10 // wanted: the price goes up or down until it is so
#define CENTRES_MAX 20
#define CENTRES_LIMIT 128
#define CLUSTERS 16                               // of the points
#define STRIDE(centres) (((centres) + 8) / 8 * 8) // floats of a row for them and one more

struct point { // as in kernel.cu
    float weight;
    int centre;
    float cost;
};

struct search {
    struct hd_work *w;
    unsigned n, dimensions, rounds, tries;
    const float *coordinates; // dimension by dimension
    struct point *points;
    int *places; // of a centre in a row of `savings`; -1: no centre
    unsigned centres;
    double price;
    float *savings;
    unsigned char *moves;
    CUfunction gain; // NULL: the host computes the gains
    CUdeviceptr d_points, d_coordinates, d_places, d_savings, d_moves;
};

static float squared_distance(const struct search *s, unsigned a, unsigned b)
{
    float sum = 0;

    for (unsigned d = 0; d < s->dimensions; d++) {
        const float *row = s->coordinates + (size_t)d * s->n;
        float difference = row[a] - row[b];
        sum = fmaf(difference, difference, sum);
    }
    return sum;
}

static void gain_on_host(struct search *s, unsigned candidate)
{
    unsigned stride = STRIDE(s->centres);

    for (unsigned p = 0; p < s->n; p++) {
        const struct point *point = &s->points[p];
        float cost = squared_distance(s, p, candidate) * point->weight;
        if (cost < point->cost) {
            s->moves[p] = 1;
            s->savings[p * stride + s->centres] += cost - point->cost;
        } else {
            s->savings[p * stride + (unsigned)s->places[point->centre]] += point->cost - cost;
        }
    }
}

static void gain_on_device(struct search *s, unsigned candidate)
{
    struct hd_work *w = s->w;
    unsigned stride = STRIDE(s->centres);
    struct hd_work_grid grid = {(s->n + THREADS - 1) / THREADS, 1, THREADS, 1};

    hd_work_write(w, s->d_points, s->points, s->n * sizeof *s->points);
    hd_work_write(w, s->d_places, s->places, s->n * sizeof *s->places);
    hd_work_write(w, s->d_savings, s->savings, s->n * stride * sizeof *s->savings);
    hd_work_write(w, s->d_moves, s->moves, s->n);
    HD_WORK_LAUNCH(w, s->gain, grid, &s->d_points, &s->d_coordinates, &s->n, &s->dimensions,
                   &candidate, &s->d_places, &s->centres, &stride, &s->d_savings, &s->d_moves);
    hd_work_read(w, s->savings, s->d_savings, s->n * stride * sizeof *s->savings);
    hd_work_read(w, s->moves, s->d_moves, s->n);
}

// Give a point to a centre.
static void belong(struct search *s, unsigned p, unsigned centre)
{
    s->points[p].centre = (int)centre;
    s->points[p].cost = squared_distance(s, p, centre) * s->points[p].weight;
}

// Open the candidate if that lowers the sum of all costs, and close the centres that this makes
// superfluous.
static void try_candidate(struct search *s, unsigned candidate)
{
    unsigned stride = STRIDE(s->centres);
    double sums[CENTRES_LIMIT + 1] = {0}, change = s->price;

    if (s->centres == CENTRES_LIMIT)
        return;
    memset(s->savings, 0, s->n * stride * sizeof *s->savings);
    memset(s->moves, 0, s->n);
    if (s->gain)
        gain_on_device(s, candidate);
    else
        gain_on_host(s, candidate);
    for (unsigned p = 0; p < s->n; p++)
        for (unsigned c = 0; c <= s->centres; c++)
            sums[c] += (double)s->savings[p * stride + c];
    change += sums[s->centres];
    for (unsigned c = 0; c < s->centres; c++) {
        sums[c] = -sums[c] - s->price; // by which closing it would change the costs
        change += sums[c] < 0 ? sums[c] : 0;
    }
    if (!(change < 0))
        return;
    for (unsigned p = 0; p < s->n; p++)
        if (s->moves[p] || sums[s->places[s->points[p].centre]] < 0)
            belong(s, p, candidate);
    unsigned left = 0;
    for (unsigned p = 0; p < s->n; p++)
        if (s->places[p] >= 0)
            s->places[p] = sums[s->places[p]] < 0 ? -1 : (int)left++;
    s->places[candidate] = (int)left++;
    s->centres = left;
}

// A first solution: each point becomes a centre by chance, the likelier the more it costs.
static void start(struct search *s)
{
    for (unsigned p = 0; p < s->n; p++) {
        s->places[p] = -1;
        belong(s, p, 0);
    }
    s->places[0] = 0;
    s->centres = 1;
    for (unsigned c = 1; c < s->n; c++) {
        double chance = (double)hd_work_random_float(s->w, 0, 1);
        if (s->centres == CENTRES_MAX || chance * s->price >= (double)s->points[c].cost)
            continue;
        for (unsigned p = 0; p < s->n; p++)
            if (squared_distance(s, p, c) * s->points[p].weight < s->points[p].cost)
                belong(s, p, c);
        s->places[c] = (int)s->centres++;
    }
    // Centres that lost their last point would be closed at no cost; try_candidate does that.
}

static void run_search(struct search *s)
{
    double low = 0, high = 0;

    for (unsigned p = 0; p < s->n; p++)
        high += (double)(squared_distance(s, p, 0) * s->points[p].weight);
    // Halved by the rounds that find too few centres; the last ones find enough.
    s->price = ldexp(high, (int)s->rounds - 8);
    high = 2 * s->price;
    for (unsigned round = 0; round < s->rounds; round++) {
        start(s);
        for (unsigned i = 0; i < s->tries; i++)
            try_candidate(s, hd_work_random(s->w) % s->n);
        if (s->centres > CENTRES_MAX)
            low = s->price;
        else if (s->centres < CENTRES_MIN)
            high = s->price;
        s->price =
            s->centres < CENTRES_MIN || s->centres > CENTRES_MAX ? (low + high) / 2 : s->price;
    }
}

static void report(const struct search *s, int *centre, float *cost)
{
    for (unsigned p = 0; p < s->n; p++) {
        centre[p] = s->points[p].centre;
        cost[p] = s->points[p].cost;
    }
}

// Points lie around CLUSTERS places, which one is a matter of chance.
static float *make_coordinates(struct hd_work *w, unsigned n, unsigned dimensions)
{
    float *coordinates = hd_work_array(w, (size_t)n * dimensions, sizeof *coordinates);
    float *places = hd_work_floats(w, (size_t)CLUSTERS * dimensions, 0, 1);

    for (unsigned p = 0; p < n; p++) {
        const float *place = places + (size_t)(hd_work_random(w) % CLUSTERS) * dimensions;
        for (unsigned d = 0; d < dimensions; d++)
            coordinates[(size_t)d * n + p] = place[d] + hd_work_random_float(w, -0.3f, 0.3f);
    }
    return coordinates;
}

static struct search make_search(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][4] = {
        {512, 32, 2, 6}, {2048, 64, 2, 40}, {2048, 256, 7, 179}};
    const unsigned *size = sizes[w->size];
    struct search s = {
        .w = w, .n = size[0], .dimensions = size[1], .rounds = size[2], .tries = size[3]};

    s.coordinates = make_coordinates(w, s.n, s.dimensions);
    s.points = hd_work_array(w, s.n, sizeof *s.points);
    s.places = hd_work_array(w, s.n, sizeof *s.places);
    s.savings = hd_work_array(w, (size_t)s.n * STRIDE(CENTRES_LIMIT), sizeof *s.savings);
    s.moves = hd_work_array(w, s.n, 1);
    for (unsigned p = 0; p < s.n; p++)
        s.points[p].weight = 1;
    return s;
}

static void run(struct hd_work *w)
{
    struct search s = make_search(w);
    int *got = hd_work_array(w, s.n, sizeof *got), *expected = hd_work_array(w, s.n, sizeof *got);
    float *got_cost = hd_work_array(w, s.n, 4), *expected_cost = hd_work_array(w, s.n, 4);
    uint64_t seed = w->seed; // both searches draw the same numbers

    s.d_points = hd_work_buffer(w, s.n * sizeof *s.points);
    s.d_coordinates = hd_work_upload(w, s.coordinates, (size_t)s.n * s.dimensions * sizeof(float));
    s.d_places = hd_work_buffer(w, s.n * sizeof *s.places);
    s.d_savings = hd_work_buffer(w, (size_t)s.n * STRIDE(CENTRES_LIMIT) * sizeof *s.savings);
    s.d_moves = hd_work_buffer(w, s.n);
    s.gain = hd_work_kernel(w, "gain");
    run_search(&s);
    report(&s, got, got_cost);

    w->seed = seed;
    s.gain = NULL;
    run_search(&s);
    report(&s, expected, expected_cost);
    hd_work_same(w, "centres", got, expected, s.n);
    hd_work_same(w, "costs", got_cost, expected_cost, s.n);
}

const struct hd_workload hd_workload_streamcluster = {
    .name = "streamcluster",
    .brief = "centres for points by local search: four blocks, loads all the way, many launches",
    .groups = "lfws:SC",
    .sizes = {"512 points of 32 dimensions, 12 launches",
              "2048 points of 64 dimensions, 80 launches",
              "2048 points of 256 dimensions, 1253 launches"},
    .run = run,
};
