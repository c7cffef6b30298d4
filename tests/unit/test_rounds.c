// test_rounds.c - runs without timing on several threads: memory, counts and faults are those of
// one thread, whether blocks meet or not; and blocks that do not meet do run side by side.
#include "emu/emu.h"
#include "gpu/team.h"
#include "shared/ptx_text.h"

#define SMS 6
#define BLOCKS 400
#define ROW UINT64_C(256) // bytes that belong to a block, after the first ROW of the buffer

// r1: block, r2: thread, rd1: the buffer, rd3: the thread's word in the block's row. Each warp has
// executed some 300 instructions before the body.
#define KERNEL(name, body)                                                                         \
    ".entry " name "(.param .u64 p) {\n"                                                           \
    ".reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .pred %p<4>; .reg .f32 %f<4>;\n"                    \
    ".shared .align 4 .b8 tile[256];\n"                                                            \
    "ld.param.u64 %rd1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, 0;\n"        \
    "AGAIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 100; @%p1 bra AGAIN;\n"                     \
    "mad.lo.u32 %r4, %r1, 64, %r2; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;\n"         \
    "add.u64 %rd3, %rd3, 256;\n" body "ret;\n}\n"

static const char text[] = PTX_HEAD KERNEL("own", "st.global.u32 [%rd3], %r4;\n")
    KERNEL("endless", "ROUND: add.u64 %rd4, %rd4, 1; bra ROUND;\n")
    // The block before has written what this one reads.
    KERNEL("chain", "ld.global.u32 %r5, [%rd3+-256]; add.u32 %r5, %r5, 1; "
                    "st.global.u32 [%rd3], %r5;\n")
        KERNEL("back", "ld.global.u32 %r5, [%rd3+256]; add.u32 %r5, %r5, %r1; "
                       "st.global.u32 [%rd3], %r5;\n")
            KERNEL("counts", "red.global.add.u32 [%rd1], %r2; red.global.add.u64 [%rd1+8], %rd2;\n"
                             "st.global.u32 [%rd3], %r1;\n")
                KERNEL("takes", "atom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd3], %r5;\n")
                    KERNEL("sums", "cvt.rn.f32.u32 %f1, %r4; mul.f32 %f1, %f1, 0f3dcccccd;\n"
                                   "red.global.add.f32 [%rd1], %f1;\n")
    // The wide additions carry what the others lose.
    KERNEL("mixed", "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;\n"
                    "mov.u64 %rd4, 0x40000001; mov.u32 %r6, 0x40000001;\n"
                    "@%p1 red.global.add.u64 [%rd1+16], %rd4;\n"
                    "@!%p1 red.global.add.u32 [%rd1+16], %r6;\n")
        KERNEL("reads", "red.global.add.u32 [%rd1], 1; ld.global.u32 %r5, [%rd1];\n"
                        "st.global.u32 [%rd3], %r5;\n")
            KERNEL("locks", "setp.ne.u32 %p2, %r2, 0; @%p2 bra OUT;\n"
                            "TRY: atom.global.cas.b32 %r5, [%rd1], 0, 1; "
                            "setp.ne.u32 %p1, %r5, 0;\n"
                            "red.global.add.u32 [%rd1+8], 1; @%p1 bra TRY;\n"
                            "ld.global.u32 %r5, [%rd1+4]; add.u32 %r5, %r5, 1;\n"
                            "st.global.u32 [%rd1+4], %r5; atom.global.exch.b32 "
                            "%r6, [%rd1], 0;\nOUT:\n")
    // The first block waits for the last one.
    KERNEL("waits", "setp.ne.u32 %p1, %r1, 0; @%p1 bra OTHERS;\n"
                    "LOOK: ld.volatile.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0;\n"
                    "@%p2 bra LOOK;\nOTHERS: setp.ne.u32 %p1, %r1, 399; @%p1 bra OUT;\n"
                    "st.volatile.global.u32 [%rd1], 1;\nOUT: st.global.u32 [%rd3], %r1;\n")
        KERNEL("faults", "setp.eq.u32 %p1, %r1, 137; @%p1 add.u64 %rd3, %rd3, 0x10000000000;\n"
                         "st.global.u32 [%rd3], %r1;\n")
            KERNEL("circles", "setp.eq.u32 %p1, %r1, 137;\nHERE: @%p1 bra HERE;\n"
                              "st.global.u32 [%rd3], %r1;\n")
                KERNEL("clocks", "mov.u64 %rd4, %clock64; st.global.u32 [%rd3], %rd4;\n") KERNEL(
                    "where", "mov.u32 %r5, %smid; mov.u32 %r6, %warpid; add.u32 %r5, %r5, %r6;\n"
                             "st.global.u32 [%rd3], %r5;\n")
                    KERNEL("bytes", "cvt.u64.u32 %rd4, %r1; add.u64 %rd4, %rd4, %rd1; st.global.u8 "
                                    "[%rd4], %r1;\n")
                        KERNEL("turned",
                               "mov.u64 %rd4, tile; shl.b32 %r5, %r2, 2; cvt.u64.u32 %rd5, %r5;\n"
                               "add.u64 %rd6, %rd4, %rd5; st.shared.u32 [%rd6], %r4; bar.sync 0;\n"
                               "sub.u64 %rd6, %rd4, %rd5; ld.shared.u32 %r6, [%rd6+252];\n"
                               "st.global.u32 [%rd3], %r6;\n")
    // Few of the blocks have nearly all of the work.
    KERNEL("uneven",
           "rem.u32 %r5, %r1, 97; setp.ne.u32 %p1, %r5, 5; @%p1 bra OUT; mov.u32 %r3, 0;\n"
           "MORE: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 30000; @%p2 bra MORE;\n"
           "OUT: st.global.u32 [%rd3], %r3;\n");

