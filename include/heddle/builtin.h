// builtin.h - functions that PTX declares and the device provides: one row each.
//
// A row is a name, the type of the result and the types of the parameters, one letter each: w 4
// bytes, d 8, t 12 (dim3), e 24 (an extent), p 32 (a pitched pointer); "" means no result.
//
// The second list is the device's runtime, for kernels that launch kernels. Its functions have the
// prefix "cuda", or "__cudaCDP2" from compilers since CUDA 12: both are the same function. In the
// forms with _ptsz, stream 0 is the default stream of the thread and not of its block.
#ifndef HEDDLE_BUILTIN_H
#define HEDDLE_BUILTIN_H

// clang-format off
#define HD_PLAIN_BUILTINS(X)                                                                       \
    X(VPRINTF, "vprintf", "w", "dd")                                                               \
    X(MALLOC, "malloc", "d", "d")                                                                  \
    X(FREE, "free", "", "d")                                                                       \
    X(ASSERTFAIL, "__assertfail", "", "ddwdd")

#define HD_RUNTIME_BUILTINS(X)                                                                     \
    X(GET_BUFFER, "GetParameterBuffer", "d", "dd")                                                 \
    X(GET_BUFFER_V2, "GetParameterBufferV2", "d", "dttw")                                          \
    X(LAUNCH, "LaunchDevice", "w", "ddttwd")                                                       \
    X(LAUNCH_PTSZ, "LaunchDevice_ptsz", "w", "ddttwd")                                             \
    X(LAUNCH_V2, "LaunchDeviceV2", "w", "dd")                                                      \
    X(LAUNCH_V2_PTSZ, "LaunchDeviceV2_ptsz", "w", "dd")                                            \
    X(LAST_ERROR, "GetLastError", "w", "")                                                         \
    X(PEEK_ERROR, "PeekAtLastError", "w", "")                                                      \
    X(ERROR_NAME, "GetErrorName", "d", "w")                                                        \
    X(ERROR_STRING, "GetErrorString", "d", "w")                                                    \
    X(STREAM_CREATE, "StreamCreateWithFlags", "w", "dw")                                           \
    X(STREAM_DESTROY, "StreamDestroy", "w", "d")                                                   \
    X(STREAM_WAIT, "StreamWaitEvent", "w", "ddw")                                                  \
    X(STREAM_WAIT_PTSZ, "StreamWaitEvent_ptsz", "w", "ddw")                                        \
    X(EVENT_CREATE, "EventCreateWithFlags", "w", "dw")                                             \
    X(EVENT_DESTROY, "EventDestroy", "w", "d")                                                     \
    X(EVENT_RECORD, "EventRecord", "w", "dd")                                                      \
    X(EVENT_RECORD_PTSZ, "EventRecord_ptsz", "w", "dd")                                            \
    X(EVENT_RECORD_FLAGS, "EventRecordWithFlags", "w", "ddw")                                      \
    X(EVENT_RECORD_FLAGS_PTSZ, "EventRecordWithFlags_ptsz", "w", "ddw")                            \
    X(DEVICE_COUNT, "GetDeviceCount", "w", "d")                                                    \
    X(DEVICE, "GetDevice", "w", "d")                                                               \
    X(DEVICE_ATTRIBUTE, "DeviceGetAttribute", "w", "dww")                                          \
    X(DEVICE_LIMIT, "DeviceGetLimit", "w", "dw")                                                   \
    X(DEVICE_CACHE, "DeviceGetCacheConfig", "w", "d")                                              \
    X(DEVICE_BANKS, "DeviceGetSharedMemConfig", "w", "d")                                          \
    X(SYNCHRONIZE, "DeviceSynchronize", "w", "")                                                   \
    X(VERSION, "RuntimeGetVersion", "w", "d")                                                      \
    X(FUNC_ATTRIBUTES, "FuncGetAttributes", "w", "dd")                                             \
    X(OCCUPANCY, "OccupancyMaxActiveBlocksPerMultiprocessor", "w", "ddwd")                         \
    X(OCCUPANCY_FLAGS, "OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", "w", "ddwdw")         \
    X(DEVICE_MALLOC, "Malloc", "w", "dd")                                                          \
    X(DEVICE_FREE, "Free", "w", "d")                                                               \
    X(SET_CONDITION, "GraphSetConditional", "", "dw")                                              \
    X(COPY, "MemcpyAsync", "w", "dddwd")                                                           \
    X(COPY_PTSZ, "MemcpyAsync_ptsz", "w", "dddwd")                                                 \
    X(COPY_2D, "Memcpy2DAsync", "w", "ddddddwd")                                                   \
    X(COPY_2D_PTSZ, "Memcpy2DAsync_ptsz", "w", "ddddddwd")                                         \
    X(COPY_3D, "Memcpy3DAsync", "w", "dd")                                                         \
    X(COPY_3D_PTSZ, "Memcpy3DAsync_ptsz", "w", "dd")                                               \
    X(FILL, "MemsetAsync", "w", "dwdd")                                                            \
    X(FILL_PTSZ, "MemsetAsync_ptsz", "w", "dwdd")                                                  \
    X(FILL_2D, "Memset2DAsync", "w", "ddwddd")                                                     \
    X(FILL_2D_PTSZ, "Memset2DAsync_ptsz", "w", "ddwddd")                                           \
    X(FILL_3D, "Memset3DAsync", "w", "pwed")                                                       \
    X(FILL_3D_PTSZ, "Memset3DAsync_ptsz", "w", "pwed")
// clang-format on

enum hd_builtin {
    HD_BUILTIN_NONE,
#define HD_BUILTIN_ID(id, name, ret, args) HD_BUILTIN_##id,
    HD_PLAIN_BUILTINS(HD_BUILTIN_ID) HD_RUNTIME_BUILTINS(HD_BUILTIN_ID)
#undef HD_BUILTIN_ID
        HD_N_BUILTINS,
    HD_BUILTIN_RUNTIME = HD_BUILTIN_GET_BUFFER // the first of the second list
};

#endif
