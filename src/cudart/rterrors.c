// rterrors.c - names and sentences of errors.
#include "cudart/session.h"

static const struct {
    int number;
    const char *name, *sentence;
} errors[] = {
#define X(name, number, sentence) {number, #name, sentence},
#include "cudart/rterrors.def"
#undef X
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == (int)error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const char *text;

    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == (int)error && errors[i].sentence)
            return errors[i].sentence;
    if (cuGetErrorString((CUresult)error, &text) == CUDA_SUCCESS && text)
        return text;
    return "unrecognized error code";
}
