// test_ptx_regs.c - the estimate of registers per thread: what counts, what moves, what does not.
#include "shared/ptx_text.h"

#include "present/out.h"

// What the estimate makes of so many words alive, of which so many are the same for a whole block.
static uint32_t made_of(uint32_t words, uint32_t uniform)
{
    return (60 + 7 * words + 3 * (words - uniform) + 5) / 10;
}

static uint32_t regs(const char *body)
{
    const char *text = hd_arena_printf(
        arena,
        "%s.visible .entry k(.param .u64 p, .param .u32 n) {\n"
        ".reg .b32 %%r<99>; .reg .b64 %%rd<99>; .reg .f32 %%f<99>; .reg .pred %%p<9>;\n%s ret; }\n",
        PTX_HEAD, body);

    return ptx_load(text)->funcs[0].regs;
}

#define BASE "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n"
#define LOAD(to, at) "ld.shared.u32 %r" #to ", [%r1+" #at "];\n"
#define KEEP(from, at) "st.shared.u32 [%r1+" #at "], %r" #from ";\n"

static void constants_are_no_registers(void **state)
{
    (void)state;
    // n and 5 are operands: tid and the product only
    assert_int_equal(regs("ld.param.u32 %r2, [n]; mov.u32 %r3, 5; mov.u32 %r5, %ntid.x;\n"
                          "mov.u32 %r1, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;\n"
                          "add.u32 %r4, %r4, %r5; st.shared.u32 [%r1], %r4;\n"),
                     made_of(2, 0));
    // a value that was computed is none, and one that is assigned twice
    assert_int_equal(regs("mov.u32 %r3, 5; mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;\n"
                          "setp.eq.u32 %p1, %r1, %r2; @%p1 mov.u32 %r3, 6;\n"
                          "st.shared.u32 [%r1], %r3;\n"),
                     made_of(3, 0));
}

static void loads_come_early(void **state)
{
    static const char *const four =
        BASE LOAD(10, 0) "add.u32 %r20, %r10, 1;\n" LOAD(11, 4) "add.u32 %r20, %r20, %r11;\n" LOAD(
            12, 8) "add.u32 %r20, %r20, %r12;\n" LOAD(13, 12) "add.u32 %r20, %r20, %r13; "
                                                              "st.global.u32 [%rd1], %r20;\n";
    // a write to the same space, and a barrier, hold them back; one to another space does not
    static const char *const held =
        BASE LOAD(10, 0) KEEP(10, 4) LOAD(11, 8) KEEP(11, 12) LOAD(12, 16) KEEP(12, 20);
    static const char *const fenced =
        BASE LOAD(10, 0) "bar.sync 0; st.global.u32 [%rd1], %r10;\n" LOAD(
            11, 4) "bar.sync 0; st.global.u32 [%rd1], %r11;\n";
    static const char *const other = BASE LOAD(10, 0) "st.global.u32 [%rd1], %r10;\n" LOAD(
        11, 4) "st.global.u32 [%rd1], %r11;\n" LOAD(12, 8) "st.global.u32 [%rd1], %r12;\n";

    (void)state;
    assert_int_equal(regs(four), made_of(4, 0)); // tid until the last load
    assert_int_equal(regs(held), made_of(2, 0));
    assert_int_equal(regs(fenced), made_of(2, 0));
    assert_int_equal(regs(other), made_of(3, 0));
}

static void addresses_come_early(void **state)
{
#define AT(n) "mul.wide.u32 %rd" #n ", %r1, " #n "; add.s64 %rd" #n ", %rd1, %rd" #n ";\n"
    (void)state;
    // three addresses of two words; tid is gone by then
    assert_int_equal(regs(BASE AT(2) "st.global.u32 [%rd2], 1;\n" AT(
                         3) "st.global.u32 [%rd3], 1;\n" AT(4) "st.global.u32 [%rd4], 1;\n"),
                     made_of(6, 0));
    assert_int_equal(regs(BASE AT(2) AT(3) AT(4)
                              AT(5) "st.global.u32 [%rd2], 1;\n"
                                    "st.global.u32 [%rd3], 1; st.global.u32 [%rd4], 1;\n"
                                    "st.global.u32 [%rd5], 1;\n"),
                     made_of(8, 0));
#undef AT
}

