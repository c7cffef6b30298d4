// launch.h - launches of kernels: what a call says, checked against the kernel and the machine.
//
// A launch is checked when it is called for: once it is in the queue, the machine takes it. Its
// parameters are copied then, and what texture references are bound to is written then
// (hd_texrefs_settle), because a kernel sees both as they are at its launch.
//
// The folder stands on code and texture, and on all that these stand on.
#ifndef HEDDLE_CUDA_LAUNCH_LAUNCH_H
#define HEDDLE_CUDA_LAUNCH_LAUNCH_H

#include "cuda/code/code.h"

struct hd_cuda_shape {
    uint32_t grid[3], block[3], dynamic;
};
// A launch of this shape, if the machine can run it, without parameters and stream.
CUresult hd_launch_prepare(const struct hd_cuda_function *f, const struct hd_cuda_shape *shape,
                           bool cooperative, struct hd_launch_request *out);
// The kernel's parameter block, of param_bytes bytes, from an array or packed already.
CUresult hd_launch_pack(const struct hd_func *f, void **params, void **extra, uint8_t *block);
#define HD_CUDA_WORKSPACE 256 // bytes of zeros where the blocks of a cooperative launch meet

#endif
