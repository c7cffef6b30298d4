// test_children.c - kernels that launch kernels: order, completion, errors, streams and events of
// the device. The kernels are those of children.cu, as PTX: no compiler is needed.
#include "shared/world.h"

#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>

#define NOTES 4096 // words of a struct notes

static void load(void)
{
    OK(cuModuleLoad(&world.module, "tests/cuda/children.ptx"));
}

static int begin(void **state)
{
    world_begin(state);
    load();
    return 0;
}

static int begin_functional(void **state)
{
    world_begin_functional(state);
    load();
    return 0;
}

static CUdeviceptr zeros(size_t words)
{
    CUdeviceptr at;

    OK(cuMemAlloc(&at, words * 4));
    OK(cuMemsetD32(at, 0, words));
    return at;
}

static unsigned *words(CUdeviceptr at, size_t n)
{
    unsigned *to = hd_arena_get(world.arena, n, sizeof *to);

    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(to, at, n * sizeof *to));
    return to;
}

static void launch(const char *name, unsigned blocks, unsigned threads, void **params)
{
    OK(cuLaunchKernel(world_function(name), blocks, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

// What the machine ran: for looking at parents, depths and cycles.
static struct hd_gpu *machine(void)
{
    struct hd_run run;

    assert_true(hd_cuda_finish(&run));
    return run.gpu;
}

static void block_stream_is_in_order(void **state)
{
    CUdeviceptr at = zeros(3 * NOTES);
    unsigned count = 6, *notes;

    (void)state;
    launch("in_order", 3, 1, (void *[]){&at, &count});
    notes = words(at, 3 * NOTES);
    for (unsigned b = 0; b < 3; b++, notes += NOTES) {
        assert_int_equal(notes[0], 6);
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(notes[1 + i], i);
    }
}

// The tail begins when all else that the grid launched is complete; its kernels one by one.
static void tail_comes_last(void **state)
{
    static const unsigned expected[] = {6, 1, 1, 1, 100, 101, 102};
    CUdeviceptr at = zeros(NOTES);

    (void)state;
    launch("tail", 1, 1, (void *[]){&at});
    assert_memory_equal(words(at, NOTES), expected, sizeof expected);
}

static void forgotten_children_run(void **state)
{
    CUdeviceptr at = zeros(NOTES);
    unsigned each = 20, *notes, sum = 0;

    (void)state;
    launch("forget", 2, 32, (void *[]){&at, &each});
    notes = words(at, NOTES);
    assert_int_equal(notes[0], 2 * 32 * 20);
    for (unsigned i = 1; i <= notes[0]; i++)
        sum += notes[i];
    assert_int_equal(sum, 2 * 20 * 31 * 16);
}

// A grid is complete when its children are: what follows it in its stream waits for them.
static void host_waits_for_children(void **state)
{
    CUdeviceptr at = zeros(2 * NOTES);
    CUevent between;
    CUstream other;
    unsigned count = 4, what = 77, *notes;
    struct hd_gpu *g;

    (void)state;
    OK(cuEventCreate(&between, 0));
    OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    launch("in_order", 1, 1, (void *[]){&at, &count});
    OK(cuEventRecord(between, NULL));
    launch("note", 1, 1, (void *[]){&at, &what});
    OK(cuStreamWaitEvent(other, between, 0));
    what = 78;
    CUdeviceptr second = at + NOTES * 4;
    OK(cuLaunchKernel(world_function("note"), 1, 1, 1, 1, 1, 1, 0, other,
                      (void *[]){&second, &what}, NULL));
    notes = words(at, NOTES);
    assert_int_equal(notes[0], 5);
    assert_int_equal(notes[5], 77);
    g = machine();
    // The launches in the order of their numbers: the parent, its children, what came behind.
    assert_int_equal(hd_gpu_n_results(g), 7);
    for (unsigned i = 0; i < 7; i++) {
        const struct hd_kernel_result *r = hd_gpu_result(g, i);
        const struct hd_launch *parent = r->launch->parent;
        assert_string_equal(r->name, i == 0 ? "in_order" : i < 5 ? "slow_note" : "note");
        assert_ptr_equal(parent, i && i < 5 ? hd_gpu_result(g, 0)->launch : NULL);
        assert_int_equal(r->launch->depth, i && i < 5);
    }
    assert_true(hd_gpu_result(g, 0)->complete_cycle > hd_gpu_result(g, 0)->end_cycle ||
                world.options.gpu.functional_only);
    assert_int_equal(hd_gpu_result(g, 0)->complete_cycle, hd_gpu_result(g, 4)->complete_cycle);
    for (unsigned i = 5; i < 7; i++)
        assert_true(hd_gpu_result(g, i)->start_cycle >= hd_gpu_result(g, 0)->complete_cycle);
}

static void parameters_arrive(void **state)
{
    CUdeviceptr out = zeros(32), seen = zeros(32);
    unsigned *got;

    (void)state;
    launch("give_mixed", 1, 32, (void *[]){&out, &seen});
    got = words(out, 32);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(got[i], 3 + i + 100 * i + i + 1 + 2 + 4 + 1000000 * i);
}

static void errors_are_returned(void **state)
{
    static const unsigned expected[] = {9,   9,   0,   9,   9, // configurations: seen, taken, gone
                                        1,   0,   0,   400, 400, // streams
                                        0,   1,   0,   400,      // events
                                        1,   1,   101, 1,        // memory, devices
                                        'c', 'u', 'd', 'a', 'E', 'r', 'r', 'o', 'r', 'u'};
    CUdeviceptr at = zeros(64);

    (void)state;
    launch("errors", 1, 1, (void *[]){&at});
    unsigned *got = words(at, 64);
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(got[i], expected[i]);
}

// A grid of the host's has depth 0; 24 levels may follow it.
static void depth_is_limited(void **state)
{
    CUdeviceptr at = zeros(2);
    unsigned zero = 0;

    (void)state;
    launch("nest", 1, 1, (void *[]){&at, &zero});
    unsigned *got = words(at, 2);
    assert_int_equal(got[0], 24);
    assert_int_equal(got[1], 65);
    assert_int_equal(hd_gpu_n_results(machine()), 25);
    assert_int_equal(hd_gpu_result(machine(), 24)->launch->depth, 24);
}

static void pending_launches_are_limited(void **state)
{
    CUdeviceptr at = zeros(NOTES), failed = zeros(1);
    unsigned each = 3;
    size_t limit;

    (void)state;
    OK(cuCtxGetLimit(&limit, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT));
    assert_int_equal(limit, 2048);
    OK(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 40));
    launch("flood", 1, 32, (void *[]){&at, &failed, &each});
    assert_int_equal(words(at, 1)[0], 40);
    assert_int_equal(words(failed, 1)[0], 56);
    // Those have begun: there is room again.
    launch("flood", 1, 13, (void *[]){&at, &failed, &each});
    assert_int_equal(words(at, 1)[0], 79);
    assert_int_equal(words(failed, 1)[0], 56);
}

// 300 x 32 kernels, under a limit that has room for them.
static void many_children_run(void **state)
{
    CUdeviceptr at = zeros(NOTES * 4), failed = zeros(1);
    unsigned each = 300;

    (void)state;
    OK(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 10000));
    launch("flood", 1, 32, (void *[]){&at, &failed, &each});
    assert_int_equal(words(at, 1)[0], 9600);
    assert_int_equal(words(failed, 1)[0], 0);
    assert_int_equal(hd_gpu_n_results(machine()), 9601);
}

static void events_order_streams(void **state)
{
    CUdeviceptr at = zeros(NOTES);
    unsigned *notes;

    (void)state;
    launch("events", 1, 1, (void *[]){&at});
    notes = words(at, NOTES);
    assert_int_equal(notes[0], 3);
    assert_int_equal(notes[3], 3);
    if (!world.options.gpu.functional_only) { // the short kernel of the other stream was first
        assert_int_equal(notes[1], 2);
        assert_int_equal(notes[2], 1);
    }
}

static void bytes_are_moved(void **state)
{
    static const unsigned f = 0x01010101, e = 0x03030303;
    const unsigned expected[32] = {f + 2,      f + 2, f + 2,      f + 2, f + 1, f + 1, f + 1, f + 1,
                                   f + 2,      f + 2, 0,          0,     f + 2, f + 2, 0,     0,
                                   0x02020202, 0,     0x02020202, 0,     e,     0,     e,     0,
                                   e,          0,     e,          0,     e,     e,     e,     e};
    CUdeviceptr at = zeros(32);

    (void)state;
    launch("moves", 1, 1, (void *[]){&at});
    unsigned *got = words(at, 32);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(got[i], expected[i]);
}

static void questions_are_answered(void **state)
{
    CUdeviceptr at = zeros(16);
    unsigned *got;
    int blocks;

    (void)state;
    launch("questions", 1, 1, (void *[]){&at});
    got = words(at, 16);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, world_function("asked"), 192, 0));
    const unsigned expected[] = {15, 0, 1,    0, 2048, 192, 1, (unsigned)blocks,
                                 0,  0, 2048, 0, 5,    0,   2};
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(got[i], expected[i]);
}

