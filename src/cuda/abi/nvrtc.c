// nvrtc.c - NVIDIA's run-time compiler hands out PTX in the place of machine code.
//
// A program that compiles for the very device (--gpu-architecture=sm_75) asks the compiler for a
// cubin and loads that. The compiler has the PTX as well, and the driver takes both: so these two
// functions stand before the compiler's own of the same names where the loader finds this library
// first, as under heddle exec. Without a compiler in the process nothing calls them.
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

    // No cubin (compiled for compute_75), or no PTX (for linking): as the compiler says.
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
