// test_graphs.c - graphs built node by node: what they compute, when, and what is refused.
#include "shared/graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode fill, k, copy, host;
    int calls = 0;
    CUDA_MEMSET_NODE_PARAMS m = {
        .dst = x, .value = 5, .elementSize = 4, .width = WORLD_N, .height = 1};
    CUDA_MEMCPY3D c = graphs_line(y, x, WORLD_N * sizeof(int));
    CUDA_HOST_NODE_PARAMS h = {add_seven, &calls};

    (void)state;
    OK(cuGraphAddMemsetNode(&fill, g, NULL, 0, &m, world.context));
    k = graphs_kernel(g, "scale", x, 3, fill, NULL);
    OK(cuGraphAddMemcpyNode(&copy, g, &k, 1, &c, world.context));
    OK(cuGraphAddHostNode(&host, g, &copy, 1, &h));
    CUgraphExec e = graphs_instance(g);
    OK(cuGraphDestroy(g)); // the instance is its own
    OK(cuGraphLaunch(e, NULL));
    OK(cuGraphLaunch(e, NULL));
    assert_int_equal(calls, 0);
    OK(cuCtxSynchronize());
    assert_int_equal(calls, 14);
    assert_int_equal(world_first(x), 22);
    assert_int_equal(world_first(y + (WORLD_N - 1) * sizeof(int)), 22);
    OK(cuGraphExecDestroy(e));
    FAILS(INVALID_VALUE, cuGraphExecDestroy(e));
    FAILS(INVALID_VALUE, cuGraphLaunch(e, NULL));
    FAILS(INVALID_VALUE, cuGraphDestroy(g));
}

static void branches_overlap(void **state)
{
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode empty;

    (void)state;
    OK(cuGraphAddEmptyNode(&empty, g, NULL, 0));
    CUgraphNode a = graphs_kernel(g, "spin", x, 50, empty, NULL),
                b = graphs_kernel(g, "spin", y, 80, empty, NULL);
    graphs_kernel(g, "scale", x, 1, a, b);
    CUgraphExec e = graphs_instance(g);
    graphs_run(e);
    assert_int_equal(world_first(x), 57);
    assert_int_equal(world_first(y), 80);
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
    assert_int_equal(world_first(y), 240);
    assert_true(cycle(6, false) >= cycle(5, true));
    // Two instances overlap.
    CUgraphExec f = graphs_instance(g);
    OK(cuGraphLaunch(e, s));
    OK(cuGraphLaunch(f, t));
    OK(cuCtxSynchronize());
    assert_int_equal(cycle(9, false), cycle(11, false));
}

static void structure_can_be_asked(void **state)
{
    CUgraph g = graphs_new(), copy, other = graphs_new();
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
    CUgraph g = graphs_new();
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
    graphs_run(e);
    FAILS(NOT_SUPPORTED, cuGraphInstantiate(&e, g, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH));
}

// A node may be added before what it depends on.
static void order_is_that_of_edges(void **state)
{
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode late = graphs_kernel(g, "scale", x, 2, NULL, NULL);
    CUgraphNode early = graphs_kernel(g, "spin", x, 4, NULL, NULL);

    (void)state;
    OK(cuGraphAddDependencies(g, &early, &late, NULL, 1));
    graphs_run(graphs_instance(g));
    assert_int_equal(world_first(x), 15);
}

