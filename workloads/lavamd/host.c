// host.c (lavamd) - forces between particles in neighbouring boxes.
#include "workload/work.h"

#include <math.h>

#define THREADS 128
#define PARTICLES 100
#define NEIGHBOURS 26
#define ALPHA 0.5

struct particle { // as in kernel.cu
    double v, x, y, z;
};
struct box {
    int first, neighbours, neighbour[NEIGHBOURS];
};
struct space {
    int nx, ny, nz; // boxes
    struct box *boxes;
    struct particle *particles;
    double *charges;
};

static int box_at(const struct space *s, int x, int y, int z)
{
    return (z * s->ny + y) * s->nx + x;
}

static void make_box(struct space *s, int x, int y, int z)
{
    struct box *b = &s->boxes[box_at(s, x, y, z)];

    b->first = box_at(s, x, y, z) * PARTICLES;
    for (int i = 0; i < 27; i++) {
        int nx = x + i % 3 - 1, ny = y + i / 3 % 3 - 1, nz = z + i / 9 - 1;
        bool inside = nx >= 0 && nx < s->nx && ny >= 0 && ny < s->ny && nz >= 0 && nz < s->nz;
        if (inside && i != 13) // 13 is the box itself
            b->neighbour[b->neighbours++] = box_at(s, nx, ny, nz);
    }
}

// Coordinates count from the corner of a particle's own box.
static void make_space(struct hd_work *w, struct space *s)
{
    size_t boxes = (size_t)s->nx * (size_t)s->ny * (size_t)s->nz, n = boxes * PARTICLES;

    s->boxes = hd_work_array(w, boxes, sizeof *s->boxes);
    s->particles = hd_work_array(w, n, sizeof *s->particles);
    s->charges = hd_work_array(w, n, sizeof *s->charges);
    for (int z = 0; z < s->nz; z++)
        for (int y = 0; y < s->ny; y++)
            for (int x = 0; x < s->nx; x++)
                make_box(s, x, y, z);
    for (size_t i = 0; i < n; i++) {
        struct particle *p = &s->particles[i];
        p->x = (double)hd_work_random_float(w, 0.1f, 1);
        p->y = (double)hd_work_random_float(w, 0.1f, 1);
        p->z = (double)hd_work_random_float(w, 0.1f, 1);
        p->v = (p->x * p->x + p->y * p->y + p->z * p->z) / 2;
        s->charges[i] = (double)hd_work_random_float(w, 0.1f, 1);
    }
}

static void add_box(const struct space *s, int from, const struct particle *own,
                    struct particle *force)
{
    for (int k = from; k < from + PARTICLES; k++) {
        const struct particle *p = &s->particles[k];
        double dx = own->x - p->x, dy = own->y - p->y, dz = own->z - p->z;
        double u = s->charges[k] * exp(-ALPHA * ALPHA * (dx * dx + dy * dy + dz * dz));
        force->v += u;
        force->x += 2 * u * dx;
        force->y += 2 * u * dy;
        force->z += 2 * u * dz;
    }
}

// The force on each particle, four numbers each.
static float *expect(struct hd_work *w, const struct space *s)
{
    int boxes = s->nx * s->ny * s->nz;
    float *expected = hd_work_array(w, (size_t)boxes * PARTICLES * 4, sizeof *expected);

    for (int b = 0; b < boxes; b++)
        for (int i = 0; i < PARTICLES; i++) {
            int at = s->boxes[b].first + i;
            struct particle force = {0, 0, 0, 0};
            add_box(s, s->boxes[b].first, &s->particles[at], &force);
            for (int n = 0; n < s->boxes[b].neighbours; n++)
                add_box(s, s->boxes[s->boxes[b].neighbour[n]].first, &s->particles[at], &force);
            expected[4 * at] = (float)force.v;
            expected[4 * at + 1] = (float)force.x;
            expected[4 * at + 2] = (float)force.y;
            expected[4 * at + 3] = (float)force.z;
        }
    return expected;
}

static void run(struct hd_work *w)
{
    static const int sizes[HD_WORK_SIZES][3] = {{2, 1, 1}, {3, 2, 1}, {6, 6, 6}};
    const int *size = sizes[w->size];
    struct space s = {.nx = size[0], .ny = size[1], .nz = size[2]};
    int boxes = s.nx * s.ny * s.nz;
    size_t n = (size_t)boxes * PARTICLES;
    struct particle *forces = hd_work_array(w, n, sizeof *forces);
    float *got = hd_work_array(w, n * 4, sizeof *got);
    double alpha = ALPHA;

    make_space(w, &s);
    CUdeviceptr d_boxes = hd_work_upload(w, s.boxes, (size_t)boxes * sizeof *s.boxes);
    CUdeviceptr d_particles = hd_work_upload(w, s.particles, n * sizeof *s.particles);
    CUdeviceptr d_charges = hd_work_upload(w, s.charges, n * sizeof *s.charges);
    CUdeviceptr d_forces = hd_work_upload(w, forces, n * sizeof *forces); // zeros
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "kernel_gpu_cuda"),
                   ((struct hd_work_grid){(unsigned)boxes, 1, THREADS, 1}), &alpha, &boxes,
                   &d_boxes, &d_particles, &d_charges, &d_forces);
    hd_work_read(w, forces, d_forces, n * sizeof *forces);

    for (size_t i = 0; i < n; i++) {
        got[4 * i] = (float)forces[i].v;
        got[4 * i + 1] = (float)forces[i].x;
        got[4 * i + 2] = (float)forces[i].y;
        got[4 * i + 3] = (float)forces[i].z;
    }
    hd_work_near(w, "forces", got, expect(w, &s), n * 4, 1e-5);
}

const struct hd_workload hd_workload_lavamd = {
    .name = "lavamd",
    .brief =
        "forces between particles of neighbouring boxes: double precision, sums in global memory",
    .groups = "elf:LMD",
    .sizes = {"2 boxes of 100 particles", "3 x 2 boxes", "6 x 6 x 6 boxes"},
    .run = run,
};
