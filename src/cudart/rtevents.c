// rtevents.c - events.
#include "cudart/session.h"

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventCreate(out, flags));
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, CU_EVENT_DEFAULT);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventDestroy(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventRecord(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventRecordWithFlags(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventQuery(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventSynchronize(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    HD_RT_ENTER();
    return hd_session_note(cuEventElapsedTime(milliseconds, start, end));
}