static void older_calls_launch(void **state)
{
    static const unsigned expected[] = {1, 1, 1, 1, 9, 1, 1, 98};
    CUdeviceptr at = zeros(8);

    (void)state;
    launch("launch_by_hand", 1, 1, (void *[]){&at});
    unsigned *got = words(at, 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(got[i], expected[i]);
}

// The launch overhead: a child may start 1721 x + 20210 cycles after the instruction that launched
// it and x - 1 others.
static void launches_take_their_time(void **state)
{
    CUdeviceptr at = zeros(NOTES);
    unsigned each = 1;

    (void)state;
    for (unsigned threads = 1; threads <= 32; threads += 31)
        launch("forget", 1, threads, (void *[]){&at, &each});
    struct hd_gpu *g = machine();
    assert_int_equal(hd_gpu_n_results(g), 35);
    const struct hd_kernel_result *one = hd_gpu_result(g, 1);
    assert_int_equal(one->start_cycle - one->launch_cycle, 20210 + 1721);
    assert_true(one->launch_cycle > hd_gpu_result(g, 0)->start_cycle);
    for (unsigned i = 3; i < 11; i++) { // as many as run at one time
        const struct hd_kernel_result *r = hd_gpu_result(g, i);
        assert_int_equal(r->start_cycle - r->launch_cycle, 20210 + 32 * 1721);
        assert_int_equal(r->launch->parent_tb, 0);
    }
    assert_true(hd_gpu_result(g, 11)->start_cycle > hd_gpu_result(g, 3)->start_cycle);
}

static void absurd_sizes_are_refused(void **state)
{
    static const unsigned expected[8] = {1, 1, 1, 1, 1, 1, 0, 0};
    CUdeviceptr at = zeros(16);

    (void)state;
    launch("absurd", 1, 1, (void *[]){&at});
    assert_memory_equal(words(at, 16) + 8, expected, sizeof expected);
}

// What a child does wrong is told as its own.
static void children_fault(void **state)
{
    CUdeviceptr nowhere = 0;
    unsigned each = 1;

    (void)state;
    launch("forget", 1, 1, (void *[]){&nowhere, &each});
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    assert_string_equal(hd_gpu_trap(machine())->launch->kernel->name, "note");
}

// A policy learns of each launch, and whose child a block is.
static unsigned told_launches, told_blocks;
static unsigned complete_children, complete_parents; // on each SM

static void watch(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct hd_tb_view *tb = &v->tbs[e->tb];

    (void)st;
    if (e->kind == HD_EV_CHILD_LAUNCH) {
        assert_true(tb->warps >> e->warp & 1); // the parent's block
        assert_int_equal(tb->kernel, 0);
        assert_int_equal(e->kernel, 1 + told_launches);
        told_launches++;
    } else if (e->kind == HD_EV_KERNEL_COMPLETE) {
        assert_int_equal(e->flags, e->kernel ? 0 : HD_KERNEL_PARENT);
        complete_children += e->kernel != 0;
        complete_parents += e->kernel == 0;
        assert_true(e->kernel || complete_children >= 128);
    } else if (v->kernel) {
        assert_int_equal(tb->parent_kernel, 0);
        assert_true(tb->parent_tb < 2);
        told_blocks++;
    } else {
        assert_int_equal(tb->parent_kernel, UINT32_MAX);
        assert_int_equal(tb->parent_tb, UINT32_MAX);
    }
}

static int lowest(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st, (void)v, (void)s;
    return hd_first(among);
}

static const struct hd_policy watching = {
    .abi = HD_POLICY_ABI,
    .name = "watching",
    .events = HD_ON(HD_EV_CHILD_LAUNCH) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_KERNEL_COMPLETE),
    .first = lowest,
    .on = watch,
};

