// plain.c - a program of the runtime API without a CUDA compiler: what nvcc would generate, by
// hand.
//
//   plain            everything below; prints a line for each part
//   plain sass       a kernel that is there as machine code only
//   plain damage N   a fatbin with N random bytes changed, registered and used; ends normally
//   plain missing    a function that is not supported, twice
#include "cudart/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HD_CUDART == 12 // as NVIDIA's header of that version has it
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#endif

// One of those that only say that they are missing; runtime.h does not declare them.
int cudaGraphAddExternalSemaphoresSignalNode(void **node, void *graph);

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".const .align 4 .b8 factor[4];\n"
    ".global .align 4 .u32 calls;\n"
    ".visible .entry scale(.param .u64 to, .param .u32 n)\n{\n"
    "  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
    "  ld.param.u64 %d1, [to]; ld.param.u32 %r1, [n];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "  mad.lo.u32 %r5, %r2, %r3, %r4; setp.ge.u32 %p, %r5, %r1; @%p ret;\n"
    "  mul.wide.u32 %d2, %r5, 4; add.u64 %d3, %d1, %d2;\n"
    "  ld.const.u32 %r6, [factor]; ld.global.u32 %r7, [%d3]; mul.lo.u32 %r7, %r7, %r6;\n"
    "  st.global.u32 [%d3], %r7; mov.u64 %d2, calls; atom.global.add.u32 %r6, [%d2], 1;\n"
    "  ret;\n}\n"
    ".visible .entry crash()\n{\n  .reg .b64 %d1; mov.u64 %d1, 64; st.global.u32 [%d1], 1; "
    "ret;\n}\n";

// As compilers lay it out: 24 bytes that point to a header of 16, an entry of 64 and its text.
static struct {
    uint32_t magic, version;
    const void *fatbin, *units;
} wrapper = {0x466243b1, 1, NULL, NULL};
static uint8_t fatbin[16 + 64 + sizeof ptx];

static void put(unsigned at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fatbin[at + i] = (uint8_t)(value >> 8 * i);
}

static void make_fatbin(unsigned kind)
{
    put(0, 0xba55ed50, 4);
    put(4, 1, 2);
    put(6, 16, 2);
    put(8, 64 + sizeof ptx, 8);
    put(16, kind, 2);
    put(18, 0x101, 2);
    put(20, 64, 4);
    put(24, sizeof ptx, 8);
    put(16 + 28, 75, 4);
    put(16 + 40, 0x11, 8);
    memcpy(fatbin + 80, ptx, sizeof ptx);
    wrapper.fatbin = fatbin;
}

static char scale, crash; // host stubs: only their addresses count
static uint32_t factor, calls;
static void **handle;

