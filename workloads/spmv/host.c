// host.c (spmv) - a sparse matrix, stored by jagged diagonals, times a vector.
#include "workload/work.h"

#define WARP 32
#define THREADS WARP // of a block
#define LONGEST 48 // elements of a row; fewer than the diagonals of kernel.cu

struct row {
    unsigned n;
    int columns[LONGEST];
    float values[LONGEST];
};

struct jagged {
    unsigned n_rows, n_groups, n_diagonals, n; // n: elements, with those that fill up
    int *rows, *diagonals, *lengths, *columns;
    float *values;
};

// As of a structure's stiffness: the diagonal, and elements around it, in some parts of the matrix
// near and in some far. Many rows are short and few are long.
static struct row *make_rows(struct hd_work *w, unsigned n)
{
    struct row *rows = hd_work_array(w, n, sizeof *rows);
    int reach = 1;

    for (unsigned i = 0; i < n; i++) {
        struct row *r = &rows[i];
        if (i % 64 == 0)
            reach = 1 << hd_work_random(w) % 6;
        r->n = 1;
        while (r->n < LONGEST && hd_work_random(w) % 12)
            r->n++;
        int column = (int)i - (int)(r->n / 2) * reach;
        for (unsigned k = 0; k < r->n; k++, column += reach) {
            int at = (column + (int)(hd_work_random(w) % (unsigned)reach)) % (int)n;
            r->columns[k] = at < 0 ? at + (int)n : at;
            r->values[k] = hd_work_random_float(w, -1, 1);
        }
    }
    return rows;
}

// Numbers of the rows, the longest first.
static int *sort(struct hd_work *w, const struct row *rows, unsigned n)
{
    int *order = hd_work_array(w, n, sizeof *order);
    unsigned done = 0;

    for (unsigned length = LONGEST; length > 0; length--)
        for (unsigned i = 0; i < n; i++)
            if (rows[i].n == length)
                order[done++] = (int)i;
    return order;
}

static struct jagged make_jagged(struct hd_work *w, const struct row *rows, unsigned n)
{
    struct jagged j = {.n_rows = n, .n_groups = (n + WARP - 1) / WARP, .rows = sort(w, rows, n)};

    j.n_diagonals = rows[j.rows[0]].n;
    j.lengths = hd_work_array(w, j.n_groups, sizeof *j.lengths);
    j.diagonals = hd_work_array(w, j.n_diagonals, sizeof *j.diagonals);
    for (unsigned g = 0; g < j.n_groups; g++) {
        j.lengths[g] = (int)rows[j.rows[g * WARP]].n;
        j.n += (unsigned)j.lengths[g] * WARP;
    }
    j.columns = hd_work_array(w, j.n, sizeof *j.columns);
    j.values = hd_work_array(w, j.n, sizeof *j.values);
    for (unsigned k = 0, at = 0; k < j.n_diagonals; k++) {
        j.diagonals[k] = (int)at;
        for (unsigned i = 0; i < j.n_groups * WARP && j.lengths[i / WARP] > (int)k; i++, at++)
            if (i < n && rows[j.rows[i]].n > k) {
                j.columns[at] = rows[j.rows[i]].columns[k];
                j.values[at] = rows[j.rows[i]].values[k];
            }
    }
    return j;
}

static void run(struct hd_work *w)
{
    static const unsigned sizes[HD_WORK_SIZES][2] = {{1000, 1}, {6000, 2}, {12000, 10}};
    unsigned n = sizes[w->size][0], times = sizes[w->size][1];
    struct row *rows = make_rows(w, n);
    struct jagged j = make_jagged(w, rows, n);
    float *vector = hd_work_floats(w, n, -1, 1);
    float *got = hd_work_array(w, n, sizeof *got), *expected = hd_work_array(w, n, sizeof *got);

    CUdeviceptr d_values = hd_work_upload(w, j.values, j.n * sizeof *j.values);
    CUdeviceptr d_columns = hd_work_upload(w, j.columns, j.n * sizeof *j.columns);
    CUdeviceptr d_rows = hd_work_upload(w, j.rows, n * sizeof *j.rows);
    CUdeviceptr d_vector = hd_work_upload(w, vector, n * sizeof *vector);
    CUdeviceptr d_to = hd_work_buffer(w, n * sizeof *got);
    hd_work_symbol(w, "diagonals", j.diagonals, j.n_diagonals * sizeof *j.diagonals);
    hd_work_symbol(w, "lengths", j.lengths, j.n_groups * sizeof *j.lengths);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};
    for (unsigned i = 0; i < times; i++)
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "spmv_jds"), grid, &d_to, &d_values, &d_columns,
                       &d_rows, &d_vector, &n);
    hd_work_read(w, got, d_to, n * sizeof *got);

    for (unsigned i = 0; i < n; i++) {
        double sum = 0;
        for (unsigned k = 0; k < rows[i].n; k++)
            sum += (double)rows[i].values[k] * (double)vector[rows[i].columns[k]];
        expected[i] = (float)sum;
    }
    hd_work_near(w, "product", got, expected, n, 1e-5);
}

const struct hd_workload hd_workload_spmv = {
    .name = "spmv",
    .brief = "sparse matrix times vector by jagged diagonals: gathers from a vector that is reused",
    .groups = "elf:SpMV",
    .sizes = {"1000 rows, once", "6000 rows, twice", "12000 rows, ten times"},
    .run = run,
};
