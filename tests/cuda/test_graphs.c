// test_graphs.c - graphs built node by node: what they compute, when, and what is refused.
#include "shared/world.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 256

static const int zeros[N];

static CUgraph graph(void)
{
    CUgraph g;

    OK(cuGraphCreate(&g, 0));
    return g;
}

static CUgraphExec instance(CUgraph g)
{
    CUgraphExec e;

    OK(cuGraphInstantiate(&e, g, 0));
    return e;
}

static void run(CUgraphExec e)
{
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
}

// A kernel of kernels.h with an address and a number behind at most two others.
static CUgraphNode kernel(CUgraph g, const char *name, CUdeviceptr x, int number, CUgraphNode a,
                          CUgraphNode b)
{
    void *args[] = {&x, &number};
    CUgraphNode node, after[] = {a ? a : b, b};
    CUDA_KERNEL_NODE_PARAMS p = {.func = world_function(name),
                                 .gridDimX = N / 64,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 64,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = args};

    OK(cuGraphAddKernelNode(&node, g, after, (size_t)(a != NULL) + (b != NULL), &p));
    return node;
}

static CUDA_MEMCPY3D line(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                           .srcDevice = from,
                           .srcPitch = bytes,
                           .srcHeight = 1,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = to,
                           .dstPitch = bytes,
                           .dstHeight = 1,
                           .WidthInBytes = bytes,
                           .Height = 1,
                           .Depth = 1};
}

static int first_of(CUdeviceptr x)
{
    int v;

    OK(cuMemcpyDtoH(&v, x, sizeof v));
    return v;
}

static uint64_t cycle(unsigned launch, bool end)
{
    struct hd_run r;

    assert_true(hd_cuda_finish(&r));
    const struct hd_kernel_result *k = hd_gpu_result(r.gpu, launch);
    return end ? k->end_cycle : k->start_cycle;
}

static void add_seven(void *data)
{
    *(int *)data += 7;
}

// fill -> scale -> copy -> host, launched twice.
static void nodes_happen_in_order(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode fill, k, copy, host;
    int calls = 0;
    CUDA_MEMSET_NODE_PARAMS m = {.dst = x, .value = 5, .elementSize = 4, .width = N, .height = 1};
    CUDA_MEMCPY3D c = line(y, x, N * sizeof(int));
    CUDA_HOST_NODE_PARAMS h = {add_seven, &calls};

    (void)state;
    OK(cuGraphAddMemsetNode(&fill, g, NULL, 0, &m, world.context));
    k = kernel(g, "scale", x, 3, fill, NULL);
    OK(cuGraphAddMemcpyNode(&copy, g, &k, 1, &c, world.context));
    OK(cuGraphAddHostNode(&host, g, &copy, 1, &h));
    CUgraphExec e = instance(g);
    OK(cuGraphDestroy(g)); // the instance is its own
    OK(cuGraphLaunch(e, NULL));
    OK(cuGraphLaunch(e, NULL));
    assert_int_equal(calls, 0);
    OK(cuCtxSynchronize());
    assert_int_equal(calls, 14);
    assert_int_equal(first_of(x), 22);
    assert_int_equal(first_of(y + (N - 1) * sizeof(int)), 22);
    OK(cuGraphExecDestroy(e));
    FAILS(INVALID_VALUE, cuGraphExecDestroy(e));
    FAILS(INVALID_VALUE, cuGraphLaunch(e, NULL));
    FAILS(INVALID_VALUE, cuGraphDestroy(g));
}

static void branches_overlap(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode empty;

    (void)state;
    OK(cuGraphAddEmptyNode(&empty, g, NULL, 0));
    CUgraphNode a = kernel(g, "spin", x, 50, empty, NULL),
                b = kernel(g, "spin", y, 80, empty, NULL);
    kernel(g, "scale", x, 1, a, b);
    CUgraphExec e = instance(g);
    run(e);
    assert_int_equal(first_of(x), 57);
    assert_int_equal(first_of(y), 80);
    assert_int_equal(cycle(0, false), cycle(1, false));
    assert_true(cycle(2, false) >= cycle(0, true));
    assert_true(cycle(2, false) >= cycle(1, true));
    // Launches of one graph follow each other, also in two streams.
    CUstream s, t;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    OK(cuGraphLaunch(e, s));
    OK(cuGraphLaunch(e, t));
    OK(cuCtxSynchronize());
    assert_int_equal(first_of(y), 240);
    assert_true(cycle(6, false) >= cycle(5, true));
    // Two instances overlap.
    CUgraphExec f = instance(g);
    OK(cuGraphLaunch(e, s));
    OK(cuGraphLaunch(f, t));
    OK(cuCtxSynchronize());
    assert_int_equal(cycle(9, false), cycle(11, false));
}