// Blocks 60 and 70 take tickets, 60 after a long loop. If it only computes, it is first; if it
// loads, it gives way and is second.
#define TICKETS(name, load)                                                                        \
    KERNEL(name,                                                                                   \
           "setp.ne.u32 %p1, %r1, 60; @%p1 bra NEXT; mov.u32 %r3, 0;\n"                            \
           "MORE: add.u32 %r3, %r3, 1; " load " setp.lt.u32 %p2, %r3, 100000; @%p2 bra MORE;\n"    \
           "TICKET: atom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd3], %r5; bra OUT;\n"     \
           "NEXT: setp.eq.u32 %p1, %r1, 70; @%p1 bra TICKET;\nOUT:\n")
static const char tickets[] =
    PTX_HEAD TICKETS("computes", "") TICKETS("loads", "ld.global.u32 %r6, [%rd3];");

// Blocks that load for so long that they give way in order. Every eighth one does so.
#define LONG(name, body)                                                                           \
    KERNEL("long_" name,                                                                           \
           "and.b32 %r5, %r1, 7; setp.ne.u32 %p1, %r5, 3; @%p1 bra REST; mov.u32 %r3, 0;\n"        \
           "MORE: add.u32 %r3, %r3, 1; ld.global.u32 %r6, [%rd3]; setp.lt.u32 %p2, %r3, 10000;\n"  \
           "@%p2 bra MORE;\nREST:\n" body)
static const char longs[] = PTX_HEAD LONG("own", "st.global.u32 [%rd3], %r1;\n")
    LONG("adds", "red.global.add.u32 [%rd1], %r2; st.global.u32 [%rd3], %r1;\n")
    // Reads what the block after it has written in the meantime.
    LONG("next", "ld.global.u32 %r5, [%rd3+256]; add.u32 %r5, %r5, %r1;\n"
                 "st.global.u32 [%rd3], %r5;\n")
        LONG("place", "mov.u32 %r5, %smid; st.global.u32 [%rd3], %r5;\n")
    // The second warp sleeps until the first one sets a flag. In order, it wakes for a moment when
    // another block stores something.
    KERNEL("long_flags",
           "st.shared.u32 [tile], 0; bar.sync 0; setp.ge.u32 %p3, %r2, 32; @%p3 bra POLL;\n"
           "and.b32 %r5, %r1, 7; setp.ne.u32 %p1, %r5, 3; @%p1 bra SET; mov.u32 %r3, 0;\n"
           "MORE: add.u32 %r3, %r3, 1; ld.global.u32 %r6, [%rd3]; setp.lt.u32 %p2, %r3, 20000;\n"
           "@%p2 bra MORE;\nSET: st.shared.u32 [tile], 1; bra OUT;\n"
           "POLL: ld.volatile.shared.u32 %r6, [tile]; setp.eq.u32 %p2, %r6, 0; @%p2 bra POLL;\n"
           "OUT: st.global.u32 [%rd3], %r1;\n")
        LONG("many", "mov.u32 %r3, 0;\nREPEAT: add.u32 %r3, %r3, 1; ld.global.u32 %r6, [%rd3];\n"
                     "setp.lt.u32 %p2, %r3, 40000; @%p2 bra REPEAT; st.global.u32 [%rd3], %r1;\n")
    // Block 3 gives way while another member computes in block 9, and only stops because of that.
    KERNEL("long_reason",
           "mov.u32 %r3, 0; setp.eq.u32 %p1, %r1, 9; @%p1 bra ONLY; setp.ne.u32 %p1, %r1, 3;\n"
           "@%p1 bra REST;\n"
           "MORE: add.u32 %r3, %r3, 1; ld.global.u32 %r6, [%rd3]; setp.lt.u32 %p2, %r3, 20000;\n"
           "@%p2 bra MORE; bra REST;\n"
           "ONLY: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 400000; @%p2 bra ONLY;\n"
           "REST: st.global.u32 [%rd3], %r1;\n")
    // Waits for block 20 in a way that cannot be proven.
    LONG("waits",
         "setp.ne.u32 %p1, %r5, 3; @%p1 bra WROTE; mov.u32 %r7, 0;\n"
         "LOOK: add.u32 %r7, %r7, 1; ld.volatile.global.u32 %r5, [%rd1];\n"
         "setp.eq.u32 %p2, %r5, 0; @%p2 bra LOOK;\n"
         "WROTE: setp.ne.u32 %p1, %r1, 20; @%p1 bra OUT; st.volatile.global.u32 [%rd1], 1;\n"
         "OUT: st.global.u32 [%rd3], %r1;\n");

