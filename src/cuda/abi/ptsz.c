// ptsz.c - the symbols that programs compiled for per-thread default streams use: the same
// functions, but their default stream is the calling thread's own.
//
// Functions without a stream (_ptds) wait for all queued work anyway, so they are the same calls.
#include "cuda/abi/ptsz.h"

#undef cuMemcpyBatchAsync

static CUresult launch_ex(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra)
{
    CUlaunchConfig c;

    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    c = *config;
    c.hStream = hd_ptsz_stream(c.hStream);
    return cuLaunchKernelEx(&c, function, params, extra);
}

#define VARIANT(name, params, call)                                                                \
    CUresult name params                                                                           \
    {                                                                                              \
        return call;                                                                               \
    }
#include "cuda/abi/ptsz.def"
