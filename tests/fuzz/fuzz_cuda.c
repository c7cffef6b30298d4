// fuzz_cuda.c - any bytes as a program that uses the driver API: calls in any order with handles
// that live, are gone, are of another kind or none at all, addresses and sizes of all sorts. Only
// pointers of the host are always good or NULL, as the interface cannot check them.
#include "base/bug.h"
#include "base/config.h"
#include "cuda/abi/driver.h"
#include "cuda/cuda.h"
#include "fuzz/replay.h"

#include <string.h>

#define N 8 // objects of a kind that are remembered; they are not forgotten when they are destroyed

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.const .align 4 .s32 offset = 7;\n"
    ".global .align 4 .u32 calls = 5;\n.global .attribute(.managed) .align 4 .u32 man = 5;\n"
    ".visible .entry k(.param .u64 x, .param .u64 t)\n{\n.reg .b32 %r<3>;\n.reg .f32 %f<6>;\n"
    ".reg .b64 %rd<3>;\n.reg .pred %p<3>;\nld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [t];\n"
    "setp.eq.u64 %p1, %rd1, 0;\n@%p1 bra T;\nld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
    "st.global.u32 [%rd1], %r1;\nT:\nsetp.eq.u64 %p2, %rd2, 0;\n@%p2 ret;\nmov.f32 %f1, "
    "0f3F800000;\n"
    "tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1, %f1}];\nret;\n}\n"
    ".visible .entry nop()\n{\nret;\n}\n";

static struct { // the program so far
    const uint8_t *at, *end;
    CUdeviceptr memory[N];
    void *pinned[N];
    CUstream streams[N];
    CUevent events[N];
    CUmodule modules[N];
    CUfunction functions[N];
    CUarray arrays[N];
    CUtexObject textures[N];
    CUsurfObject surfaces[N];
    CUcontext contexts[N];
    CUlinkState links[N];
    CUgraph graphs[N];
    CUgraphNode nodes[N];
    CUgraphExec execs[N];
    unsigned children; // graphs in graphs: each may be as large as all before
} s;
static uint8_t host[1 << 14], registered[N][4096];

// A number below n from the next bytes; 0 behind the last.
static unsigned pick(unsigned n)
{
    unsigned v = 0;

    for (unsigned most = n; most && s.at < s.end; most >>= 8)
        v = v << 8 | *s.at++;
    return v % n;
}

#define ANY(kind) s.kind[pick(N)]

static CUdeviceptr address(void)
{
    switch (pick(10)) {
    case 0:
        return pick(100);
    case 1:
        return UINT64_MAX - pick(100);
    case 2: // constants
        return ((CUdeviceptr)1 << 56) + ((CUdeviceptr)pick(4) << 32) + pick(600);
    case 3:
        return ANY(memory) + pick(10000);
    default:
        return ANY(memory);
    }
}

static CUstream stream(void)
{
    switch (pick(8)) {
    case 0:
        return CU_STREAM_LEGACY;
    case 1:
        return CU_STREAM_PER_THREAD;
    case 2:
        return (CUstream)ANY(events);
    case 3:
        return (CUstream)(uintptr_t)pick(60000);
    default:
        return pick(3) ? ANY(streams) : NULL;
    }
}

static size_t size(void)
{
    static const size_t odd[] = {0, 1, SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 40, UINT32_MAX};

    return pick(4) ? pick(5000) : odd[pick(sizeof odd / sizeof *odd)];
}

// Memory of the host of at least 8191 bytes.
static void *host_memory(void)
{
    return pick(4) ? host + pick(8192) : NULL;
}
static size_t host_size(void)
{
    return pick(4) ? pick(300) : pick(8191);
}

static void memory_call(void)
{
    CUdeviceptr *p = &ANY(memory);

    switch (pick(13)) {
    case 0:
        cuMemAlloc(p, size());
        break;
    case 1:
        cuMemFree(address());
        break;
    case 2:
        cuMemAllocHost(&ANY(pinned), 1 + pick(9000));
        break;
    case 3:
        cuMemFreeHost(pick(4) ? ANY(pinned) : host_memory());
        break;
    case 4:
        cuMemHostRegister(registered[pick(N)] + pick(100), 1 + pick(3900), pick(8));
        break;
    case 5:
        cuMemHostUnregister(registered[pick(N)] + pick(100));
        break;
    case 6:
        cuMemHostGetDevicePointer(p, pick(2) ? registered[pick(N)] : ANY(pinned), 0);
        break;
    case 7:
        cuMemAllocAsync(p, size(), stream());
        break;
    case 8:
        cuMemFreeAsync(address(), stream());
        break;
    case 9:
        cuMemAllocManaged(p, size(), 1 + pick(3));
        break;
    case 10:
        cuMemAllocPitch(p, &(size_t){0}, size(), size(), 4u << pick(3));
        break;
    case 11:
        cuPointerGetAttribute(host, (CUpointer_attribute)pick(16), address());
        break;
    default:
        cuMemGetAddressRange(NULL, NULL, address());
    }
}

