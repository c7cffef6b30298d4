// test_memops.c - the driver API: values in memory by which streams wait for each other.
#include "cuda/core/queue.h"
#include "shared/kernels.h"
#include "shared/world.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#define N WORLD_N

static CUstream fresh(void)
{
    CUstream s;

    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    return s;
}

static CUdeviceptr zeros(void)
{
    int v[N] = {0};

    return world_filled(v, N);
}

// A stream that waits keeps its work; the others, and the calls that wait for them, go on.
static void another_stream_writes(void **state)
{
    CUdeviceptr x = zeros(), y = zeros(), flag = zeros();
    CUstream a = fresh(), b = fresh();
    CUevent e;

    (void)state;
    OK(cuEventCreate(&e, 0));
    OK(cuStreamWaitValue32(a, flag, 3, CU_STREAM_WAIT_VALUE_GEQ));
    world_scale(x, 1, a);
    OK(cuEventRecord(e, a));
    FAILS(NOT_READY, cuStreamQuery(a));
    FAILS(NOT_READY, cuEventQuery(e));
    world_scale(y, 1, b);
    OK(cuStreamSynchronize(b));
    assert_int_equal(world_first(y), 7);
    assert_int_equal(world_first(x), 0);
    OK(cuStreamWriteValue32(b, flag, 2, 0));
    FAILS(NOT_READY, cuStreamQuery(a));
    OK(cuStreamWriteValue32(b, flag, 3, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    OK(cuStreamSynchronize(a));
    OK(cuEventQuery(e));
    assert_int_equal(world_first(x), 7);
    // The value is there already.
    OK(cuStreamWaitValue32(a, flag, 3, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamQuery(a));
}

// An event may be destroyed before its record happens, and the legacy stream has work left while a
// blocking stream has.
static void work_that_is_left(void **state)
{
    CUdeviceptr x = zeros(), flag = zeros();
    CUstream blocking, free_one = fresh();
    CUevent e;

    (void)state;
    OK(cuStreamCreate(&blocking, 0));
    OK(cuEventCreate(&e, 0));
    OK(cuStreamWaitValue32(blocking, flag, 1, CU_STREAM_WAIT_VALUE_GEQ));
    world_scale(x, 1, blocking);
    OK(cuEventRecord(e, blocking));
    OK(cuEventDestroy(e));
    FAILS(INVALID_HANDLE, cuEventQuery(e));
    FAILS(INVALID_HANDLE, cuStreamWaitEvent(free_one, e, 0));
    FAILS(NOT_READY, cuStreamQuery(0));
    OK(cuStreamWriteValue32(free_one, flag, 1, 0));
    OK(cuStreamSynchronize(blocking));
    OK(cuStreamQuery(0));
    assert_int_equal(world_first(x), 7);
}

static void a_kernel_writes(void **state)
{
    CUdeviceptr x = zeros(), flag = zeros();
    CUstream a = fresh(), b = fresh();

    (void)state;
    OK(cuStreamWaitValue32(a, flag, 7, CU_STREAM_WAIT_VALUE_EQ));
    world_scale(x, 1, a);
    world_spin(x, 20, b);
    world_scale(flag, 1, b); // 7
    OK(cuCtxSynchronize());
    assert_int_equal(world_first(x), 27);
}

// Page-locked memory, in which the host writes by itself.
static void the_host_writes(void **state)
{
    CUdeviceptr x = zeros(), address;
    volatile unsigned *flag;
    CUstream a = fresh();
    void *host;

    (void)state;
    OK(cuMemAllocHost(&host, 8));
    OK(cuMemHostGetDevicePointer(&address, host, 0));
    flag = host;
    *flag = 0;
    OK(cuStreamWaitValue32(a, address, 1, 0));
    world_scale(x, 1, a);
    OK(cuStreamWriteValue32(a, address, 5, 0));
    FAILS(NOT_READY, cuStreamQuery(a));
    *flag = 1;
    OK(cuStreamSynchronize(a));
    assert_int_equal(*flag, 5);
    assert_int_equal(world_first(x), 7);
}

// Memory of the program's own: a kernel and the host write in the same run.
static void registered_memory(void **state)
{
    static unsigned long long own[512];
    CUdeviceptr x = zeros(), address;
    CUstream a = fresh(), b = fresh();

    (void)state;
    OK(cuMemHostRegister(own, sizeof own, CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&address, own, 0));
    OK(cuStreamWaitValue32(a, address, 7, CU_STREAM_WAIT_VALUE_EQ));
    world_scale(x, 1, a);
    world_scale(address, 1, b); // 7
    OK(cuStreamSynchronize(a));
    assert_int_equal(world_first(x), 7);
    OK(cuMemHostUnregister(own));
}

static CUdeviceptr shared_flag;

static void *write_later(void *context)
{
    const struct timespec pause = {.tv_nsec = 50000000};
    CUstream s;

    nanosleep(&pause, NULL);
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuStreamWriteValue64(s, shared_flag, 1, 0));
    return NULL;
}

static void another_thread_writes(void **state)
{
    CUdeviceptr x = zeros();
    CUstream a = fresh();
    pthread_t thread;

    (void)state;
    shared_flag = zeros();
    OK(cuStreamWaitValue64(a, shared_flag, 1, CU_STREAM_WAIT_VALUE_EQ));
    world_scale(x, 1, a);
    assert_int_equal(pthread_create(&thread, NULL, write_later, world.context), 0);
    OK(cuStreamSynchronize(a));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(world_first(x), 7);
}

// Each of these calls waits for all work, or for a stream. Meanwhile another thread can use the
// interface to write the value that the work waits for.
enum waiting { COPY, FREE, LIMIT, TEXTURE, ARRAY, UNLOAD, CONTEXT, EVENT, N_WAITING };

static void other_threads_have_the_device(void **state)
{
    for (enum waiting w = COPY; w < N_WAITING; w++) {
        CUdeviceptr x = zeros(), unused = zeros();
        CUDA_RESOURCE_DESC linear = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                     .res.linear = {.devPtr = unused,
                                                    .format = CU_AD_FORMAT_UNSIGNED_INT32,
                                                    .numChannels = 1,
                                                    .sizeInBytes = 4 * N}};
        CUDA_ARRAY_DESCRIPTOR row = {N, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
        CUDA_TEXTURE_DESC plain = {.filterMode = CU_TR_FILTER_MODE_POINT};
        CUstream a;
        CUtexObject texture;
        CUarray array;
        CUmodule module;
        CUcontext context;
        CUevent e;
        pthread_t thread;
        int first;

        (void)state;
        OK(cuStreamCreate(&a, 0));
        OK(cuEventCreate(&e, 0));
        OK(cuTexObjectCreate(&texture, &linear, &plain, NULL));
        OK(cuArrayCreate(&array, &row));
        OK(cuModuleLoadData(&module, kernels));
        OK(cuCtxCreate(&context, NULL, 0, 0));
        OK(cuCtxSetCurrent(world.context));
        shared_flag = zeros();
        OK(cuStreamWaitValue64(a, shared_flag, 1, CU_STREAM_WAIT_VALUE_EQ));
        world_scale(x, 1, a);
        OK(cuEventRecord(e, a));
        assert_int_equal(pthread_create(&thread, NULL, write_later, world.context), 0);
        switch (w) {
        case COPY:
            OK(cuMemcpyDtoH(&first, x, sizeof first));
            assert_int_equal(first, 7);
            break;
        case FREE:
            OK(cuMemFree(unused));
            break;
        case LIMIT:
            OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
            break;
        case TEXTURE:
            OK(cuTexObjectDestroy(texture));
            break;
        case ARRAY:
            OK(cuArrayDestroy(array));
            break;
        case UNLOAD:
            OK(cuModuleUnload(module));
            break;
        case CONTEXT:
            OK(cuCtxDestroy(context));
            break;
        default:
            OK(cuEventSynchronize(e));
            break;
        }
        OK(cuStreamQuery(a));
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(world_first(x), 7);
    }
}

// What a call waits to destroy can be destroyed by another thread while it waits: one of the two
// does it, and the other says that the handle stands for nothing.
struct race {
    CUdeviceptr memory;
    CUarray array;
    CUmodule module;
    CUstream stream;
    CUevent event;
    CUresult results[5];
};

static void *destroy_all(void *context)
{
    struct race *r = context;

    OK(cuCtxSetCurrent(world.context));
    r->results[0] = cuMemFree(r->memory);
    r->results[1] = cuArrayDestroy(r->array);
    r->results[2] = cuModuleUnload(r->module);
    r->results[3] = cuStreamDestroy(r->stream);
    r->results[4] = cuEventDestroy(r->event);
    return NULL;
}

static void two_destroy_the_same(void **state)
{
    CUDA_ARRAY_DESCRIPTOR row = {N, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1};
    static const CUresult gone[5] = {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE,
                                     CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE,
                                     CUDA_ERROR_INVALID_HANDLE};
    const struct timespec pause = {.tv_nsec = 50000000};
    struct race first = {.memory = zeros()}, second;
    CUdeviceptr flag = zeros();
    CUstream a = fresh();
    pthread_t one, two;

    (void)state;
    OK(cuArrayCreate(&first.array, &row));
    OK(cuModuleLoadData(&first.module, kernels));
    OK(cuStreamCreate(&first.stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&first.event, 0));
    second = first;
    OK(cuStreamWaitValue32(a, flag, 1, 0));
    assert_int_equal(pthread_create(&one, NULL, destroy_all, &first), 0);
    assert_int_equal(pthread_create(&two, NULL, destroy_all, &second), 0);
    nanosleep(&pause, NULL);
    OK(cuStreamWriteValue32(fresh(), flag, 1, 0));
    assert_int_equal(pthread_join(one, NULL), 0);
    assert_int_equal(pthread_join(two, NULL), 0);
    for (size_t i = 0; i < 5; i++) {
        bool by_first = first.results[i] == CUDA_SUCCESS;
        assert_int_equal(by_first ? second.results[i] : first.results[i], gone[i]);
        assert_true(by_first || second.results[i] == CUDA_SUCCESS);
    }
    OK(cuStreamQuery(a));
}

// A call that waits for a stream is content with what it held, however much comes later; and the
// stream may be destroyed meanwhile.
static CUstream shared_stream;

static void *write_and_wait_again(void *context)
{
    const struct timespec pause = {.tv_nsec = 20000000};

    OK(cuCtxSetCurrent(context));
    nanosleep(&pause, NULL);
    OK(cuStreamWaitValue64(shared_stream, shared_flag, 2, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamDestroy(shared_stream));
    OK(cuStreamWriteValue64(fresh(), shared_flag, 1, 0));
    return NULL;
}

static void later_work_is_not_waited_for(void **state)
{
    CUdeviceptr x = zeros();
    pthread_t thread;

    (void)state;
    shared_flag = zeros();
    shared_stream = fresh();
    OK(cuStreamWaitValue64(shared_stream, shared_flag, 1, CU_STREAM_WAIT_VALUE_EQ));
    world_scale(x, 1, shared_stream);
    assert_int_equal(pthread_create(&thread, NULL, write_and_wait_again, world.context), 0);
    OK(cuStreamSynchronize(shared_stream));
    assert_int_equal(pthread_join(thread, NULL), 0);
    OK(cuStreamWriteValue64(fresh(), shared_flag, 2, 0));
    assert_int_equal(world_first(x), 7);
}

static void *sleep_long(void *unused)
{
    const struct timespec pause = {.tv_nsec = 300000000};

    nanosleep(&pause, NULL);
    return unused;
}

// There is a thread that could write the value, but it does not: patience ends.
static void nobody_writes_in_time(void **state)
{
    unsigned before = hd_queue_patience;
    CUstream a = fresh();
    pthread_t thread;

    (void)state;
    hd_queue_patience = 50;
    OK(cuStreamWaitValue32(a, zeros(), 1, CU_STREAM_WAIT_VALUE_EQ));
    assert_int_equal(pthread_create(&thread, NULL, sleep_long, NULL), 0);
    FAILS(LAUNCH_TIMEOUT, cuStreamSynchronize(a));
    assert_int_equal(pthread_tryjoin_np(thread, NULL), EBUSY);
    assert_int_equal(pthread_join(thread, NULL), 0);
    hd_queue_patience = before;
}

static void CUDA_outcome(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    *(CUresult *)data = status;
}

// Nobody is there to write it: an error at once, as with an endless kernel. The thread that watches
// over the callback is none of the program's.
static void nobody_writes(void **state)
{
    time_t begun = time(NULL);
    CUresult told = CUDA_SUCCESS;
    CUdeviceptr x = zeros();
    CUstream a = fresh(), b = fresh();

    (void)state;
    OK(cuStreamWaitValue32(a, x, 1, CU_STREAM_WAIT_VALUE_EQ));
    OK(cuStreamAddCallback(a, CUDA_outcome, &told, 0));
    OK(cuStreamSynchronize(b));
    FAILS(LAUNCH_TIMEOUT, cuStreamSynchronize(a));
    assert_int_equal(told, CUDA_ERROR_LAUNCH_TIMEOUT);
    FAILS(LAUNCH_TIMEOUT, cuCtxSynchronize());
    FAILS(LAUNCH_TIMEOUT, cuMemAlloc(&x, 4));
    assert_true(time(NULL) - begun < hd_queue_patience / 1000 / 2);
}

static void everything_waits_for_it(void **state)
{
    CUdeviceptr x = zeros();

    (void)state;
    OK(cuStreamWaitValue32(fresh(), x, 1, CU_STREAM_WAIT_VALUE_EQ));
    FAILS(LAUNCH_TIMEOUT, cuMemFree(x));
}

static void conditions(void **state)
{
    CUdeviceptr x = zeros();
    CUstream a = fresh();
    static const struct {
        uint64_t is, value;
        unsigned bytes, how;
        bool met;
    } cases[] = {
        {5, 5, 4, CU_STREAM_WAIT_VALUE_EQ, true},
        {5, 6, 4, CU_STREAM_WAIT_VALUE_EQ, false},
        {5, 5, 4, CU_STREAM_WAIT_VALUE_GEQ, true},
        {1, 0xfffffff0, 4, CU_STREAM_WAIT_VALUE_GEQ, true}, // it ran over
        {0xfffffff0, 1, 4, CU_STREAM_WAIT_VALUE_GEQ, false},
        {1, 0xfffffff0, 8, CU_STREAM_WAIT_VALUE_GEQ, false},
        {UINT64_C(1) << 40, 5, 8, CU_STREAM_WAIT_VALUE_GEQ, true},
        {6, 4, 4, CU_STREAM_WAIT_VALUE_AND, true},
        {6, 1, 4, CU_STREAM_WAIT_VALUE_AND, false},
        {0xffff0000, 0xffff, 4, CU_STREAM_WAIT_VALUE_NOR, false},
        {0xffff0000, 0xfffe, 4, CU_STREAM_WAIT_VALUE_NOR, true},
        {0xffff0000, 0xffff, 8, CU_STREAM_WAIT_VALUE_NOR, true},
        {5, 5, 8, CU_STREAM_WAIT_VALUE_EQ | CU_STREAM_WAIT_VALUE_FLUSH, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OK(cuStreamWriteValue64(a, x, cases[i].is, 0));
        if (cases[i].bytes == 4)
            OK(cuStreamWaitValue32(a, x, (uint32_t)cases[i].value, cases[i].how));
        else
            OK(cuStreamWaitValue64(a, x, cases[i].value, cases[i].how));
        assert_int_equal(cuStreamQuery(a), cases[i].met ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
        if (!cases[i].met) { // from another stream, so that this one is empty again
            OK(cuMemcpyHtoD(x, &cases[i].value, 8));
            if (cases[i].how == CU_STREAM_WAIT_VALUE_NOR)
                OK(cuMemsetD32(x, 0, 2));
            OK(cuStreamSynchronize(a));
        }
    }
}

static void batches(void **state)
{
    CUdeviceptr x = zeros();
    CUstream a = fresh(), s = fresh();
    CUgraph graph;
    CUstreamBatchMemOpParams p[3] = {
        {.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32, .address = x, .value = 9}},
        {.memoryBarrier = {.operation = CU_STREAM_MEM_OP_BARRIER}},
        {.writeValue = {
             .operation = CU_STREAM_MEM_OP_WRITE_VALUE_64, .address = x + 8, .value64 = 1}}};

    (void)state;
    OK(cuStreamBatchMemOp(a, 3, p, 0));
    assert_int_equal(world_first(x), 9);
    assert_int_equal(world_first(x + 8), 1);
    p[0].writeValue.value = 10;
    p[2].writeValue.address = x + 4; // 8 bytes at a multiple of 4
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(a, 3, p, 0));
    assert_int_equal(world_first(x), 9);
    p[2].operation = CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES;
    FAILS(NOT_SUPPORTED, cuStreamBatchMemOp(a, 3, p, 0));
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(a, 0, p, 0));
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(a, 257, p, 0));
    FAILS(INVALID_VALUE, cuStreamBatchMemOp(a, 1, p, 1));
    FAILS(INVALID_VALUE, cuStreamWaitValue32(a, x, 1, 4));
    FAILS(INVALID_VALUE, cuStreamWriteValue32(a, x, 1, 2));
    FAILS(INVALID_VALUE, cuStreamWaitValue32(a, 64, 1, 0));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuStreamWriteValue32(s, x, 1, 0));
    FAILS(STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(s, &graph));
}

