// What would change if one more of the points became a centre: for every point, what is saved by
// moving it there, or else what moving it there anyway would cost its centre. One thread per point.

struct point {
    float weight;
    int centre; // the point that it belongs to
    float cost; // of that: weight times squared distance
};

// Coordinates of all points lie side by side, dimension by dimension.
__device__ float squared_distance(const float *coordinates, int n, int dimensions, int a, int b)
{
    float sum = 0;

#pragma unroll 1
    for (int d = 0; d < dimensions; d++) {
        float difference = coordinates[d * n + a] - coordinates[d * n + b];
        sum = fmaf(difference, difference, sum);
    }
    return sum;
}

// Row p of `savings` has a place for each centre, in the order that `places` says, and one for the
// candidate.
extern "C" __global__ void gain(const struct point *points, const float *coordinates, int n,
                                int dimensions, int candidate, const int *places, int centres,
                                int stride, float *savings, bool *moves)
{
    int p = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;

    if (p >= n)
        return;
    float *row = &savings[p * stride];
    float cost =
        squared_distance(coordinates, n, dimensions, p, candidate) * points[p].weight;
    if (cost < points[p].cost) {
        moves[p] = true;
        row[centres] += cost - points[p].cost;
    } else {
        row[places[points[p].centre]] += points[p].cost - cost;
    }
}
