// heddle_helpers.h - what the headers of the old SDK share: a clock, arguments of the command line, files
// beside the program, comparisons. It needs no CUDA, so that files of the host can include it.
#ifndef HEDDLE_LEGACY_HELPERS_H
#define HEDDLE_LEGACY_HELPERS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double heddle_helper_now(void) // milliseconds
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// "--name" and "--name=value" among the arguments.
static inline const char *heddle_helper_argument(int argc, const char **argv, const char *name)
{
    size_t n = strlen(name);

    for (int i = 1; i < argc; i++) {
        const char *at = argv[i] + strspn(argv[i], "-");
        if (at != argv[i] && !strncmp(at, name, n) && (!at[n] || at[n] == '='))
            return at[n] ? at + n + 1 : at + n;
    }
    return NULL;
}

static inline int heddle_helper_argument_int(int argc, const char **argv, const char *name, int *value)
{
    const char *text = heddle_helper_argument(argc, argv, name);

    if (text)
        *value = atoi(text);
    return text != NULL;
}

static inline int heddle_helper_argument_float(int argc, const char **argv, const char *name,
                                               float *value)
{
    const char *text = heddle_helper_argument(argc, argv, name);

    if (text)
        *value = (float)atof(text);
    return text != NULL;
}

// *value is a copy, or NULL if the argument is not there.
static inline int heddle_helper_argument_text(int argc, const char **argv, const char *name,
                                              char **value)
{
    const char *text = heddle_helper_argument(argc, argv, name);
    size_t bytes = text ? strlen(text) + 1 : 0;

    *value = text ? (char *)malloc(bytes) : NULL;
    if (*value)
        memcpy(*value, text, bytes);
    return *value != NULL;
}

// Looks in the current folder, in data/, and beside the program in the same way. The result is the
// caller's to free.
static inline char *heddle_helper_find(const char *file, const char *program)
{
    static const char *const folders[] = {"", "data/", "../data/", "../"};
    const char *slash = program ? strrchr(program, '/') : NULL;
    int own = slash ? (int)(slash - program) + 1 : 0;

    for (int beside = 0; beside < 2; beside++)
        for (int i = 0; i < 4; i++) {
            size_t room = strlen(file) + (size_t)own + 16;
            char *path = (char *)malloc(room);
            FILE *f;
            if (!path)
                return NULL;
            snprintf(path, room, "%.*s%s%s", beside ? own : 0, program ? program : "", folders[i],
                     file);
            f = fopen(path, "rb");
            if (f) {
                fclose(f);
                return path;
            }
            free(path);
        }
    return NULL;
}

// Whether at most the share `allowed` of the numbers differs by more than epsilon.
static inline int heddle_helper_within(const float *reference, const float *data, unsigned int n,
                                       float epsilon, float allowed)
{
    unsigned int wrong = 0;

    for (unsigned int i = 0; i < n; i++)
        wrong += !(fabsf(reference[i] - data[i]) <= epsilon);
    return (double)wrong <= (double)allowed * n;
}

// Whether the difference is short compared with the reference.
static inline int heddle_helper_near(const float *reference, const float *data, unsigned int n,
                                     float epsilon)
{
    double error = 0, length = 0;

    for (unsigned int i = 0; i < n; i++) {
        error += ((double)reference[i] - data[i]) * ((double)reference[i] - data[i]);
        length += (double)reference[i] * reference[i];
    }
    return length > 0 && sqrt(error / length) < epsilon;
}

#endif
