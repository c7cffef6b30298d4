// occupancy.c - how many blocks of a kernel fit on an SM; the dispatcher's own function computes
// it.
#include "cuda/code/code.h"

#include "cuda/core/limits.h"

static int blocks_of(const struct hd_cuda_function *f, int block_size, size_t dynamic)
{
    uint32_t block[3] = {(uint32_t)block_size, 1, 1};
    uint64_t shared = (uint64_t)f->func->shared_bytes + dynamic;
    struct hd_launch l;

    if (block_size > HD_CUDA_MAX_THREADS || dynamic > (size_t)f->max_dynamic ||
        shared > hd_cuda.config.sm.shared_bytes ||
        (f->func->max_threads && (uint32_t)block_size > f->func->max_threads))
        return 0;
    l = hd_functions_shape(f, block, (uint32_t)dynamic);
    return (int)hd_occupancy(&hd_cuda.config, &l);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int block_size, size_t dynamic,
                                                              unsigned flags)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!blocks || block_size <= 0 || flags & ~1u)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = blocks_of(f, block_size, dynamic);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int block_size, size_t dynamic)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size,
                                                                dynamic, 0);
}

// One step of the search below. It is a call of its own, because the program's function is called
// between steps.
static CUresult resident(CUfunction function, int block_size, size_t dynamic, int *threads)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    *threads = blocks_of(f, block_size, dynamic) * block_size;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block_size,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize dynamic_of, size_t dynamic,
                                                   int limit, unsigned flags)
{
    int best = 0, best_size = 0, most = HD_CUDA_MAX_THREADS, threads;
    CUresult r = resident(function, 1, 0, &threads);

    if (r == CUDA_SUCCESS && (!min_grid || !block_size || limit < 0 || flags & ~1u))
        r = CUDA_ERROR_INVALID_VALUE;
    if (limit && limit < most)
        most = limit;
    // The largest of the block sizes with which most threads are resident.
    for (int n = (most + HD_LANES - 1) / HD_LANES * HD_LANES; n > 0 && r == CUDA_SUCCESS;
         n -= HD_LANES) {
        int size = n < most ? n : most;
        r = resident(function, size, dynamic_of ? dynamic_of(size) : dynamic, &threads);
        if (threads > best) {
            best = threads;
            best_size = size;
        }
    }
    if (r != CUDA_SUCCESS)
        return r;
    *block_size = best_size;
    *min_grid = best ? best / best_size * (int)hd_cuda.config.sm.sms : 0;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block_size, CUfunction function,
                                          CUoccupancyB2DSize dynamic_of, size_t dynamic, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block_size, function, dynamic_of,
                                                     dynamic, limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                                 int block_size)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!bytes || blocks <= 0 || block_size <= 0 || blocks > blocks_of(f, block_size, 0))
        return CUDA_ERROR_INVALID_VALUE;
    uint32_t each = hd_cuda.config.sm.shared_bytes / (uint32_t)blocks;
    *bytes = each > f->func->shared_bytes ? each - f->func->shared_bytes : 0;
    if (*bytes > (size_t)f->max_dynamic)
        *bytes = (size_t)f->max_dynamic;
    return CUDA_SUCCESS;
}