// Moves, scaled indices and constant offsets become part of what uses them.
static void results_that_are_folded(void **state)
{
    (void)state;
    assert_int_equal(regs(BASE "mov.u32 %r2, %r1; mov.u32 %r3, %r2; st.shared.u32 [%r2], %r1;\n"
                               "st.shared.u32 [%r3+4], %r1;\n"),
                     made_of(1, 0));
    // the index, and one address at a time: two words
    assert_int_equal(regs(BASE "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
                               "st.global.u32 [%rd3], %r1;\n"),
                     made_of(3, 0));
    // used elsewhere the product is a register pair
    assert_int_equal(regs(BASE "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
                               "st.global.u64 [%rd3], %rd2;\n"),
                     made_of(4, 0));
    assert_int_equal(regs(BASE "cvt.u64.u32 %rd2, %r1; add.s64 %rd3, %rd1, %rd2;\n"
                               "add.s64 %rd4, %rd3, 8; st.global.u32 [%rd3], 1;\n"
                               "st.global.u32 [%rd4], 1;\n"),
                     made_of(2, 0));
}

// What depends on parameters and the block's number alone may be in a uniform register.
static void uniform_values(void **state)
{
    (void)state;
    assert_int_equal(regs("ld.param.u32 %r2, [n]; mov.u32 %r3, %ctaid.x; add.u32 %r4, %r3, %r2;\n"
                          "mul.lo.u32 %r5, %r4, %r3; mov.u32 %r1, %tid.x;\n"
                          "add.u32 %r1, %r1, %r4; st.shared.u32 [%r1], %r5;\n"),
                     made_of(3, 2));
}

// Divisions and calls need registers of their own; what is alive across them stays.
static void long_sequences(void **state)
{
    static const char *const calls =
        PTX_HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                 ".visible .entry k(.param .u64 p) {\n"
                 ".reg .b64 %rd<3>; ld.param.u64 %rd1, [p]; { .param .b64 a; st.param.b64 [a], "
                 "%rd1;\n.param .b64 b; st.param.b64 [b], %rd1; .param .b32 r;\n"
                 "call.uni (r), vprintf, (a, b); } ret; }\n";

    (void)state;
    // the address is alive across the division, and the divisor's two words are its operands
    assert_int_equal(regs(BASE ".reg .f64 %d<4>; cvt.rn.f64.u32 %d1, %r1;\n"
                               "div.rn.f64 %d2, %d1, %d1; st.shared.f64 [%r1], %d2;\n"),
                     1 + 24);
    assert_int_equal(ptx_load(calls)->funcs[0].regs, 24); // as ptxas for every such kernel
}

// What a block selects from a table in constant memory is computed just before it is used, where
// all of it at once would need many registers: ptxas takes 28 for a kernel of this form with 64
// entries.
static void results_come_late(void **state)
{
    struct hd_out select = {.arena = arena}, combine = {.arena = arena};

    (void)state;
    for (int i = 1; i < 90; i++) {
        hd_out_printf(&select,
                      "ld.const.u32 %%r2, [table+%d]; shl.b32 %%r3, %%r1, %d;\n"
                      "and.b32 %%r%d, %%r3, %%r2;\n",
                      4 * i, i % 32, i + 8);
        hd_out_printf(&combine, "xor.b32 %%r1, %%r1, %%r%d;\n", i + 8);
    }
    const char *begin = BASE "{ .reg .b32 %r<99>; .const .b32 table[99]; mov.u32 %r1, %tid.x;\n";
    assert_int_equal(regs(hd_arena_printf(arena, "%s%s%s st.shared.u32 [%%rd1], %%r1; }\n", begin,
                                          select.text, combine.text)),
                     64);
}

static void limits(void **state)
{
    const char *body = BASE;

    (void)state;
    for (unsigned i = 0; i < 80; i++) // as many loads as there is room for, and no more
        body = hd_arena_printf(
            arena, "%sld.shared.u32 %%r10, [%%r1+%u]; add.u32 %%r2, %%r2, %%r10;\n", body, 4 * i);
    assert_int_equal(regs(hd_arena_printf(arena, "%sst.global.u32 [%%rd1], %%r2;\n", body)),
                     64); // 64 words make 70 registers, of which ptxas saves some to stay at 64
}

// A loop that adds up words; `before` stands before it, `step` is what the counter grows by.
static uint32_t loop(const char *before, const char *step, const char *inside)
{
    return regs(hd_arena_printf(
        arena,
        "ld.param.u64 %%rd1, [p]; ld.param.u32 %%r9, [n]; mov.u32 %%r2, 0; mov.u32 %%r3, 0;\n"
        "mov.u32 %%r5, %%tid.x; LOOP: %s ld.global.u32 %%r10, [%%rd1]; add.u32 %%r3, %%r3, %%r10;\n"
        "add.s64 %%rd1, %%rd1, 4; %s add.s32 %%r2, %%r2, %s; setp.lt.s32 %%p1, %%r2, %%r9;\n"
        "@%%p1 bra LOOP; st.shared.u32 [%%r5], %%r3;\n",
        before, inside, step));
}

