// errors.c - names and sentences of the interface's errors.
#include "cuda/abi/driver.h"

struct error {
    CUresult number;
    const char *name, *text;
};

#define E(name, text)                                                                              \
    {                                                                                              \
        CUDA_##name, "CUDA_" #name, text                                                           \
    }
static const struct error errors[] = {
    E(SUCCESS, "no error"),
    E(ERROR_INVALID_VALUE, "invalid argument"),
    E(ERROR_OUT_OF_MEMORY, "out of memory"),
    E(ERROR_NOT_INITIALIZED, "initialization error"),
    E(ERROR_DEINITIALIZED, "driver shutting down"),
    E(ERROR_PROFILER_DISABLED, "the profiler is not available"),
    E(ERROR_PROFILER_NOT_INITIALIZED, "the profiler was not initialized"),
    E(ERROR_PROFILER_ALREADY_STARTED, "the profiler runs already"),
    E(ERROR_PROFILER_ALREADY_STOPPED, "the profiler does not run"),
    E(ERROR_STUB_LIBRARY, "this libcuda is a stub to link with"),
    E(ERROR_CALL_REQUIRES_NEWER_DRIVER, "the call needs a newer driver"),
    E(ERROR_DEVICE_UNAVAILABLE, "the device is busy or cannot be used"),
    E(ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    E(ERROR_INVALID_DEVICE, "invalid device ordinal"),
    E(ERROR_DEVICE_NOT_LICENSED, "the device has no licence for CUDA"),
    E(ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    E(ERROR_INVALID_CONTEXT, "invalid device context"),
    E(ERROR_CONTEXT_ALREADY_CURRENT, "the context is current already"),
    E(ERROR_MAP_FAILED, "mapping of memory failed"),
    E(ERROR_UNMAP_FAILED, "unmapping of memory failed"),
    E(ERROR_ARRAY_IS_MAPPED, "the array is mapped"),
    E(ERROR_ALREADY_MAPPED, "the resource is mapped already"),
    E(ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    E(ERROR_ALREADY_ACQUIRED, "the resource is acquired already"),
    E(ERROR_NOT_MAPPED, "the resource is not mapped"),
    E(ERROR_NOT_MAPPED_AS_ARRAY, "the resource is not mapped as an array"),
    E(ERROR_NOT_MAPPED_AS_POINTER, "the resource is not mapped as a pointer"),
    E(ERROR_ECC_UNCORRECTABLE, "an error of memory could not be corrected"),
    E(ERROR_UNSUPPORTED_LIMIT, "limit is not supported on this architecture"),
    E(ERROR_CONTEXT_ALREADY_IN_USE, "the context belongs to another thread"),
    E(ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices"),
    E(ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    E(ERROR_INVALID_GRAPHICS_CONTEXT, "invalid graphics context"),
    E(ERROR_NVLINK_UNCORRECTABLE, "an error of the link between devices could not be corrected"),
    E(ERROR_JIT_COMPILER_NOT_FOUND, "no compiler for PTX was found"),
    E(ERROR_UNSUPPORTED_PTX_VERSION, "PTX of this version is not supported"),
    E(ERROR_JIT_COMPILATION_DISABLED, "compilation of PTX is switched off"),
    E(ERROR_UNSUPPORTED_EXEC_AFFINITY, "execution affinity is not supported"),
    E(ERROR_UNSUPPORTED_DEVSIDE_SYNC, "device code cannot wait for its launches"),
    E(ERROR_CONTAINED, "an error of memory was contained"),
    E(ERROR_INVALID_SOURCE, "device kernel image is invalid"),
    E(ERROR_FILE_NOT_FOUND, "file not found"),
    E(ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, "a shared object lacks a symbol"),
    E(ERROR_SHARED_OBJECT_INIT_FAILED, "a shared object could not be initialized"),
    E(ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    E(ERROR_INVALID_HANDLE, "invalid resource handle"),
    E(ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    E(ERROR_LOSSY_QUERY, "the answer would lose something"),
    E(ERROR_NOT_FOUND, "named symbol not found"),
    E(ERROR_NOT_READY, "device not ready"),
    E(ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    E(ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    E(ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    E(ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, "the launch needs another kind of texturing"),
    E(ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is enabled already"),
    E(ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled"),
    E(ERROR_PRIMARY_CONTEXT_ACTIVE, "cannot set while device is active in this process"),
    E(ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    E(ERROR_ASSERT, "device-side assert triggered"),
    E(ERROR_TOO_MANY_PEERS, "no room for another peer"),
    E(ERROR_HOST_MEMORY_ALREADY_REGISTERED,
      "part or all of the requested memory range is already mapped"),
    E(ERROR_HOST_MEMORY_NOT_REGISTERED,
      "pointer does not correspond to a registered memory region"),
    E(ERROR_HARDWARE_STACK_ERROR, "hardware stack error"),
    E(ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    E(ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    E(ERROR_INVALID_ADDRESS_SPACE, "operation not supported on global/shared address space"),
    E(ERROR_INVALID_PC, "invalid program counter"),
    E(ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    E(ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    E(ERROR_TENSOR_MEMORY_LEAK, "tensor memory was not given back"),
    E(ERROR_NOT_PERMITTED, "operation not permitted"),
    E(ERROR_NOT_SUPPORTED, "operation not supported"),
    E(ERROR_SYSTEM_NOT_READY, "the system is not ready for CUDA"),
    E(ERROR_SYSTEM_DRIVER_MISMATCH, "driver and kernel module do not match"),
    E(ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
      "forward compatibility is not supported on this device"),
    E(ERROR_MPS_CONNECTION_FAILED, "no connection to the MPS server"),
    E(ERROR_MPS_RPC_FAILURE, "a call to the MPS server failed"),
    E(ERROR_MPS_SERVER_NOT_READY, "the MPS server is not ready"),
    E(ERROR_MPS_MAX_CLIENTS_REACHED, "the MPS server has too many clients"),
    E(ERROR_MPS_MAX_CONNECTIONS_REACHED, "the MPS server has too many connections"),
    E(ERROR_MPS_CLIENT_TERMINATED, "the MPS server ended this client"),
    E(ERROR_CDP_NOT_SUPPORTED, "launches from device code are not supported"),
    E(ERROR_CDP_VERSION_MISMATCH, "two versions of launches from device code do not go together"),
    E(ERROR_STREAM_CAPTURE_UNSUPPORTED, "the operation cannot be captured"),
    E(ERROR_STREAM_CAPTURE_INVALIDATED, "the capture was invalidated by an error"),
    E(ERROR_STREAM_CAPTURE_MERGE, "two captures cannot be merged"),
    E(ERROR_STREAM_CAPTURE_UNMATCHED, "the stream did not begin this capture"),
    E(ERROR_STREAM_CAPTURE_UNJOINED, "a captured stream was not joined"),
    E(ERROR_STREAM_CAPTURE_ISOLATION, "the capture would depend on what is outside it"),
    E(ERROR_STREAM_CAPTURE_IMPLICIT, "the capture would wait for the legacy stream"),
    E(ERROR_CAPTURED_EVENT, "the event belongs to a capture"),
    E(ERROR_STREAM_CAPTURE_WRONG_THREAD, "another thread began the capture"),
    E(ERROR_TIMEOUT, "the wait took too long"),
    E(ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the graph differs too much for an update"),
    E(ERROR_EXTERNAL_DEVICE, "an external device reported an error"),
    E(ERROR_INVALID_CLUSTER_SIZE, "invalid cluster size"),
    E(ERROR_FUNCTION_NOT_LOADED, "the function is not loaded"),
    E(ERROR_INVALID_RESOURCE_TYPE, "invalid type of resource"),
    E(ERROR_INVALID_RESOURCE_CONFIGURATION, "invalid configuration of resources"),
    E(ERROR_KEY_ROTATION, "a key is being changed"),
    E(ERROR_UNKNOWN, "unknown error"),
};
#undef E

static const struct error *find(CUresult number)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == number)
            return &errors[i];
    return NULL;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    const struct error *e = find(error);

    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = e ? e->name : NULL;
    return e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    const struct error *e = find(error);

    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = e ? e->text : NULL;
    return e ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
