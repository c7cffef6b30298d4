// test_capture.c - streams captured into graphs: what comes out, and every way to spoil it.
#include "shared/world.h"

#include <pthread.h>

#define N 256

static const int zeros[N];

static CUstream stream(unsigned flags)
{
    CUstream s;

    OK(cuStreamCreate(&s, flags));
    return s;
}

static CUevent event(void)
{
    CUevent e;

    OK(cuEventCreate(&e, 0));
    return e;
}

static void begin(CUstream s)
{
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
}

static CUresult launch(const char *name, CUdeviceptr x, int number, CUstream s)
{
    void *args[] = {&x, &number};

    return cuLaunchKernel(world_function(name), N / 64, 1, 1, 64, 1, 1, 0, s, args, NULL);
}

static int first_of(CUdeviceptr x)
{
    int v;

    OK(cuMemcpyDtoH(&v, x, sizeof v));
    return v;
}

static size_t nodes_of(CUgraph g)
{
    size_t n = 0;

    OK(cuGraphGetNodes(g, NULL, &n));
    return n;
}

static size_t edges_of(CUgraph g)
{
    size_t n = 0;

    OK(cuGraphGetEdges(g, NULL, NULL, NULL, &n));
    return n;
}

static void run(CUgraph g)
{
    CUgraphExec e;

    OK(cuGraphInstantiate(&e, g, 0));
    OK(cuGraphLaunch(e, NULL));
    OK(cuCtxSynchronize());
    OK(cuGraphExecDestroy(e));
}

// The capture of a stream is spoilt: it refuses more, and ends without a graph.
static void spoilt(CUstream s)
{
    CUstreamCaptureStatus status;
    CUgraph g = (CUgraph)1;

    OK(cuStreamIsCapturing(s, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    FAILS(STREAM_CAPTURE_INVALIDATED, cuMemsetD8Async(0, 0, 0, s));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
    assert_null(g);
    OK(cuStreamSynchronize(s));
}

static void count(void *data)
{
    ++*(int *)data;
}

static void all_kinds(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N), m;
    CUstream s = stream(0);
    CUgraph g;
    int v[N], calls = 0;

    (void)state;
    begin(s);
    OK(cuMemsetD32Async(x, 5, N, s));
    OK(launch("scale", x, 2, s)); // 17
    OK(cuMemAllocAsync(&m, N * sizeof(int), s));
    OK(cuMemcpyAsync(m, x, N * sizeof(int), s));
    OK(launch("scale", m, 1, s)); // 24
    OK(cuMemcpyDtoDAsync(y, m, N * sizeof(int), s));
    OK(cuMemFreeAsync(m, s));
    OK(cuMemcpyDtoHAsync(v, y, sizeof v, s)); // of memory that is not page-locked
    OK(cuLaunchHostFunc(s, count, &calls));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 9);
    assert_int_equal(edges_of(g), 8);
    assert_int_equal(first_of(x), 0); // nothing happened so far
    memset(v, 0, sizeof v);
    run(g);
    run(g);
    assert_int_equal(v[N - 1], 24);
    assert_int_equal(calls, 2);
    FAILS(INVALID_VALUE, cuMemFree(m));
}

