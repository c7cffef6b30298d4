// device.c - the attributes of the one device.
//
// Answers come from the modelled machine where it defines them. Compute capability is not a
// property of the machine but of the PTX that the front end reads (HEDDLE_CC changes it). What a
// machine does not define (memory size, limits of the programming model) has the values of GPUs of
// that capability.
#include "cuda/core/limits.h"
#include "cuda/core/parts.h"
#include "devrt/devrt.h"

#include <stdio.h>
#include <string.h>

#define DRIVER_VERSION CUDA_VERSION
#define CONSTANT_BYTES 65536
#define PITCH_MAX INT32_MAX

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (ordinal != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = HD_CUDA_DEVICE;
    return CUDA_SUCCESS;
}

// Every question about a device begins with these.
#define ASK(out)                                                                                   \
    HD_CUDA_ENTER(HD_CUDA_INIT);                                                                   \
    if (!(out))                                                                                    \
        return CUDA_ERROR_INVALID_VALUE;                                                           \
    if (device != HD_CUDA_DEVICE)                                                                  \
    return CUDA_ERROR_INVALID_DEVICE

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    ASK(name && length > 0);
    snprintf(name, (size_t)length, "heddle %s", hd_cuda.config.name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    ASK(bytes);
    *bytes = hd_cuda.total_memory;
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    ASK(major && minor);
    *major = (int)hd_cuda.capability / 10;
    *minor = (int)hd_cuda.capability % 10;
    return CUDA_SUCCESS;
}

static int max_threads(const struct hd_config *c)
{
    unsigned n = c->sm.warps * HD_LANES;

    return (int)(n < HD_CUDA_MAX_THREADS ? n : HD_CUDA_MAX_THREADS);
}

static int l2_bytes(const struct hd_config *c)
{
    if (c->gpu.memory == HD_MEM_FLAT)
        return 0;
    return (int)(c->l2.sets * c->l2.ways * c->l2.line * c->dram.channels * c->dram.subs);
}

// Width in bits, such that 2 * memory clock * width, as programs compute it, is the bandwidth.
static int bus_width(const struct hd_config *c)
{
    if (c->gpu.memory == HD_MEM_FLAT || !c->dram.burst_cycles)
        return 0;
    return (int)(c->dram.channels * c->dram.burst * 8 / c->dram.burst_cycles / 2);
}

CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device)
{
    const struct hd_config *c = &hd_cuda.config;

    ASK(p);
    *p = (CUdevprop){.maxThreadsPerBlock = max_threads(c),
                     .maxThreadsDim = {max_threads(c), max_threads(c), 64},
                     .maxGridSize = {INT32_MAX, 65535, 65535},
                     .sharedMemPerBlock = (int)hd_limits_shared(),
                     .totalConstantMemory = CONSTANT_BYTES,
                     .SIMDWidth = HD_LANES,
                     .memPitch = PITCH_MAX,
                     .regsPerBlock = (int)c->sm.registers,
                     .clockRate = (int)(c->clock.core * 1000),
                     .textureAlign = HD_CUDA_TEXTURE_ALIGN};
    return CUDA_SUCCESS;
}

// Attributes that follow from the machine.
static bool of_machine(CUdevice_attribute attribute, int *value)
{
    const struct hd_config *c = &hd_cuda.config;

    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
        *value = max_threads(c);
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
        *value = (int)hd_limits_shared();
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = (int)c->sm.shared_bytes;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
        *value = (int)c->sm.registers;
        return true;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = (int)(c->clock.core * 1000);
        return true;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
        *value = (int)(c->clock.dram * 1000 + c->clock.dram_khz);
        return true;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
        *value = bus_width(c);
        return true;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = (int)c->sm.sms;
        return true;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = l2_bytes(c);
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        *value = (int)(c->sm.warps * HD_LANES);
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
        *value = (int)c->sm.tbs;
        return true;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
        *value = c->l1d.enabled != 0;
        return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = (int)hd_cuda.capability / 10;
        return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = (int)hd_cuda.capability % 10;
        return true;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
        *value = hd_cuda_unified();
        return true;
    default:
        return false;
    }
}

// Attributes with a fixed answer. Those not listed are 0: the device does not have the feature.
static const struct {
    CUdevice_attribute attribute;
    int value;
} fixed[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, INT32_MAX},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, CONSTANT_BYTES},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, HD_LANES},
    {CU_DEVICE_ATTRIBUTE_MAX_PITCH, PITCH_MAX},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, HD_CUDA_TEXTURE_ALIGN},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, HD_CUDA_PITCH_ALIGN},
    {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, HD_CUDA_TEXTURE_ALIGN},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, HD_CUDA_COLUMN},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, HD_CUDA_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, HD_CUDA_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, HD_CUDA_COLUMN},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, HD_CUDA_VOLUME},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, HD_CUDA_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, HD_CUDA_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, HD_CUDA_COLUMN},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, HD_CUDA_CUBE_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH, HD_CUDA_LAYERED},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS, HD_CUDA_CUBE_LAYERS},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, HD_CUDA_LINEAR},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, HD_CUDA_LINE},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, HD_CUDA_COLUMN},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, HD_CUDA_LINEAR_PITCH},
    {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 2},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 2},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 0},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1},
};

static bool attribute_of(void *ctx, int number, int *value)
{
    CUdevice_attribute attribute = (CUdevice_attribute)number;

    (void)ctx;
    if (number <= 0 || number >= CU_DEVICE_ATTRIBUTE_MAX)
        return false;
    if (of_machine(attribute, value))
        return true;
    *value = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].attribute == attribute)
            *value = fixed[i].value;
    return true;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    ASK(value);
    return attribute_of(NULL, (int)attribute, value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    ASK(uuid);
    // The same machine has the same number on every host.
    memset(uuid->bytes, 0, sizeof uuid->bytes);
    memcpy(uuid->bytes, "heddle", 6);
    for (size_t i = 0; hd_cuda.config.name[i]; i++)
        uuid->bytes[6 + i % 10] = (char)(uuid->bytes[6 + i % 10] ^ hd_cuda.config.name[i]);
    return CUDA_SUCCESS;
}

static const char bus_id[] = "0000:00:00.0";

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    ASK(id && length > 0);
    snprintf(id, (size_t)length, "%s", bus_id);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!device || !id)
        return CUDA_ERROR_INVALID_VALUE;
    if (strcmp(id, bus_id) != 0 && strcmp(id, bus_id + 5) != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = HD_CUDA_DEVICE;
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    ASK(can);
    if (peer != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    *can = 0; // a device is no peer of itself
    return CUDA_SUCCESS;
}

static void machine_made(void)
{
    hd_devrt_attributes(hd_gpu_devrt(hd_cuda.gpu), attribute_of, NULL);
}

const struct hd_part hd_device_part = {.machine_made = machine_made};