static void box_copy(void)
{
    CUDA_MEMCPY3D c = {.srcMemoryType = (CUmemorytype)pick(6),
                       .dstMemoryType = (CUmemorytype)pick(6),
                       .srcHost = host,
                       .dstHost = host + sizeof host / 2,
                       .srcDevice = address(),
                       .dstDevice = address(),
                       .srcArray = ANY(arrays),
                       .dstArray = ANY(arrays)};

    // An address of any kind may be one of the host, where anything could be.
    if (c.srcMemoryType == CU_MEMORYTYPE_UNIFIED || c.dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        return;
    c.srcPitch = pick(200);
    c.srcHeight = pick(8);
    c.srcXInBytes = pick(20);
    c.dstPitch = pick(200);
    c.dstHeight = pick(8);
    c.dstY = pick(5);
    c.dstZ = pick(3);
    c.WidthInBytes = pick(100);
    c.Height = pick(8);
    c.Depth = pick(4);
    if (pick(2))
        cuMemcpy3D(&c);
    else
        cuMemcpy3DAsync(&c, stream());
}

static void copy_call(void)
{
    switch (pick(10)) {
    case 0:
        cuMemcpyHtoD(address(), host_memory(), host_size());
        break;
    case 1:
        cuMemcpyDtoH(host_memory(), address(), host_size());
        break;
    case 2:
        cuMemcpyDtoD(address(), address(), size());
        break;
    case 3:
        cuMemcpyHtoDAsync(address(), host_memory(), host_size(), stream());
        break;
    case 4:
        cuMemcpyDtoHAsync(host_memory(), address(), host_size(), stream());
        break;
    case 5:
        cuMemsetD32(address(), pick(9), size());
        break;
    case 6:
        cuMemsetD2D16Async(address(), size(), 1, size(), size(), stream());
        break;
    case 7:
        cuMemcpyHtoA(ANY(arrays), size(), host_memory(), host_size());
        break;
    case 8:
        cuMemcpyAtoD(address(), ANY(arrays), size(), size());
        break;
    default:
        box_copy();
    }
}

static void called(void *data)
{
    int n;

    HD_BUG_IF(data || cuDeviceGetCount(&n) != CUDA_ERROR_NOT_PERMITTED, "a host function calls us");
}

static void stream_call(void)
{
    float ms;

    switch (pick(12)) {
    case 0:
        cuStreamCreate(&ANY(streams), pick(3));
        break;
    case 1:
        cuStreamDestroy(stream());
        break;
    case 2:
        cuStreamSynchronize(stream());
        break;
    case 3:
        cuStreamWaitEvent(stream(), ANY(events), pick(3));
        break;
    case 4:
        cuEventCreate(&ANY(events), pick(5));
        break;
    case 5:
        cuEventDestroy(ANY(events));
        break;
    case 6:
    case 7:
        cuEventRecord(ANY(events), stream());
        break;
    case 8:
        cuEventQuery(ANY(events));
        break;
    case 9:
        cuEventElapsedTime(&ms, ANY(events), ANY(events));
        break;
    case 10:
        cuLaunchHostFunc(stream(), called, NULL);
        break;
    default:
        cuCtxSynchronize();
    }
}

static void module_call(void)
{
    static const char *const names[] = {"k", "nop", "offset", "calls", "man", "none"};
    char text[sizeof ptx];
    void *image;
    size_t n;

    switch (pick(9)) {
    case 0:
        cuModuleLoadData(&ANY(modules), ptx);
        break;
    case 1:
        cuModuleUnload(ANY(modules));
        break;
    case 2:
    case 3:
        cuModuleGetFunction(&ANY(functions), ANY(modules), names[pick(6)]);
        break;
    case 4:
        cuModuleGetGlobal(&ANY(memory), NULL, ANY(modules), names[pick(6)]);
        break;
    case 5:
        cuLinkCreate(0, NULL, NULL, &ANY(links));
        break;
    case 6:
        memcpy(text, ptx, sizeof ptx);
        cuLinkAddData(ANY(links), CU_JIT_INPUT_PTX, text, sizeof text, "x", 0, NULL, NULL);
        break;
    case 7:
        if (cuLinkComplete(ANY(links), &image, &n) == CUDA_SUCCESS)
            cuModuleLoadData(&ANY(modules), image);
        break;
    default:
        cuLinkDestroy(ANY(links));
    }
}

// Memory of graphs is theirs; a node that names another graph's is refused.
static void graph_node(void)
{
    CUdeviceptr x = pick(8) ? 0 : address(), y = address();
    CUtexObject t = 0;
    void *params[] = {&x, &t};
    CUgraphNode after[3] = {ANY(nodes), ANY(nodes), ANY(nodes)}, *out = &ANY(nodes);
    CUDA_KERNEL_NODE_PARAMS k = {.func = ANY(functions),
                                 .gridDimX = pick(9),
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = pick(70),
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = pick(20) ? params : NULL};
    CUDA_MEMSET_NODE_PARAMS f = {
        .dst = y, .pitch = pick(99), .elementSize = pick(5), .width = size(), .height = pick(4)};
    CUDA_HOST_NODE_PARAMS h = {called, NULL};
    CUgraphNodeParams p = {.type = (CUgraphNodeType)pick(16)};
    CUgraph g = ANY(graphs);
    size_t n = pick(4) ? pick(2) : pick(4);

    switch (pick(9)) {
    case 0:
        cuGraphAddKernelNode(out, g, after, n, &k);
        break;
    case 1:
        cuGraphAddMemsetNode(out, g, after, n, &f, NULL);
        break;
    case 2:
        cuGraphAddHostNode(out, g, after, n, &h);
        break;
    case 3:
        if (s.children++ < 8)
            cuGraphAddChildGraphNode(out, g, after, n, ANY(graphs));
        break;
    case 4:
        cuGraphAddEventRecordNode(out, g, after, n, ANY(events));
        break;
    case 5:
        cuGraphAddEventWaitNode(out, g, after, n, ANY(events));
        break;
    case 6:
        cuGraphAddMemFreeNode(out, g, after, n, y);
        break;
    case 7:
        cuGraphConditionalHandleCreate(&p.conditional.handle, g, NULL, pick(2), pick(2));
        p.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        p.conditional.type = (CUgraphConditionalNodeType)pick(4);
        p.conditional.size = pick(3);
        if (cuGraphAddNode(out, g, after, NULL, n, &p) == CUDA_SUCCESS)
            ANY(graphs) = p.conditional.phGraph_out[0];
        break;
    default:
        p.alloc = (CUDA_MEM_ALLOC_NODE_PARAMS){
            .poolProps = {.allocType = 1, .location = {.type = 1}}, .bytesize = size()};
        p.type = pick(3) ? CU_GRAPH_NODE_TYPE_MEM_ALLOC : p.type;
        if (p.type != CU_GRAPH_NODE_TYPE_MEMCPY &&
            cuGraphAddNode(out, g, after, NULL, n, &p) == CUDA_SUCCESS &&
            p.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
            ANY(memory) = p.alloc.dptr;
    }
}

static void graph_call(void)
{
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a = ANY(nodes), b = ANY(nodes);
    CUgraph g = ANY(graphs);

    switch (pick(14)) {
    case 0:
        cuGraphCreate(&ANY(graphs), 0);
        break;
    case 1:
        cuGraphDestroy(g);
        break;
    case 2:
        cuGraphClone(&ANY(graphs), g);
        break;
    case 3:
        cuGraphInstantiate(&ANY(execs), g, pick(4));
        break;
    case 4:
        cuGraphExecDestroy(ANY(execs));
        break;
    case 5:
    case 6:
        cuGraphLaunch(ANY(execs), stream());
        break;
    case 7:
        cuGraphExecUpdate(ANY(execs), g, &info);
        break;
    case 8:
        cuGraphAddDependencies(g, &a, &b, NULL, 1);
        break;
    case 9:
        cuGraphDestroyNode(a);
        break;
    case 10:
        cuStreamBeginCapture(stream(), (CUstreamCaptureMode)pick(4));
        break;
    case 11:
        cuStreamEndCapture(stream(), &ANY(graphs));
        break;
    case 12:
        cuGraphNodeSetEnabled(ANY(execs), a, pick(2));
        break;
    default:
        graph_node();
    }
}

static void launch(void)
{
    CUdeviceptr x = pick(8) ? 0 : address();
    CUtexObject t = pick(4) ? 0 : ANY(textures);
    void *params[] = {&x, &t};
    unsigned block = pick(8) ? 1 + pick(64) : pick(3000);

    cuLaunchKernel(ANY(functions), pick(20), 1, 1, block, 1, 1, pick(60000), stream(),
                   pick(20) ? params : NULL, NULL);
}

static void texture_call(void)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = pick(40),
                                 .Height = pick(10),
                                 .Depth = pick(4),
                                 .Format = pick(4) ? CU_AD_FORMAT_FLOAT : (CUarray_format)pick(40),
                                 .NumChannels = pick(5),
                                 .Flags = pick(4)};
    CUDA_RESOURCE_DESC r = {.resType = (CUresourcetype)pick(5)};
    CUDA_TEXTURE_DESC t = {.addressMode = {(CUaddress_mode)pick(5), (CUaddress_mode)pick(5)},
                           .filterMode = (CUfilter_mode)pick(3),
                           .flags = pick(4)};

    switch (pick(6)) {
    case 0:
        cuArray3DCreate(&ANY(arrays), &d);
        break;
    case 1:
        cuArrayDestroy(ANY(arrays));
        break;
    case 2:
        cuTexObjectDestroy(ANY(textures));
        break;
    case 3:
        cuSurfObjectDestroy(ANY(surfaces));
        break;
    default:
        if (r.resType == CU_RESOURCE_TYPE_ARRAY) {
            r.res.array.hArray = ANY(arrays);
            cuSurfObjectCreate(&ANY(surfaces), &r);
        } else {
            r.res.pitch2D.devPtr = address();
            r.res.pitch2D.format = d.Format;
            r.res.pitch2D.numChannels = d.NumChannels;
            r.res.pitch2D.width = size();
            r.res.pitch2D.height = size();
            r.res.pitch2D.pitchInBytes = size();
        }
        cuTexObjectCreate(&ANY(textures), &r, &t, NULL);
    }
}

