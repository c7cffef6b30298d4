// rtstreams.c - streams and their attributes.
#include "cudart/session.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamCreateWithPriority(out, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamCreate(out, flags));
}

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithFlags(out, CU_STREAM_DEFAULT);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamDestroy(stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    HD_RT_ENTER(); // errors have the same numbers in both interfaces
    return hd_session_note(
        cuStreamAddCallback(stream, (CUstreamCallback)(void (*)(void))callback, data, flags));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamGetPriority(stream, priority));
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamGetId(stream, id));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    unsigned flags;

    HD_RT_ENTER();
    CUresult r = device ? cuStreamGetFlags(stream, &flags) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *device = 0;
    return hd_session_note(r);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int id, const CUlaunchAttributeValue *value)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamSetAttribute(stream, (CUlaunchAttributeID)id, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int id, CUlaunchAttributeValue *value)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamGetAttribute(stream, (CUlaunchAttributeID)id, value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamCopyAttributes(to, from));
}
