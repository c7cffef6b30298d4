// test_ptx_regs.c - the estimate of registers per thread: what counts, what moves, what does not.
#include "ptx_text.h"

#define OWN 4 // registers of the compiler's own that the estimate adds

static uint32_t regs(const char *body)
{
    const char *text = hd_arena_printf(
        arena,
        "%s.visible .entry k(.param .u64 p, .param .u32 n) {\n"
        ".reg .b32 %%r<99>; .reg .b64 %%rd<99>; .reg .f32 %%f<99>; .reg .pred %%p<9>;\n%s ret; }\n",
        PTX_HEAD, body);

    const struct hd_func *f = &ptx_load(text)->funcs[0];
    assert_true(f->regs >= f->regs_live);
    return f->regs;
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
                     OWN + 2);
    // a value that was computed is none, and one that is assigned twice
    assert_int_equal(regs("mov.u32 %r3, 5; mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;\n"
                          "setp.eq.u32 %p1, %r1, %r2; @%p1 mov.u32 %r3, 6;\n"
                          "st.shared.u32 [%r1], %r3;\n"),
                     OWN + 3);
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
    assert_int_equal(regs(four), OWN + 4); // tid until the last load
    assert_int_equal(regs(held), OWN + 2);
    assert_int_equal(regs(fenced), OWN + 2);
    assert_int_equal(regs(other), OWN + 3);
}

static void addresses_come_early(void **state)
{
#define AT(n) "mul.wide.u32 %rd" #n ", %r1, " #n "; add.s64 %rd" #n ", %rd1, %rd" #n ";\n"
    (void)state;
    // three addresses of two words and a hole for their pairs; tid is gone by then
    assert_int_equal(regs(BASE AT(2) "st.global.u32 [%rd2], 1;\n" AT(
                         3) "st.global.u32 [%rd3], 1;\n" AT(4) "st.global.u32 [%rd4], 1;\n"),
                     OWN + 6);
    assert_int_equal(regs(BASE AT(2) AT(3) AT(4)
                              AT(5) "st.global.u32 [%rd2], 1;\n"
                                    "st.global.u32 [%rd3], 1; st.global.u32 [%rd4], 1;\n"
                                    "st.global.u32 [%rd5], 1;\n"),
                     OWN + 8 + 1);
#undef AT
}

static void small_loops_are_unrolled(void **state)
{
#define LOOP(pragma, extra)                                                                        \
    BASE "mov.u32 %r2, 0;\nLOOP: " pragma LOAD(                                                    \
        10, 0) "add.u32 %r2, %r2, %r10;\n" extra                                                   \
               "add.u32 %r1, %r1, 4; setp.lt.u32 %p1, %r1, 400; @%p1 bra LOOP;\n"                  \
               "st.global.u32 [%rd1], %r2;\n"
    uint32_t kept = regs(LOOP(".pragma \"nounroll\";", ""));

    (void)state;
    assert_int_equal(kept, OWN + 3);
    // four loads at once, the sum, and the addresses of three copies for their ends of the loop
    assert_int_equal(regs(LOOP("", "")), OWN + 4 + 1 + 3);
    assert_int_equal(regs(LOOP("", "bar.sync 0;")), kept);
    assert_int_equal(regs(LOOP("", "st.shared.u32 [%r1+8], %r2;")), kept);
}

static void limits(void **state)
{
    const char *body = BASE;
    const struct hd_func *f;

    (void)state;
    for (unsigned i = 0; i < 80; i++) // as many loads as there is room for, and no more
        body = hd_arena_printf(
            arena, "%sld.shared.u32 %%r10, [%%r1+%u]; add.u32 %%r2, %%r2, %%r10;\n", body, 4 * i);
    assert_int_equal(regs(hd_arena_printf(arena, "%sst.global.u32 [%%rd1], %%r2;\n", body)), 64);
    f = &ptx_load(PTX_HEAD ".visible .entry k(.param .u64 p) .maxnreg 5 {\n.reg .b32 %r<9>;\n"
                           ".reg .b64 %rd1; ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n"
                           "mov.u32 %r2, %laneid; mov.u32 %r3, %smid; add.u32 %r1, %r1, %r2;\n"
                           "add.u32 %r1, %r1, %r3; st.global.u32 [%rd1], %r1; ret; }\n")
             ->funcs[0];
    assert_int_equal(f->regs, 5);
    assert_int_equal(f->regs_live, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_no_registers),
        cmocka_unit_test(loads_come_early),
        cmocka_unit_test(addresses_come_early),
        cmocka_unit_test(small_loops_are_unrolled),
        cmocka_unit_test(limits),
    };
    return cmocka_run_group_tests_name("ptx_regs", tests, ptx_setup, ptx_teardown);
}
