// rtipc.c - memory and events of other processes: the driver's functions, under the runtime's
// names.
#include "cudart/session.h"

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *memory)
{
    HD_RT_ENTER();
    return hd_session_note(cuIpcGetMemHandle(handle, (CUdeviceptr)(uintptr_t)memory));
}

cudaError_t cudaIpcOpenMemHandle(void **memory, cudaIpcMemHandle_t handle, unsigned flags)
{
    CUdeviceptr at = 0;

    HD_RT_ENTER();
    CUresult r = memory ? cuIpcOpenMemHandle_v2(&at, handle, flags) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *memory = (void *)(uintptr_t)at;
    return hd_session_note(r);
}

cudaError_t cudaIpcCloseMemHandle(void *memory)
{
    HD_RT_ENTER();
    return hd_session_note(cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)memory));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
    HD_RT_ENTER();
    return hd_session_note(cuIpcGetEventHandle(handle, event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
    HD_RT_ENTER();
    return hd_session_note(cuIpcOpenEventHandle(event, handle));
}
