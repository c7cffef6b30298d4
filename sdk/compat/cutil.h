// cutil.h - what programs used of the helper library of the CUDA SDK up to 4.2, written anew: checks
// that end the program, timers, arguments, comparisons.
#ifndef HEDDLE_LEGACY_CUTIL_H
#define HEDDLE_LEGACY_CUTIL_H

#include "heddle_legacy.h"

#include "heddle_helpers.h"

typedef int CUTBoolean;
#define CUTTrue 1
#define CUTFalse 0

static inline void heddle_cut_check(cudaError_t status, const char *what, const char *file, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

#define CUDA_SAFE_CALL(call) heddle_cut_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL_NO_SYNC(call) CUDA_SAFE_CALL(call)
#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL(call)
#define CUT_SAFE_CALL(call)                                                                        \
    do {                                                                                           \
        if (!(call)) {                                                                             \
            fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call);                      \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define CUT_CHECK_ERROR(message)                                                                   \
    do {                                                                                           \
        heddle_cut_check(cudaGetLastError(), message, __FILE__, __LINE__);                         \
        heddle_cut_check(cudaDeviceSynchronize(), message, __FILE__, __LINE__);                    \
    } while (0)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilThreadSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilThreadExit() cudaDeviceReset()
#define CUT_DEVICE_INIT(argc, argv) CUDA_SAFE_CALL(cudaSetDevice(0))
#define cutilDeviceInit(argc, argv) (CUDA_SAFE_CALL(cudaSetDevice(0)), 0)
#define cutilChooseCudaDevice(argc, argv) cutilDeviceInit(argc, argv)
#define cutGetMaxGflopsDeviceId() 0
#define cutilGetMaxGflopsDeviceId() 0
// The device has at least this compute capability; it is 7.5.
#define cutilCudaCapabilities(major, minor, argc, argv) ((major)*10 + (minor) <= 75)
#define cutilSafeMalloc(pointer) CUT_SAFE_MALLOC(pointer)
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define CUT_CONDITION(value) CUT_SAFE_CALL(value)
#define CUT_SAFE_MALLOC(pointer) CUT_SAFE_CALL((pointer) != NULL)
// A check of bank conflicts that only device emulation made.
#define CUT_BANK_CHECKER(array, index) ((array)[index])

// Timers: numbers of a small table; milliseconds.
#define HEDDLE_CUT_TIMERS 64
struct heddle_cut_timer {
    double total, since;
    int used, running, runs;
};
static struct heddle_cut_timer heddle_cut_timers[HEDDLE_CUT_TIMERS];

static inline CUTBoolean cutCreateTimer(unsigned int *name)
{
    for (unsigned int i = 0; i < HEDDLE_CUT_TIMERS; i++)
        if (!heddle_cut_timers[i].used) {
            memset(&heddle_cut_timers[i], 0, sizeof heddle_cut_timers[i]);
            heddle_cut_timers[i].used = 1;
            *name = i;
            return CUTTrue;
        }
    return CUTFalse;
}

static inline CUTBoolean cutDeleteTimer(unsigned int name)
{
    if (name < HEDDLE_CUT_TIMERS)
        heddle_cut_timers[name].used = 0;
    return name < HEDDLE_CUT_TIMERS;
}

static inline CUTBoolean cutStartTimer(unsigned int name)
{
    if (name >= HEDDLE_CUT_TIMERS)
        return CUTFalse;
    heddle_cut_timers[name].since = heddle_helper_now();
    heddle_cut_timers[name].running = 1;
    return CUTTrue;
}

static inline CUTBoolean cutStopTimer(unsigned int name)
{
    if (name >= HEDDLE_CUT_TIMERS)
        return CUTFalse;
    if (heddle_cut_timers[name].running)
        heddle_cut_timers[name].total += heddle_helper_now() - heddle_cut_timers[name].since;
    heddle_cut_timers[name].runs += heddle_cut_timers[name].running;
    heddle_cut_timers[name].running = 0;
    return CUTTrue;
}

static inline CUTBoolean cutResetTimer(unsigned int name)
{
    if (name >= HEDDLE_CUT_TIMERS)
        return CUTFalse;
    heddle_cut_timers[name].total = 0;
    heddle_cut_timers[name].runs = 0;
    heddle_cut_timers[name].since = heddle_helper_now();
    return CUTTrue;
}

static inline float cutGetTimerValue(unsigned int name)
{
    const struct heddle_cut_timer *t = &heddle_cut_timers[name % HEDDLE_CUT_TIMERS];

    return (float)(t->total + (t->running ? heddle_helper_now() - t->since : 0));
}

// Of the runs that were stopped since the last reset.
static inline float cutGetAverageTimerValue(unsigned int name)
{
    const struct heddle_cut_timer *t = &heddle_cut_timers[name % HEDDLE_CUT_TIMERS];

    return t->runs ? (float)(t->total / t->runs) : 0;
}

static inline void cutFree(void *memory)
{
    free(memory);
}

static inline CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
    return heddle_helper_argument(argc, argv, name) != NULL;
}

static inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name,
                                                int *value)
{
    return heddle_helper_argument_int(argc, argv, name, value);
}

static inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name,
                                                float *value)
{
    return heddle_helper_argument_float(argc, argv, name, value);
}

// The value's copy is the caller's to free.
static inline CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name,
                                                  char **value)
{
    return heddle_helper_argument_text(argc, argv, name, value);
}

// The path of a file beside the program or in its folder data, to be freed; NULL if there is none.
static inline char *cutFindFilePath(const char *file, const char *program)
{
    return heddle_helper_find(file, program);
}

static inline CUTBoolean cutCompareub(const unsigned char *reference, const unsigned char *data,
                                      unsigned int n)
{
    return memcmp(reference, data, n) ? CUTFalse : CUTTrue;
}

static inline CUTBoolean cutComparei(const int *reference, const int *data, unsigned int n)
{
    return memcmp(reference, data, n * sizeof *data) ? CUTFalse : CUTTrue;
}

static inline CUTBoolean cutComparefe(const float *reference, const float *data, unsigned int n,
                                      float epsilon)
{
    return heddle_helper_within(reference, data, n, epsilon, 0);
}

static inline CUTBoolean cutComparef(const float *reference, const float *data, unsigned int n)
{
    return cutComparefe(reference, data, n, 0);
}

// Relative to the reference's length.
static inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, unsigned int n,
                                        float epsilon)
{
    return heddle_helper_near(reference, data, n, epsilon);
}

#endif
