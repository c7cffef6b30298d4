// limits.h - limits of the programming model, whatever the machine could hold. device.c reports
// them to programs, and other files check against them.
#ifndef HEDDLE_CUDA_CORE_LIMITS_H
#define HEDDLE_CUDA_CORE_LIMITS_H

#include "cuda/core/process.h"

#define HD_CUDA_MAX_THREADS 1024  // of a block
#define HD_CUDA_SHARED (48 << 10) // bytes of shared memory that a block may have unless it opts in
#define HD_CUDA_TEXTURE_ALIGN 256 // alignment of textures in memory, which all allocations have
#define HD_CUDA_PITCH_ALIGN 32    // alignment of their rows, in bytes
// The most texels of an array along a dimension, the most layers, the most texels of memory read as
// a texture.
#define HD_CUDA_LINE 131072
#define HD_CUDA_COLUMN 65536
#define HD_CUDA_VOLUME 16384
#define HD_CUDA_LAYERED 32768
#define HD_CUDA_LAYERS 2048
#define HD_CUDA_FACES 6 // of a cube map
#define HD_CUDA_CUBE_LAYERS 2046
#define HD_CUDA_LINEAR (1 << 27)
#define HD_CUDA_LINEAR_PITCH (2 << 20)

// Shared memory of a block that has not opted in. A kernel that has may use all of an SM's.
static inline uint32_t hd_limits_shared(void)
{
    return hd_cuda.config.sm.shared_bytes < HD_CUDA_SHARED ? hd_cuda.config.sm.shared_bytes
                                                           : HD_CUDA_SHARED;
}

#endif