static void policies_are_told(void **state)
{
    CUdeviceptr at;
    unsigned each = 2;

    (void)state;
    hd_cuda_end();
    world.options.gpu.sched = (struct hd_policy_choice){.policy = &watching};
    hd_cuda_use(&world.options);
    OK(cuInit(0));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    load();
    at = zeros(NOTES);
    launch("forget", 2, 32, (void *[]){&at, &each});
    assert_int_equal(words(at, 1)[0], 128);
    assert_int_equal(told_launches, 128);
    assert_int_equal(told_blocks, 128);
    assert_true(complete_parents > 0);
    assert_int_equal(complete_children, 128 * complete_parents);
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, begin, world_end),                                       \
        cmocka_unit_test_setup_teardown(test, begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(block_stream_is_in_order),
        BOTH(tail_comes_last),
        BOTH(forgotten_children_run),
        BOTH(host_waits_for_children),
        BOTH(parameters_arrive),
        BOTH(errors_are_returned),
        BOTH(depth_is_limited),
        cmocka_unit_test_setup_teardown(pending_launches_are_limited, begin, world_end),
        BOTH(many_children_run),
        BOTH(events_order_streams),
        BOTH(bytes_are_moved),
        BOTH(questions_are_answered),
        BOTH(older_calls_launch),
        BOTH(absurd_sizes_are_refused),
        BOTH(children_fault),
        cmocka_unit_test_setup_teardown(policies_are_told, begin, world_end),
        cmocka_unit_test_setup_teardown(launches_take_their_time, begin, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
