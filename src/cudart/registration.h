// registration.h - kernels and variables of the program: from the address its host code knows to
// what the driver knows.
#ifndef HEDDLE_CUDART_REGISTRATION_H
#define HEDDLE_CUDART_REGISTRATION_H

#include "cudart/runtime.h"

// A host function's address, a cudaKernel_t or a cudaFunction_t. Loads the module it is in.
cudaError_t hd_registration_function(const void *function, CUfunction *out);
cudaError_t hd_registration_kernel(const void *function, CUkernel *out);
// The other way: the host function's address, the function itself if it has none.
void *hd_registration_host(CUfunction function);

struct hd_reference {
    const char *name; // in the module
    int fractions;    // integers are read as fractions
    size_t offset;    // of the memory that was bound last, above the alignment of textures
};
// A texture or surface reference by its host address and the module it is in.
// cudaErrorInvalidTexture: it is none. Runtimes before 12.
cudaError_t hd_registration_reference(const void *host, CUmodule *module,
                                      struct hd_reference **out);
// A variable by its host address.
cudaError_t hd_registration_variable(const void *variable, CUdeviceptr *address, size_t *bytes);

#endif