// What is launched is what the graph said at instantiation, or what the instance was told since.
static void instances_keep_what_they_are(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode k = kernel(g, "spin", x, 2, NULL, NULL);
    CUgraphExec e = instance(g), f;
    CUDA_KERNEL_NODE_PARAMS p;

    (void)state;
    OK(cuGraphKernelNodeGetParams(k, &p));
    assert_ptr_equal(p.func, world_function("spin"));
    assert_int_equal(p.gridDimX, N / 64);
    assert_int_equal(*(int *)p.kernelParams[1], 2);
    *(int *)p.kernelParams[1] = 5;
    OK(cuGraphKernelNodeSetParams(k, &p));
    f = instance(g);
    run(e);
    assert_int_equal(first_of(x), 2);
    run(f);
    assert_int_equal(first_of(x), 7);
    // A launch under way is not changed.
    OK(cuGraphLaunch(e, NULL));
    p.kernelParams[0] = &y;
    OK(cuGraphExecKernelNodeSetParams(e, k, &p));
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(first_of(x), 9);
    assert_int_equal(first_of(y), 5);
    OK(cuGraphNodeSetEnabled(e, k, 0));
    run(e);
    assert_int_equal(first_of(y), 5);
    unsigned enabled = 1;
    OK(cuGraphNodeGetEnabled(e, k, &enabled));
    assert_int_equal(enabled, 0);
    OK(cuGraphNodeSetEnabled(e, k, 1));
    run(e);
    assert_int_equal(first_of(y), 10);
    p.blockDimX = 4096;
    FAILS(INVALID_VALUE, cuGraphExecKernelNodeSetParams(e, k, &p));
    run(e);
    assert_int_equal(first_of(y), 15);
    p.func = NULL;
    FAILS(INVALID_VALUE, cuGraphKernelNodeSetParams(k, &p));
}

