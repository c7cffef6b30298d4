// rtcopy.h - copies as the driver describes them, for nodes of graphs.
#ifndef HEDDLE_CUDART_RTCOPY_H
#define HEDDLE_CUDART_RTCOPY_H

#include "cudart/runtime.h"

#include <stdbool.h>

// Converts parameters to the driver's, and back.
cudaError_t hd_rtcopy_describe(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out);
cudaError_t hd_rtcopy_params(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *out);
// Finds the bytes of a variable that a copy reads or writes.
cudaError_t hd_rtcopy_symbol(bool to_symbol, const void *variable, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, void **at);

#endif
