// test_waiting.c - kernels that wait for what they have launched, in the kernels of waiting.cu:
// they leave the machine to those they wait for, and go on as if they had never been away.
#include "shared/world.h"

#include "gpu/gpu.h"

static int load(void)
{
    OK(cuModuleLoad(&world.module, "tests/cuda/waiting.ptx"));
    return 0;
}

static int begin(void **state)
{
    world_begin(state);
    return load();
}

static int begin_functional(void **state)
{
    world_begin_functional(state);
    return load();
}

// One SM, one kernel at a time: whoever waits must make room.
static int begin_narrow(void **state)
{
    begin(state);
    OK(cuCtxDestroy(world.context));
    hd_cuda_end();
    world.config.sm.sms = 1;
    world.config.launch.kernels = 1;
    hd_cuda_use(&world.options);
    OK(cuInit(0));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    return load();
}

static CUdeviceptr zeros(size_t words)
{
    CUdeviceptr at;

    OK(cuMemAlloc(&at, words * 4));
    OK(cuMemsetD32(at, 0, words));
    return at;
}

static void launch(const char *name, unsigned blocks, unsigned threads, void **params)
{
    OK(cuLaunchKernel(world_function(name), blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

static void nested(void **state)
{
    CUdeviceptr out = zeros(4);
    int n = 7;
    long long answer = 0;
    void *params[] = {&n, &out};
    struct hd_run run;

    (void)state;
    launch("fib", 1, 1, params);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&answer, out, sizeof answer));
    assert_int_equal(answer, 13);
    assert_true(hd_cuda_finish(&run));
    assert_int_equal(hd_gpu_n_results(run.gpu), 41); // calls of fib(7)
    for (unsigned i = 0; i < 41; i++) {
        const struct hd_kernel_result *r = hd_gpu_result(run.gpu, i);
        const struct hd_launch *parent = r->launch->parent;
        if (parent) // who has waited ends behind it
            assert_true(hd_gpu_result(run.gpu, parent->id)->end_cycle >= r->end_cycle);
    }
}

static void everything_is_as_it_was(void **state)
{
    enum { BLOCKS = 12 };
    CUdeviceptr work = zeros(BLOCKS * 96), answers = zeros(BLOCKS * 96);
    void *params[] = {&work, &answers};
    int got[BLOCKS * 96];

    (void)state;
    launch("blocks", BLOCKS, 128, params);
    OK(cuMemcpyDtoH(got, answers, sizeof got));
    for (int b = 0; b < BLOCKS; b++)
        for (int t = 0; t < 96; t++) {
            int shared = b * 1000 + 127 - t, deep = 1 + 1 + 4 + 9 + 16 + 25;
            int expected = 100000000 + 7 + shared + b * 1000 + t + 3;
            assert_int_equal(got[b * 96 + t], expected + (t == 33 ? 1000000 * deep : 0));
        }
}

static void copies_are_waited_for(void **state)
{
    int v[17];
    CUdeviceptr to = zeros(17), from;
    void *params[] = {&to, &from};

    (void)state;
    for (int i = 0; i < 17; i++)
        v[i] = 40 + i;
    from = world_filled(v, 17);
    launch("copies", 3, 1, params);
    OK(cuMemcpyDtoH(v, to, sizeof v));
    assert_true(v[0] == 40 && v[15] == 55 && v[16] == 56);
}

static void lanes_part(void **state)
{
    CUdeviceptr x = zeros(64);
    void *params[] = {&x};
    int v[64];

    (void)state;
    launch("half", 1, 32, params);
    OK(cuMemcpyDtoH(v, x, sizeof v));
    assert_true(v[0] == 16 && v[31] == 16 && v[32] == 16 && v[47] == 16 && v[48] == 7);
}

static void faults_end_it(void **state)
{
    CUdeviceptr x = zeros(1);
    void *params[] = {&x};

    (void)state;
    launch("waits_for_a_fault", 1, 1, params);
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

// The same cycles with and without skipping idle ones.
static void skipping_changes_nothing(void **state)
{
    uint64_t cycles[2];

    for (int skip = 0; skip < 2; skip++) {
        struct hd_run run;
        begin(state);
        OK(cuCtxDestroy(world.context));
        hd_cuda_end();
        world.options.gpu.no_skip = !skip;
        hd_cuda_use(&world.options);
        OK(cuInit(0));
        OK(cuCtxCreate(&world.context, NULL, 0, 0));
        load();
        everything_is_as_it_was(state);
        assert_true(hd_cuda_finish(&run));
        cycles[skip] = hd_gpu_cycle(run.gpu);
        world_end(state);
    }
    assert_true(cycles[0] == cycles[1] && cycles[0] > 0);
}

int main(void)
{
#define ALL(begin)                                                                                 \
    cmocka_unit_test_setup_teardown(nested, begin, world_end),                                     \
        cmocka_unit_test_setup_teardown(everything_is_as_it_was, begin, world_end),                \
        cmocka_unit_test_setup_teardown(copies_are_waited_for, begin, world_end),                  \
        cmocka_unit_test_setup_teardown(lanes_part, begin, world_end),                             \
        cmocka_unit_test_setup_teardown(faults_end_it, begin, world_end)
    const struct CMUnitTest tests[] = {
        ALL(begin),
        ALL(begin_functional),
        ALL(begin_narrow),
        cmocka_unit_test(skipping_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