// What it was given still happens.
static void a_destroyed_stream_ends_its_work(void **state)
{
    CUdeviceptr x = zeros(), flag = zeros();
    CUstream a = fresh(), b = fresh();

    (void)state;
    OK(cuStreamWaitValue32(a, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
    world_scale(x, 1, a);
    OK(cuStreamDestroy(a));
    FAILS(INVALID_HANDLE, cuStreamDestroy(a));
    FAILS(INVALID_HANDLE, cuStreamQuery(a));
    assert_int_equal(world_first(x), 0);
    OK(cuStreamWriteValue32(b, flag, 1, 0));
    OK(cuCtxSynchronize());
    assert_int_equal(world_first(x), 7);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(another_stream_writes),
        TEST(work_that_is_left),
        TEST(a_kernel_writes),
        TEST(the_host_writes),
        TEST(registered_memory),
        TEST(another_thread_writes),
        TEST(other_threads_have_the_device),
        TEST(two_destroy_the_same),
        TEST(later_work_is_not_waited_for),
        TEST(nobody_writes_in_time),
        TEST(nobody_writes),
        TEST(everything_waits_for_it),
        TEST(conditions),
        TEST(batches),
        TEST(a_destroyed_stream_ends_its_work),
        FUNCTIONAL(another_stream_writes),
        FUNCTIONAL(a_kernel_writes),
        FUNCTIONAL(nobody_writes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