static void graphs_in_graphs(void **state)
{
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUgraph inner = graphs_new(), g = graphs_new(), got, empty = graphs_new();
    CUgraphNode first, child, nothing, k = graphs_kernel(inner, "spin", x, 3, NULL, NULL);
    size_t count = 0;

    (void)state;
    graphs_kernel(inner, "spin", y, 3, NULL, NULL);
    first = graphs_kernel(g, "scale", x, 1, NULL, NULL); // 7
    OK(cuGraphAddChildGraphNode(&child, g, &first, 1, inner));
    OK(cuGraphAddChildGraphNode(&nothing, g, &child, 1, empty));
    graphs_kernel(g, "scale", x, 2, nothing, NULL); // 27
    OK(cuGraphDestroyNode(k));                      // of the graph that was copied
    OK(cuGraphChildGraphNodeGetGraph(child, &got));
    OK(cuGraphGetNodes(got, NULL, &count));
    assert_int_equal(count, 2);
    FAILS(INVALID_VALUE, cuGraphDestroy(got));
    CUgraphExec e = graphs_instance(g);
    graphs_run(e);
    assert_int_equal(world_first(x), 27);
    assert_int_equal(cycle(1, false), cycle(2, false));
    // One graph deeper, and into the instance again.
    CUgraph outer = graphs_new();
    CUgraphNode deep;
    OK(cuGraphAddChildGraphNode(&deep, outer, NULL, 0, g));
    graphs_run(graphs_instance(outer));
    assert_int_equal(world_first(x), 81);
    assert_int_equal(world_first(y), 6);
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
    CUdeviceptr x = graphs_ints(), y = graphs_ints();
    CUevent before, inside, got;
    CUgraph g = graphs_new();
    CUgraphNode wait, record;
    CUstream s, t;

    (void)state;
    OK(cuEventCreate(&before, 0));
    OK(cuEventCreate(&inside, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&t, CU_STREAM_NON_BLOCKING));
    OK(cuGraphAddEventWaitNode(&wait, g, NULL, 0, before));
    CUgraphNode k = graphs_kernel(g, "spin", x, 20, wait, NULL);
    OK(cuGraphAddEventRecordNode(&record, g, &k, 1, inside));
    graphs_kernel(g, "spin", x, 200, record, NULL);
    OK(cuGraphEventRecordNodeGetEvent(record, &got));
    assert_ptr_equal(got, inside);
    FAILS(INVALID_VALUE, cuGraphEventWaitNodeGetEvent(record, &got));
    CUgraphExec e = graphs_instance(g);
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

static void attributes(void **state)
{
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode a = graphs_kernel(g, "spin", x, 1, NULL, NULL),
                b = graphs_kernel(g, "spin", x, 1, a, NULL);
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
    CUgraphExec e = graphs_instance(g);
    graphs_run(e);
    graphs_run(e);
    assert_int_equal(world_first(x), 4);
    OK(cuGraphExecDestroy(e));
}

static void many_launches(void **state)
{
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new();
    CUgraphNode a = NULL;
    int calls = 0;

    (void)state;
    for (int i = 0; i < 3; i++)
        a = graphs_kernel(g, "count", x, 0, a, NULL);
    CUDA_HOST_NODE_PARAMS h = {add_seven, &calls};
    OK(cuGraphAddHostNode(&a, g, &a, 1, &h));
    CUgraphExec e = graphs_instance(g);
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
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new(), outer = graphs_new();
    CUgraphNode child, k = graphs_kernel(g, "spin", x, 1, NULL, NULL);
    char text[4096] = "", path[] = "/tmp/heddle-graph-XXXXXX";

    (void)state;
    graphs_kernel(g, "scale", x, 1, k, NULL);
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
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new(), h = graphs_new();
    CUgraphNode node, k = graphs_kernel(g, "spin", x, 1, NULL, NULL), twice[] = {k, k};
    CUgraphNodeParams p = {.type = (CUgraphNodeType)99};
    CUgraphExec e;
    CUDA_HOST_NODE_PARAMS none = {NULL, NULL};
    CUDA_MEMCPY3D c = graphs_line(x, x + 4096, 16);
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
    CUdeviceptr x = world_filled(&five, 1), y = graphs_ints(), z = graphs_ints();
    CUdeviceptr w = graphs_ints();
    CUgraph g = graphs_new(), *bodies;
    CUgraphConditionalHandle loop, way;
    CUmodule m;

    (void)state;
    OK(cuModuleLoadData(&m, conditions));
    OK(cuGraphConditionalHandleCreate(&loop, g, world.context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    OK(cuGraphConditionalHandleCreate(&way, g, world.context, 1, 0));
    bodies = choice(g, loop, CU_GRAPH_COND_TYPE_WHILE, 1, NULL);
    CUgraphNode k = graphs_kernel(bodies[0], "spin", y, 1, NULL, NULL);
    down(bodies[0], m, x, loop, k);
    bodies = choice(g, way, CU_GRAPH_COND_TYPE_IF, 2, NULL);
    graphs_kernel(bodies[0], "spin", z, 1, NULL, NULL);
    graphs_kernel(bodies[1], "spin", z, 10, NULL, NULL);
    bodies = choice(g, way, CU_GRAPH_COND_TYPE_SWITCH, 2, NULL);
    graphs_kernel(bodies[1], "spin", w, 100, NULL, NULL);
    // A graph that is moved into another is that one's; not into one of its own.
    CUgraph outer = graphs_new();
    CUgraphNode moved;
    CUgraphNodeParams move = {.type = CU_GRAPH_NODE_TYPE_GRAPH,
                              .graph = {g, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE}};
    FAILS(INVALID_VALUE, cuGraphAddNode(&moved, bodies[0], NULL, NULL, 0, &move));
    OK(cuGraphAddNode(&moved, outer, NULL, NULL, 0, &move));
    FAILS(INVALID_VALUE, cuGraphDestroy(g));
    CUgraphExec e = graphs_instance(outer);
    graphs_run(e);
    assert_int_equal(world_first(x), 0);
    assert_int_equal(world_first(y), 5);
    assert_int_equal(world_first(z), 1);
    assert_int_equal(world_first(w), 100);
    OK(cuMemsetD32(x, 3, 1));
    graphs_run(e);
    assert_int_equal(world_first(y), 8);
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
    CUdeviceptr x = graphs_ints();
    CUgraph g = graphs_new(), *bodies;
    CUgraphConditionalHandle h;
    CUgraphNode node;
    CUDA_MEMSET_NODE_PARAMS m = {.dst = x, .elementSize = 1, .width = 4, .height = 1};

    (void)state;
    OK(cuGraphConditionalHandleCreate(&h, g, world.context, 1, 0));
    bodies = choice(g, h, CU_GRAPH_COND_TYPE_WHILE, 1, NULL);
    OK(cuGraphAddMemsetNode(&node, bodies[0], NULL, 0, &m, world.context));
    CUgraphExec e = graphs_instance(g);
    FAILS(LAUNCH_TIMEOUT, cuGraphLaunch(e, NULL));
}

// A record that was asked for earlier may happen later; waiting for the event ends all the same.
static void records_out_of_order(void **state)
{
    CUdeviceptr x = graphs_ints();
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
    assert_int_equal(world_first(x), 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nodes_happen_in_order),
        TEST(branches_overlap),
        TEST(structure_can_be_asked),
        TEST(circles_are_refused),
        TEST(order_is_that_of_edges),
        TEST(graphs_in_graphs),
        TEST(events_of_graphs),
        TEST(attributes),
        TEST(many_launches),
        TEST(drawing),
        TEST(wrong_things_are_refused),
        TEST(records_out_of_order),
        TEST(conditional_nodes),
        TEST(endless_loops_end),
        FUNCTIONAL(conditional_nodes),
        FUNCTIONAL(nodes_happen_in_order),
        FUNCTIONAL(many_launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
