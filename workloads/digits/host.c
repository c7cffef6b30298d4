// host.c (digits) - which digit is on a picture?
#include "workload/work.h"

#include <math.h>

#define SIDE0 29
#define SIDE1 13
#define SIDE2 5
#define MAPS1 6
#define MAPS2 50
#define INPUTS (MAPS2 * SIDE2 * SIDE2) // of layer 3
#define WINDOW 25

// A picture is -1 where there is paper and 1 where there is ink: the strokes of a digit.
static void stroke(float *picture, unsigned left, unsigned top, unsigned width, unsigned height)
{
    for (unsigned y = top; y < top + height; y++)
        for (unsigned x = left; x < left + width; x++)
            picture[y * SIDE0 + x] = 1;
}

static void draw(struct hd_work *w, float *picture)
{
    // As on a clock: top, upper left, upper right, middle, lower left, lower right, bottom.
    static const unsigned char strokes[10] = {0x77, 0x24, 0x5d, 0x6d, 0x2e,
                                              0x6b, 0x7b, 0x25, 0x7f, 0x6f};
    unsigned on = strokes[hd_work_random(w) % 10], left = 4 + hd_work_random(w) % 8;
    unsigned top = 2 + hd_work_random(w) % 4, thick = 2 + hd_work_random(w) % 3;

    for (unsigned i = 0; i < SIDE0 * SIDE0; i++)
        picture[i] = -1;
    for (unsigned i = 0; i < 7; i++) {
        bool right = i == 2 || i == 5, lower = i >= 4;
        if (!(on & 1u << i))
            continue;
        if (i % 3 == 0)
            stroke(picture, left, top + i / 3 * 9, 12, thick);
        else
            stroke(picture, left + (right ? 12 - thick : 0), top + (lower ? 9 : 0), thick, 9);
    }
}

static float squash(double x)
{
    return (float)(1.7159 * tanh(2.0 / 3 * x));
}

struct network {
    unsigned pictures, hidden;
    float *weights1, *weights2, *weights3, *weights4;
    float *layer0, *layer1, *layer2, *layer3, *layer4;
};

// Neuron (x, y) of a map, which sees a window of each of `maps` maps of side x side.
static float see_window(const float *from, const float *weights, unsigned maps, unsigned side)
{
    double sum = (double)weights[0];

    for (unsigned i = 0; i < WINDOW; i++)
        for (unsigned m = 0; m < maps; m++)
            sum += (double)(from[(m * side + i / 5) * side + i % 5] * weights[1 + i * maps + m]);
    return squash(sum);
}

static void map_layer(const float *from, const float *weights, float *to, unsigned maps_before,
                      unsigned side_before, unsigned maps, unsigned side)
{
    for (unsigned i = 0; i < maps * side * side; i++) {
        unsigned x = i % side, y = i / side % side, map = i / side / side;
        to[i] = see_window(from + 2 * y * side_before + 2 * x,
                           weights + map * (1 + WINDOW * maps_before), maps_before, side_before);
    }
}

static void full_layer(const float *from, const float *weights, float *to, unsigned inputs,
                       unsigned neurons)
{
    for (unsigned n = 0; n < neurons; n++, weights += inputs + 1) {
        double sum = (double)weights[0];
        for (unsigned i = 0; i < inputs; i++)
            sum += (double)(from[i] * weights[1 + i]);
        to[n] = squash(sum);
    }
}

static void think(const struct network *n)
{
    for (unsigned p = 0; p < n->pictures; p++) {
        float *one = n->layer1 + p * MAPS1 * SIDE1 * SIDE1, *two = n->layer2 + p * INPUTS;
        float *three = n->layer3 + p * n->hidden;
        map_layer(n->layer0 + p * SIDE0 * SIDE0, n->weights1, one, 1, SIDE0, MAPS1, SIDE1);
        map_layer(one, n->weights2, two, MAPS1, SIDE1, MAPS2, SIDE2);
        full_layer(two, n->weights3, three, INPUTS, n->hidden);
        full_layer(three, n->weights4, n->layer4 + p * 10, n->hidden, 10);
    }
}

