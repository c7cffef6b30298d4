// halves.cu - half precision: a double becomes a half by one rounding, in kernels and on the host.
#include <cuda_fp16.h>

#include "check.h"

#include <cstring>

struct conversion {
    double from;
    unsigned short to;
};
// Just above and below the middle of two halves, at the ends of the range, and exact ones.
static const conversion conversions[] = {
    {0x1.002p0 + 0x1p-40, 0x3c01},     {0x1.002p0, 0x3c00},      {0x1.002p0 - 0x1p-40, 0x3c00},
    {0x1.006p0 - 0x1p-50, 0x3c01},     {-0x1.006p0, 0xbc02},     {0x1.ffdfffffffp15, 0x7bff},
    {0x1.ffep15, 0x7c00},              {-1e300, 0xfc00},         {0x1p-25 + 0x1p-60, 0x0001},
    {0x1p-25, 0x0000},                 {-0x1p-25, 0x8000},       {1e-300, 0x0000},
    {0x1.ff8p-15 - 0x1p-60, 0x03ff},   {0x1.ffcp-15, 0x0400},    {0x1.8p-24 - 0x1p-70, 0x0001},
    {0.1, 0x2e66},
};
#define CONVERSIONS (int)(sizeof conversions / sizeof *conversions)

__global__ void convert(const double *from, unsigned short *to)
{
    to[2 * threadIdx.x] = __half_as_ushort(__double2half(from[threadIdx.x]));
    to[2 * threadIdx.x + 1] = __half_as_ushort(__half(from[threadIdx.x]));
}

static void doubles()
{
    shared<double> from(CONVERSIONS);
    shared<unsigned short> to(2 * CONVERSIONS);

    for (int i = 0; i < CONVERSIONS; i++)
        from[i] = conversions[i].from;
    convert<<<1, CONVERSIONS>>>(from, to);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < CONVERSIONS; i++) {
        unsigned short bits[2];
        __half made(from[i]), converted = __double2half(from[i]);
        memcpy(bits, &made, 2);
        memcpy(bits + 1, &converted, 2);
        TRUE(to[2 * i] == conversions[i].to && to[2 * i + 1] == conversions[i].to);
        TRUE(bits[0] == conversions[i].to && bits[1] == conversions[i].to);
    }
}

int main()
{
    doubles();
    return ended();
}