static void fork_and_join(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUstream s = stream(0), t = stream(CU_STREAM_NON_BLOCKING);
    CUevent fork = event(), join = event();
    CUstreamCaptureStatus status;
    CUgraph g;

    (void)state;
    begin(s);
    OK(launch("spin", x, 10, s));
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    OK(cuStreamIsCapturing(t, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    OK(launch("spin", x, 100, s));
    OK(launch("spin", y, 100, t));
    OK(cuEventRecord(join, t));
    OK(cuStreamWaitEvent(s, join, 0));
    OK(launch("scale", y, 1, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuStreamIsCapturing(t, &status));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_NONE);
    assert_int_equal(nodes_of(g), 4);
    assert_int_equal(edges_of(g), 4);
    run(g);
    assert_int_equal(first_of(x), 110);
    assert_int_equal(first_of(y), 107);
    struct hd_run r;
    assert_true(hd_cuda_finish(&r));
    assert_int_equal(hd_gpu_result(r.gpu, 1)->start_cycle, hd_gpu_result(r.gpu, 2)->start_cycle);
    // The streams are as before.
    OK(launch("scale", x, 1, t));
    OK(cuStreamSynchronize(t));
    assert_int_equal(first_of(x), 117);
    FAILS(CAPTURED_EVENT, cuEventSynchronize(join));
    FAILS(CAPTURED_EVENT, cuStreamWaitEvent(t, join, 0));
    OK(cuEventRecord(join, t));
    OK(cuEventSynchronize(join));
}

static void a_joined_stream_may_go(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUstream s = stream(0), t = stream(0), u = stream(0);
    CUevent fork = event(), join = event();
    CUgraph g;

    (void)state;
    begin(s);
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    OK(launch("spin", x, 10, t));
    OK(cuEventRecord(join, t));
    OK(cuStreamWaitEvent(s, join, 0));
    OK(cuStreamDestroy(t));
    OK(launch("scale", x, 2, s));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 2);
    run(g);
    assert_int_equal(first_of(x), 27);
    // Not before.
    begin(s);
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(u, fork, 0));
    OK(launch("spin", x, 10, u));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamDestroy(u));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
}

static void unjoined(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUstream s = stream(0), t = stream(0);
    CUevent fork = event();
    CUgraph g;

    (void)state;
    begin(s);
    OK(launch("spin", x, 1, s));
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    OK(launch("spin", x, 1, t));
    FAILS(STREAM_CAPTURE_UNJOINED, cuStreamEndCapture(s, &g));
    assert_null(g);
    OK(cuStreamSynchronize(t));
    // A stream that was drawn in and did nothing needs no join.
    begin(s);
    OK(launch("spin", x, 1, s));
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 1);
    // Nor one whose work is dropped from what its next operation waits for.
    begin(s);
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    OK(launch("spin", x, 1, t));
    OK(cuStreamUpdateCaptureDependencies(t, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 1);
    // Only the stream where it began ends it.
    begin(s);
    OK(cuEventRecord(fork, s));
    OK(cuStreamWaitEvent(t, fork, 0));
    FAILS(STREAM_CAPTURE_UNMATCHED, cuStreamEndCapture(t, &g));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &g));
}

// Asynchronous operations that graphs do not have are refused, and the capture goes on without
// them.
static void what_leaves_the_capture_alive(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), y = world_filled(zeros, N);
    CUmemcpyAttributes how = {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM};
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    size_t bytes = 4, first = 0;
    CUstream s = stream(0);
    CUgraphExec exec;
    CUgraph g, empty;

    (void)state;
    OK(cuGraphCreate(&empty, 0));
    OK(cuGraphInstantiate(&exec, empty, 0));
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemcpyBatchAsync(&y, &x, &bytes, 1, &how, &first, 1, s));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamAddCallback(s, (CUstreamCallback)1, NULL, 0));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemPrefetchAsync(x, 4, device, 0, s));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamAttachMemAsync(s, x, 0, CU_MEM_ATTACH_GLOBAL));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuGraphUpload(exec, s));
    OK(launch("spin", x, 1, s));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 1);
    run(g);
    assert_int_equal(first_of(x), 1);
    assert_int_equal(first_of(y), 0);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(s));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuMemcpyBatchAsync(&y, &x, &bytes, 1, &how, &first, 1, s));
    spoilt(s);
    begin(s); // the graph would need this one, and has no such node
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamWriteValue32(s, x, 1, 0));
    spoilt(s);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(empty));
}

