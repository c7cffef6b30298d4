// launch.h - kernel launches: the arguments of a call, checked against the kernel and the machine.
//
// A launch is checked when it is requested: the machine accepts whatever is in the queue. Its
// parameters are copied at that time, and bindings of texture references are written
// (hd_texrefs_settle), because a kernel sees both as they are at its launch.
//
// The folder may call code and texture, and everything that these may call.
#ifndef HEDDLE_CUDA_LAUNCH_LAUNCH_H
#define HEDDLE_CUDA_LAUNCH_LAUNCH_H

#include "cuda/code/code.h"

struct hd_cuda_shape {
    uint32_t grid[3], block[3], dynamic;
};
// Fills in a launch of this shape, without parameters and stream, if the machine can run it.
CUresult hd_launch_prepare(const struct hd_cuda_function *f, const struct hd_cuda_shape *shape,
                           bool cooperative, struct hd_launch_request *out);
// Makes the kernel's parameter block, of param_bytes bytes, from an array or from a packed block.
CUresult hd_launch_pack(const struct hd_func *f, void **params, void **extra, uint8_t *block);
#define HD_CUDA_WORKSPACE 256 // bytes of zeros with which the blocks of a cooperative launch meet

#endif
