// ptsz.c - the symbols of programs compiled for per-thread default streams: the same functions,
// whose default stream is the calling thread's own.
//
// Those that name no stream (_ptds) wait for everything queued anyway; they are the same calls.
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
