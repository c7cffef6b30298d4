// test_graphlives.c - what graphs and executable graphs own, and what is left when they go: copies
// of their nodes' parameters, memory that nodes allocate, user objects.
#include "shared/graphs.h"

#include <fenv.h>

// What is launched is what the graph said at instantiation, or what the instance was told since.
static void instances_keep_what_they_are(void **state)
{
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode k = graphs_kernel(g, "spin", x, 2, NULL, NULL);
    CUgraphExec e = graphs_instance(g), f;
    CUDA_KERNEL_NODE_PARAMS p;

    (void)state;
    OK(cuGraphKernelNodeGetParams(k, &p));
    assert_ptr_equal(p.func, world_function("spin"));
    assert_int_equal(p.gridDimX, WORLD_N / 64);
    assert_int_equal(*(int *)p.kernelParams[1], 2);
    *(int *)p.kernelParams[1] = 5;
    OK(cuGraphKernelNodeSetParams(k, &p));
    f = graphs_instance(g);
    graphs_run(e);
    assert_int_equal(world_first(x), 2);
    graphs_run(f);
    assert_int_equal(world_first(x), 7);
    // A launch under way is not changed.
    OK(cuGraphLaunch(e, NULL));
    p.kernelParams[0] = &y;
    OK(cuGraphExecKernelNodeSetParams(e, k, &p));
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
    assert_int_equal(world_first(x), 9);
    assert_int_equal(world_first(y), 5);
    OK(cuGraphNodeSetEnabled(e, k, 0));
    graphs_run(e);
    assert_int_equal(world_first(y), 5);
    unsigned enabled = 1;
    OK(cuGraphNodeGetEnabled(e, k, &enabled));
    assert_int_equal(enabled, 0);
    OK(cuGraphNodeSetEnabled(e, k, 1));
    graphs_run(e);
    assert_int_equal(world_first(y), 10);
    p.blockDimX = 4096;
    FAILS(INVALID_VALUE, cuGraphExecKernelNodeSetParams(e, k, &p));
    graphs_run(e);
    assert_int_equal(world_first(y), 15);
    p.func = NULL;
    FAILS(INVALID_VALUE, cuGraphKernelNodeSetParams(k, &p));
}

static void updates(void **state)
{
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph g = graphs_new(), h = graphs_new(), other = graphs_new();
    CUgraphExecUpdateResultInfo info;
    CUgraphNode a = graphs_kernel(g, "spin", x, 1, NULL, NULL),
                b = graphs_kernel(g, "spin", y, 2, NULL, NULL);

    (void)state;
    graphs_kernel(g, "scale", x, 1, a, b);
    CUgraphExec e = graphs_instance(g);
    // The same with branches in another order, and other numbers.
    b = graphs_kernel(h, "spin", y, 20, NULL, NULL);
    a = graphs_kernel(h, "spin", x, 10, NULL, NULL);
    CUgraphNode last = graphs_kernel(h, "scale", x, 1, a, b);
    graphs_run(e);
    assert_int_equal(world_first(x), 8);
    OK(cuGraphExecUpdate(e, h, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
    graphs_run(e);
    assert_int_equal(world_first(x), 25);
    assert_int_equal(world_first(y), 22);
    graphs_kernel(h, "spin", x, 1, last, NULL);
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, h, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    CUgraphNode empty, nodes[2];
    OK(cuGraphAddEmptyNode(&nodes[0], other, NULL, 0));
    OK(cuGraphAddEmptyNode(&nodes[1], other, NULL, 0));
    OK(cuGraphAddEmptyNode(&empty, other, nodes, 2));
    FAILS(GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(e, other, &info));
    assert_int_equal(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED);
    assert_non_null(info.errorNode);
    graphs_run(e); // as before
    assert_int_equal(world_first(y), 42);
}

static void memory_of_graphs(void **state)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = WORLD_N * sizeof(int)};
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode alloc, fill, copy, release;
    uint64_t used, value = 0;

    (void)state;
    OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    FAILS(INVALID_VALUE, cuMemsetD32(p.dptr, 1, 1)); // not yet
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p.dptr, .value = 9, .elementSize = 4, .width = WORLD_N, .height = 1};
    OK(cuGraphAddMemsetNode(&fill, g, &alloc, 1, &m, world.context));
    m.width = WORLD_N + 1;
    FAILS(INVALID_VALUE, cuGraphMemsetNodeSetParams(fill, &m));
    CUgraphNode k = graphs_kernel(g, "scale", p.dptr, 2, fill, NULL);
    CUDA_MEMCPY3D c = graphs_line(x, p.dptr, WORLD_N * sizeof(int));
    OK(cuGraphAddMemcpyNode(&copy, g, &k, 1, &c, world.context));
    CUgraphExec keeps = graphs_instance(g), e;
    FAILS(NOT_SUPPORTED, cuGraphInstantiate(&e, g, 0)); // one at a time
    graphs_run(keeps);
    assert_int_equal(world_first(x), 25);
    assert_int_equal(world_first(p.dptr), 25);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, WORLD_N * sizeof(int));
    FAILS(INVALID_VALUE, cuGraphLaunch(keeps, NULL)); // it is there still
    OK(cuMemFreeAsync(p.dptr, NULL));
    OK(cuGraphLaunch(keeps, NULL)); // behind that
    OK(cuMemFree(p.dptr));
    FAILS(INVALID_VALUE, cuMemFree(p.dptr));
    OK(cuGraphExecDestroy(keeps));
    OK(cuGraphInstantiate(&e, g, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
    graphs_run(e);
    graphs_run(e);
    OK(cuMemFreeAsync(p.dptr, NULL));
    OK(cuGraphExecDestroy(e));

    OK(cuGraphAddMemFreeNode(&release, g, &copy, 1, p.dptr));
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&release, g, &copy, 1, p.dptr));
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&release, g, &copy, 1, x));
    FAILS(NOT_SUPPORTED, cuGraphDestroyNode(copy));
    e = graphs_instance(g);
    graphs_run(e);
    graphs_run(e);
    FAILS(INVALID_VALUE, cuMemsetD32(p.dptr, 1, 1));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, WORLD_N * sizeof(int));
    OK(cuDeviceGraphMemTrim(0));
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &used));
    assert_int_equal(used, 0);
    OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
    assert_int_equal(used, WORLD_N * sizeof(int));
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
    g = graphs_new();
    FAILS(INVALID_VALUE, cuGraphAddMemFreeNode(&alloc, g, NULL, 0, p.dptr));
}