static void what_cannot_be_captured(void **state)
{
    CUdeviceptr x = world_filled(zeros, N), m;
    CUstream s = stream(0);
    CUevent e = event();
    CUgraph g;
    int v;

    (void)state;
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(INVALID_VALUE, cuStreamBeginCapture(s, (CUstreamCaptureMode)3));
    FAILS(ILLEGAL_STATE, cuStreamEndCapture(s, &g));
    begin(s);
    FAILS(ILLEGAL_STATE, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamSynchronize(s));
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamQuery(s));
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize());
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemAlloc(&m, 4));
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemFree(x));
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamDestroy(s));
    spoilt(s);
    begin(s); // the legacy stream would wait for this one
    FAILS(STREAM_CAPTURE_IMPLICIT, launch("spin", x, 1, NULL));
    spoilt(s);
    begin(s);
    FAILS(STREAM_CAPTURE_IMPLICIT, cuMemcpyDtoH(&v, x, sizeof v));
    spoilt(s);
    begin(s); // a question spoils nothing
    CUstreamCaptureStatus status;
    FAILS(STREAM_CAPTURE_IMPLICIT, cuStreamIsCapturing(NULL, &status));
    OK(cuStreamEndCapture(s, &g));
    begin(s);
    OK(cuEventRecord(e, s));
    FAILS(CAPTURED_EVENT, cuEventQuery(e));
    spoilt(s);
    OK(cuEventRecord(e, NULL));
    begin(s); // what is queued cannot be waited for inside
    FAILS(STREAM_CAPTURE_ISOLATION, cuStreamWaitEvent(s, e, 0));
    spoilt(s);
    begin(s); // but for a wait that is part of the graph
    OK(cuStreamWaitEvent(s, e, CU_EVENT_WAIT_EXTERNAL));
    OK(cuEventRecordWithFlags(e, s, CU_EVENT_RECORD_EXTERNAL));
    OK(cuStreamEndCapture(s, &g));
    assert_int_equal(nodes_of(g), 2);
    run(g);
    begin(s);
    FAILS(INVALID_VALUE, cuMemFreeAsync(x, s)); // not of a graph
    OK(cuStreamEndCapture(s, &g));
}

static void captures_do_not_mix(void **state)
{
    CUstream s = stream(0), t = stream(0);
    CUevent e = event();

    (void)state;
    begin(s);
    begin(t);
    OK(cuEventRecord(e, s));
    FAILS(STREAM_CAPTURE_MERGE, cuStreamWaitEvent(t, e, 0));
    spoilt(s);
    spoilt(t);
}

static void modes(void **state)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUstream s = stream(CU_STREAM_NON_BLOCKING);
    CUdeviceptr x, m;
    CUgraph g;
    int v;

    (void)state;
    x = world_filled(zeros, N);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    OK(cuMemAlloc(&m, 4));
    OK(cuMemcpyDtoH(&v, x, sizeof v)); // the stream is none that the legacy one waits for
    OK(cuStreamEndCapture(s, &g));
    begin(s);
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    assert_int_equal(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
    OK(cuMemFree(m));
    OK(cuThreadExchangeStreamCaptureMode(&mode));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemcpyDtoH(&v, x, sizeof v));
    spoilt(s);
    mode = (CUstreamCaptureMode)7;
    FAILS(INVALID_VALUE, cuThreadExchangeStreamCaptureMode(&mode));
}

struct other {
    CUstream stream;
    CUresult allocates, ends;
};

static void *in_thread(void *data)
{
    struct other *o = data;
    CUdeviceptr m;
    CUgraph g;

    cuCtxSetCurrent(world.context);
    o->allocates = cuMemAlloc(&m, 4);
    o->ends = cuStreamEndCapture(o->stream, &g);
    return NULL;
}

static struct other ask_thread(CUstream s)
{
    struct other o = {s, CUDA_SUCCESS, CUDA_SUCCESS};
    pthread_t t;

    assert_int_equal(pthread_create(&t, NULL, in_thread, &o), 0);
    assert_int_equal(pthread_join(t, NULL), 0);
    return o;
}

