// cuda.h - the driver API: heddle's own declarations. clang reads the version from this file.
#ifndef HEDDLE_SDK_CUDA_H
#define HEDDLE_SDK_CUDA_H

#define CUDA_VERSION 11050
#define __CUDA_API_VERSION 11050

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "cuda/driver.h"
#include "cuda/drivergraphs.h"
#ifdef __cplusplus
}
#endif

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
#define CUDAAPI
#define CUDA_CB

#endif
