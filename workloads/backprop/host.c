// host.c (backprop) - a layer of a neural network, forward and back.
#include "workload/work.h"

#include <string.h>

#define SIDE 16
#define ROW (SIDE + 1)
#define RATE 0.3
#define MOMENTUM 0.3

struct layer { // rows of ROW: one per input, and one for the bias
    unsigned inputs;
    size_t n;
    float *input, *weights, *moves, errors[ROW];
};

// Each weight's product; and by block of SIDE inputs their sums, as a tree.
static void forward(const struct layer *l, float *products, float *sums)
{
    memcpy(products, l->weights, l->n * sizeof *products);
    for (unsigned block = 0; block < l->inputs / SIDE; block++)
        for (unsigned x = 0; x < SIDE; x++) {
            float *at = products + (size_t)ROW * (block * SIDE + 1) + x + 1;
            for (unsigned y = 0; y < SIDE; y++)
                at[y * ROW] *= l->input[block * SIDE + y + 1];
            for (unsigned stride = 2; stride <= SIDE; stride *= 2)
                for (unsigned y = 0; y < SIDE; y += stride)
                    at[y * ROW] += at[(y + stride / 2) * ROW];
            sums[block * SIDE + x] = at[0];
        }
}

static void adjust(struct layer *l)
{
    for (unsigned y = 0; y <= l->inputs; y++)
        for (unsigned x = 1; x <= SIDE; x++) {
            float *weight = &l->weights[y * ROW + x], *move = &l->moves[y * ROW + x];
            double input = y ? (double)l->input[y] : 1;
            double by = RATE * (double)l->errors[x] * input + MOMENTUM * (double)*move;
            *weight = (float)((double)*weight + by);
            *move = (float)by;
        }
}

static void run(struct hd_work *w)
{
    static const unsigned inputs[HD_WORK_SIZES] = {1024, 32768, 65536};
    struct layer l = {.inputs = inputs[w->size], .n = (size_t)(inputs[w->size] + 1) * ROW};
    size_t bytes = l.n * sizeof(float);
    unsigned units = SIDE;
    float *products = hd_work_array(w, l.n, 4), *got_products = hd_work_array(w, l.n, 4);
    float *sums = hd_work_array(w, l.inputs, 4), *got_sums = hd_work_array(w, l.inputs, 4);
    float *got_weights = hd_work_array(w, l.n, 4), *got_moves = hd_work_array(w, l.n, 4);

    l.input = hd_work_floats(w, l.inputs + 1, 0, 1);
    l.weights = hd_work_floats(w, l.n, -1, 1);
    l.moves = hd_work_floats(w, l.n, -0.1f, 0.1f);
    for (unsigned x = 0; x <= SIDE; x++)
        l.errors[x] = hd_work_random_float(w, -0.5f, 0.5f);
    CUdeviceptr input = hd_work_upload(w, l.input, (l.inputs + 1) * sizeof *l.input);
    CUdeviceptr weights = hd_work_upload(w, l.weights, bytes);
    CUdeviceptr d_sums = hd_work_buffer(w, l.inputs * sizeof *sums);
    struct hd_work_grid grid = {1, l.inputs / SIDE, SIDE, SIDE};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "forward"), grid, &input, &weights, &d_sums, &units);
    hd_work_read(w, got_products, weights, bytes);
    hd_work_read(w, got_sums, d_sums, l.inputs * sizeof *sums);
    // The way back starts from the weights, not from their products.
    hd_work_write(w, weights, l.weights, bytes);
    CUdeviceptr moves = hd_work_upload(w, l.moves, bytes);
    CUdeviceptr errors = hd_work_upload(w, l.errors, sizeof l.errors);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "adjust"), grid, &errors, &input, &weights, &moves, &units);
    hd_work_read(w, got_weights, weights, bytes);
    hd_work_read(w, got_moves, moves, bytes);

    forward(&l, products, sums);
    hd_work_near(w, "products", got_products, products, l.n, 1e-5);
    hd_work_near(w, "sums", got_sums, sums, l.inputs, 1e-5);
    adjust(&l);
    hd_work_near(w, "weights", got_weights, l.weights, l.n, 1e-6);
    hd_work_near(w, "moves", got_moves, l.moves, l.n, 1e-6);
}

const struct hd_workload hd_workload_backprop = {
    .name = "backprop",
    .brief =
        "a layer of a neural network, forward and back: sums by rounds with fewer lanes, streams",
    .groups = "lfws:BP pro:backprop elf:BP",
    .sizes = {"1024 inputs", "32768 inputs", "65536 inputs"},
    .run = run,
};