static void threads(void **state)
{
    CUstream s = stream(0);
    CUgraph g;
    struct other o;

    (void)state;
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    o = ask_thread(s);
    assert_int_equal(o.allocates, CUDA_SUCCESS);
    assert_int_equal(o.ends, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
    OK(cuStreamEndCapture(s, &g));
    begin(s);
    o = ask_thread(s);
    assert_int_equal(o.allocates, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    spoilt(s);
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    o = ask_thread(s);
    assert_int_equal(o.allocates, CUDA_SUCCESS);
    assert_int_equal(o.ends, CUDA_SUCCESS);
}

static void into_a_graph(void **state)
{
    CUdeviceptr x = world_filled(zeros, N);
    CUstream s = stream(0);
    CUgraph g, got, inner;
    CUgraphNode first, own;
    const CUgraphNode *now;
    const CUgraphEdgeData *data;
    CUstreamCaptureStatus status;
    uint64_t id = 0, next = 0;
    size_t n;

    (void)state;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddEmptyNode(&first, g, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(s, g, &first, NULL, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(ILLEGAL_STATE, cuGraphDestroy(g));
    OK(launch("spin", x, 3, s));
    OK(cuStreamGetCaptureInfo(s, &status, &id, &got, &now, &data, &n));
    assert_int_equal(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    assert_ptr_equal(got, g);
    assert_int_equal(n, 1);
    assert_int_equal(data[0].type, 0);
    // A node of the program's own in between.
    OK(cuGraphAddEmptyNode(&own, g, now, 1));
    OK(cuStreamUpdateCaptureDependencies(s, &own, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    OK(launch("scale", x, 1, s));
    OK(cuStreamEndCapture(s, &got));
    assert_ptr_equal(got, g);
    assert_int_equal(nodes_of(g), 4);
    assert_int_equal(edges_of(g), 3);
    run(g);
    assert_int_equal(first_of(x), 10);
    begin(s);
    FAILS(INVALID_VALUE, cuStreamEndCapture(s, NULL));
    OK(cuStreamEndCapture(s, &inner));
    OK(cuStreamBeginCaptureToGraph(s, inner, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuStreamEndCapture(s, NULL)); // the program has it already
    FAILS(ILLEGAL_STATE,
          cuStreamUpdateCaptureDependencies(s, &own, NULL, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    // A launch that is captured is a graph inside.
    CUgraphExec e;
    OK(cuGraphInstantiate(&e, g, 0));
    begin(s);
    OK(cuStreamGetCaptureInfo(s, &status, &next, NULL, NULL, NULL, NULL));
    assert_int_not_equal(next, id);
    OK(cuGraphLaunch(e, s));
    OK(cuStreamEndCapture(s, &inner));
    OK(cuGraphExecDestroy(e));
    assert_int_equal(nodes_of(inner), 1);
    run(inner);
    assert_int_equal(first_of(x), 20);
}

// A graph stays as long as a capture adds nodes to one inside it.
static void into_a_graph_inside(void **state)
{
    CUstream s = stream(0);
    CUgraph outer, small, inside;
    CUgraphNode child;

    (void)state;
    OK(cuGraphCreate(&outer, 0));
    OK(cuGraphCreate(&small, 0));
    OK(cuGraphAddChildGraphNode(&child, outer, NULL, 0, small));
    OK(cuGraphChildGraphNodeGetGraph(child, &inside));
    OK(cuStreamBeginCaptureToGraph(s, inside, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    FAILS(ILLEGAL_STATE, cuGraphDestroy(outer));
    FAILS(ILLEGAL_STATE, cuGraphDestroyNode(child));
    OK(cuStreamEndCapture(s, NULL));
    OK(cuGraphDestroyNode(child));
    OK(cuGraphDestroy(outer));
    OK(cuGraphDestroy(small));
}

static void context_goes_while_captured(void **state)
{
    CUstream s;
    CUcontext c;

    (void)state;
    OK(cuCtxCreate(&c, NULL, 0, 0));
    s = stream(0);
    begin(s);
    OK(cuMemsetD8Async(0, 0, 0, s));
    OK(cuCtxDestroy(c));
    OK(cuCtxSynchronize());
    CUdeviceptr m;
    OK(cuMemAlloc(&m, 4));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_kinds),
        TEST(fork_and_join),
        TEST(a_joined_stream_may_go),
        TEST(unjoined),
        TEST(what_leaves_the_capture_alive),
        TEST(what_cannot_be_captured),
        TEST(captures_do_not_mix),
        TEST(modes),
        TEST(threads),
        TEST(into_a_graph),
        TEST(into_a_graph_inside),
        TEST(context_goes_while_captured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
