// test_occupancy.c - how many thread blocks an SM takes, and which SM gets which block.
#include "shared/gpu_bench.h"

#include "base/bug.h"
#include "gpu/gpu_internal.h"
#include "shared/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct hd_config fermi(void)
{
    struct hd_config c;

    memset(&c, 0, sizeof c);
    c.sm.sms = 15;
    c.sm.warps = 48;
    c.sm.tbs = 8;
    c.sm.registers = 32768;
    c.sm.reg_round = 4;
    c.sm.shared_bytes = 48 << 10;
    c.sm.dynamic_shared = 1;
    return c;
}

// Numbers the reference model printed for real kernels: blocks an SM could hold, and the number
// used when the grid is too small to fill the machine.
static void as_the_reference(void **state)
{
    static const struct {
        const char *kernel;
        uint32_t grid[3], block[3], regs, shared, limit, used;
    } rows[] = {
        {"bfs_queue", {12, 1, 1}, {128, 1, 1}, 20, 0, 8, 1},
        {"bitonic", {16, 1, 1}, {256, 1, 1}, 32, 2048, 4, 2},
        {"chase_l1", {1, 1, 1}, {1, 1, 1}, 18, 0, 8, 1},
        {"conv_const", {256, 1, 1}, {256, 1, 1}, 24, 1088, 5, 5},
        {"copy4", {60, 1, 1}, {256, 1, 1}, 14, 0, 6, 4},
        {"heat_tile", {11, 11, 1}, {16, 16, 1}, 19, 2048, 6, 6},
        {"hist_shared", {32, 1, 1}, {256, 1, 1}, 13, 1024, 6, 3},
        {"jacobi", {3, 12, 1}, {32, 8, 1}, 16, 0, 6, 3},
        {"kmeans", {32, 1, 1}, {128, 1, 1}, 52, 288, 4, 3},
        {"matmul", {8, 8, 1}, {16, 16, 1}, 64, 2048, 2, 2},
        {"mc_local", {24, 1, 1}, {128, 1, 1}, 45, 0, 5, 2},
        {"rowwalk", {90, 1, 1}, {128, 1, 1}, 11, 0, 8, 6},
        {"scan3", {1, 1, 1}, {64, 1, 1}, 12, 256, 8, 1},
        {"scan3", {32, 1, 1}, {256, 1, 1}, 21, 2048, 5, 3},
        {"sgemm_rt", {4, 4, 1}, {64, 1, 1}, 64, 4160, 8, 2},
        {"stencil_f64", {3, 6, 1}, {16, 8, 1}, 44, 0, 5, 2},
        {"transpose", {8, 8, 1}, {32, 8, 1}, 30, 4224, 4, 4},
        {"vecadd", {384, 1, 1}, {256, 1, 1}, 12, 0, 6, 6},
        {"wave_sum", {16, 1, 1}, {128, 1, 1}, 74, 1024, 3, 2},
    };
    struct hd_config c = fermi();

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hd_launch l = {.regs = rows[i].regs, .shared_static = rows[i].shared};
        memcpy(l.grid, rows[i].grid, sizeof l.grid);
        memcpy(l.block, rows[i].block, sizeof l.block);
        if (hd_occupancy(&c, &l) != rows[i].used)
            fail_msg("%s: %u blocks, not %u", rows[i].kernel, hd_occupancy(&c, &l), rows[i].used);
        l.grid[0] = 100000;
        if (hd_occupancy(&c, &l) != rows[i].limit)
            fail_msg("%s: at most %u blocks, not %u", rows[i].kernel, hd_occupancy(&c, &l),
                     rows[i].limit);
    }
}

static uint32_t blocks(const struct hd_config *c, uint32_t threads, uint32_t regs, uint32_t shared,
                       uint32_t dynamic)
{
    return hd_occupancy(c, &(struct hd_launch){.grid = {100000, 1, 1},
                                               .block = {threads, 1, 1},
                                               .regs = regs,
                                               .shared_static = shared,
                                               .dynamic_shared = dynamic});
}

