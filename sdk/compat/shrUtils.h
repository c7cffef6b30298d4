// shrUtils.h - what programs used of the shared helper library of the CUDA SDK 4, written anew: a log,
// a clock, arguments, comparisons. Pictures are not read.
#ifndef HEDDLE_LEGACY_SHRUTILS_H
#define HEDDLE_LEGACY_SHRUTILS_H

#include "heddle_helpers.h"

#include <stdarg.h>

typedef int shrBOOL;
#define shrTRUE 1
#define shrFALSE 0
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef CLAMP
#define CLAMP(a, low, high) MIN((high), MAX((low), (a)))
#endif

// The log: standard output, and a file if the program names one.
enum { LOGCONSOLE = 1, LOGFILE = 2, LOGBOTH = 3, APPENDMODE = 4, MASTER = 8, ERRORMSG = 16, CLOSELOG = 32 };
static FILE *heddle_shr_file;

static inline void shrSetLogFileName(const char *name)
{
    if (heddle_shr_file)
        fclose(heddle_shr_file);
    heddle_shr_file = fopen(name, "w");
}

static inline int heddle_shr_write(int where, const char *text, va_list values)
{
    va_list again;
    int n = 0;

    va_copy(again, values);
    if (where & LOGCONSOLE)
        n = vprintf(text, values);
    fflush(stdout);
    if (where & LOGFILE && heddle_shr_file)
        n = vfprintf(heddle_shr_file, text, again);
    va_end(again);
    return n;
}

static inline int shrLog(const char *text, ...)
{
    va_list values;
    int n;

    va_start(values, text);
    n = heddle_shr_write(LOGBOTH, text, values);
    va_end(values);
    return n;
}

// With ERRORMSG, `number` is the error's.
static inline int shrLogEx(int where, int number, const char *text, ...)
{
    va_list values;
    int n;

    if (where & ERRORMSG)
        printf("Error %d: ", number);
    va_start(values, text);
    n = heddle_shr_write(where & LOGBOTH ? where : LOGBOTH, text, values);
    va_end(values);
    return n;
}

// Seconds since the last call for the same of three clocks.
static inline double shrDeltaT(int clock)
{
    static double last[3];
    double now = heddle_helper_now() * 1e-3, from;

    if (clock < 0 || clock > 2)
        return -9999;
    from = last[clock];
    last[clock] = now;
    return from ? now - from : 0;
}

static inline size_t shrRoundUp(int group, int whole)
{
    return (size_t)((whole + group - 1) / group * group);
}

static inline void shrFillArray(float *data, int n)
{
    for (int i = 0; i < n; i++)
        data[i] = (float)rand() / (float)RAND_MAX;
}

static inline shrBOOL shrCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
    return heddle_helper_argument(argc, argv, name) != NULL;
}

static inline shrBOOL shrGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *value)
{
    return heddle_helper_argument_int(argc, argv, name, value);
}

static inline shrBOOL shrGetCmdLineArgumentu(int argc, const char **argv, const char *name,
                                             unsigned int *value)
{
    int n, there = heddle_helper_argument_int(argc, argv, name, &n);

    if (there)
        *value = (unsigned int)n;
    return there;
}

static inline shrBOOL shrGetCmdLineArgumentf(int argc, const char **argv, const char *name,
                                             float *value)
{
    return heddle_helper_argument_float(argc, argv, name, value);
}

static inline shrBOOL shrGetCmdLineArgumentstr(int argc, const char **argv, const char *name,
                                               char **value)
{
    return heddle_helper_argument_text(argc, argv, name, value);
}

static inline char *shrFindFilePath(const char *file, const char *program)
{
    return heddle_helper_find(file, program);
}

static inline void shrFree(void *memory)
{
    free(memory);
}

static inline shrBOOL shrComparei(const int *reference, const int *data, unsigned int n)
{
    return !memcmp(reference, data, n * sizeof *data);
}

static inline shrBOOL shrCompareub(const unsigned char *reference, const unsigned char *data,
                                   unsigned int n)
{
    return !memcmp(reference, data, n);
}

static inline shrBOOL shrComparefe(const float *reference, const float *data, unsigned int n,
                                   float epsilon)
{
    return heddle_helper_within(reference, data, n, epsilon, 0);
}

static inline shrBOOL shrComparefet(const float *reference, const float *data, unsigned int n,
                                    float epsilon, float threshold)
{
    return heddle_helper_within(reference, data, n, epsilon, threshold);
}

static inline shrBOOL shrComparef(const float *reference, const float *data, unsigned int n)
{
    return heddle_helper_within(reference, data, n, 0, 0);
}

static inline shrBOOL shrCompareL2fe(const float *reference, const float *data, unsigned int n,
                                     float epsilon)
{
    return heddle_helper_near(reference, data, n, epsilon);
}

static inline void heddle_shr_check(int is, int wanted, const char *file, int line)
{
    if (is == wanted)
        return;
    fprintf(stderr, "%s:%d: %d, not %d\n", file, line, is, wanted);
    exit(EXIT_FAILURE);
}
#define shrCheckError(is, wanted) heddle_shr_check((is), (wanted), __FILE__, __LINE__)
#define shrEXIT(argc, argv) exit(EXIT_SUCCESS)

#endif