static void structure_can_be_asked(void **state)
{
    CUgraph g = graph(), copy, other = graph();
    CUgraphNode n[4], found[8], from[8], to[8], twin;
    CUgraphNodeType type;
    size_t count = 8;

    (void)state;
    OK(cuGraphAddEmptyNode(&n[0], g, NULL, 0));
    OK(cuGraphAddEmptyNode(&n[1], g, &n[0], 1));
    OK(cuGraphAddEmptyNode(&n[2], g, n, 2));
    OK(cuGraphAddEmptyNode(&n[3], other, NULL, 0));
    OK(cuGraphGetNodes(g, NULL, &count));
    assert_int_equal(count, 3);
    count = 8;
    OK(cuGraphGetNodes(g, found, &count));
    assert_int_equal(count, 3);
    assert_memory_equal(found, n, 3 * sizeof *n);
    assert_null(found[7]);
    count = 1;
    OK(cuGraphGetNodes(g, found, &count));
    assert_int_equal(count, 1);
    count = 8;
    OK(cuGraphGetRootNodes(g, found, &count));
    assert_int_equal(count, 1);
    count = 8;
    OK(cuGraphGetEdges(g, from, to, NULL, &count));
    assert_int_equal(count, 3);
    assert_ptr_equal(from[2], n[1]);
    assert_ptr_equal(to[2], n[2]);
    count = 8;
    OK(cuGraphNodeGetDependencies(n[2], found, NULL, &count));
    assert_int_equal(count, 2);
    count = 8;
    OK(cuGraphNodeGetDependentNodes(n[0], found, NULL, &count));
    assert_int_equal(count, 2);
    OK(cuGraphNodeGetType(n[1], &type));
    assert_int_equal(type, CU_GRAPH_NODE_TYPE_EMPTY);

    FAILS(INVALID_VALUE, cuGraphAddDependencies(g, &n[0], &n[1], NULL, 1)); // is there
    FAILS(INVALID_VALUE, cuGraphAddDependencies(g, &n[0], &n[0], NULL, 1));
    FAILS(INVALID_VALUE, cuGraphAddDependencies(g, &n[0], &n[3], NULL, 1));
    OK(cuGraphRemoveDependencies(g, &n[0], &n[2], NULL, 1));
    FAILS(INVALID_VALUE, cuGraphRemoveDependencies(g, &n[0], &n[2], NULL, 1));
    OK(cuGraphClone(&copy, g));
    OK(cuGraphNodeFindInClone(&twin, n[2], copy));
    OK(cuGraphDestroyNode(n[1]));
    FAILS(INVALID_VALUE, cuGraphDestroyNode(n[1]));
    OK(cuGraphGetEdges(g, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    count = 8;
    OK(cuGraphNodeGetDependencies(twin, found, NULL, &count));
    assert_int_equal(count, 1);
    FAILS(INVALID_VALUE, cuGraphNodeFindInClone(&twin, n[3], copy));
}

static void circles_are_refused(void **state)
{
    CUgraph g = graph();
    CUgraphNode a, b;
    CUgraphExec e;
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = 0};

    (void)state;
    OK(cuGraphAddEmptyNode(&a, g, NULL, 0));
    OK(cuGraphAddEmptyNode(&b, g, &a, 1));
    OK(cuGraphAddDependencies(g, &b, &a, NULL, 1));
    FAILS(INVALID_VALUE, cuGraphInstantiate(&e, g, 0));
    FAILS(INVALID_VALUE, cuGraphInstantiateWithParams(&e, g, &p));
    assert_int_equal(p.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
    assert_ptr_equal(p.hErrNode_out, a);
    OK(cuGraphRemoveDependencies(g, &b, &a, NULL, 1));
    OK(cuGraphInstantiateWithParams(&e, g, &p));
    assert_int_equal(p.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    run(e);
    FAILS(NOT_SUPPORTED, cuGraphInstantiate(&e, g, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
}

// A node may be added before what it depends on.
static void order_is_that_of_edges(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode late = kernel(g, "scale", x, 2, NULL, NULL);
    CUgraphNode early = kernel(g, "spin", x, 4, NULL, NULL);

    (void)state;
    OK(cuGraphAddDependencies(g, &early, &late, NULL, 1));
    run(instance(g));
    assert_int_equal(first_of(x), 15);
}

static void graphs_in_graphs(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph inner = graph(), g = graph(), got, empty = graph();
    CUgraphNode first, child, nothing, k = kernel(inner, "spin", x, 3, NULL, NULL);
    size_t count = 0;

    (void)state;
    kernel(inner, "spin", y, 3, NULL, NULL);
    first = kernel(g, "scale", x, 1, NULL, NULL); // 7
    OK(cuGraphAddChildGraphNode(&child, g, &first, 1, inner));
    OK(cuGraphAddChildGraphNode(&nothing, g, &child, 1, empty));
    kernel(g, "scale", x, 2, nothing, NULL); // 27
    OK(cuGraphDestroyNode(k));               // of the graph that was copied
    OK(cuGraphChildGraphNodeGetGraph(child, &got));
    OK(cuGraphGetNodes(got, NULL, &count));
    assert_int_equal(count, 2);
    FAILS(INVALID_VALUE, cuGraphDestroy(got));
    CUgraphExec e = instance(g);
    run(e);
    assert_int_equal(first_of(x), 27);
    assert_int_equal(cycle(1, false), cycle(2, false));
    // One graph deeper, and into the instance again.
    CUgraph outer = graph();
    CUgraphNode deep;
    OK(cuGraphAddChildGraphNode(&deep, outer, NULL, 0, g));
    run(instance(outer));
    assert_int_equal(first_of(x), 81);
    assert_int_equal(first_of(y), 6);
    CUgraph changed;
    OK(cuGraphClone(&changed, got));
    CUgraphNode nodes[2];
    count = 2;
    OK(cuGraphGetNodes(changed, nodes, &count));
    OK(cuGraphDestroyNode(nodes[0]));
    FAILS(INVALID_VALUE, cuGraphExecChildGraphNodeSetParams(e, child, changed));
    OK(cuGraphExecChildGraphNodeSetParams(e, child, got));
    OK(cuGraphDestroy(outer));
}

static void events_of_graphs(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUevent before, inside, got;
    CUgraph g = graph();
    CUgraphNode wait, record;
    CUstream s, t;

    (void)state;
    OK(cuEventCreate(&before, 0));
    OK(cuEventCreate(&inside, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    OK(cuGraphAddEventWaitNode(&wait, g, NULL, 0, before));
    CUgraphNode k = kernel(g, "spin", x, 20, wait, NULL);
    OK(cuGraphAddEventRecordNode(&record, g, &k, 1, inside));
    kernel(g, "spin", x, 200, record, NULL);
    OK(cuGraphEventRecordNodeGetEvent(record, &got));
    assert_ptr_equal(got, inside);
    FAILS(INVALID_VALUE, cuGraphEventWaitNodeGetEvent(record, &got));
    CUgraphExec e = instance(g);
    void *args[] = {&y, &(int){50}};
    OK(cuLaunchKernel(world_function("spin"), 4, 1, 1, 64, 1, 1, 0, s, args, NULL)); // 0
    OK(cuEventRecord(before, s));
    OK(cuGraphLaunch(e, t));             // 1, behind 0, and 3
    OK(cuStreamWaitEvent(s, inside, 0)); // of this launch
    OK(cuLaunchKernel(world_function("spin"), 4, 1, 1, 64, 1, 1, 0, s, args, NULL));
    OK(cuCtxSynchronize());
    assert_true(cycle(1, false) >= cycle(0, true));
    assert_true(cycle(2, false) >= cycle(1, true));
    assert_true(cycle(3, false) >= cycle(1, true));
    assert_int_equal(cycle(2, false), cycle(3, false));
    OK(cuEventDestroy(inside));
    FAILS(INVALID_VALUE, cuGraphLaunch(e, t));
}

static void memory_of_graphs(void **state)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = N * sizeof(int)};
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode alloc, fill, copy, release;
    uint64_t used, value = 0;

    (void)state;
    OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    FAILS(INVALID_VALUE, cuMemsetD32(p.dptr, 1, 1)); // not yet
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p.dptr, .value = 9, .elementSize = 4, .width = N, .height = 1};
    OK(cuGraphAddMemsetNode(&fill, g, &alloc, 1, &m, world.context));
    m.width = N + 1;
    FAILS(INVALID_VALUE, cuGraphMemsetNodeSetParams(fill, &m));
    CUgraphNode k = kernel(g, "scale", p.dptr, 2, fill, NULL);
    CUDA_MEMCPY3D c = line(x, p.dptr, N * sizeof(int));
    OK(cuGraphAddMemcpyNode(&copy, g, &k, 1, &c, world.context));
    CUgraphExec keeps = instance(g), e;
    FAILS(NOT_SUPPORTED, cuGraphInstantiate(&e, g, 0)); // one at a time
    run(keeps);
    assert_int_equal(first_of(x), 25);
    assert_int_equal(first_of(p.dptr), 25);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, N * sizeof(int));
    FAILS(INVALID_VALUE, cuGraphLaunch(keeps, NULL)); // it is there still
    OK(cuMemFreeAsync(p.dptr, NULL));
    OK(cuGraphLaunch(keeps, NULL)); // behind that
    OK(cuMemFree(p.dptr));
    FAILS(INVALID_VALUE, cuMemFree(p.dptr));
    OK(cuGraphExecDestroy(keeps));
    OK(cuGraphInstantiate(&e, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    run(e);
    run(e);
    OK(cuMemFreeAsync(p.dptr, NULL));
    OK(cuGraphExecDestroy(e));

    OK(cuGraphAddMemFreeNode(&release, g, &copy, 1, p.dptr));
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&release, g, &copy, 1, p.dptr));
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&release, g, &copy, 1, x));
    FAILS(NOT_SUPPORTED, cuGraphDestroyNode(copy));
    e = instance(g);
    run(e);
    run(e);
    FAILS(INVALID_VALUE, cuMemsetD32(p.dptr, 1, 1));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, N * sizeof(int));
    OK(cuDeviceGraphMemTrim(0));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    assert_int_equal(used, N * sizeof(int));
    OK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &value));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    assert_int_equal(used, 0);
}

