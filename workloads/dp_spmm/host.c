// host.c (dp_spmm) - a sparse matrix times a dense one, with kernels for each row of the product.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128
#define THRESHOLD 2 // non-zeros that a thread multiplies itself: every row has more

struct shape { // rows x inner times inner x width; kernels for a row
    unsigned rows, inner, width, parts;
};
struct sparse {
    unsigned *first, *columns;
    float *values;
};

// 5 % are not zero. Rows have shares of them by Zipf's law, in an order by chance, and each at
// least a few.
static struct sparse make_sparse(struct hd_work *w, const struct shape *s)
{
    unsigned least = 3 + s->inner / 128, n = 0;
    unsigned *size = hd_work_array(w, s->rows, sizeof *size);
    struct sparse a = {.first = hd_work_array(w, s->rows + 1, sizeof *a.first)};
    double harmonic = 0, total = 0.05 * s->rows * s->inner;

    for (unsigned r = 1; r <= s->rows; r++)
        harmonic += 1.0 / r;
    for (unsigned r = 0; r < s->rows; r++) {
        double rest = total - (double)least * s->rows;
        double share = least + (rest > 0 ? rest / harmonic / (r + 1) : 0);
        size[r] = share < s->inner / 2.0 ? (unsigned)share : s->inner / 2;
    }
    for (unsigned r = s->rows - 1; r; r--) {
        unsigned other = hd_work_random(w) % (r + 1), kept = size[r];
        size[r] = size[other];
        size[other] = kept;
    }
    for (unsigned r = 0; r < s->rows; r++)
        a.first[r + 1] = n += size[r];
    a.columns = hd_work_array(w, n, sizeof *a.columns);
    a.values = hd_work_floats(w, n, -1, 1);
    for (unsigned r = 0; r < s->rows; r++) { // a choice of columns, in order
        unsigned at = a.first[r];
        for (unsigned c = 0; c < s->inner; c++)
            if (hd_work_random(w) % (s->inner - c) < a.first[r + 1] - at)
                a.columns[at++] = c;
    }
    return a;
}

static void run(struct hd_work *w, struct shape s)
{
    struct sparse a = make_sparse(w, &s);
    size_t cells = (size_t)s.rows * s.width;
    float *b = hd_work_floats(w, (size_t)s.inner * s.width, -1, 1);
    float *got = hd_work_array(w, cells, sizeof *got);
    float *expected = hd_work_array(w, cells, sizeof *expected);
    double *row = hd_work_array(w, s.width, sizeof *row);
    unsigned n = a.first[s.rows], threshold = THRESHOLD;

    CUdeviceptr first = hd_work_upload(w, a.first, (s.rows + 1) * sizeof *a.first);
    CUdeviceptr columns = hd_work_upload(w, a.columns, n * sizeof *a.columns);
    CUdeviceptr values = hd_work_upload(w, a.values, n * sizeof *a.values);
    CUdeviceptr d_b = hd_work_upload(w, b, (size_t)s.inner * s.width * sizeof *b);
    CUdeviceptr c = hd_work_buffer(w, cells * sizeof *got);
    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "multiply"),
                   ((struct hd_work_grid){(s.rows + THREADS - 1) / THREADS, 1, THREADS, 1}), &first,
                   &columns, &values, &d_b, &c, &s.rows, &s.width, &s.parts, &threshold);
    hd_work_read(w, got, c, cells * sizeof *got);

    for (unsigned r = 0; r < s.rows; r++) {
        for (unsigned k = 0; k < s.width; k++)
            row[k] = 0;
        for (unsigned i = a.first[r]; i < a.first[r + 1]; i++)
            for (unsigned k = 0; k < s.width; k++)
                row[k] += (double)a.values[i] * (double)b[(size_t)a.columns[i] * s.width + k];
        for (unsigned k = 0; k < s.width; k++)
            expected[(size_t)r * s.width + k] = (float)row[k];
    }
    hd_work_near(w, "product", got, expected, cells, 1e-4);
}

static void run_small(struct hd_work *w)
{
    static const struct shape shapes[HD_WORK_SIZES] = {
        {64, 64, 64, 2}, {256, 256, 256, 2}, {512, 512, 512, 2}};

    run(w, shapes[w->size]);
}

static void run_large(struct hd_work *w)
{
    static const struct shape shapes[HD_WORK_SIZES] = {
        {192, 64, 192, 1}, {768, 192, 768, 1}, {5120, 512, 5120, 1}};

    run(w, shapes[w->size]);
}

const struct hd_workload hd_workload_dp_spmm_small = {
    .name = "dp_spmm_small",
    .brief = "a sparse times a dense matrix, two kernels launched for each row",
    .groups = "laser:SPMM-small",
    .folder = "dp_spmm",
    .dynamic = true,
    .sizes = {"64 x 64 times 64 x 64", "256 x 256 times 256 x 256", "512 x 512 times 512 x 512"},
    .run = run_small,
};

const struct hd_workload hd_workload_dp_spmm_large = {
    .name = "dp_spmm_large",
    .brief = "a larger sparse times a dense matrix, a kernel launched for each row",
    .groups = "laser:SPMM-large",
    .folder = "dp_spmm",
    .dynamic = true,
    .sizes = {"192 x 64 times 64 x 192", "768 x 192 times 192 x 768",
              "5120 x 512 times 512 x 5120"},
    .run = run_large,
};
