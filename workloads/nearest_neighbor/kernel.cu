// Distance of every record from a point of the map. One thread per record.

struct place {
    float latitude, longitude;
};

extern "C" __global__ void distances(const struct place *places, float *distance, int records,
                                     float latitude, float longitude)
{
    int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;

    if (i >= records)
        return;
    const struct place *p = places + i;
    float *d = distance + i;
    *d = sqrtf((latitude - p->latitude) * (latitude - p->latitude) +
               (longitude - p->longitude) * (longitude - p->longitude));
}
