// advice.c - cuMemAdvise, cuMemPrefetchAsync: hints about managed memory. There is one memory,
// nothing moves.
#include "cuda/memory/devmem.h"

static CUresult managed(CUdeviceptr p)
{
    const struct hd_cuda_alloc *a;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_devmem_find(p);
    return a && hd_cuda_managed(a) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// A hint, with the parameters that it is given and that nobody looks at.
#define HINT(name, params, ...)                                                                    \
    CUresult name params;                                                                          \
    CUresult name params                                                                           \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        return managed(p);                                                                         \
    }

HINT(cuMemAdvise, (CUdeviceptr p, size_t n, int advice, CUdevice d), (void)n, (void)advice, (void)d)
HINT(cuMemAdvise_v2, (CUdeviceptr p, size_t n, int advice, CUmemLocation l), (void)n, (void)advice,
     (void)l)
HINT(cuMemPrefetchAsync, (CUdeviceptr p, size_t n, CUdevice d, CUstream s), (void)n, (void)d,
     (void)s)
HINT(cuMemPrefetchAsync_ptsz, (CUdeviceptr p, size_t n, CUdevice d, CUstream s), (void)n, (void)d,
     (void)s)
HINT(cuMemPrefetchAsync_v2, (CUdeviceptr p, size_t n, CUmemLocation l, unsigned flags, CUstream s),
     (void)n, (void)l, (void)flags, (void)s)
HINT(cuMemPrefetchAsync_v2_ptsz,
     (CUdeviceptr p, size_t n, CUmemLocation l, unsigned flags, CUstream s), (void)n, (void)l,
     (void)flags, (void)s)
