// nvml.c - libnvidia-ml.so.1: answers of NVIDIA's management library, from attributes in
// libcuda.so.1.
//
// A handle is the device's number plus one, as a pointer. The only state is how often the library
// has been initialised.
#include "nvml/nvml.h"
#include "cuda/abi/driver.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int users;

// The number of its device, or -1.
static int number_of(nvmlDevice_t device)
{
    uintptr_t handle = (uintptr_t)device;
    int count = 0;

    if (cuDeviceGetCount(&count) != CUDA_SUCCESS || !handle || handle > (uintptr_t)count)
        return -1;
    return (int)handle - 1;
}

static nvmlReturn_t status_of(CUresult result)
{
    switch (result) {
    case CUDA_SUCCESS:
        return NVML_SUCCESS;
    case CUDA_ERROR_INVALID_VALUE:
        return NVML_ERROR_INVALID_ARGUMENT;
    case CUDA_ERROR_INVALID_DEVICE:
        return NVML_ERROR_NOT_FOUND;
    default:
        return NVML_ERROR_UNKNOWN;
    }
}

// The library must be initialised, and the arguments must not be NULL.
#define ENTER(arguments_are_there)                                                                 \
    do {                                                                                           \
        if (atomic_load(&users) <= 0)                                                              \
            return NVML_ERROR_UNINITIALIZED;                                                       \
        if (!(arguments_are_there))                                                                \
            return NVML_ERROR_INVALID_ARGUMENT;                                                    \
    } while (0)
#define ENTER_DEVICE(number, device, arguments_are_there)                                          \
    int number;                                                                                    \
    ENTER(arguments_are_there);                                                                    \
    number = number_of(device);                                                                    \
    if (number < 0)                                                                                \
    return NVML_ERROR_INVALID_ARGUMENT

// Copies a text to the caller's buffer, completely or not at all.
static nvmlReturn_t give(char *out, unsigned length, const char *text)
{
    if (strlen(text) >= length)
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(out, text, strlen(text) + 1);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit_v2(void)
{
    if (cuInit(0) != CUDA_SUCCESS)
        return NVML_ERROR_DRIVER_NOT_LOADED;
    atomic_fetch_add(&users, 1);
    return NVML_SUCCESS;
}

#undef nvmlInit
nvmlReturn_t nvmlInit(void);
nvmlReturn_t nvmlInit(void)
{
    return nvmlInit_v2();
}

nvmlReturn_t nvmlInitWithFlags(unsigned flags)
{
    (void)flags; // whether no device is an error, and whether to attach to it: there is one
    return nvmlInit_v2();
}

nvmlReturn_t nvmlShutdown(void)
{
    int before = atomic_load(&users);

    while (before > 0)
        if (atomic_compare_exchange_weak(&users, &before, before - 1))
            return NVML_SUCCESS;
    return NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    switch (result) {
    case NVML_SUCCESS:
        return "Success";
    case NVML_ERROR_UNINITIALIZED:
        return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
        return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
        return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
        return "Insufficient Permissions";
    case NVML_ERROR_NOT_FOUND:
        return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
        return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED:
        return "Driver Not Loaded";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
        return "Argument Version Mismatch";
    default:
        return "Unknown Error";
    }
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version)
{
    return version ? status_of(cuDriverGetVersion(version)) : NVML_ERROR_INVALID_ARGUMENT;
}

// The only version of a driver is that of the interface.
nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length)
{
    char text[32];
    int number = 0;

    ENTER(version);
    cuDriverGetVersion(&number);
    snprintf(text, sizeof text, "heddle %d.%d", number / 1000, number % 1000 / 10);
    return give(version, length, text);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length)
{
    ENTER(version);
    return give(version, length, NVML_API_VERSION_STR ".heddle");
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count)
{
    int n = 0;
    CUresult result;

    ENTER(count);
    result = cuDeviceGetCount(&n);
    *count = (unsigned)n;
    return status_of(result);
}

static nvmlReturn_t handle_of(int number, nvmlDevice_t *device)
{
    int count = 0;

    if (cuDeviceGetCount(&count) != CUDA_SUCCESS || number < 0 || number >= count)
        return NVML_ERROR_INVALID_ARGUMENT;
    *device = (nvmlDevice_t)((uintptr_t)number + 1);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *device)
{
    ENTER(device);
    return handle_of(index > 1 << 20 ? -1 : (int)index, device);
}

// "domain:bus:device.function"; the domain has four digits for the driver and eight for this
// library.
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device)
{
    CUdevice number;

    ENTER(id && device);
    if (strspn(id, "0") >= 4 && strcspn(id, ":") == 8)
        id += 4;
    if (cuDeviceGetByPCIBusId(&number, id) != CUDA_SUCCESS)
        return NVML_ERROR_NOT_FOUND;
    return handle_of(number, device);
}

static nvmlReturn_t uuid_of(int number, char *out, unsigned length)
{
    CUuuid uuid;
    char text[NVML_DEVICE_UUID_BUFFER_SIZE] = "GPU-";
    size_t n = 4;
    CUresult result = cuDeviceGetUuid_v2(&uuid, number);

    if (result != CUDA_SUCCESS)
        return status_of(result);
    for (int i = 0; i < 16; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%02x",
                              i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                              (unsigned)(unsigned char)uuid.bytes[i]);
    return give(out, length, text);
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    int count = 0;

    ENTER(uuid && device);
    cuDeviceGetCount(&count);
    for (int i = 0; i < count; i++)
        if (uuid_of(i, text, sizeof text) == NVML_SUCCESS && !strcmp(text, uuid))
            return handle_of(i, device);
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned length)
{
    ENTER_DEVICE(number, device, uuid);
    return uuid_of(number, uuid, length);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *index)
{
    ENTER_DEVICE(number, device, index);
    *index = (unsigned)number;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned *number)
{
    return nvmlDeviceGetIndex(device, number);
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned length)
{
    char text[256];
    CUresult result;
    ENTER_DEVICE(number, device, name);

    result = cuDeviceGetName(text, (int)sizeof text, number);
    return result == CUDA_SUCCESS ? give(name, length, text) : status_of(result);
}