// An executable graph keeps what the graphs inside its graph allocate.
static void inner_graphs_keep_their_addresses(void **state)
{
    CUDA_MEM_ALLOC_NODE_PARAMS p = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = WORLD_N * sizeof(int)};
    CUdeviceptr x = graphs_ints();
    CUgraph outer, g;
    CUgraphNode alloc, copy, moved;
    CUgraphExec e;

    (void)state;
    OK(cuGraphCreate(&outer, 0));
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddMemAllocNode(&alloc, g, NULL, 0, &p));
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = p.dptr, .value = 9, .elementSize = 4, .width = WORLD_N, .height = 1};
    CUgraphNode fill;
    OK(cuGraphAddMemsetNode(&fill, g, &alloc, 1, &m, world.context));
    CUDA_MEMCPY3D c = graphs_line(x, p.dptr, WORLD_N * sizeof(int));
    OK(cuGraphAddMemcpyNode(&copy, g, &fill, 1, &c, world.context));
    OK(cuGraphAddMemFreeNode(&alloc, g, &copy, 1, p.dptr));
    CUgraphNodeParams move = {.type = CU_GRAPH_NODE_TYPE_GRAPH,
                              .graph = {g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    OK(cuGraphAddNode(&moved, outer, NULL, NULL, 0, &move));
    OK(cuGraphInstantiate(&e, outer, 0));
    OK(cuGraphLaunch(e, NULL));
    OK(cuGraphDestroy(outer)); // the launch is still queued
    assert_int_equal(world_first(x), 9);
    OK(cuMemsetD32(x, 0, WORLD_N));
    graphs_run(e);
    assert_int_equal(world_first(x), 9);
    OK(cuGraphExecDestroy(e));
}

// Memory that is gone when a copy happens ends the context, as a kernel's fault does.
static void lost_memory_is_noticed(void **state)
{
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode copy;
    CUDA_MEMCPY3D c = graphs_line(x, y, WORLD_N * sizeof(int));

    (void)state;
    OK(cuGraphAddMemcpyNode(&copy, g, NULL, 0, &c, world.context));
    CUgraphExec e = graphs_instance(g);
    OK(cuMemFree(y));
    FAILS(ILLEGAL_ADDRESS, cuGraphLaunch(e, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
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
    CUgraph g = graphs_new(), copy;
    CUgraphNode node;

    (void)state;
    released = 0;
    fesetround(FE_UPWARD);
    FAILS(INVALID_VALUE, cuUserObjectCreate(&o, &one, release, 1, 0));
    OK(cuUserObjectCreate(&o, &one, release, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    OK(cuGraphRetainUserObject(g, o, 1, CU_GRAPH_USER_OBJECT_MOVE));
    OK(cuGraphAddEmptyNode(&node, g, NULL, 0));
    OK(cuGraphClone(&copy, g));
    CUgraphExec e = graphs_instance(g);
    OK(cuGraphDestroy(g));
    OK(cuGraphDestroy(copy));
    assert_int_equal(released, 0);
    OK(cuGraphExecDestroy(e));
    assert_int_equal(released, 1);
    FAILS(INVALID_VALUE, cuUserObjectRelease(o, 1));
    g = graphs_new();
    OK(cuUserObjectCreate(&o, &one, release, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    FAILS(INVALID_VALUE, cuUserObjectRelease(o, 3));
    OK(cuGraphRetainUserObject(g, o, 1, 0));
    OK(cuUserObjectRelease(o, 2));
    FAILS(INVALID_VALUE, cuGraphReleaseUserObject(g, o, 2));
    OK(cuGraphReleaseUserObject(g, o, 1));
    assert_int_equal(released, 2);
    fesetround(FE_TONEAREST);
}

// The memory of a cooperative kernel is given back if a later node cannot be instantiated.
static void nothing_is_left_of_a_failure(void **state)
{
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode a = graphs_kernel(g, "spin", x, 1, NULL, NULL), wait;
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(instances_keep_what_they_are),
        TEST(updates),
        TEST(memory_of_graphs),
        TEST(addresses_of_graphs_are_given_back),
        TEST(inner_graphs_keep_their_addresses),
        TEST(lost_memory_is_noticed),
        TEST(user_objects),
        TEST(nothing_is_left_of_a_failure),
        cmocka_unit_test_setup_teardown(instances_keep_what_they_are, world_begin_functional,
                                        world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
