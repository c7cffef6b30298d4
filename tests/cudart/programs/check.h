// check.h - how the programs of this folder check themselves.
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>

static int wrong;

static inline void check_error(cudaError_t is, cudaError_t right, int line, const char *what)
{
    if (is == right)
        return;
    wrong = 1;
    printf("line %d: %s is %s\n", line, what, cudaGetErrorName(is));
}
static inline void check_truth(bool truth, int line, const char *what)
{
    if (truth)
        return;
    if (wrong++ < 20)
        printf("line %d: not so: %s\n", line, what);
}
static inline int verdict()
{
    if (!wrong)
        puts("all right");
    return wrong != 0;
}

#define OK(call) check_error((call), cudaSuccess, __LINE__, #call)
#define IS(call, error) check_error((call), (error), __LINE__, #call)
#define EXPECT(what) check_truth((what), __LINE__, #what)

#endif
