// host.c (nqueens) - how many ways are there to place n queens?
#include "workload/work.h"

#define THREADS 96
#define FILLED 2 // rows that the host fills
#define STARTS_MAX 200

struct starts { // boards with two queens; a mirrored board counts with the one it mirrors
    unsigned n, column[STARTS_MAX], left[STARTS_MAX], right[STARTS_MAX];
};

static void fill_rows(struct starts *s, unsigned n)
{
    for (unsigned a = 0; a < n / 2; a++)
        for (unsigned b = 0; b < n; b++) {
            unsigned first = 1u << a, second = 1u << b;
            if (b == a || b + 1 == a || b == a + 1)
                continue;
            s->column[s->n] = first | second;
            s->left[s->n] = first << 2 | second << 1;
            s->right[s->n++] = first >> 2 | second >> 1;
        }
}

// Ways to fill the rows below.
static unsigned ways(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    unsigned sum = 0;

    if (columns == all)
        return 1;
    for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
        unsigned queen = open & -open;
        sum += ways(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return sum;
}

static void run(struct hd_work *w)
{
    static const unsigned sides[HD_WORK_SIZES] = {8, 12, 10}, grids[HD_WORK_SIZES] = {16, 256, 256};
    unsigned n = sides[w->size], blocks = grids[w->size], all = (1u << n) - 1, rows = n - FILLED;
    struct starts *s = hd_work_array(w, 1, sizeof *s);
    unsigned *got = hd_work_array(w, blocks, sizeof *got);
    unsigned *expected = hd_work_array(w, blocks, sizeof *got);

    fill_rows(s, n);
    CUdeviceptr column = hd_work_upload(w, s->column, sizeof s->column);
    CUdeviceptr left = hd_work_upload(w, s->left, sizeof s->left);
    CUdeviceptr right = hd_work_upload(w, s->right, sizeof s->right);
    CUdeviceptr found = hd_work_buffer(w, blocks * sizeof *got);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "nqueens"), grid, &rows, &all, &column, &left, &right,
                   &found, &s->n);
    hd_work_read(w, got, found, blocks * sizeof *got);

    for (unsigned i = 0; i < s->n; i++)
        expected[i / THREADS] += ways(all, s->column[i], s->left[i], s->right[i]);
    hd_work_same(w, "ways", got, expected, blocks);
}

const struct hd_workload hd_workload_nqueens = {
    .name = "nqueens",
    .brief = "ways to place n queens by backtracking: divergence, one busy block of many, barriers",
    .groups = "lfws:NQU",
    .sizes = {"8 queens, 16 blocks", "12 queens, 256 blocks", "10 queens, 256 blocks"},
    .run = run,
};
