// host.c (octree) - particles to the leaves of an octree.
#include "workload/work.h"

#include <stdlib.h>

#define THREADS 128
#define MOST 20
#define DEEPEST 10
#define SIDE (1u << DEEPEST)
#define CLUSTERS 8

struct particle { // as in kernel.cu
    uint32_t x, y, z, id;
};
struct cell {
    uint32_t first, n, depth, path;
};
struct queue {
    uint32_t head, tail, left;
};
struct octree {
    unsigned n, blocks;
    struct particle *particles;
    uint32_t *leaf_of, leaves;
};

static uint32_t within(uint32_t middle, uint32_t offset, uint32_t spread)
{
    return (middle + offset + SIDE - spread) % SIDE;
}

// Half of the particles are anywhere, half are near one of CLUSTERS places.
static struct particle *make_particles(struct hd_work *w, unsigned n)
{
    struct particle *all = hd_work_array(w, n, sizeof *all), middle[CLUSTERS];

    for (unsigned c = 0; c < CLUSTERS; c++)
        middle[c] = (struct particle){hd_work_random(w), hd_work_random(w), hd_work_random(w), 0};
    for (unsigned i = 0; i < n; i++) {
        const struct particle *m = &middle[hd_work_random(w) % CLUSTERS];
        uint32_t spread = i & 1 ? SIDE / 2 : SIDE >> (3 + hd_work_random(w) % 3);
        uint32_t x = hd_work_random(w) % (2 * spread), y = hd_work_random(w) % (2 * spread);
        uint32_t z = hd_work_random(w) % (2 * spread);
        all[i] = (struct particle){within(m->x, x, spread), within(m->y, y, spread),
                                   within(m->z, z, spread), i};
    }
    return all;
}

static void divide_on_device(struct hd_work *w, struct octree *o)
{
    struct queue queue = {.tail = 1, .left = o->n};
    // Every cell that is divided has more than MOST particles, and all of one depth are disjoint.
    // At the end each block waits for one more.
    size_t bytes = o->n * sizeof *o->particles, most = (size_t)(o->n / MOST) * DEEPEST + o->blocks;
    struct cell *cells = hd_work_array(w, most, sizeof *cells);
    struct hd_work_grid grid = {o->blocks, 1, THREADS, 1};

    cells[0] = (struct cell){0, o->n, 0, 1};
    CUdeviceptr d_queue = hd_work_upload(w, &queue, sizeof queue);
    CUdeviceptr d_cells = hd_work_upload(w, cells, most * sizeof *cells);
    CUdeviceptr even = hd_work_upload(w, o->particles, bytes), odd = hd_work_buffer(w, bytes);
    CUdeviceptr leaf_of = hd_work_upload(w, o->leaf_of, o->n * sizeof *o->leaf_of);
    CUdeviceptr leaves = hd_work_upload(w, &o->leaves, sizeof o->leaves);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "divide"), grid, &d_queue, &d_cells, &even, &odd, &leaf_of,
                   &leaves);
    hd_work_read(w, o->leaf_of, leaf_of, o->n * sizeof *o->leaf_of);
    hd_work_read(w, &o->leaves, leaves, sizeof o->leaves);
}

struct keyed {
    uint32_t key, id; // all bits of the three places, a level after the other
};

static int by_key(const void *a, const void *b)
{
    uint32_t x = ((const struct keyed *)a)->key, y = ((const struct keyed *)b)->key;

    return (x > y) - (x < y);
}

static uint32_t key_of(const struct particle *p)
{
    uint32_t key = 0;

    for (unsigned bit = DEEPEST; bit-- > 0;)
        key = key << 3 | (p->x >> bit & 1) | (p->y >> bit & 1) << 1 | (p->z >> bit & 1) << 2;
    return key;
}

// How many particles of a cell there are from number i on, downwards and upwards.
static unsigned in_cell(const struct keyed *sorted, unsigned n, unsigned i, unsigned shift)
{
    unsigned low = i, high = i + 1;

    while (low > 0 && sorted[low - 1].key >> shift == sorted[i].key >> shift)
        low--;
    while (high < n && sorted[high].key >> shift == sorted[i].key >> shift)
        high++;
    return high - low;
}

// In the order of keys the particles of a cell are next to each other. The leaf of a particle is
// the largest of its cells that has at most MOST particles.
static uint32_t *expect(struct hd_work *w, const struct octree *o, uint32_t *leaves)
{
    struct keyed *sorted = hd_work_array(w, o->n, sizeof *sorted);
    uint32_t *leaf_of = hd_work_array(w, o->n, sizeof *leaf_of), n;

    for (unsigned i = 0; i < o->n; i++)
        sorted[i] = (struct keyed){key_of(&o->particles[i]), i};
    qsort(sorted, o->n, sizeof *sorted, by_key);
    for (unsigned i = 0; i < o->n; i += n, ++*leaves) {
        unsigned depth = 1, shift = 3 * (DEEPEST - 1);
        while ((n = in_cell(sorted, o->n, i, shift)) > MOST && depth < DEEPEST)
            shift = 3 * (DEEPEST - ++depth);
        for (unsigned k = 0; k < n; k++)
            leaf_of[sorted[i + k].id] = 1u << (3 * depth) | sorted[i].key >> shift;
    }
    return leaf_of;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][2] = {{2000, 15}, {16000, 60}, {100000, 60}};
    struct octree o = {.n = sizes[w->size][0], .blocks = sizes[w->size][1]};
    uint32_t *got = hd_work_array(w, 1, sizeof *got), *leaves = hd_work_array(w, 1, sizeof *leaves);

    o.particles = make_particles(w, o.n);
    o.leaf_of = hd_work_array(w, o.n, sizeof *o.leaf_of);
    divide_on_device(w, &o);
    *got = o.leaves;
    uint32_t *expected = expect(w, &o, leaves);
    hd_work_same(w, "number of leaves", got, leaves, 1);
    hd_work_same(w, "leaves of particles", o.leaf_of, expected, o.n);
}

const struct hd_workload hd_workload_octree = {
    .name = "octree",
    .brief = "particles to the leaves of an octree: blocks that stay take cells from a queue",
    .groups = "baws:OCTP",
    .sizes = {"2000 particles, 15 blocks", "16000 particles, 60 blocks",
              "100000 particles, 60 blocks"},
    .run = run,
};
