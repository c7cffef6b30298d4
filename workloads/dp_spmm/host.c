// host.c (dp_spmm) - the product of two sparse matrices, with kernels for its rows.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THRESHOLD                                                                                  \
    1024         // multiplications of a row with a part of the columns that a block does itself
#define FEW 16   // elements of a row, at most, if it has few
#define MANY 36  // if it has many
#define SLICE 64 // columns of the second matrix that lie together

struct shape { // rows x inner times inner x width
    unsigned rows, inner, width;
    unsigned deep;  // elements of a column of the second
    unsigned few;   // of four rows, so many have few elements
    unsigned each;  // rows of a block of the host's kernel
    unsigned part;  // columns of a block, and of a launched kernel
    unsigned child; // columns of a launched block
};
struct element {
    unsigned at;
    float value;
};
struct first {
    unsigned *first;
    struct element *elements;
};
struct second { // as the kernels have it
    CUdeviceptr columns;
    unsigned inner, deep;
};

// Where element e of a column of the second matrix is.
static size_t place(const struct shape *s, unsigned column, unsigned e)
{
    return ((size_t)(column / SLICE) * s->deep + e) * SLICE + column % SLICE;
}

// n of `inner` numbers by chance, in order, each with a value.
static void choose(struct hd_work *w, struct element *to, unsigned stride, unsigned n,
                   unsigned inner)
{
    for (unsigned c = 0, left = n; c < inner; c++)
        if (hd_work_random(w) % (inner - c) < left) {
            *to = (struct element){c, hd_work_random_float(w, -1, 1)};
            to += stride;
            left--;
        }
}

static struct first make_first(struct hd_work *w, const struct shape *s)
{
    unsigned *size = hd_work_array(w, s->rows, sizeof *size);
    struct first a = {.first = hd_work_array(w, s->rows + 1, sizeof *a.first)};

    for (unsigned r = 0; r < s->rows; r++)
        size[r] = r % 4 < s->few ? 4 + hd_work_random(w) % (FEW - 3)
                                 : FEW + 1 + hd_work_random(w) % (MANY - FEW);
    for (unsigned r = s->rows - 1; r; r--) {
        unsigned other = hd_work_random(w) % (r + 1), kept = size[r];
        size[r] = size[other];
        size[other] = kept;
    }
    for (unsigned r = 0; r < s->rows; r++)
        a.first[r + 1] = a.first[r] + size[r];
    a.elements = hd_work_array(w, a.first[s->rows], sizeof *a.elements);
    for (unsigned r = 0; r < s->rows; r++)
        choose(w, a.elements + a.first[r], 1, size[r], s->inner);
    return a;
}

static void multiply(struct hd_work *w, const struct shape *s, const struct first *a,
                     const struct element *b, float *expected)
{
    double *row = hd_work_array(w, s->inner, sizeof *row);

    for (unsigned r = 0; r < s->rows; r++) {
        for (unsigned i = a->first[r]; i < a->first[r + 1]; i++)
            row[a->elements[i].at] = (double)a->elements[i].value;
        for (unsigned c = 0; c < s->width; c++) {
            double sum = 0;
            for (unsigned e = 0; e < s->deep; e++) {
                const struct element *x = &b[place(s, c, e)];
                sum += row[x->at] * (double)x->value;
            }
            expected[(size_t)r * s->width + c] = (float)sum;
        }
        for (unsigned i = a->first[r]; i < a->first[r + 1]; i++)
            row[a->elements[i].at] = 0;
    }
}

static void run(struct hd_work *w, struct shape s)
{
    struct first a = make_first(w, &s);
    size_t cells = (size_t)s.rows * s.width, stored = (size_t)s.deep * s.width;
    struct element *b = hd_work_array(w, stored, sizeof *b);
    float *got = hd_work_array(w, cells, sizeof *got);
    float *expected = hd_work_array(w, cells, sizeof *expected);
    unsigned threshold = THRESHOLD, x = s.child, y = 128 / s.child;

    for (unsigned c = 0; c < s.width; c++)
        choose(w, b + place(&s, c, 0), SLICE, s.deep, s.inner);
    CUdeviceptr first = hd_work_upload(w, a.first, (s.rows + 1) * sizeof *a.first);
    CUdeviceptr elements = hd_work_upload(w, a.elements, a.first[s.rows] * sizeof *a.elements);
    struct second m = {hd_work_upload(w, b, stored * sizeof *b), s.inner, s.deep};
    CUdeviceptr product = hd_work_buffer(w, cells * sizeof *got);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "multiply"),
                   ((struct hd_work_grid){(s.rows + s.each - 1) / s.each, s.width / s.part, 64, 4}),
                   &first, &elements, &m, &product, &s.width, &s.rows, &s.each, &s.part, &x, &y,
                   &threshold);
    hd_work_read(w, got, product, cells * sizeof *got);
    multiply(w, &s, &a, b, expected);
    hd_work_near(w, "product", got, expected, cells, 1e-4);
}

static void run_small(struct hd_work *w)
{
    static const unsigned rows[HD_WORK_SIZES] = {64, 256, 512};

    run(w, (struct shape){rows[w->size], 512, 512, 51, 3, 64, 64, 16});
}

static void run_large(struct hd_work *w)
{
    static const struct shape shapes[HD_WORK_SIZES] = {{192, 64, 256, 3, 0, 128, 256, 128},
                                                       {768, 192, 768, 9, 0, 128, 768, 128},
                                                       {5120, 512, 5120, 26, 0, 128, 5120, 128}};

    run(w, shapes[w->size]);
}

const struct hd_workload hd_workload_dp_spmm_small = {
    .name = "dp_spmm_small",
    .brief = "a product of sparse matrices, kernels launched for a quarter of its rows",
    .groups = "laser:SPMM-small",
    .folder = "dp_spmm",
    .dynamic = true,
    .sizes = {"64 x 512 times 512 x 512", "256 x 512 times 512 x 512", "512 x 512 times 512 x 512"},
    .run = run_small,
};

const struct hd_workload hd_workload_dp_spmm_large = {
    .name = "dp_spmm_large",
    .brief = "a larger product of sparse matrices, a kernel launched for each row",
    .groups = "laser:SPMM-large",
    .folder = "dp_spmm",
    .dynamic = true,
    .sizes = {"192 x 64 times 64 x 256", "768 x 192 times 192 x 768",
              "5120 x 512 times 512 x 5120"},
    .run = run_large,
};