static void register_all(void)
{
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale, &scale, "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &crash, &crash, "crash", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, (char *)&factor, "factor", "factor", 0, 4, 1, 0);
    __cudaRegisterVar(handle, (char *)&calls, "calls", "calls", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

static int failed;
static void expect(int right, const char *what)
{
    if (!right) {
        printf("wrong: %s\n", what);
        failed = 1;
    }
}
#define OK(call) expect((call) == cudaSuccess, #call)
#define IS(call, error) expect((call) == (error), #call " is " #error)

static const dim3 grid = {4, 1, 1}, block = {64, 1, 1}, one = {1, 1, 1};

// As clang and nvcc before 13 launch, and as nvcc 13 does.
static cudaError_t run(uint32_t *to, unsigned n, int new_way)
{
    void *args[] = {&to, &n};
    dim3 g, b;
    size_t shared;
    cudaStream_t stream;

    if (__cudaPushCallConfiguration(grid, block, 0, NULL) ||
        __cudaPopCallConfiguration(&g, &b, &shared, &stream))
        return cudaErrorMissingConfiguration;
    if (!new_way)
        return cudaLaunchKernel(&scale, g, b, args, shared, stream);
#if HD_CUDART >= 12
    cudaKernel_t k;
    cudaError_t e = __cudaGetKernel(&k, &scale);
    return e == cudaSuccess ? __cudaLaunchKernel(k, g, b, args, shared, stream) : e;
#else // there is the one way only
    return cudaLaunchKernel(&scale, g, b, args, shared, stream);
#endif
}

static void values(void)
{
    uint32_t numbers[200], *device, three = 3, count = 0, zero = 0;
    size_t size;
    void *at;

    for (unsigned i = 0; i < 200; i++)
        numbers[i] = i;
    OK(cudaMalloc((void **)&device, sizeof numbers));
    OK(cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(&factor, &three, 4, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(&calls, &zero, 4, 0, cudaMemcpyHostToDevice));
    OK(run(device, 200, 0));
    OK(run(device, 200, 1));
    OK(cudaMemcpy(numbers, device, sizeof numbers, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 200; i++)
        expect(numbers[i] == 9 * i, "nine times as much");
    OK(cudaMemcpyFromSymbol(&count, &calls, 4, 0, cudaMemcpyDeviceToHost));
    expect(count == 400, "calls counted in a variable");
    OK(cudaGetSymbolSize(&size, &factor));
    expect(size == 4, "size of a variable");
    OK(cudaGetSymbolAddress(&at, &calls));
    IS(cudaMemcpyToSymbol(&calls, &zero, 5, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol(numbers, &zero, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    IS(cudaGetLastError(), cudaErrorInvalidSymbol);
    IS(cudaGetLastError(), cudaSuccess);
    OK(cudaFree(device));
    puts("values");
}

static void errors(void)
{
    dim3 large = {2048, 1, 1};
    struct cudaFuncAttributes a;

    IS(cudaLaunchKernel(&scale, one, large, NULL, 0, NULL), cudaErrorInvalidConfiguration);
    IS(cudaLaunchKernel(&failed, one, one, NULL, 0, NULL), cudaErrorInvalidDeviceFunction);
    IS(cudaPeekAtLastError(), cudaErrorInvalidDeviceFunction);
    IS(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    OK(cudaGetLastError());
    OK(cudaFuncGetAttributes(&a, &scale));
    expect(a.maxThreadsPerBlock == 1024 && a.numRegs > 0, "attributes of a kernel");
    expect(!strcmp(cudaGetErrorName(cudaErrorInvalidSymbol), "cudaErrorInvalidSymbol"), "name");
    expect(strlen(cudaGetErrorString(cudaErrorIllegalAddress)) > 10, "sentence");
    // An error of the device stays until it is reset.
    OK(cudaLaunchKernel(&crash, one, one, NULL, 0, NULL));
    IS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    IS(cudaGetLastError(), cudaErrorIllegalAddress);
    IS(cudaGetLastError(), cudaErrorIllegalAddress);
    void *p;
    IS(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
    struct cudaPointerAttributes where;
    IS(cudaPointerGetAttributes(&where, &p), cudaErrorIllegalAddress);
    OK(cudaDeviceReset());
    OK(cudaGetLastError());
    OK(cudaMalloc(&p, 4));
    puts("errors");
}

// Code that the program loads itself.
static void libraries(void)
{
#if HD_CUDART >= 12
    uint32_t number = 5, three = 3, n = 1, *device;
    void *args[] = {&device, &n}, *at = NULL;
    cudaLibrary_t l;
    cudaKernel_t k, own;
    CUfunction f;
    unsigned count;
    size_t size;

    OK(cudaLibraryLoadData(&l, ptx, NULL, NULL, 0, NULL, NULL, 0));
    OK(cudaLibraryGetKernelCount(&count, l));
    expect(count == 2, "kernels of a library");
    OK(cudaLibraryEnumerateKernels(&k, 1, l));
    OK(cudaLibraryGetKernel(&own, l, "scale"));
    expect(k == own, "the first of them");
    OK(cudaLibraryGetGlobal(&at, &size, l, "factor"));
    OK(cudaMemcpy(at, &three, 4, cudaMemcpyHostToDevice));
    OK(cudaMalloc((void **)&device, 4));
    OK(cudaMemcpy(device, &number, 4, cudaMemcpyHostToDevice));
    OK(cudaLaunchKernel(k, one, one, args, 0, NULL));
    OK(cudaMemcpy(&number, device, 4, cudaMemcpyDeviceToHost));
    expect(number == 15, "a launch of a kernel of a library");
    // The program's own kernels are kernels of the driver, too.
    OK(cudaGetKernel(&own, &scale));
    expect(own != k && !cuKernelGetFunction(&f, own), "a kernel is the driver's");
    OK(cudaKernelSetAttributeForDevice(own, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64,
                                       0));
    struct cudaFuncAttributes a;
    OK(cudaFuncGetAttributes(&a, &scale));
    expect(a.maxDynamicSharedSizeBytes == 64, "an attribute of a kernel");
    IS(cudaLibraryGetKernel(&k, l, "nobody"), cudaErrorSymbolNotFound);
    OK(cudaLibraryUnload(l));
    IS(cudaLibraryUnload(l), cudaErrorInvalidResourceHandle);
    IS(cudaLaunchKernel(k, one, one, args, 0, NULL), cudaErrorInvalidDeviceFunction);
    OK(cudaFree(device));
    cudaGetLastError();
#endif
    puts("libraries");
}

// What was said about managed memory comes back, from version 11 on.
static void ranges(void)
{
    int mostly = 9, where = 9;
    size_t sizes[] = {sizeof mostly, sizeof where};
    void *answers[] = {&mostly, &where};
    int asked[] = {1, 2}; // cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation
    void *p;

    if (cudaMallocManaged(&p, 4096, 1) != cudaSuccess)
        return; // the host had something else at that address
#if HD_CUDART >= 13
    OK(cudaMemAdvise(p, 4096, 1, (struct cudaMemLocation){cudaMemLocationTypeDevice, 0}));
#else
    OK(cudaMemAdvise(p, 4096, 1, 0));
#endif
    OK(cudaMemRangeGetAttributes(answers, sizes, asked, 2, p, 4096));
    expect(mostly == 1 && where == -2, "hints come back");
    expect(cudaMemRangeGetAttribute(&mostly, 3, 1, p, 4096) == cudaErrorInvalidValue,
           "not in three bytes");
    OK(cudaFree(p));
}

#if HD_CUDART >= 12
static void batches(void)
{
    uint32_t v[2] = {3, 4}, back[2] = {0, 0}, *device;
    size_t bytes[] = {4, 4}, first = 0;
    struct cudaMemcpyAttributes how = {.srcAccessOrder = cudaMemcpySrcAccessOrderStream};
    cudaStream_t s;

    OK(cudaMalloc((void **)&device, 8));
    OK(cudaStreamCreate(&s));
    OK(cudaMemcpy(device, v, 8, cudaMemcpyDefault));
#if HD_CUDART >= 13
    const void *to[] = {&back[1], &back[0]}, *from[] = {device, device + 1};
    OK(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, &first, 1, s));
#else
    void *to[] = {&back[1], &back[0]}, *from[] = {device, device + 1};
    size_t failed;
    OK(cudaMemcpyBatchAsync(to, from, bytes, 2, &how, &first, 1, &failed, s));
#endif
    OK(cudaStreamSynchronize(s));
    expect(back[0] == 4 && back[1] == 3, "copies in one call");
    OK(cudaStreamDestroy(s));
    OK(cudaFree(device));
}
#endif

// The driver API sees the same memory and the same context.
static void mixed(void)
{
    uint32_t back = 0, *device;
    CUdeviceptr address;
    CUcontext current, primary;
    cudaFunction_t f;
    cudaEvent_t e;

    OK(cudaMalloc((void **)&device, 4));
    expect(!cuMemsetD32((CUdeviceptr)(uintptr_t)device, 77, 1), "driver fills it");
    OK(cudaMemcpy(&back, device, 4, cudaMemcpyDefault));
    expect(back == 77, "runtime reads it");
    expect(!cuMemAlloc(&address, 4), "driver memory");
    OK(cudaMemset((void *)(uintptr_t)address, 1, 4));
    expect(!cuMemcpyDtoH(&back, address, 4) && back == 0x01010101, "driver reads it");
    OK(cudaFree((void *)(uintptr_t)address));
    expect(!cuCtxGetCurrent(&current) && !cuDevicePrimaryCtxRetain(&primary, 0) &&
               current == primary,
           "the primary context is current");
    OK(cudaGetFuncBySymbol(&f, &scale));
    unsigned n = 1;
    void *args[] = {&device, &n};
    expect(!cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL), "driver launches it");
    OK(cudaLaunchKernel(f, one, one, args, 0, NULL));
    OK(cudaEventCreate(&e));
    expect(!cuEventRecord(e, NULL), "driver records it");
    OK(cudaEventSynchronize(e));
    OK(cudaEventDestroy(e));
    ranges();
#if HD_CUDART >= 12
    batches();
#endif
    puts("mixed");
}

static void properties(void)
{
    struct cudaDeviceProp p;
    int value, n;

#if HD_CUDART == 13
    expect(sizeof p == 1008 && offsetof(struct cudaDeviceProp, major) == 360 &&
               offsetof(struct cudaDeviceProp, maxBlocksPerMultiProcessor) == 688,
           "layout of the properties");
#elif HD_CUDART == 12
    expect(sizeof p == 1032, "layout of the properties");
#else
    expect(sizeof p == 728, "layout of the properties");
#endif
    OK(cudaRuntimeGetVersion(&value));
    expect(value == CUDART_VERSION, "version");
#if HD_CUDART < 12
    void *function = NULL;
    OK(cudaGetDriverEntryPoint("cuInit", &function, 0));
    expect(function != NULL, "a function of the driver");
#endif
    OK(cudaGetDeviceCount(&n));
    expect(n == 1, "one device");
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    expect(p.multiProcessorCount == value && value > 0, "SMs");
    expect(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.totalGlobalMem > 1 << 30, "sizes");
    IS(cudaSetDevice(1), cudaErrorInvalidDevice);
    IS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    cudaGetLastError();
    printf("properties of %s\n", p.name);
}

static int damage(unsigned seed)
{
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    make_fatbin(1);
    for (unsigned i = 0; i < 1 + seed % 8; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        // The size says where the container ends, and nothing else can: it stays.
        unsigned at = (unsigned)(x >> 33) % (seed % 2 ? 80 : (unsigned)sizeof fatbin);
        if (at < 8 || at >= 16)
            fatbin[at] = (uint8_t)(x >> 20);
    }
    register_all();
    run(NULL, 0, 0);
    cudaDeviceSynchronize();
    __cudaUnregisterFatBinary(handle);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[1], "damage"))
        return damage((unsigned)atoi(argv[2]));
    make_fatbin(argc > 1 && !strcmp(argv[1], "sass") ? 2 : 1);
    register_all();
    if (argc > 1 && !strcmp(argv[1], "sass")) {
        cudaError_t first = run(NULL, 0, 0);
        printf("%s %s\n", cudaGetErrorName(first), cudaGetErrorName(run(NULL, 0, 1)));
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "missing")) {
        void *g;
        printf("%d %d\n", cudaGraphAddExternalSemaphoresSignalNode(&g, NULL),
               cudaGraphAddExternalSemaphoresSignalNode(&g, NULL));
        return 0;
    }
    values();
    properties();
    mixed();
    libraries();
    errors();
    values();
    __cudaUnregisterFatBinary(handle);
    IS(run(NULL, 0, 0), cudaErrorInvalidDeviceFunction);
    return failed;
}
