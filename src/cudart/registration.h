// registration.h - kernels and variables of the program: from their addresses in host code to the
// driver's handles.
#ifndef HEDDLE_CUDART_REGISTRATION_H
#define HEDDLE_CUDART_REGISTRATION_H

#include "cudart/runtime.h"

// A host function's address, a cudaKernel_t or a cudaFunction_t. Loads the module that contains it.
cudaError_t hd_registration_function(const void *function, CUfunction *out);
cudaError_t hd_registration_kernel(const void *function, CUkernel *out);
// The reverse: the host function's address, or the function itself if it has none.
void *hd_registration_host(CUfunction function);

struct hd_reference {
    const char *name; // in the module
    int fractions;    // integers are read as fractions of their range
    size_t offset;    // of the bound memory from the next lower aligned address
};
// A texture or surface reference by its host address, and the module that contains it. Returns
// cudaErrorInvalidTexture if there is none. Only for runtimes before 12.
cudaError_t hd_registration_reference(const void *host, CUmodule *module,
                                      struct hd_reference **out);
// A variable by its host address.
cudaError_t hd_registration_variable(const void *variable, CUdeviceptr *address, size_t *bytes);

#endif