// Addresses of allocations are used again after their graph, the graph made from it and the memory
// are gone, in any order.
static void addresses_of_graphs_are_given_back(void **state)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = UINT64_C(1) << 29};
    CUgraphNode alloc;

    (void)state;
    for (unsigned i = 0; i < 1200; i++) { // 600 GB of addresses
        CUgraph g;
        CUgraphExec e;
        OK(cuGraphCreate(&g, 0));
        OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
        if (i % 100 == 0) {
            OK(cuGraphInstantiate(&e, g, 0));
            OK(cuGraphLaunch(e, NULL));
            if (i % 200 == 0)
                OK(cuMemFreeAsync(p.dptr, NULL));
            OK(cuGraphExecDestroy(e)); // the launch is still queued
            OK(cuGraphDestroy(g));
            OK(cuCtxSynchronize());
            if (i % 200)
                OK(cuMemFree(p.dptr));
            FAILS(INVALID_VALUE, cuMemFree(p.dptr));
        } else {
            OK(cuGraphDestroy(g));
        }
    }
    CUstream s;
    CUgraph g;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAllocAsync(&p.dptr, 4096, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuStreamDestroy(s));
    OK(cuGraphDestroy(g));
    g = graph();
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&alloc, g, NULL, 0, p.dptr));
}