static struct outcome {
    uint64_t digest, begun;
    uint32_t ticket; // of the first thread of block 60
    struct hd_emu_result result;
} one;
static unsigned rounds; // calls of the helpers
static uint64_t help_after;
static struct hd_team *team;

// A clock of which each reading takes a millisecond, and each round `round_takes`.
static double seconds, round_takes;
static double (*tests_clock)(void);

static double tick(void)
{
    return seconds += 0.001;
}

static void help(void *ctx, void (*piece)(void *arg, unsigned i), void *arg, unsigned n)
{
    const uint16_t all[] = {0, 1, 2, 3, 4, 5};

    (void)ctx;
    assert_true(n <= sizeof all / sizeof *all);
    rounds++;
    seconds += round_takes;
    hd_team_run(team, piece, arg, all, n);
}

static const struct hd_func *kernel_of(const struct hd_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_funcs; i++)
        if (!strcmp(p->funcs[i].name, name))
            return &p->funcs[i];
    fail_msg("no kernel %s", name);
    return NULL;
}

// Two launches of the kernel, the second with what is known from the first.
static struct outcome run_while(const char *name, unsigned members,
                                bool (*look)(void *ctx, uint64_t warp_insts))
{
    struct hd_arena *a = hd_arena_new();
    struct hd_memory *m = hd_memory_new(a);
    struct hd_emu *e = hd_emu_new(a, &(struct hd_emu_config){.sms = SMS, .warps = 16, .tbs = 8}, m);
    const char *source = !strncmp(name, "long_", 5) ? longs
                         : strstr(tickets, name)    ? tickets
                                                    : text;
    struct hd_program *p = hd_ptx_load(a, "t.ptx", (const uint8_t *)source, strlen(source), &diag);
    struct outcome o = {0};
    uint64_t buffer = hd_memory_alloc(m, (BLOCKS + 2) * ROW, "buffer");

    if (!p) {
        hd_diag_print(&diag, stderr);
        abort();
    }
    assert_true(hd_emu_load(e, p, &diag));
    team = hd_team_new(a, members, members);
    rounds = 0;
    hd_emu_help(e, &(struct hd_emu_helpers){
                       .members = members, .after = help_after, .run = help, .now = tests_clock});
    for (unsigned i = 0; i < 2; i++) {
        const struct hd_launch l = {.program = p,
                                    .kernel = kernel_of(p, name),
                                    .grid = {BLOCKS, 1, 1},
                                    .block = {64, 1, 1},
                                    .params = (const uint8_t *)&buffer};
        memset(&o.result, 0, sizeof o.result);
        hd_emu_run(e, &l, &(struct hd_emu_patience){.look = look}, &o.result);
    }
    o.digest = hd_memory_digest(m);
    hd_memory_read(m, buffer + ROW * 61, &o.ticket, sizeof o.ticket);
    hd_team_free(team);
    hd_emu_free(e);
    hd_memory_free(m);
    hd_arena_free(a);
    return o;
}

static struct outcome run(const char *name, unsigned members)
{
    return run_while(name, members, NULL);
}

static void same_with(const char *name, unsigned members)
{
    struct outcome o = run(name, members);
    const struct hd_emu_result *a = &one.result, *b = &o.result;

    assert_int_equal(o.digest, one.digest);
    assert_int_equal(b->warp_insts, a->warp_insts);
    assert_int_equal(b->thread_insts, a->thread_insts);
    assert_int_equal(b->long_insts, a->long_insts);
    assert_int_equal(b->livelock, a->livelock);
    assert_int_equal(b->unbegun, a->unbegun);
    assert_int_equal(b->trap.kind, a->trap.kind);
    assert_int_equal(b->trap.addr, a->trap.addr);
    assert_int_equal(b->trap.block[0], a->trap.block[0]);
    assert_string_equal(b->warps, a->warps);
}

// How many rounds two threads tried.
static unsigned same(const char *name)
{
    unsigned tried;

    one = run(name, 1);
    assert_int_equal(rounds, 0);
    same_with(name, 2);
    tried = rounds;
    same_with(name, 3);
    same_with(name, 6);
    return tried;
}