// ptxas gives 64 registers to a kernel for which the estimate is 88.
static void an_estimate_may_be_too_large(void **state)
{
    struct hd_config c = fermi();
    struct hd_launch l = {.grid = {1, 1, 1}, .block = {1024, 1, 1}, .regs = 88};

    (void)state;
    c.sm.registers = 65536;
    assert_int_equal(hd_occupancy(&c, &l), 0);
    l.regs_estimated = true;
    assert_int_equal(hd_occupancy(&c, &l), 1);
    assert_int_equal(hd_registers_of_block(&c, &l), 65536);
    l.regs = 100;
    assert_int_equal(hd_occupancy(&c, &l), 0);
}

static void each_limit(void **state)
{
    struct hd_config c = fermi();

    (void)state;
    assert_int_equal(blocks(&c, 1, 0, 0, 0), 8);   // block slots
    assert_int_equal(blocks(&c, 193, 0, 0, 0), 6); // 7 warps, 48 in all
    assert_int_equal(blocks(&c, 1536, 0, 0, 0), 1);
    assert_int_equal(blocks(&c, 1537, 0, 0, 0), 0);  // does not fit
    assert_int_equal(blocks(&c, 256, 20, 0, 0), 6);  // 6.4
    assert_int_equal(blocks(&c, 256, 21, 0, 0), 5);  // rounded up to 24: 5.3
    assert_int_equal(blocks(&c, 225, 21, 0, 0), 5);  // threads are padded to whole warps
    assert_int_equal(blocks(&c, 1024, 64, 0, 0), 0); // 65536 registers
    assert_int_equal(blocks(&c, 32, 0, 49152, 0), 1);
    assert_int_equal(blocks(&c, 32, 0, 49153, 0), 0);
    assert_int_equal(blocks(&c, 32, 0, 8193, 0), 5); // no rounding
    assert_int_equal(blocks(&c, 32, 0, 4096, 4097), 5);
    c.sm.dynamic_shared = 0;
    assert_int_equal(blocks(&c, 32, 0, 4096, 4097), 8);
}

// Where kernels share SMs, a small grid is not spread: its blocks may meet on an SM.
static void shared_sms_take_small_grids_whole(void **state)
{
    struct hd_config c = fermi();
    const struct hd_launch l = {.grid = {4, 1, 1}, .block = {32, 1, 1}};

    (void)state;
    assert_int_equal(hd_occupancy(&c, &l), 1);
    c.sm.share = 1;
    assert_int_equal(hd_occupancy(&c, &l), 8);
}

static const char body[] = "ret;";

// Global ids of the blocks on an SM, in a mask.
static uint64_t blocks_on(const struct gpu_bench *b, unsigned sm)
{
    const struct hd_view *v = hd_sm_view(b->gpu->sms[sm]);
    uint64_t ids = 0;
    int slot;

    HD_EACH(slot, v->tb_live)
        ids |= hd_bit((int)v->tbs[slot].global_id);
    return ids;
}

// Policies see both: what an SM has room for, and its share of a small grid.
static void what_policies_see(void **state)
{
    struct gpu_bench_setup s = {.body = body, .threads = 192, .blocks = 15, .max_cycles = 1};
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(&s, &status);
    const struct hd_view *v = hd_sm_view(b->gpu->sms[1]);

    (void)state;
    assert_int_equal(v->tb_max, 1);
    assert_int_equal(v->tb_fits, 8);
    gpu_bench_free(b);
    s.blocks = 1000;
    b = gpu_bench_ran(&s, &status);
    v = hd_sm_view(b->gpu->sms[1]);
    assert_int_equal(v->tb_max, 8);
    assert_int_equal(v->tb_fits, 8);
    gpu_bench_free(b);
}

