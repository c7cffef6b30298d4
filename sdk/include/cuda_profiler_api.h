// cuda_profiler_api.h - start and stop of a profiler: heddle's results are of the whole program.
#ifndef HEDDLE_SDK_CUDA_PROFILER_API_H
#define HEDDLE_SDK_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif

#endif