static void blocks_that_do_not_meet_run_side_by_side(void **state)
{
    static const char *const names[] = {"own", "counts", "where", "turned", "uneven"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_in_range(same(names[i]), 4, 40);
}

static void blocks_that_meet_run_in_order(void **state)
{
    static const char *const names[] = {"chain", "takes", "sums", "mixed",
                                        "reads", "locks", "bytes"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_in_range(same(names[i]), 1, 8); // seldom tried after rounds that were lost
}

// A block reads what the block after it has not yet written, except where two members' parts meet.
static void values_are_those_of_the_order(void **state)
{
    (void)state;
    assert_true(same("back") >= 1);
}

static void long_blocks_give_way_as_in_order(void **state)
{
    (void)state;
    assert_true(same("computes") >= 1);
    assert_int_equal(one.ticket, 128); // of the second launch
    assert_true(same("loads") >= 1);
    assert_int_equal(one.ticket, 192);
}

// The first launch is one round after a block that gives way, the second one after its first block.
static void long_blocks_that_do_not_meet_run_side_by_side(void **state)
{
    (void)state;
    assert_in_range(same("long_own"), 2, 6);
    assert_in_range(same("long_adds"), 2, 6);
    assert_in_range(same("long_reason"), 3, 6); // one for each launch if it runs in order
}

static void long_blocks_that_meet_run_in_order(void **state)
{
    (void)state;
    (void)same("long_next");
    (void)same("long_place");
    (void)same("long_flags");
    one = run("long_waits", 1);
    assert_int_equal(one.result.livelock, false);
    same_with("long_waits", 2);
}

static void what_needs_an_order_has_it(void **state)
{
    (void)state;
    (void)same("clocks");
    (void)same("waits");
    assert_int_equal(one.result.livelock, false);
    (void)same("faults");
    assert_int_equal(one.result.trap.kind, HD_TRAP_OUT_OF_BOUNDS);
    (void)same("circles");
    assert_int_equal(one.result.livelock, true);
}

// Nobody helps with little work. What comes before they help runs in order.
static void helpers_begin_after_enough_work(void **state)
{
    const unsigned at_once = same("own");
    const uint64_t launch = one.result.warp_insts;

    (void)state;
    help_after = 3 * launch;
    assert_int_equal(same("own"), 0);
    help_after = launch + launch / 2;
    assert_int_equal(same("own"), at_once / 2);
    help_after = launch / 2;
    assert_int_equal(same("own"), at_once);
    help_after = 1500000;
    assert_in_range(same("long_own"), 2, 6);
    (void)same("long_reason");
    (void)same("computes");
    (void)same("circles");
    help_after = 0;
}

static bool not_long(void *ctx, uint64_t warp_insts)
{
    (void)ctx;
    return warp_insts < 3000000;
}

// Results are those of the order whatever the clock says.
static void rounds_that_do_not_pay_are_seldom_tried(void **state)
{
    unsigned paying, slow;

    (void)state;
    help_after = 0;
    tests_clock = tick;
    round_takes = 0;
    paying = same("own");
    round_takes = 1;
    slow = same("own");
    tests_clock = NULL;
    round_takes = 0;
    assert_in_range(paying, 4, 40);
    assert_in_range(slow, 2, paying / 2);
}

// The first block is the one that takes long, or all of them together.
static void the_caller_can_stop(void **state)
{
    static const char *const names[] = {"endless", "long_many"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct outcome o = run_while(names[i], 2, not_long);
        assert_true(o.result.stopped);
        assert_in_range(o.result.warp_insts, 0, 30000000);
    }
}

// In rounds that are lost, threads access the same bytes of simulated memory at the same time,
// which is what the thread sanitizer would report (touched.h).
#if defined(__SANITIZE_THREAD__)
#define THEY_MEET false
#else
#define THEY_MEET true
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_do_not_meet_run_side_by_side),
        cmocka_unit_test(blocks_that_meet_run_in_order),
        cmocka_unit_test(values_are_those_of_the_order),
        cmocka_unit_test(long_blocks_give_way_as_in_order),
        cmocka_unit_test(long_blocks_that_do_not_meet_run_side_by_side),
        cmocka_unit_test(long_blocks_that_meet_run_in_order),
        cmocka_unit_test(what_needs_an_order_has_it),
        cmocka_unit_test(helpers_begin_after_enough_work),
        cmocka_unit_test(rounds_that_do_not_pay_are_seldom_tried),
        cmocka_unit_test(the_caller_can_stop),
    };

    return _cmocka_run_group_tests("rounds", tests, THEY_MEET ? sizeof tests / sizeof *tests : 1,
                                   NULL, NULL);
}