// An executable graph keeps what the graphs inside its graph allocate.
static void inner_graphs_keep_their_addresses(void **state)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = N * sizeof(int)};
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph outer, g;
    CUgraphNode alloc, copy, moved;
    CUgraphExec e;

    (void)state;
    OK(cuGraphCreate(&outer, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p.dptr, .value = 9, .elementSize = 4, .width = N, .height = 1};
    CUgraphNode fill;
    OK(cuGraphAddMemsetNode(&fill, g, &alloc, 1, &m, world.context));
    CUDA_MEMCPY3D c = line(x, p.dptr, N * sizeof(int));
    OK(cuGraphAddMemcpyNode(&copy, g, &fill, 1, &c, world.context));
    OK(cuGraphAddMemFreeNode(&alloc, g, &copy, 1, p.dptr));
    CUgraphNodeParams move = {.type = CU_GRAPH_NODE_TYPE_GRAPH,
                              .graph = {g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    OK(cuGraphAddNode(&moved, outer, NULL, NULL, 0, &move));
    OK(cuGraphInstantiate(&e, outer, 0));
    OK(cuGraphLaunch(e, NULL));
    OK(cuGraphDestroy(outer)); // the launch is still queued
    assert_int_equal(first_of(x), 9);
    OK(cuMemsetD32(x, 0, N));
    run(e);
    assert_int_equal(first_of(x), 9);
    OK(cuGraphExecDestroy(e));
}

// Memory that is gone when a copy happens ends the context, as a kernel's fault does.
static void lost_memory_is_noticed(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode copy;
    CUDA_MEMCPY3D c = line(x, y, N * sizeof(int));

    (void)state;
    OK(cuGraphAddMemcpyNode(&copy, g, NULL, 0, &c, world.context));
    CUgraphExec e = instance(g);
    OK(cuMemFree(y));
    FAILS(ILLEGAL_ADDRESS, cuGraphLaunch(e, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static void updates(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUgraph g = graph(), h = graph(), other = graph();
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a = kernel(g, "spin", x, 1, NULL, NULL), b = kernel(g, "spin", y, 2, NULL, NULL);

    (void)state;
    kernel(g, "scale", x, 1, a, b);
    CUgraphExec e = instance(g);
    // The same with branches in another order, and other numbers.
    b = kernel(h, "spin", y, 20, NULL, NULL);
    a = kernel(h, "spin", x, 10, NULL, NULL);
    CUgraphNode last = kernel(h, "scale", x, 1, a, b);
    run(e);
    assert_int_equal(first_of(x), 8);
    OK(cuGraphExecUpdate(e, h, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    run(e);
    assert_int_equal(first_of(x), 25);
    assert_int_equal(first_of(y), 22);
    kernel(h, "spin", x, 1, last, NULL);
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, h, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    CUgraphNode empty, nodes[2];
    OK(cuGraphAddEmptyNode(&nodes[0], other, NULL, 0));
    OK(cuGraphAddEmptyNode(&nodes[1], other, NULL, 0));
    OK(cuGraphAddEmptyNode(&empty, other, nodes, 2));
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    assert_non_null(info.errorNode);
    run(e); // as before
    assert_int_equal(first_of(y), 42);
}

static unsigned released;
static void release(void *data)
{
    int n;

    FAILS(NOT_PERMITTED, cuDeviceGetCount(&n));
    assert_int_equal(fegetround(), FE_UPWARD); // as the program has it
    released += *(unsigned *)data;
}

static void user_objects(void **state)
{
    CUuserObject o;
    unsigned one = 1;
    CUgraph g = graph(), copy;
    CUgraphNode node;

    (void)state;
    released = 0;
    fesetround(FE_UPWARD);
    FAILS(INVALID_VALUE, cuUserObjectCreate(&o, &one, release, 1, 0));
    OK(cuUserObjectCreate(&o, &one, release, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphAddEmptyNode(&node, g, NULL, 0));
    OK(cuGraphClone(&copy, g));
    CUgraphExec e = instance(g);
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(copy));
    assert_int_equal(released, 0);
    OK(cuGraphExecDestroy(e));
    assert_int_equal(released, 1);
    FAILS(INVALID_VALUE, cuUserObjectRelease(o, 1));
    g = graph();
    OK(cuUserObjectCreate(&o, &one, release, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    FAILS(INVALID_VALUE, cuUserObjectRelease(o, 3));
    OK(cuGraphRetainUserObject(g, o, 1, 0));
    OK(cuUserObjectRelease(o, 2));
    FAILS(INVALID_VALUE, cuGraphReleaseUserObject(g, o, 2));
    OK(cuGraphReleaseUserObject(g, o, 1));
    assert_int_equal(released, 2);
    fesetround(FE_TONEAREST);
}

static void attributes(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode a = kernel(g, "spin", x, 1, NULL, NULL), b = kernel(g, "spin", x, 1, a, NULL);
    CUlaunchAttributeValue v = {.priority = 3};

    (void)state;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    v.cooperative = 1;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    OK(cuGraphKernelNodeCopyAttributes(b, a));
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &v));
    assert_int_equal(v.priority, 3);
    OK(cuGraphKernelNodeGetAttribute(b, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    assert_int_equal(v.cooperative, 1);
    v.clusterDim.x = 2;
    FAILS(NOT_SUPPORTED,
          cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &v));
    CUgraphExec e = instance(g);
    run(e);
    run(e);
    assert_int_equal(first_of(x), 4);
    OK(cuGraphExecDestroy(e));
}

// The memory of a cooperative kernel is given back if a later node cannot be instantiated.
static void nothing_is_left_of_a_failure(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode a = kernel(g, "spin", x, 1, NULL, NULL), wait;
    CUlaunchAttributeValue v = {.cooperative = 1};
    CUgraphExec e;
    CUevent gone;
    size_t before, after, total;

    (void)state;
    OK(cuGraphKernelNodeSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    OK(cuEventCreate(&gone, 0));
    OK(cuGraphAddEventWaitNode(&wait, g, &a, 1, gone));
    OK(cuEventDestroy(gone));
    OK(cuMemGetInfo(&before, &total));
    assert_int_not_equal(cuGraphInstantiateWithFlags(&e, g, 0), CUDA_SUCCESS);
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
}

static void many_launches(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph();
    CUgraphNode a = NULL;
    int calls = 0;

    (void)state;
    for (int i = 0; i < 3; i++)
        a = kernel(g, "count", x, 0, a, NULL);
    CUDA_HOST_NODE_PARAMS h = {add_seven, &calls};
    OK(cuGraphAddHostNode(&a, g, &a, 1, &h));
    CUgraphExec e = instance(g);
    for (int i = 0; i < 1000; i++) {
        OK(cuGraphLaunch(e, NULL));
        if (i % 100 == 99)
            OK(cuCtxSynchronize());
    }
    OK(cuGraphExecDestroy(e)); // goes when it has ended
    OK(cuCtxSynchronize());
    assert_int_equal(calls, 7000);
}

static void drawing(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph(), outer = graph();
    CUgraphNode child, k = kernel(g, "spin", x, 1, NULL, NULL);
    char text[4096] = "", path[] = "/tmp/heddle-graph-XXXXXX";

    (void)state;
    kernel(g, "scale", x, 1, k, NULL);
    OK(cuGraphAddChildGraphNode(&child, outer, NULL, 0, g));
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    OK(cuGraphDebugDotPrint(outer, path, CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    unlink(path);
    assert_non_null(strstr(text, "digraph"));
    assert_non_null(strstr(text, "KERNEL\\nspin\\ngrid 4x1x1"));
    assert_non_null(strstr(text, "\"g1_n0\" -> \"g1_n1\""));
    FAILS(OPERATING_SYSTEM, cuGraphDebugDotPrint(g, "/nowhere/graph.dot", 0));
}

static void wrong_things_are_refused(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph(), h = graph();
    CUgraphNode node, k = kernel(g, "spin", x, 1, NULL, NULL), twice[] = {k, k};
    CUgraphNodeParams p = {.type = (CUgraphNodeType)99};
    CUgraphExec e;
    CUDA_HOST_NODE_PARAMS none = {NULL, NULL};
    CUDA_MEMCPY3D c = line(x, x + 4096, 16);
    CUDA_MEMSET_NODE_PARAMS m = {.dst = x, .elementSize = 3, .width = 1, .height = 1};

    (void)state;
    FAILS(INVALID_VALUE, cuGraphCreate(NULL, 0));
    FAILS(INVALID_VALUE, cuGraphCreate(&h, 1));
    FAILS(INVALID_VALUE, cuGraphAddEmptyNode(&node, h, &k, 1)); // another graph's
    FAILS(INVALID_VALUE, cuGraphAddEmptyNode(&node, g, twice, 2));
    FAILS(INVALID_VALUE, cuGraphAddEmptyNode(&node, g, NULL, 1));
    FAILS(INVALID_VALUE, cuGraphAddEmptyNode(&node, (CUgraph)k, NULL, 0));
    FAILS(INVALID_VALUE, cuGraphAddHostNode(&node, g, NULL, 0, &none));
    FAILS(INVALID_VALUE, cuGraphAddMemcpyNode(&node, g, NULL, 0, &c, NULL));
    FAILS(INVALID_VALUE, cuGraphAddMemsetNode(&node, g, NULL, 0, &m, NULL));
    FAILS(INVALID_VALUE, cuGraphAddChildGraphNode(&node, g, NULL, 0, g));
    FAILS(INVALID_VALUE, cuGraphAddEventRecordNode(&node, g, NULL, 0, (CUevent)g));
    FAILS(INVALID_VALUE, cuGraphAddNode(&node, g, NULL, NULL, 0, &p));
    p.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    FAILS(NOT_SUPPORTED, cuGraphAddNode(&node, g, NULL, NULL, 0, &p));
    FAILS(INVALID_VALUE, cuGraphInstantiate(&e, (CUgraph)k, 0));
    FAILS(INVALID_VALUE, cuGraphInstantiate(&e, g, 16));
    FAILS(INVALID_VALUE, cuGraphNodeGetType(NULL, NULL));
    FAILS(INVALID_VALUE, cuGraphMemcpyNodeGetParams(k, &c));
    // Its module is gone when it is instantiated.
    OK(cuModuleUnload(world.module));
    CUDA_GRAPH_INSTANTIATE_PARAMS q = {.flags = 0};
    FAILS(INVALID_VALUE, cuGraphInstantiateWithParams(&e, g, &q));
    assert_ptr_equal(q.hErrNode_out, k);
}

// down: x -= 1, and the condition is whether anything is left of it.
static const char conditions[] =
    ".version 8.3\n.target sm_75\n.address_size 64\n"
    ".extern .func cudaGraphSetConditional\n(\n.param .b64 a,\n.param .b32 b\n)\n;\n"
    ".visible .entry down(.param .u64 x, .param .u64 h)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [h];\n"
    "ld.global.u32 %r1, [%rd1];\nsub.u32 %r1, %r1, 1;\nst.global.u32 [%rd1], %r1;\n"
    "{\n.param .b64 p;\nst.param.b64 [p+0], %rd2;\n.param .b32 q;\nst.param.b32 [q+0], %r1;\n"
    "call.uni cudaGraphSetConditional, (p, q);\n}\nret;\n}\n";

static CUgraphNode down(CUgraph g, CUmodule m, CUdeviceptr x, CUgraphConditionalHandle h,
                        CUgraphNode after)
{
    void *args[] = {&x, &h};
    CUDA_KERNEL_NODE_PARAMS p = {.gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 1,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = args};
    CUgraphNode node;

    OK(cuModuleGetFunction(&p.func, m, "down"));
    OK(cuGraphAddKernelNode(&node, g, &after, after ? 1 : 0, &p));
    return node;
}

// The bodies of a new conditional node behind another.
static CUgraph *choice(CUgraph g, CUgraphConditionalHandle h, CUgraphConditionalNodeType type,
                       unsigned n, CUgraphNode after)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
                           .conditional = {.handle = h, .type = type, .size = n}};
    CUgraphNode node;

    OK(cuGraphAddNode(&node, g, &after, NULL, after ? 1 : 0, &p));
    return p.conditional.phGraph_out;
}

static void conditional_nodes(void **state)
{
    int five = 5;
    CUdeviceptr x = world_filled(&five, 1), y = world_filled(zeros, N), z = world_filled(zeros, N);
    CUdeviceptr w = world_filled(zeros, N);
    CUgraph g = graph(), *bodies;
    CUgraphConditionalHandle loop, way;
    CUmodule m;

    (void)state;
    OK(cuModuleLoadData(&m, conditions));
    OK(cuGraphConditionalHandleCreate(&loop, g, world.context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    OK(cuGraphConditionalHandleCreate(&way, g, world.context, 1, 0));
    bodies = choice(g, loop, CU_GRAPH_COND_TYPE_WHILE, 1, NULL);
    CUgraphNode k = kernel(bodies[0], "spin", y, 1, NULL, NULL);
    down(bodies[0], m, x, loop, k);
    bodies = choice(g, way, CU_GRAPH_COND_TYPE_IF, 2, NULL);
    kernel(bodies[0], "spin", z, 1, NULL, NULL);
    kernel(bodies[1], "spin", z, 10, NULL, NULL);
    bodies = choice(g, way, CU_GRAPH_COND_TYPE_SWITCH, 2, NULL);
    kernel(bodies[1], "spin", w, 100, NULL, NULL);
    // A graph that is moved into another is that one's; not into one of its own.
    CUgraph outer = graph();
    CUgraphNode moved;
    CUgraphNodeParams move = {.type = CU_GRAPH_NODE_TYPE_GRAPH,
                              .graph = {g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    FAILS(INVALID_VALUE, cuGraphAddNode(&moved, bodies[0], NULL, NULL, 0, &move));
    OK(cuGraphAddNode(&moved, outer, NULL, NULL, 0, &move));
    FAILS(INVALID_VALUE, cuGraphDestroy(g));
    CUgraphExec e = instance(outer);
    run(e);
    assert_int_equal(first_of(x), 0);
    assert_int_equal(first_of(y), 5);
    assert_int_equal(first_of(z), 1);
    assert_int_equal(first_of(w), 100);
    OK(cuMemsetD32(x, 3, 1));
    run(e);
    assert_int_equal(first_of(y), 8);
    // Something else than kernels and copies cannot stand in a body; nor can a handle be left over.
    CUgraphNode event;
    CUevent ev;
    OK(cuEventCreate(&ev, 0));
    OK(cuGraphAddEventRecordNode(&event, bodies[0], NULL, 0, ev));
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = 0};
    FAILS(INVALID_VALUE, cuGraphInstantiateWithParams(&e, g, &p));
    assert_int_equal(p.result_out, CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED);
    assert_ptr_equal(p.hErrNode_out, event);
    OK(cuGraphDestroyNode(event));
    OK(cuGraphConditionalHandleCreate(&way, g, world.context, 0, 0));
    FAILS(INVALID_VALUE, cuGraphInstantiateWithParams(&e, g, &p));
    assert_int_equal(p.result_out, CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED);
}

static void endless_loops_end(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUgraph g = graph(), *bodies;
    CUgraphConditionalHandle h;
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS m = {.dst = x, .elementSize = 1, .width = 4, .height = 1};

    (void)state;
    OK(cuGraphConditionalHandleCreate(&h, g, world.context, 1, 0));
    bodies = choice(g, h, CU_GRAPH_COND_TYPE_WHILE, 1, NULL);
    OK(cuGraphAddMemsetNode(&node, bodies[0], NULL, 0, &m, world.context));
    CUgraphExec e = instance(g);
    FAILS(LAUNCH_TIMEOUT, cuGraphLaunch(e, NULL));
}

// A record that was asked for earlier may happen later; waiting for the event ends all the same.
static void records_out_of_order(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    void *args[] = {&x, &(int){50}};
    CUstream s, t;
    CUevent e;

    (void)state;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    OK(cuLaunchKernel(world_function("spin"), 4, 1, 1, 64, 1, 1, 0, s, args, NULL));
    OK(cuEventRecord(e, s));
    OK(cuEventRecord(e, t)); // at once
    OK(cuCtxSynchronize());
    OK(cuStreamWaitEvent(s, e, 0));
    OK(cuLaunchKernel(world_function("spin"), 4, 1, 1, 64, 1, 1, 0, s, args, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(first_of(x), 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nodes_happen_in_order),
        TEST(branches_overlap),
        TEST(instances_keep_what_they_are),
        TEST(structure_can_be_asked),
        TEST(circles_are_refused),
        TEST(order_is_that_of_edges),
        TEST(graphs_in_graphs),
        TEST(events_of_graphs),
        TEST(memory_of_graphs),
        TEST(addresses_of_graphs_are_given_back),
        TEST(inner_graphs_keep_their_addresses),
        TEST(lost_memory_is_noticed),
        TEST(updates),
        TEST(user_objects),
        TEST(attributes),
        TEST(nothing_is_left_of_a_failure),
        TEST(many_launches),
        TEST(drawing),
        TEST(wrong_things_are_refused),
        TEST(records_out_of_order),
        TEST(conditional_nodes),
        TEST(endless_loops_end),
        FUNCTIONAL(conditional_nodes),
        FUNCTIONAL(nodes_happen_in_order),
        FUNCTIONAL(instances_keep_what_they_are),
        FUNCTIONAL(many_launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
