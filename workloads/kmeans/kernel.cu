// One round of k-means: which centre is nearest to each point? A point has many features. The centres are in
// constant memory, the points come through a texture, feature by feature, so that neighbouring threads
// read neighbouring texels.

#define FEATURES_MAX 34
#define CENTRES_MAX 32

extern "C" {
__constant__ float centres[CENTRES_MAX * FEATURES_MAX];
}

// From point by point to feature by feature.
extern "C" __global__ void invert_mapping(const float *by_point, float *by_feature, int points,
                                          int features)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;

    if (point >= points)
        return;
#pragma unroll 1
    for (int i = 0; i < features; i++)
        by_feature[point + points * i] = by_point[point * features + i];
}

extern "C" __global__ void kmeansPoint(cudaTextureObject_t by_feature, int features, int points,
                                       int n_centres, int *nearest)
{
    int point = (gridDim.x * blockIdx.y + blockIdx.x) * blockDim.x + threadIdx.x;
    int best = -1;
    float least = 3.40282347e38f;

    if (point >= points)
        return;
#pragma unroll 1
    for (int c = 0; c < n_centres; c++) {
        float sum = 0;
#pragma unroll 1
        for (int i = 0; i < features; i++) {
            float apart =
                tex1Dfetch<float>(by_feature, point + i * points) - centres[c * features + i];
            sum += apart * apart;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    nearest[point] = best;
}