// A grid that the machine holds at once is not held back: half of what an SM has room for is enough
// for it.
static void dyncta_starts_with_half_of_the_room(void **state)
{
    struct gpu_bench_setup s = {.body = body, .sched = "dyncta", .threads = 192, .blocks = 60};
    enum hd_run_status status;
    struct gpu_bench *b;

    (void)state;
    s.max_cycles = 5;
    b = gpu_bench_ran(&s, &status);
    assert_int_equal(status, HD_RUN_LIMIT);
    for (unsigned i = 0; i < 15; i++)
        assert_int_equal(hd_count(blocks_on(b, i)), 4);
    gpu_bench_free(b);
}

// One block per SM and cycle; the machine's very first goes to SM 1.
static void round_robin(void **state)
{
    struct gpu_bench_setup s = {.body = body, .threads = 192, .blocks = 40, .max_cycles = 1};
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(&s, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_LIMIT);
    for (unsigned i = 0; i < 15; i++)
        assert_int_equal(blocks_on(b, (i + 1) % 15), hd_bit((int)i));
    gpu_bench_free(b);
    s.max_cycles = 2;
    b = gpu_bench_ran(&s, &status);
    for (unsigned i = 0; i < 15; i++)
        assert_int_equal(blocks_on(b, (i + 1) % 15), hd_bit((int)i) | hd_bit((int)i + 15));
    gpu_bench_free(b);
    s.max_cycles = 3; // 10 are left; they go on where the last round ended
    b = gpu_bench_ran(&s, &status);
    assert_int_equal(blocks_on(b, 1), hd_bit(0) | hd_bit(15) | hd_bit(30));
    assert_int_equal(blocks_on(b, 10), hd_bit(9) | hd_bit(24) | hd_bit(39));
    assert_int_equal(blocks_on(b, 11), hd_bit(10) | hd_bit(25));
    gpu_bench_free(b);
}

// The pointer survives the kernel.
static void next_kernel_goes_on(void **state)
{
    struct gpu_bench_setup s = {.body = body, .blocks = 4};
    struct hd_diag d = {.n = 0};
    struct gpu_bench *b = gpu_bench_new(&s);

    (void)state;
    assert_true(gpu_bench_launch(b, &s, &d));
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    b->gpu->options.max_cycles = hd_gpu_cycle(b->gpu) + 1;
    assert_true(gpu_bench_launch(b, &s, &d));
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_LIMIT);
    for (unsigned i = 0; i < 4; i++) // blocks 0 to 3 of the first one were on SMs 1 to 4
        assert_int_equal(blocks_on(b, 5 + i), hd_bit((int)i));
    gpu_bench_free(b);
}

// Block indices run x fastest; every block runs once.
static void every_block_once(void **state)
{
    static const char count[] = "ld.param.u64 %rd1, [buffer];\n"
                                "mov.u32 %r1, %ctaid.x;\n"
                                "mul.wide.u32 %rd2, %r1, 4;\n"
                                "add.s64 %rd1, %rd1, %rd2;\n"
                                "atom.global.add.u32 %r2, [%rd1], 1;\n"
                                "ret;";
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(
        &(struct gpu_bench_setup){.body = count, .threads = 70, .blocks = 333}, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_OK);
    for (uint32_t i = 0; i < 333; i++)
        assert_int_equal(gpu_bench_word(b, i), 70);
    assert_int_equal(gpu_bench_word(b, 333), 0);
    const struct hd_kernel_result *r = hd_gpu_result(b->gpu, 0);
    assert_int_equal(r->sm.tbs, 333);
    assert_int_equal(r->sm.warp_insts, 333 * 3 * 6);
    assert_int_equal(r->sm.thread_insts, 333 * 70 * 6);
    assert_int_equal(r->sm.issued + r->sm.idle + r->sm.scoreboard + r->sm.pipeline + r->sm.inactive,
                     r->cycles * 2 * 15);
    gpu_bench_free(b);
}

