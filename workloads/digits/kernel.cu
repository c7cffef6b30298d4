// Which digit is on a picture? Four layers of a neural network, a launch for each: six maps of 13 x 13
// neurons that see 5 x 5 pixels, fifty maps of 5 x 5 that see 5 x 5 neurons of every map before, a layer
// of neurons that see all of those, and one neuron for each digit. A thread is a neuron, a block a map of
// one picture; in the last two layers a block is a single neuron. Weights begin with the neuron's bias.

#define WINDOW 25
#define SIDE0 29 // of a picture, and of the maps
#define SIDE1 13
#define SIDE2 5
#define MAPS1 6
#define MAPS2 50

extern "C" {
// Where the neurons of a window are, seen from its first one.
__constant__ unsigned digits_window0[WINDOW] = {0,  1,  2,  3,  4,  29, 30, 31,  32,  33,  58,  59, 60,
                                           61, 62, 87, 88, 89, 90, 91, 116, 117, 118, 119, 120};
__constant__ unsigned digits_window1[WINDOW] = {0,  1,  2,  3,  4,  13, 14, 15, 16, 17, 26, 27, 28,
                                           29, 30, 39, 40, 41, 42, 43, 52, 53, 54, 55, 56};
}

// 1.7159 tanh(2/3 x), after LeCun.
__device__ static inline float squash(float x)
{
    return 1.7159f - __fdividef(2.0f * 1.7159f, 1.0f + __expf(1.3333333f * x));
}

extern "C" __global__ void digits_layer1(const float *pictures, const float *weights, float *neurons)
{
    unsigned map = blockIdx.x, picture = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    unsigned corner = picture * SIDE0 * SIDE0 + 2 * y * SIDE0 + 2 * x, weight = map * (WINDOW + 1);
    float sum = weights[weight++];

#pragma unroll 1
    for (unsigned i = 0; i < WINDOW; i++)
        sum += pictures[corner + digits_window0[i]] * weights[weight + i];
    neurons[((picture * MAPS1 + map) * SIDE1 + y) * SIDE1 + x] = squash(sum);
}

extern "C" __global__ void digits_layer2(const float *before, const float *weights, float *neurons)
{
    unsigned map = blockIdx.x, picture = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    unsigned corner = picture * MAPS1 * SIDE1 * SIDE1 + 2 * y * SIDE1 + 2 * x;
    unsigned weight = map * (WINDOW * MAPS1 + 1);
    float sum = weights[weight++];

#pragma unroll 1
    for (unsigned i = 0; i < WINDOW; i++)
        for (unsigned m = 0; m < MAPS1; m++)
            sum += before[corner + m * SIDE1 * SIDE1 + digits_window1[i]] *
                   weights[weight + i * MAPS1 + m];
    neurons[((picture * MAPS2 + map) * SIDE2 + y) * SIDE2 + x] = squash(sum);
}

// Neuron blockIdx.x sees all of the layer before.
__device__ static inline void see_all(const float *before, const float *weights, float *neurons,
                                      unsigned inputs)
{
    unsigned neuron = blockIdx.x, picture = blockIdx.y, weight = neuron * (inputs + 1);
    float sum = weights[weight++];

#pragma unroll 1
    for (unsigned i = 0; i < inputs; i++)
        sum += before[picture * inputs + i] * weights[weight + i];
    neurons[picture * gridDim.x + neuron] = squash(sum);
}

extern "C" __global__ void digits_layer3(const float *before, const float *weights, float *neurons)
{
    see_all(before, weights, neurons, MAPS2 * SIDE2 * SIDE2);
}

extern "C" __global__ void digits_layer4(const float *before, const float *weights, float *neurons,
                                         unsigned inputs)
{
    see_all(before, weights, neurons, inputs);
}
