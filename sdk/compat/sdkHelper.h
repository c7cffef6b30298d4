// sdkHelper.h - what programs used of the helper functions of the CUDA SDK 4.2, written anew, for C++:
// arguments, files, comparisons, and the stop watch. The programs check errors by functions of their
// own. Pictures are not read.
#ifndef HEDDLE_LEGACY_SDKHELPER_H
#define HEDDLE_LEGACY_SDKHELPER_H

#include "heddle_helpers.h"
#include "helper_timer.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return heddle_helper_argument(argc, argv, name) != nullptr;
}

// The number; 0 if the argument is not there.
static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    int value = 0;

    heddle_helper_argument_int(argc, argv, name, &value);
    return value;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    float value = 0;

    heddle_helper_argument_float(argc, argv, name, &value);
    return value;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value)
{
    return heddle_helper_argument_text(argc, argv, name, value);
}

static inline char *sdkFindFilePath(const char *file, const char *program)
{
    return heddle_helper_find(file, program);
}

template <class T> static inline bool sdkCompareData(const T *reference, const T *data, unsigned int n)
{
    return !memcmp(reference, data, n * sizeof *data);
}

static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned int n,
                                  float epsilon)
{
    return heddle_helper_near(reference, data, n, epsilon);
}

static inline bool sdkComparefe(const float *reference, const float *data, unsigned int n, float epsilon)
{
    return heddle_helper_within(reference, data, n, epsilon, 0);
}

#endif
