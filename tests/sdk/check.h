// check.h - for the programs beside it: count what is wrong, say how it ended.
#ifndef TESTS_SDK_CHECK_H
#define TESTS_SDK_CHECK_H

#include <cstdio>
#include <cstdlib>

static int wrong;

#define OK(call) check_call((call), __LINE__, #call)
#define TRUE(what) check_true((what), __LINE__, #what)

static inline void check_call(cudaError_t e, int line, const char *what)
{
    if (e != cudaSuccess) {
        printf("line %d: %s: %s\n", line, what, cudaGetErrorName(e));
        exit(1);
    }
}

static inline void check_true(bool holds, int line, const char *what)
{
    if (!holds && wrong++ < 20)
        printf("line %d: %s does not hold\n", line, what);
}

// The program's exit status.
static inline int ended()
{
    OK(cudaDeviceSynchronize());
    printf(wrong ? "%d wrong\n" : "all right\n", wrong);
    return wrong != 0;
}

// Memory of both sides, and its end.
template <class T> struct shared {
    T *at;
    explicit shared(size_t n)
    {
        OK(cudaMallocManaged(&at, n * sizeof(T)));
    }
    ~shared()
    {
        cudaFree(at);
    }
    operator T *() const
    {
        return at;
    }
};

#endif
