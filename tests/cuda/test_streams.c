// test_streams.c - the driver API: streams, events, functions of the host in streams.
#include "shared/world.h"

#include "shared/kernels.h"

#include <stdatomic.h>
#include <time.h>

#define N WORLD_N

// Operations of a stream are in order; the host's writes after an asynchronous copy don't matter.
static void stream_order(void **state)
{
    int v[N] = {0}, w[N], *pinned;
    CUdeviceptr x = world_filled(v, N);
    CUstream s;

    (void)state;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocHost((void **)&pinned, sizeof v));
    world_scale(x, 1, s); // 7
    for (int i = 0; i < N; i++)
        w[i] = 1;
    OK(cuMemcpyHtoDAsync(x, w, sizeof w, s)); // pageable: taken now
    memset(w, 0, sizeof w);
    world_scale(x, 10, s); // 17
    OK(cuMemcpyDtoHAsync(pinned, x, sizeof v, s));
    pinned[0] = -1; // not there yet: it happens when somebody waits
    OK(cuMemsetD32Async(x, 3, N, s));
    OK(cuStreamSynchronize(s));
    assert_int_equal(pinned[0], 17);
    assert_int_equal(pinned[N - 1], 17);
    assert_int_equal(world_first(x), 3);
    OK(cuStreamDestroy(s));
    FAILS(INVALID_HANDLE, cuStreamSynchronize(s));
    OK(cuMemFreeHost(pinned));
}

static uint64_t kernel_cycle(unsigned launch, bool end_cycle)
{
    struct hd_run run;

    assert_true(hd_cuda_finish(&run));
    const struct hd_kernel_result *r = hd_gpu_result(run.gpu, launch);
    return end_cycle ? r->start_cycle + r->cycles : r->start_cycle;
}

static void streams_overlap(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N), y = world_filled(v, N);
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 0));
    world_spin(x, 50, a);
    world_spin(y, 50, b);
    world_spin(y, 50, b);
    OK(cuCtxSynchronize());
    assert_int_equal(kernel_cycle(0, false), kernel_cycle(1, false));
    assert_true(kernel_cycle(2, false) >= kernel_cycle(1, true));
    assert_int_equal(world_first(x), 50);
    assert_int_equal(world_first(y), 100);
}

// While one stream computes, another goes on behind its copy, in the same run.
static void work_goes_on_inside_a_run(void **state)
{
    int v[N] = {0}, *pinned;
    CUdeviceptr x = world_filled(v, N), y = world_filled(v, N);
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 0));
    OK(cuMemAllocHost((void **)&pinned, sizeof v));
    world_spin(x, 400, a);                         // 0
    world_spin(y, 10, b);                          // 1
    OK(cuMemcpyDtoHAsync(pinned, y, sizeof v, b)); // 10
    world_spin(y, 10, b);                          // 2
    OK(cuCtxSynchronize());
    assert_int_equal(pinned[5], 10);
    assert_int_equal(world_first(y), 20);
    assert_true(kernel_cycle(2, false) >= kernel_cycle(1, true));
    assert_true(kernel_cycle(2, true) < kernel_cycle(0, true));
}

static void legacy_stream_waits_for_all(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a, free_one;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&free_one, CU_STREAM_NON_BLOCKING));
    world_spin(x, 50, a);
    world_scale(x, 2, NULL);     // behind it
    world_spin(x, 50, a);        // behind that
    world_scale(x, 1, free_one); // waits for nobody
    OK(cuCtxSynchronize());
    // Launch numbers are in the order in which kernels started.
    struct hd_run run;
    hd_cuda_finish(&run);
    assert_string_equal(hd_gpu_result(run.gpu, 0)->name, "spin");
    assert_string_equal(hd_gpu_result(run.gpu, 1)->name, "scale");
    assert_int_equal(hd_gpu_result(run.gpu, 0)->start_cycle,
                     hd_gpu_result(run.gpu, 1)->start_cycle);
    assert_true(kernel_cycle(2, false) >= kernel_cycle(0, true));
    assert_true(kernel_cycle(3, false) >= kernel_cycle(2, true));
}

static void events_order_streams_and_tell_time(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a, b;
    CUevent start, done, untimed, never;
    float ms = -1;

    (void)state;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&done, 0));
    OK(cuEventCreate(&never, 0));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    OK(cuStreamWaitEvent(b, never, 0)); // was not recorded: no wait
    OK(cuEventRecord(start, a));
    world_spin(x, 30, a);
    OK(cuEventRecord(done, a));
    OK(cuEventRecord(untimed, a));
    OK(cuStreamWaitEvent(b, done, 0));
    world_scale(x, 2, b);
    FAILS(NOT_READY, cuEventElapsedTime(&ms, start, done));
    OK(cuEventSynchronize(done));
    assert_int_equal(world_first(x), 67);
    OK(cuEventElapsedTime(&ms, start, done));
    double cycles = (double)ms * world.config.clock.core * 1000;
    assert_true(cycles > 0.99 * (double)(kernel_cycle(0, true) - kernel_cycle(0, false)));
    assert_true(cycles < 1.01 * (double)(kernel_cycle(0, true) - kernel_cycle(0, false)) + 2);
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, start, untimed));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, start, never));
    OK(cuEventQuery(never));
    OK(cuEventDestroy(done));
    FAILS(INVALID_HANDLE, cuEventRecord(done, a));
}

