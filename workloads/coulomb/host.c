// host.c (coulomb) - electric potential of atoms on a plane.
#include "workload/work.h"

#include <math.h>

#define BLOCK_X 16
#define BLOCK_Y 8
#define POINTS 2 // of a thread
#define ATOMS 200
#define SPACING 0.1f

struct atom { // as in kernel.cu
    float x, y, height2, charge;
};

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {32, 192, 256};
    unsigned side = sides[w->size], points = side * side;
    int atoms = ATOMS;
    float spacing = SPACING, size = SPACING * (float)side;
    struct atom a[ATOMS];
    float *energy = hd_work_floats(w, points, -1, 1), *got = hd_work_array(w, points, sizeof *got);

    for (unsigned i = 0; i < ATOMS; i++) {
        float height = hd_work_random_float(w, 0.5f, size);
        a[i].x = hd_work_random_float(w, 0, size);
        a[i].y = hd_work_random_float(w, 0, size);
        a[i].height2 = height * height;
        a[i].charge = hd_work_random_float(w, -1, 1);
    }
    CUdeviceptr d_energy = hd_work_upload(w, energy, points * sizeof *energy);
    struct hd_work_grid grid = {side / (POINTS * BLOCK_X), side / BLOCK_Y, BLOCK_X, BLOCK_Y};
    hd_work_symbol(w, "coulomb_atoms", a, sizeof a);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "coulomb"), grid, &d_energy, &atoms, &spacing);
    hd_work_read(w, got, d_energy, points * sizeof *got);

    for (unsigned i = 0; i < points; i++) {
        double sum = 0;
        for (unsigned k = 0; k < ATOMS; k++) {
            float dx = SPACING * (float)(i % side) - a[k].x;
            float dy = SPACING * (float)(i / side) - a[k].y;
            sum += (double)(a[k].charge / sqrtf(dx * dx + dy * dy + a[k].height2));
        }
        energy[i] += (float)sum;
    }
    hd_work_near(w, "energy", got, energy, points, 1e-4);
}

const struct hd_workload hd_workload_coulomb = {
    .name = "coulomb",
    .brief = "electric potential on a plane, atoms in constant memory: arithmetic and nothing else",
    .groups = "lfws:CP pro:CP elf:CP",
    .sizes = {"32 x 32 points, 200 atoms", "192 x 192 points, 200 atoms",
              "256 x 256 points, 200 atoms"},
    .run = run,
};