static nvmlReturn_t attribute(int number, CUdevice_attribute which, unsigned *value)
{
    int v = 0;
    CUresult result = cuDeviceGetAttribute(&v, which, number);

    *value = (unsigned)v;
    return status_of(result);
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    nvmlReturn_t status;
    ENTER_DEVICE(number, device, pci);

    memset(pci, 0, sizeof *pci); // identifiers of the maker's included
    status = attribute(number, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, &pci->domain);
    if (status == NVML_SUCCESS)
        status = attribute(number, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, &pci->bus);
    if (status == NVML_SUCCESS)
        status = attribute(number, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, &pci->device);
    snprintf(pci->busId, sizeof pci->busId, "%08X:%02X:%02X.0", pci->domain, pci->bus, pci->device);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04X:%02X:%02X.0", pci->domain & 0xffff,
             pci->bus & 0xff, pci->device & 0xff);
    return status;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    ENTER_DEVICE(number, device, major && minor);
    return status_of(cuDeviceComputeCapability(major, minor, number));
}

// Memory is in use once a program has a context. This query does not make one.
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    size_t total = 0, left;
    unsigned flags;
    int active = 0;
    CUcontext context;
    ENTER_DEVICE(number, device, memory);

    if (cuDeviceTotalMem_v2(&total, number) != CUDA_SUCCESS)
        return NVML_ERROR_UNKNOWN;
    left = total;
    if (cuMemGetInfo_v2(&left, &total) != CUDA_SUCCESS &&
        cuDevicePrimaryCtxGetState(number, &flags, &active) == CUDA_SUCCESS && active &&
        cuDevicePrimaryCtxRetain(&context, number) == CUDA_SUCCESS) {
        if (cuCtxPushCurrent_v2(context) == CUDA_SUCCESS) {
            cuMemGetInfo_v2(&left, &total);
            cuCtxPopCurrent_v2(&context);
        }
        cuDevicePrimaryCtxRelease_v2(number);
    }
    *memory = (nvmlMemory_t){total, left, total - left};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlMemory_t simple;
    nvmlReturn_t status;

    if (memory && memory->version != nvmlMemory_v2)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    status = nvmlDeviceGetMemoryInfo(device, memory ? &simple : NULL);
    if (status == NVML_SUCCESS)
        *memory = (nvmlMemory_v2_t){memory->version, simple.total, 0, simple.free, simple.used};
    return status;
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned *width)
{
    ENTER_DEVICE(number, device, width);
    return attribute(number, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, width);
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    nvmlReturn_t status;
    ENTER_DEVICE(number, device, clock && (unsigned)type < NVML_CLOCK_COUNT);

    if (type == NVML_CLOCK_VIDEO)
        return NVML_ERROR_NOT_SUPPORTED;
    status = attribute(number,
                       type == NVML_CLOCK_MEM ? CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE
                                              : CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
                       clock);
    *clock /= 1000; // kHz
    return status;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned *clock)
{
    return nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                            unsigned *clock)
{
    return nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t type,
                                                   unsigned *clock)
{
    return nvmlDeviceGetClockInfo(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t type, nvmlClockId_t id,
                                unsigned *clock)
{
    ENTER((unsigned)id < NVML_CLOCK_ID_COUNT);
    return nvmlDeviceGetClockInfo(device, type, clock);
}

// Queries that a model of cycles cannot answer.
#define NOT_SUPPORTED(name, parameters, arguments_are_there)                                       \
    nvmlReturn_t name parameters                                                                   \
    {                                                                                              \
        ENTER_DEVICE(number, device, arguments_are_there);                                         \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }

NOT_SUPPORTED(nvmlDeviceGetPowerUsage, (nvmlDevice_t device, unsigned *milliwatts), milliwatts)
NOT_SUPPORTED(nvmlDeviceGetPowerManagementLimit, (nvmlDevice_t device, unsigned *milliwatts),
              milliwatts)
NOT_SUPPORTED(nvmlDeviceGetEnforcedPowerLimit, (nvmlDevice_t device, unsigned *milliwatts),
              milliwatts)
NOT_SUPPORTED(nvmlDeviceGetTotalEnergyConsumption,
              (nvmlDevice_t device, unsigned long long *millijoules), millijoules)
NOT_SUPPORTED(nvmlDeviceGetTemperature,
              (nvmlDevice_t device, nvmlTemperatureSensors_t sensor, unsigned *degrees),
              degrees && (unsigned)sensor < NVML_TEMPERATURE_COUNT)
NOT_SUPPORTED(nvmlDeviceGetFanSpeed, (nvmlDevice_t device, unsigned *percent), percent)
NOT_SUPPORTED(nvmlDeviceGetUtilizationRates, (nvmlDevice_t device, nvmlUtilization_t *rates), rates)
NOT_SUPPORTED(nvmlDeviceGetCurrentClocksThrottleReasons,
              (nvmlDevice_t device, unsigned long long *reasons), reasons)
NOT_SUPPORTED(nvmlDeviceSetApplicationsClocks,
              (nvmlDevice_t device, unsigned memory, unsigned graphics), memory &&graphics)
NOT_SUPPORTED(nvmlDeviceResetApplicationsClocks, (nvmlDevice_t device), 1)