static char log_text[16];

static void note(void *data)
{
    int n;
    strncat(log_text, data, sizeof log_text - strlen(log_text) - 1);
    FAILS(NOT_PERMITTED, cuDeviceGetCount(&n));
}

static void CUDA_callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    assert_int_equal(status, CUDA_SUCCESS);
    note(data);
}

static void host_functions(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a;
    char one[] = "1", two[] = "2", three[] = "3";

    (void)state;
    log_text[0] = '\0';
    OK(cuStreamCreate(&a, 0));
    OK(cuLaunchHostFunc(a, note, one)); // nothing before it: at once
    assert_string_equal(log_text, "1");
    world_spin(x, 5, a);
    OK(cuStreamAddCallback(a, CUDA_callback, two, 0));
    world_spin(x, 5, a);
    OK(cuLaunchHostFunc(a, note, three));
    assert_string_equal(log_text, "1");
    OK(cuStreamSynchronize(a));
    assert_string_equal(log_text, "123");
    assert_int_equal(world_first(x), 10);
}

static void CUDA_outcome(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    *(CUresult *)data = status;
    assert_int_equal(cuStreamQuery(NULL), CUDA_ERROR_NOT_PERMITTED);
}

// Behind a fault callbacks are called with the error, host functions are not.
static void callbacks_hear_of_errors(void **state)
{
    CUresult before = CUDA_ERROR_UNKNOWN, behind = before, elsewhere = before;
    CUstream a, b;
    CUevent e;
    char one[] = "1";

    (void)state;
    log_text[0] = '\0';
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    OK(cuLaunchKernel(world_function("small"), 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL));
    OK(cuStreamAddCallback(a, CUDA_outcome, &before, 0));
    OK(cuLaunchKernel(world_function("wild"), 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL));
    OK(cuStreamAddCallback(a, CUDA_outcome, &behind, 0));
    OK(cuLaunchHostFunc(a, note, one));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuStreamAddCallback(b, CUDA_outcome, &elsewhere, 0));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    assert_int_equal(before, CUDA_SUCCESS);
    assert_int_equal(behind, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_int_equal(elsewhere, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_string_equal(log_text, "");
}

static atomic_bool rung;

static void ring(void *data)
{
    (void)data;
    atomic_store(&rung, true);
}

// The program waits for its own function and not for the stream.
static void host_function_comes_unasked(void **state)
{
    const struct timespec tenth = {.tv_nsec = 100000000};
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a;

    (void)state;
    atomic_store(&rung, false);
    OK(cuStreamCreate(&a, 0));
    world_spin(x, 5, a);
    OK(cuLaunchHostFunc(a, ring, NULL));
    for (int i = 0; i < 600 && !atomic_load(&rung); i++)
        nanosleep(&tenth, NULL);
    assert_true(atomic_load(&rung));
    assert_int_equal(world_first(x), 5);
}

static void streams_keep_hints(void **state)
{
    const CUlaunchAttributeID window = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    CUlaunchAttributeValue v, got;
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    memset(&v, 3, sizeof v);
    OK(cuStreamSetAttribute(a, window, &v));
    OK(cuStreamGetAttribute(a, window, &got));
    assert_memory_equal(&v, &got, sizeof v);
    OK(cuStreamGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &got));
    assert_int_equal(got.priority, 0);
    FAILS(INVALID_VALUE, cuStreamSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    FAILS(INVALID_VALUE, cuStreamGetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    FAILS(INVALID_VALUE, cuStreamSetAttribute(a, window, NULL));
    OK(cuStreamCopyAttributes(NULL, a));
    OK(cuStreamGetAttribute(NULL, window, &got));
    assert_memory_equal(&v, &got, sizeof v);
    OK(cuStreamDestroy(a));
    FAILS(INVALID_HANDLE, cuStreamGetAttribute(a, window, &got));
    OK(cuStreamCreate(&b, 0)); // in the same place, with nothing of the old one
    OK(cuStreamGetAttribute(b, window, &got));
    memset(&v, 0, sizeof v);
    assert_memory_equal(&v, &got, sizeof v);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stream_order),
        TEST(streams_overlap),
        TEST(work_goes_on_inside_a_run),
        TEST(legacy_stream_waits_for_all),
        TEST(events_order_streams_and_tell_time),
        TEST(host_functions),
        TEST(host_function_comes_unasked),
        TEST(callbacks_hear_of_errors),
        TEST(streams_keep_hints),
        FUNCTIONAL(stream_order),
        FUNCTIONAL(host_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
