// historic.cu - a program as it was written for CUDA 3: cutil, cudaThread*, fields that are gone.
#include <cutil_inline.h>
#include <helper_math.h>

__global__ void square(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        values[i] *= values[i];
}

// Vectors of both sides: the same expressions, by hand and by the header.
__global__ void vectors(float4 *out, int3 *whole)
{
    float3 a = make_float3(3, 0, 4), b = make_float3(2.0f), c = cross(normalize(a), -b);

    b += a * 2;
    b -= make_float3(make_float2(1, 1));
    out[0] = make_float4(b / 2, length(a));
    out[1] = make_float4(c, dot(a, b));
    out[2] = lerp(make_float4(0.0f), make_float4(8, 4, 2, 1), 0.5f) - clamp(out[0], 1, 3);
    out[3] = make_float4(reflect(a, make_float3(0, 0, 1)), dot(make_float2(a), make_float2(2, 5)));
    *whole = min(make_int3(fabs(-1.5f * a)), make_int3(4)) * make_int3(1, 2, 3) / 2;
}

static bool vectors_right(void)
{
    static const float right[16] = {3.5f, 0.5f, 5, 5, 1.6f, -0.4f, -1.2f, 61, 1, 1, -2, -2.5f, 3, 0, -4, 6};
    float4 out[4], *device;
    int3 whole, *device_whole;

    cutilSafeCall(cudaMalloc((void **)&device, sizeof out));
    cutilSafeCall(cudaMalloc((void **)&device_whole, sizeof whole));
    vectors<<<1, 1>>>(device, device_whole);
    cutilSafeCall(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
    cutilSafeCall(cudaMemcpy(&whole, device_whole, sizeof whole, cudaMemcpyDeviceToHost));
    return cutComparefe(right, &out[0].x, 16, 1e-5f) && whole.x == 2 && whole.y == 0 && whole.z == 6;
}

int main(int argc, char **argv)
{
    const int n = 1000;
    float host[n], expected[n], *device;
    unsigned int timer = 0;
    int rounds = 1;
    char *word = NULL;
    cudaDeviceProp prop;

    CUT_DEVICE_INIT(argc, argv);
    CUDA_SAFE_CALL(cudaGetDeviceProperties(&prop, 0));
    printf("%s: %d kHz, mode %d, overlap %d, timeout %d\n", prop.name, prop.clockRate,
           prop.computeMode, prop.deviceOverlap, prop.kernelExecTimeoutEnabled);
    cutGetCmdLineArgumenti(argc, (const char **)argv, "rounds", &rounds);
    if (!cutGetCmdLineArgumentstr(argc, (const char **)argv, "rounds", &word) || atoi(word) != rounds)
        printf("no word\n");
    cutFree(word);
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    for (int i = 0; i < n; i++) {
        host[i] = expected[i] = 1 + i * 0.001f;
        for (int k = 0; k < rounds; k++)
            expected[i] *= expected[i];
    }
    cutilSafeCall(cudaMalloc((void **)&device, sizeof host));
    cutilSafeCall(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    CUT_SAFE_CALL(cutStartTimer(timer));
    for (int k = 0; k < rounds; k++)
        square<<<(n + 127) / 128, 128>>>(device, n);
    CUT_CHECK_ERROR("square failed");
    cutilSafeCall(cudaThreadSynchronize());
    CUT_SAFE_CALL(cutStopTimer(timer));
    cutilSafeCall(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    bool right = cutComparef(expected, host, n) &&
                 cutCompareub((unsigned char *)expected, (unsigned char *)host, sizeof host) &&
                 cutComparei((int *)expected, (int *)host, n) && vectors_right();
    CUT_BANK_CHECKER(host, 7) = 0;
    right = right && !cutCompareub((unsigned char *)expected, (unsigned char *)host, sizeof host) &&
            !cutComparei((int *)expected, (int *)host, n);
    printf("%s, %d rounds%s\n", right ? "PASSED" : "FAILED", rounds,
           cutGetTimerValue(timer) > 0 && cutGetAverageTimerValue(timer) == cutGetTimerValue(timer) ? "" : ", no time");
    CUT_SAFE_CALL(cutDeleteTimer(timer));
    cutilSafeCall(cudaFree(device));
    cudaThreadExit();
    CUT_EXIT(argc, argv);
}
