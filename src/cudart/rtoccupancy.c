// rtoccupancy.c - how many blocks fit on an SM.
#include "cudart/registration.h"
#include "cudart/session.h"

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads,
                                                                              shared, flags);
    return hd_session_note(e);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                  0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int threads)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, threads);
    return hd_session_note(e);
}
