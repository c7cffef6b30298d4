// sdk4.cu - a program as it was written for the CUDA SDK 4.2: its own check of errors, a log, a stop
// watch, and a result for automatic tests.
#include "sdkHelper.h"
#include "shrQATest.h"
#include "shrUtils.h"

#include <cuda_runtime.h>
#include <cutil_inline.h>

#define checkCudaErrors(err) __checkCudaErrors(err, __FILE__, __LINE__)
inline void __checkCudaErrors(cudaError err, const char *file, const int line)
{
    if (cudaSuccess != err) {
        fprintf(stderr, "%s(%i): %s\n", file, line, cudaGetErrorString(err));
        exit(-1);
    }
}

__global__ void twice(float *x)
{
    x[threadIdx.x] *= 2;
}

int main(int argc, char **argv)
{
    const char **words = (const char **)argv;
    const int n = 64;
    float host[n], wanted[n], *device;
    StopWatchInterface *timer = 0;
    int rounds = 1;
    char *name;

    shrQAStart(argc, argv);
    if (checkCmdLineFlag(argc, words, "rounds"))
        rounds = getCmdLineArgumentInt(argc, words, "rounds");
    if (shrGetCmdLineArgumenti(argc, words, "rounds", &rounds) != shrTRUE)
        shrLog("one round\n");
    shrSetLogFileName("/dev/null");
    shrFillArray(host, n);
    for (int i = 0; i < n; i++)
        wanted[i] = host[i] * (float)(1 << rounds);
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    shrDeltaT(0);
    checkCudaErrors(cudaMalloc((void **)&device, sizeof host));
    checkCudaErrors(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    for (int i = 0; i < rounds; i++)
        twice<<<1, n>>>(device);
    cutilCheckMsg("twice");
    checkCudaErrors(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(device));
    sdkStopTimer(&timer);
    bool right = sdkCompareL2fe(wanted, host, n, 1e-6f) && shrCompareL2fe(wanted, host, n, 1e-6f) == shrTRUE &&
                 shrComparefe(wanted, host, n, 1e-6f) && sdkGetTimerValue(&timer) > 0 && shrDeltaT(0) > 0;
    host[3] += 1;
    right = right && !sdkComparefe(wanted, host, n, 1e-6f) && shrComparefet(wanted, host, n, 1e-6f, 0.02f) &&
            !sdkCompareData(wanted, host, n);
    sdkDeleteTimer(&timer);
    char *path = shrFindFilePath(heddle_qa_name(argv[0]), argv[0]), *none = sdkFindFilePath("no such file", argv[0]);
    right = right && path && !none && CLAMP(7, 1, 5) == 5 && shrRoundUp(32, 33) == 64;
    free(path);
    if (shrGetCmdLineArgumentstr(argc, words, "name", &name))
        shrLogEx(LOGBOTH, 0, "%s: %d rounds\n", name, rounds);
    shrFree(name);
    cutilDeviceReset();
    shrQAFinishExit(argc, words, right ? QA_PASSED : QA_FAILED);
}
