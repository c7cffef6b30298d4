// rtstreams.c - streams and their attributes.
#include "cudart/session.h"

#include <string.h>

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

// --- attributes: hints that are kept and handed back

struct attribute {
    cudaStream_t stream;
    int id;
    CUlaunchAttributeValue value;
    struct attribute *next;
};
static struct attribute *attributes; // under the session's lock

static struct attribute *find(cudaStream_t stream, int id)
{
    struct attribute *a = attributes;

    while (a && (a->stream != stream || a->id != id))
        a = a->next;
    return a;
}

static void keep(struct hd_arena *arena, cudaStream_t stream, int id,
                 const CUlaunchAttributeValue *value)
{
    struct attribute *a = find(stream, id);

    if (!a) {
        a = HD_NEW(arena, attribute);
        a->stream = stream;
        a->id = id;
        a->next = attributes;
        attributes = a;
    }
    a->value = *value;
}

static bool known(int id)
{
    return id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW ||
           id == CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int id, const CUlaunchAttributeValue *value)
{
    unsigned flags;

    HD_RT_ENTER();
    CUresult r = cuStreamGetFlags(stream, &flags);
    if (r != CUDA_SUCCESS)
        return hd_session_note(r);
    if (!value || !known(id))
        return hd_session_note(cudaErrorInvalidValue);
    keep(hd_session_lock(), stream, id, value);
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, int id, CUlaunchAttributeValue *value)
{
    unsigned flags;
    CUresult r;

    HD_RT_ENTER();
    r = cuStreamGetFlags(stream, &flags);
    if (r == CUDA_SUCCESS && (!value || (!known(id) && id != CU_LAUNCH_ATTRIBUTE_PRIORITY)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r != CUDA_SUCCESS)
        return hd_session_note(r);
    memset(value, 0, sizeof *value);
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
        return hd_session_note(cuStreamGetPriority(stream, &value->priority));
    hd_session_lock();
    const struct attribute *a = find(stream, id);
    if (a)
        *value = a->value;
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    CUlaunchAttributeValue v;
    cudaError_t e = cudaSuccess;

    for (int id = 0; id < CU_LAUNCH_ATTRIBUTE_PRIORITY && e == cudaSuccess; id++) {
        if (!known(id))
            continue;
        e = cudaStreamGetAttribute(from, id, &v);
        if (e == cudaSuccess)
            e = cudaStreamSetAttribute(to, id, &v);
    }
    return e;
}