static void context_call(void)
{
    CUcontext *c = &ANY(contexts);
    int n;

    switch (pick(8)) {
    case 0:
        cuCtxCreate(c, NULL, 0, 0);
        break;
    case 1:
        cuCtxDestroy(*c);
        break;
    case 2:
        cuCtxPushCurrent(*c);
        break;
    case 3:
        cuCtxPopCurrent(NULL);
        break;
    case 4:
        cuDevicePrimaryCtxRetain(c, 0);
        break;
    case 5:
        cuDevicePrimaryCtxReset(0);
        break;
    case 6:
        cuCtxSetLimit((CUlimit)pick(8), size());
        break;
    default:
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&n, ANY(functions), (int)pick(2000), size());
    }
}

static void call(void)
{
    switch (pick(20)) {
    case 16:
    case 17:
    case 18:
    case 19:
        graph_call();
        break;
    case 0:
    case 1:
    case 2:
        memory_call();
        break;
    case 3:
    case 4:
    case 5:
        copy_call();
        break;
    case 6:
    case 7:
    case 8:
        stream_call();
        break;
    case 9:
    case 10:
        module_call();
        break;
    case 11:
    case 12:
    case 13:
        launch();
        break;
    case 14:
        texture_call();
        break;
    default:
        context_call();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag d = {.n = 0};
    struct hd_config config;
    struct hd_run_options o = {
        .gpu = {.config = &config, .functional_only = true, .max_insts = 1 << 12}};

    HD_BUG_IF(!hd_config_load(a, "gpus/debug-flatmem.ini", NULL, 0, &config, &d),
              "no machine: run it from the root of the tree");
    memset(&s, 0, sizeof s);
    s.at = data;
    s.end = data + n;
    hd_cuda_use(&o);
    cuInit(0);
    cuCtxCreate(&s.contexts[0], NULL, 0, 0);
    cuModuleLoadData(&s.modules[0], ptx);
    cuModuleGetFunction(&s.functions[0], s.modules[0], "k");
    while (s.at < s.end)
        call();
    hd_cuda_end();
    hd_arena_free(a);
    return 0;
}