// Weights of `neurons` neurons with `inputs` inputs each, and a bias.
static float *make_weights(struct hd_work *w, unsigned neurons, unsigned inputs)
{
    float most = 2 / sqrtf((float)inputs);

    return hd_work_floats(w, neurons * (inputs + 1), -most, most);
}

static void think_on_device(struct hd_work *w, const struct network *n, float *got)
{
    unsigned pictures = n->pictures, hidden = n->hidden;
    size_t word = sizeof(float);

    CUdeviceptr zero = hd_work_upload(w, n->layer0, pictures * SIDE0 * SIDE0 * word);
    CUdeviceptr one = hd_work_buffer(w, pictures * MAPS1 * SIDE1 * SIDE1 * word);
    CUdeviceptr two = hd_work_buffer(w, pictures * INPUTS * word);
    CUdeviceptr three = hd_work_buffer(w, pictures * hidden * word);
    CUdeviceptr four = hd_work_buffer(w, pictures * 10 * word);
    CUdeviceptr w1 = hd_work_upload(w, n->weights1, MAPS1 * (WINDOW + 1) * word);
    CUdeviceptr w2 = hd_work_upload(w, n->weights2, MAPS2 * (WINDOW * MAPS1 + 1) * word);
    CUdeviceptr w3 = hd_work_upload(w, n->weights3, hidden * (INPUTS + 1) * word);
    CUdeviceptr w4 = hd_work_upload(w, n->weights4, 10 * (hidden + 1) * word);
    struct hd_work_grid grid1 = {MAPS1, pictures, SIDE1, SIDE1};
    struct hd_work_grid grid2 = {MAPS2, pictures, SIDE2, SIDE2};
    struct hd_work_grid grid3 = {hidden, pictures, 1, 1}, grid4 = {10, pictures, 1, 1};
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "digits_layer1"), grid1, &zero, &w1, &one);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "digits_layer2"), grid2, &one, &w2, &two);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "digits_layer3"), grid3, &two, &w3, &three);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "digits_layer4"), grid4, &three, &w4, &four, &hidden);
    hd_work_read(w, got, four, pictures * 10 * word);
}

static void run(struct hd_work *w)
{
    static const unsigned pictures[HD_WORK_SIZES] = {1, 4, 28};
    static const unsigned hidden[HD_WORK_SIZES] = {10, 100, 100};
    struct network n = {.pictures = pictures[w->size], .hidden = hidden[w->size]};
    float *got = hd_work_array(w, n.pictures * 10, sizeof *got);

    n.weights1 = make_weights(w, MAPS1, WINDOW);
    n.weights2 = make_weights(w, MAPS2, WINDOW * MAPS1);
    n.weights3 = make_weights(w, n.hidden, INPUTS);
    n.weights4 = make_weights(w, 10, n.hidden);
    n.layer0 = hd_work_array(w, n.pictures * SIDE0 * SIDE0, sizeof(float));
    n.layer1 = hd_work_array(w, n.pictures * MAPS1 * SIDE1 * SIDE1, sizeof(float));
    n.layer2 = hd_work_array(w, n.pictures * INPUTS, sizeof(float));
    n.layer3 = hd_work_array(w, n.pictures * n.hidden, sizeof(float));
    n.layer4 = hd_work_array(w, n.pictures * 10, sizeof(float));
    for (unsigned p = 0; p < n.pictures; p++)
        draw(w, n.layer0 + p * SIDE0 * SIDE0);
    think_on_device(w, &n, got);
    think(&n);
    hd_work_near(w, "digits", got, n.layer4, n.pictures * 10, 1e-4);
}

const struct hd_workload hd_workload_digits = {
    .name = "digits",
    .brief =
        "a neural network that reads digits: one load for every other few instructions, blocks "
        "of one thread",
    .groups = "lfws:NN pro:NN",
    .sizes = {"1 picture, 10 hidden neurons", "4 pictures, 100 hidden neurons",
              "28 pictures, 100 hidden neurons"},
    .run = run,
};
