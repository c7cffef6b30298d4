// rtcapture.c - stream capture: the driver's functions, under the names that each version of the
// runtime has.
#include "cudart/rtgraphs.h"
#include "cudart/session.h"

// A function of a stream, and its form for per-thread default streams.
#define STREAM(name, params, call)                                                                 \
    cudaError_t name params                                                                        \
    {                                                                                              \
        HD_RT_ENTER();                                                                             \
        return hd_session_note(call);                                                              \
    }                                                                                              \
    cudaError_t name##_ptsz params                                                                 \
    {                                                                                              \
        stream = hd_session_ptsz(stream);                                                          \
        HD_RT_ENTER();                                                                             \
        return hd_session_note(call);                                                              \
    }

STREAM(cudaStreamBeginCapture, (cudaStream_t stream, CUstreamCaptureMode mode),
       cuStreamBeginCapture_v2(stream, mode))
STREAM(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
       cuStreamEndCapture(stream, graph))
STREAM(cudaStreamIsCapturing, (cudaStream_t stream, CUstreamCaptureStatus *status),
       cuStreamIsCapturing(stream, status))
#if HD_CUDART >= 12
STREAM(cudaStreamBeginCaptureToGraph,
       (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *after,
        const cudaGraphEdgeData *data, size_t n, CUstreamCaptureMode mode),
       cuStreamBeginCaptureToGraph(stream, graph, after, data, n, mode))
#endif

// The query returns more in newer versions: under the plain name only the identity until 11,
// everything since 13.
#if HD_CUDART >= 13
STREAM(cudaStreamGetCaptureInfo,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data,
        size_t *n),
       cuStreamGetCaptureInfo_v3(stream, status, (void *)id, graph, nodes, data, n))
STREAM(cudaStreamUpdateCaptureDependencies,
       (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n,
        unsigned flags),
       cuStreamUpdateCaptureDependencies_v2(stream, nodes, data, n, flags))
#else
STREAM(cudaStreamGetCaptureInfo,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id),
       cuStreamGetCaptureInfo_v3(stream, status, (void *)id, NULL, NULL, NULL, NULL))
STREAM(cudaStreamGetCaptureInfo_v2,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **nodes, size_t *n),
       cuStreamGetCaptureInfo_v2(stream, status, (void *)id, graph, nodes, n))
STREAM(cudaStreamUpdateCaptureDependencies,
       (cudaStream_t stream, cudaGraphNode_t *nodes, size_t n, unsigned flags),
       cuStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, n, flags))
#endif
#if HD_CUDART == 12
STREAM(cudaStreamGetCaptureInfo_v3,
       (cudaStream_t stream, CUstreamCaptureStatus *status, unsigned long long *id,
        cudaGraph_t *graph, const cudaGraphNode_t **nodes, const cudaGraphEdgeData **data,
        size_t *n),
       cuStreamGetCaptureInfo_v3(stream, status, (void *)id, graph, nodes, data, n))
STREAM(cudaStreamUpdateCaptureDependencies_v2,
       (cudaStream_t stream, cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t n,
        unsigned flags),
       cuStreamUpdateCaptureDependencies_v2(stream, nodes, data, n, flags))
#endif

cudaError_t cudaThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    HD_RT_ENTER();
    return hd_session_note(cuThreadExchangeStreamCaptureMode(mode));
}