// Refused with a reason: what can never run.
static void impossible_launches(void **state)
{
    static const struct {
        uint32_t threads, regs;
        const char *why;
    } rows[] = {
        {1537, 0, "threads of a block is 1537, but this GPU allows 1536"},
        {1024, 64, "the number of registers of a block is 65536, but this GPU allows 32768"}};
    struct gpu_bench *b = gpu_bench_new(&(struct gpu_bench_setup){.body = body});

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct hd_diag d = {.n = 0};
        assert_false(gpu_bench_launch(
            b, &(struct gpu_bench_setup){.threads = rows[i].threads, .regs = rows[i].regs}, &d));
        assert_int_equal(d.n, 1);
        if (!strstr(d.entries[0].text, rows[i].why))
            fail_msg("%s", d.entries[0].text);
    }
    gpu_bench_free(b);
}

// A policy that fills the SMs from the last one down, as far as there is room.
static int last_first(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                      const uint64_t *room)
{
    (void)st, (void)slot;
    for (int i = (int)v->n_sms - 1; i >= 0; i--)
        if (hd_has(room[i / 64], i % 64))
            return i;
    return HD_NONE;
}

// One that insists on SM 3.
static int stubborn(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                    const uint64_t *room)
{
    (void)st, (void)v, (void)slot, (void)room;
    return 3;
}

// One that hands out nothing before cycle 100.
static int late(struct hd_pstate st, const struct hd_gpu_view *v, int slot, const uint64_t *room)
{
    return v->cycle < 100 ? HD_NONE : last_first(st, v, slot, room);
}

static const struct hd_policy downwards = {
    .abi = HD_POLICY_ABI, .name = "down", .place = last_first};
static const struct hd_policy wrong = {.abi = HD_POLICY_ABI, .name = "stubborn", .place = stubborn};
static const struct hd_policy waits = {.abi = HD_POLICY_ABI, .name = "late", .place = late};

static void placement_by_policy(void **state)
{
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(
        &(struct gpu_bench_setup){.body = body, .blocks = 20, .tb = &downwards, .max_cycles = 2},
        &status);

    (void)state;
    // Still one block per SM and cycle.
    assert_int_equal(blocks_on(b, 14), hd_bit(0) | hd_bit(15));
    assert_int_equal(blocks_on(b, 10), hd_bit(4) | hd_bit(19));
    assert_int_equal(blocks_on(b, 9), hd_bit(5));
    assert_int_equal(blocks_on(b, 0), hd_bit(14));
    gpu_bench_free(b);
}

// A policy may keep blocks back; time still passes.
static void placement_may_wait(void **state)
{
    (void)state;
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){.body = body, .tb = &waits, .no_skip = no_skip}, &status);
        assert_int_equal(status, HD_RUN_OK);
        assert_in_range(hd_gpu_result(b->gpu, 0)->cycles, 105, 120);
        gpu_bench_free(b);
    }
}

// Placing a block where there is no room is the policy's bug: exit status 70 and its name.
static void place_wrongly(void)
{
    enum hd_run_status status;

    gpu_bench_ran(&(struct gpu_bench_setup){.body = body, .blocks = 40, .tb = &wrong}, &status);
}

static void placement_is_checked(void **state)
{
    char said[1024];

    (void)state;
    assert_int_equal(child_status(place_wrongly, said, sizeof said), HD_EXIT_BUG);
    assert_non_null(strstr(said, "policy stubborn: place() answered 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_reference),
        cmocka_unit_test(what_policies_see),
        cmocka_unit_test(dyncta_starts_with_half_of_the_room),
        cmocka_unit_test(each_limit),
        cmocka_unit_test(an_estimate_may_be_too_large),
        cmocka_unit_test(shared_sms_take_small_grids_whole),
        cmocka_unit_test(round_robin),
        cmocka_unit_test(next_kernel_goes_on),
        cmocka_unit_test(every_block_once),
        cmocka_unit_test(impossible_launches),
        cmocka_unit_test(placement_by_policy),
        cmocka_unit_test(placement_may_wait),
        cmocka_unit_test(placement_is_checked),
    };
    return cmocka_run_group_tests_name("occupancy", tests, NULL, NULL);
}
