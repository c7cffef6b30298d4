// rtlibraries.c - cudaLibrary*: code that the program loads itself, as libraries of the driver.
#include "cudart/registration.h"
#include "cudart/session.h"

#if HD_CUDART >= 12

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, CUjit_option *options,
                                void **values, unsigned n, CUlibraryOption *library_options,
                                void **library_values, unsigned n_library)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryLoadData(library, code, options, values, n, library_options,
                                             library_values, n_library));
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, CUjit_option *options,
                                    void **values, unsigned n, CUlibraryOption *library_options,
                                    void **library_values, unsigned n_library)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryLoadFromFile(library, file, options, values, n, library_options,
                                                 library_values, n_library));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryUnload(library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryGetKernel(kernel, library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryGetKernelCount(count, library));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned n, cudaLibrary_t library)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryEnumerateKernels(kernels, n, library));
}

cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library,
                                 const char *name)
{
    CUdeviceptr at = 0;

    HD_RT_ENTER();
    CUresult r = cuLibraryGetGlobal(&at, bytes, library, name);
    if (r == CUDA_SUCCESS && address)
        *address = (void *)(uintptr_t)at;
    return hd_session_note(r);
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes, cudaLibrary_t library,
                                  const char *name)
{
    CUdeviceptr at = 0;

    HD_RT_ENTER();
    CUresult r = cuLibraryGetManaged(&at, bytes, library, name);
    if (r == CUDA_SUCCESS && address)
        *address = (void *)(uintptr_t)at;
    return hd_session_note(r);
}

cudaError_t cudaLibraryGetUnifiedFunction(void **function, cudaLibrary_t library,
                                          const char *symbol)
{
    HD_RT_ENTER();
    return hd_session_note(cuLibraryGetUnifiedFunction(function, library, symbol));
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, int attribute, int value,
                                            int device)
{
    CUkernel k;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_kernel(kernel, &k);
    if (e == cudaSuccess)
        e = (cudaError_t)cuKernelSetAttribute((CUfunction_attribute)attribute, value, k, device);
    return hd_session_note(e);
}

#endif
