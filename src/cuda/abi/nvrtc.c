// nvrtc.c - makes NVIDIA's run-time compiler return PTX instead of machine code.
//
// A program that compiles for a concrete device (--gpu-architecture=sm_75) asks the compiler for a
// cubin and loads it. The compiler has the PTX as well, and the driver accepts both. So these two
// functions replace the compiler's own functions of the same names if the loader finds this library
// first, as it does under `heddle exec`. If the process has no compiler, nothing calls them.
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define NVRTC_INTERNAL_ERROR 11

int nvrtcGetCUBINSize(void *program, size_t *bytes);
int nvrtcGetCUBIN(void *program, char *code);

static int call(const char *name, void *program, void *argument)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    int (*f)(void *, void *);

    if (!symbol)
        return NVRTC_INTERNAL_ERROR;
    memcpy(&f, &symbol, sizeof f);
    return f(program, argument);
}

int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
    int r = call("nvrtcGetCUBINSize", program, bytes);
    size_t text;

    // If there is no cubin (compiled for compute_75) or no PTX (for linking), return what the
    // compiler returns.
    if (!r && bytes && *bytes && !call("nvrtcGetPTXSize", program, &text) && text > 1)
        *bytes = text;
    return r;
}

int nvrtcGetCUBIN(void *program, char *code)
{
    size_t text;

    if (!call("nvrtcGetPTXSize", program, &text) && text > 1)
        return call("nvrtcGetPTX", program, code);
    return call("nvrtcGetCUBIN", program, code);
}
