// nvml.c - a program of plain C that asks the management library about the device.
#include "nvml/nvml.h"
#include "cuda/abi/driver.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

static int identity(nvmlDevice_t device)
{
    char name[96], again[96], uuid[80];
    nvmlDevice_t same = NULL;
    nvmlPciInfo_t pci;
    unsigned index = 9;
    int major, minor;

    CHECK(!nvmlDeviceGetName(device, name, sizeof name));
    CHECK(!cuDeviceGetName(again, (int)sizeof again, 0) && !strcmp(name, again));
    CHECK(nvmlDeviceGetName(device, name, 4) == NVML_ERROR_INSUFFICIENT_SIZE);
    CHECK(!nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    CHECK(strlen(uuid) == 40 && !strncmp(uuid, "GPU-", 4) && uuid[12] == '-' && uuid[27] == '-');
    CHECK(!nvmlDeviceGetHandleByUUID(uuid, &same) && same == device);
    CHECK(!nvmlDeviceGetPciInfo(device, &pci));
    same = NULL;
    CHECK(!nvmlDeviceGetHandleByPciBusId(pci.busId, &same) && same == device);
    CHECK(nvmlDeviceGetHandleByPciBusId("77:77.7", &same) == NVML_ERROR_NOT_FOUND);
    CHECK(!nvmlDeviceGetIndex(device, &index) && index == 0);
    CHECK(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor) && major > 0);
    printf("%s, compute capability %d.%d\n", again, major, minor);
    return 0;
}

static int memory(nvmlDevice_t device)
{
    nvmlMemory_t before, after;
    nvmlMemory_v2_t second = {.version = nvmlMemory_v2};
    CUcontext context;
    CUdeviceptr at;
    size_t total;

    CHECK(!cuDeviceTotalMem_v2(&total, 0));
    CHECK(!nvmlDeviceGetMemoryInfo(device, &before));
    CHECK(before.total == total && before.free + before.used == total);
    CHECK(!cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxPushCurrent_v2(context));
    CHECK(!cuMemAlloc_v2(&at, 1 << 20));
    CHECK(!nvmlDeviceGetMemoryInfo(device, &after) && after.used >= before.used + (1 << 20));
    CHECK(!cuCtxPopCurrent_v2(&context)); // no context is current, and the memory still in use
    CHECK(!nvmlDeviceGetMemoryInfo_v2(device, &second) && second.used == after.used);
    second.version = 1;
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, &second) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
    return 0;
}

static int clocks(nvmlDevice_t device)
{
    unsigned mhz = 0;
    int khz = 0;
    nvmlUtilization_t rates;

    CHECK(!cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
    CHECK(!nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &mhz) && mhz == (unsigned)khz / 1000);
    CHECK(!cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 0));
    CHECK(!nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &mhz) && mhz == (unsigned)khz / 1000);
    CHECK(nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &mhz) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetPowerUsage(device, &mhz) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetUtilizationRates(device, &rates) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetPowerUsage(device, NULL) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetPowerUsage(NULL, &mhz) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported"));
    return 0;
}

int main(void)
{
    nvmlDevice_t device;
    unsigned count = 0;
    int version = 0;

    CHECK(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
    CHECK(!nvmlInit() && !nvmlInitWithFlags(0) && !nvmlShutdown());
    CHECK(!nvmlDeviceGetCount(&count) && count == 1);
    CHECK(!nvmlSystemGetCudaDriverVersion(&version) && version >= 13000);
    CHECK(nvmlDeviceGetHandleByIndex(1, &device) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(!nvmlDeviceGetHandleByIndex(0, &device));
    if (identity(device) || memory(device) || clocks(device))
        return 1;
    CHECK(!nvmlShutdown() && nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    printf("all right\n");
    return 0;
}
