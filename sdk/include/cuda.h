// cuda.h - the driver API: heddle's own declarations. clang reads the version from this file.
#ifndef HEDDLE_SDK_CUDA_H
#define HEDDLE_SDK_CUDA_H

#define CUDA_VERSION 11050
#define __cuda_cuda_h__ // programs ask by this name
#define __CUDA_API_VERSION 11050

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "cuda/abi/driver.h"
#include "cuda/abi/drivergraphs.h"
#ifdef __cplusplus
}
#endif

// Of CUDA 11, where heddle's own declarations are those of 13; C++ may write either.
#undef cuCtxCreate
#ifdef __cplusplus
static inline CUresult hd_create_context(CUcontext *context, unsigned flags, CUdevice device)
{
    return cuCtxCreate_v2(context, flags, device);
}
static inline CUresult hd_create_context(CUcontext *context, const CUctxCreateParams *params, unsigned flags,
                                         CUdevice device)
{
    return cuCtxCreate_v4(context, params, flags, device);
}
#define cuCtxCreate hd_create_context
#else
#define cuCtxCreate cuCtxCreate_v2
#endif

// Numbers that heddle's own code does not need.
enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
};
#define CU_CTX_SCHED_SPIN 0x01
#define CU_CTX_SCHED_YIELD 0x02
#define CU_CTX_SCHED_BLOCKING_SYNC 0x04
#define CU_CTX_BLOCKING_SYNC 0x04
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED ((CUdevice_attribute)102)
#define CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED ((CUdevice_attribute)86)
#define CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS ((CUdevice_attribute)88)
#define CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED ((CUdevice_attribute)90)
#define CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH ((CUdevice_attribute)96)

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
#define CUDAAPI
#define CUDA_CB

#endif
