// One layer of a neural network, forward and back. Weights lie as rows of units + 1, one row per
// input; row and column 0 are for the bias. A block does the weights from SIDE inputs to SIDE units.

#define SIDE 16

// Weights times inputs, summed over the block's inputs, in place and then into `sums`, a row per block.
extern "C" __global__ void forward(const float *inputs, float *weights, float *sums,
                                   int units)
{
    __shared__ float input[SIDE];
    __shared__ float product[SIDE][SIDE];
    int block = blockIdx.y, x = threadIdx.x, y = threadIdx.y;
    int weight = (units + 1) * SIDE * block + (units + 1) * y + x + 1 + (units + 1);

    if (x == 0)
        input[y] = inputs[SIDE * block + y + 1];
    __syncthreads();
    product[y][x] = weights[weight];
    __syncthreads();
    product[y][x] = product[y][x] * input[y];
    __syncthreads();
#pragma unroll 1
    for (int round = 1; round <= __log2f(SIDE); round++) {
        int stride = __powf(2, round);
        if (y % stride == 0)
            product[y][x] = product[y][x] + product[y + stride / 2][x];
        __syncthreads();
    }
    weights[weight] = product[y][x];
    __syncthreads();
    if (x == 0)
        sums[block * units + y] = product[x][y];
}

#define RATE 0.3 // in double precision, and so are the sums below
#define MOMENTUM 0.3

// Move every weight against the error, and on in the direction that it moved last.
extern "C" __global__ void adjust(const float *errors, const float *inputs, float *weights,
                                  float *moves, int units)
{
    int block = blockIdx.y, x = threadIdx.x + 1, y = SIDE * block + threadIdx.y + 1;
    int weight = (units + 1) * y + x;

    weights[weight] += RATE * errors[x] * inputs[y] + MOMENTUM * moves[weight];
    moves[weight] = RATE * errors[x] * inputs[y] + MOMENTUM * moves[weight];
    __syncthreads();
    if (threadIdx.y == 0 && block == 0) { // the bias
        weights[x] += RATE * errors[x] + MOMENTUM * moves[x];
        moves[x] = RATE * errors[x] + MOMENTUM * moves[x];
    }
}