// Four copies of a counted loop: their loads are under way together.
static void unrolled_loops(void **state)
{
    const uint32_t once = made_of(6, 0), four_times = made_of(9, 0);
    const char *large = "";

    (void)state;
    assert_int_equal(loop("", "1", ""), four_times); // sum, counter, address, tid, four words
    assert_int_equal(loop(".pragma \"nounroll\";\n", "1", ""), once);
    assert_int_equal(loop(".pragma \"other\";\n", "1", ""), four_times);
    // a number of iterations that nobody knows, a barrier, more than one block, too large
    assert_int_equal(loop("", "%r5", ""), once);
    assert_int_equal(loop("", "1", "bar.sync 0;"), once);
    assert_int_equal(loop("", "1", "@%p2 bra NEXT; NEXT:"), once);
    for (unsigned i = 0; i < 41; i++)
        large = hd_arena_printf(arena, "%sadd.u32 %%r3, %%r3, 1;", large);
    assert_int_equal(loop("", "1", large), once);
}

// The pragma in the header of a function, and at module level after the function.
static void nounroll_of_a_whole(void **state)
{
    static const char *const body =
        "{ .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p<2>; ld.param.u64 %rd1, [p];\n"
        "mov.u32 %r2, 0; mov.u32 %r3, 0; LOOP: ld.global.u32 %r4, [%rd1];\n"
        "add.u32 %r3, %r3, %r4; add.s64 %rd1, %rd1, 4; add.s32 %r2, %r2, 1;\n"
        "setp.lt.s32 %p1, %r2, 99; @%p1 bra LOOP; st.shared.u32 [0], %r3; ret; }\n";
    const char *const pragma = ".pragma \"nounroll\";\n";
    const struct hd_program *plain, *header, *module;

    (void)state;
    plain =
        ptx_load(hd_arena_printf(arena, "%s.visible .entry k(.param .u64 p)\n%s", PTX_HEAD, body));
    header = ptx_load(
        hd_arena_printf(arena, "%s.visible .entry k(.param .u64 p)\n%s%s", PTX_HEAD, pragma, body));
    module = ptx_load(
        hd_arena_printf(arena, "%s.visible .entry k(.param .u64 p)\n%s%s", PTX_HEAD, body, pragma));
    assert_int_equal(plain->funcs[0].regs, made_of(8, 0));
    assert_int_equal(header->funcs[0].regs, made_of(5, 0));
    assert_int_equal(module->funcs[0].regs, made_of(5, 0));
}

// A kernel of more values than registers: .maxnreg, and what an instruction can name.
static const struct hd_func *wide(const char *target, const char *directives)
{
    char *body = hd_arena_printf(arena, "mov.u32 %%r0, %%tid.x;\n");

    for (unsigned i = 1; i < 300; i++)
        body = hd_arena_printf(arena, "%sld.shared.u32 %%r%u, [%%r0+%u];\n", body, i, 4 * i);
    for (unsigned i = 1; i < 300; i++)
        body = hd_arena_printf(arena, "%sst.shared.u32 [%%r0+%u], %%r%u;\n", body, 4 * i, i);
    return &ptx_load(hd_arena_printf(arena,
                                     ".version 7.0\n.target %s\n.address_size 64\n"
                                     ".visible .entry k() %s {\n.reg .b32 %%r<300>;\n%s ret; }\n",
                                     target, directives, body))
                ->funcs[0];
}

static void ceilings(void **state)
{
    (void)state;
    assert_int_equal(wide("sm_75", "")->regs, 255);
    assert_int_equal(wide("sm_30", "")->regs, 63);
    assert_int_equal(wide("sm_35", "")->regs, 255);
    assert_int_equal(wide("sm_75", ".maxnreg 40")->regs, 40);
    assert_int_equal(wide("sm_75", ".maxnreg 40")->regs_wanted > 255, true);
    assert_int_equal(wide("sm_75", ".maxnreg 8")->regs, 24); // ptxas takes no less
    assert_int_equal(wide("sm_75", ".maxntid 64 .minnctapersm 3")->min_blocks, 3);
    assert_int_equal(wide("sm_75", ".minnctapersm 3")->min_blocks, 0); // ignored alone
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_no_registers),
        cmocka_unit_test(loads_come_early),
        cmocka_unit_test(addresses_come_early),
        cmocka_unit_test(results_that_are_folded),
        cmocka_unit_test(uniform_values),
        cmocka_unit_test(long_sequences),
        cmocka_unit_test(results_come_late),
        cmocka_unit_test(limits),
        cmocka_unit_test(unrolled_loops),
        cmocka_unit_test(nounroll_of_a_whole),
        cmocka_unit_test(ceilings),
    };
    return cmocka_run_group_tests_name("ptx_regs", tests, ptx_setup, ptx_teardown);
}
