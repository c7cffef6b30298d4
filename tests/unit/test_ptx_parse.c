// test_ptx_parse.c - module-level PTX: declarations, parameters, initial values, layout, source
// places; and that text cut anywhere is refused without harm.
#include "shared/ptx_text.h"

#include <stdio.h>

static const struct hd_symbol *symbol(const struct hd_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->n_symbols; i++)
        if (!strcmp(p->symbols[i].name, name))
            return &p->symbols[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

static void parameters(void **state)
{
    const struct hd_program *p =
        ptx_load(PTX_HEAD ".visible .entry k(.param .u64 .ptr .global .align 16 a,\n"
                          ".param .align 8 .b8 s[24], .param .u8 c,\n"
                          ".param .u16 h, .param .f32 f) { ret; }");
    static const struct hd_param want[] = {
        {"a", 0, 8, 8}, {"s", 8, 24, 8}, {"c", 32, 1, 1}, {"h", 34, 2, 2}, {"f", 36, 4, 4}};
    const struct hd_func *k = hd_program_find(p, "k");

    (void)state;
    assert_int_equal(k->n_params, 5);
    assert_int_equal(k->param_bytes, 40);
    for (unsigned i = 0; i < 5; i++) {
        assert_string_equal(k->params[i].name, want[i].name);
        assert_int_equal(k->params[i].offset, want[i].offset);
        assert_int_equal(k->params[i].bytes, want[i].bytes);
        assert_int_equal(k->params[i].align, want[i].align);
    }
}

static void constants_from_0x100(void **state)
{
    const struct hd_program *p = ptx_load(
        PTX_HEAD
        ".const .align 1 .b8 c[3] = {1, 2, 255};\n.visible .const .align 4 .f32 f = 0f3F800000;\n"
        ".const .u64 a = c;\n.const .b32 m[2][3] = {{1}, {2, 3, -1}};\n"
        ".entry k() { .reg .u32 %r; ld.const.u32 %r, [m+12]; ret; }");

    (void)state;
    assert_int_equal(symbol(p, "c")->address, 0x100);
    assert_int_equal(symbol(p, "f")->address, 0x104);
    assert_int_equal(symbol(p, "a")->address, 0x108);
    assert_int_equal(symbol(p, "m")->address, 0x180); // 24 bytes: at a multiple of 128
    assert_int_equal(symbol(p, "m")->bytes, 24);
    assert_memory_equal(symbol(p, "c")->init, "\1\2\377", 3);
    assert_memory_equal(symbol(p, "f")->init, "\0\0\x80\x3f", 4);
    assert_memory_equal(symbol(p, "a")->init, "\0\1\0\0\0\0\0\0", 8);
    static const uint32_t m[] = {1, 0, 0, 2, 3, UINT32_MAX};
    assert_memory_equal(symbol(p, "m")->init, m, sizeof m);
    assert_int_equal(p->insns[0].imm, 0x180 + 12);
    assert_int_equal(p->insns[0].src[0], HD_ROW_NONE);
    assert_int_equal(p->n_relocs, 0);
}

// Variables of both spaces take turns, as they were declared; constants never leave their window.
static void variables_share_places(void **state)
{
    const struct hd_program *p =
        ptx_load(PTX_HEAD ".global .align 4 .b8 g[40];\n.const .f32 c;\n.global .u64 q[2];\n"
                          ".const .align 32 .b8 d[8];\n.global .b8 large[20000000];\n"
                          ".const .u32 e[2];\n.global .u8 last;\n.entry k() { ret; }");

    (void)state;
    assert_int_equal(symbol(p, "g")->place, 0x100);
    assert_int_equal(symbol(p, "c")->address, 0x128);
    assert_int_equal(symbol(p, "q")->place, 0x130);
    assert_int_equal(symbol(p, "d")->address, 0x140);
    assert_int_equal(symbol(p, "large")->place, 0x180);
    assert_int_equal(symbol(p, "e")->address, 0x148);
    assert_int_equal(symbol(p, "last")->place, 0x180 + 20000000);
}

static void globals_are_relocated(void **state)
{
    const struct hd_program *p = ptx_load(
        PTX_HEAD ".global .align 4 .b8 g[40] = {1, 0, 0, 0, 2};\n"
                 ".global .align 8 .u64 q[2] = {7, generic(g)+8};\n.global .f64 z[1000];\n"
                 ".entry k() { .reg .u64 %rd<2>; .reg .u32 %r;\n"
                 "mov.u64 %rd0, g+4;\nld.global.u32 %r, [q+8];\nst.global.u32 [z], %r; ret; }");

    (void)state;
    assert_int_equal(p->n_symbols, 3);
    assert_int_equal(symbol(p, "g")->address, 0);
    assert_null(symbol(p, "z")->init);
    assert_int_equal(symbol(p, "z")->bytes, 8000);
    assert_int_equal(symbol(p, "q")->init[0], 7);
    assert_int_equal(p->n_relocs, 4); // in q; g+4, q and z in the pool
    assert_string_equal(p->symbols[p->relocs[0].symbol].name, "g");
    assert_int_equal(p->relocs[0].words, 1);
    assert_ptr_equal(p->relocs[0].at, symbol(p, "q")->init + 8);
    assert_int_equal(p->relocs[0].addend, 8);
    assert_int_equal(p->relocs[1].words, HD_LANES);
    assert_ptr_equal(p->relocs[1].at, p->pool + (-1 - p->insns[0].src[0]) * HD_LANES);
    assert_int_equal(p->relocs[1].addend, 4);
    assert_int_equal(p->insns[1].imm, 8);
    assert_ptr_equal(p->relocs[2].at, p->pool + (-1 - p->insns[1].src[0]) * HD_LANES);
}

static void shared_layout(void **state)
{
    const struct hd_program *p =
        ptx_load(PTX_HEAD ".shared .align 4 .b8 unused[100];\n.shared .align 1 .b8 m[3];\n"
                          ".extern .shared .align 8 .b8 dyn[];\n"
                          ".entry k() { .shared .align 8 .b8 t[8]; .local .align 16 .b8 l[20]; "
                          ".reg .u64 %rd; .reg .u32 %r;\n"
                          "mov.u32 %r, m; mov.u64 %rd, t; mov.u32 %r, dyn; mov.u64 %rd, l; ret; }\n"
                          ".entry none() { .reg .u32 %r; mov.u32 %r, unused; ret; }");

    (void)state;
    assert_int_equal(p->pool[(-1 - p->insns[0].src[0]) * HD_LANES], 0);  // m
    assert_int_equal(p->pool[(-1 - p->insns[1].src[0]) * HD_LANES], 8);  // t
    assert_int_equal(p->pool[(-1 - p->insns[2].src[0]) * HD_LANES], 16); // dyn
    assert_int_equal(hd_program_find(p, "k")->shared_bytes, 16);
    assert_int_equal(hd_program_find(p, "k")->local_bytes, 20);
    assert_int_equal(hd_program_find(p, "none")->shared_bytes, 100);
}

static void directives(void **state)
{
    const struct hd_program *p = ptx_load(
        ".version 3.2\n.target sm_20, debug\n.address_size 64\n.file 2 \"b.cu\"\n.file 1 \"a.cu\", "
        "123, 45\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b) ;\n"
        ".weak .entry k() .maxntid 16, 8, 2 .minnctapersm 2 .maxnreg 3 .noreturn\n"
        "{ .reg .b32 %r<6>; .reg .f32 a, b;\n.loc 1 10 5\nmov.u32 %r1, 1; .pragma \"nounroll\";\n"
        ".loc 2 20 1, function_name $L__info_string0+4, inlined_at 1 3 1\n"
        "{ .reg .f32 a; mov.f32 a, 0f00000000; }\nadd.u32 %r2, %r1, %r1; add.u32 %r3, %r1, %r2;\n"
        "add.u32 %r4, %r2, %r3; mov.f32 b, 1.5; add.u32 %r5, %r1, %r4; L: ret; }\n"
        ".section .debug_str { $L__info_string0: .b8 1,2 .b64 k }\n"
        ".section .debug_abbrev\n{\n.b8 1\n{ }\n}\n");
    const struct hd_func *k = hd_program_find(p, "k");

    (void)state;
    assert_int_equal(k->max_threads, 256);
    assert_int_equal(k->min_blocks, 2);
    assert_int_equal(k->max_regs, 3);
    assert_int_equal(p->n_files, 2);
    assert_int_equal(p->places[0].source_line, 10);
    assert_string_equal(p->files[p->places[0].source_file], "a.cu");
    assert_int_equal(p->places[1].source_line, 20);
    assert_string_equal(p->files[p->places[1].source_file], "b.cu");
    assert_int_equal(p->places[0].line, 10);
    assert_int_equal(p->places[0].inlined, HD_NOT_INLINED);
    assert_int_equal(p->places[1].inlined, 0); // into line 3 of a.cu, of which more is not known
    assert_int_equal(p->inlined[0].line, 3);
    assert_string_equal(p->files[p->inlined[0].file], "a.cu");
    assert_int_equal(p->inlined[0].inlined, HD_NOT_INLINED);
    // the two registers called `a` are different ones
    assert_int_equal(p->n_insns, 8);
    assert_null(hd_program_find(p, "vprintf"));
    assert_null(hd_program_find(p, "nobody"));
}

static void scopes_and_labels(void **state)
{
    const struct hd_program *p = ptx_load(
        PTX_KERNEL(".reg .pred p; .reg .b32 %r<4>;\n"
                   "mov.u32 %r1, 1; setp.eq.s32 p, %r1, 0;\n"
                   "{ .reg .pred p; setp.ne.u32 p, %r1, 0; @p bra L1; add.u32 %r1, %r1, 1; L1: }\n"
                   "{ .reg .pred p; setp.ne.u32 p, %r1, 1; @p bra L1; add.u32 %r1, %r1, 1; L1: }\n"
                   "@p bra END;\nadd.u32 %r2, %r1, 0;\nEND:\n"));

    (void)state;
    assert_int_equal(HD_TARGET_PC(p->insns[3].imm), 5);
    assert_int_equal(HD_TARGET_PC(p->insns[6].imm), 8);
    assert_int_equal(HD_TARGET_PC(p->insns[8].imm), 10); // the `ret` that was added
    assert_int_equal(p->n_insns, 11);
    assert_int_equal(p->deps[10].kind, HD_KIND_RET);
    assert_int_not_equal(p->deps[2].dst[0], p->deps[5].dst[0]); // three registers p
    assert_int_equal(p->deps[8].guard, p->deps[1].dst[0]);
}

static void constant_expressions(void **state)
{
    const struct hd_program *p = ptx_load(PTX_KERNEL(
        ".reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
        "mov.u32 %r1, 2+3*4-(1<<2)|1;\nmov.u32 %r1, ~0 & 0xff;\nmov.u32 %r1, -(7/2);\n"
        "mov.u32 %r1, WARP_SZ;\nld.global.u32 %r1, [%rd1+-4];\nld.global.u32 %r1, [%rd1-4];\n"
        "ld.global.u32 %r1, [64];\n"));
    static const uint32_t want[] = {11, 255, (uint32_t)-3, 32};

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(p->pool[(-1 - p->insns[i].src[0]) * HD_LANES + 31], want[i]);
    assert_int_equal(p->insns[4].imm, -4);
    assert_int_equal(p->insns[5].imm, -4);
    assert_int_equal(p->insns[6].imm, 64);
    assert_int_equal(p->insns[6].src[0], HD_ROW_NONE);
}

// A module with a bit of everything; each prefix of it is PTX cut short, each suffix PTX that
// begins anywhere.
static const char sample[] = PTX_HEAD
    ".extern .func (.param .b32 r) vprintf(.param .b64 a);\n"
    ".global .align 8 .u64 q[2] = {7, generic(q)+8}; .const .b8 c[4] = {1, 2};\n"
    ".extern .shared .align 16 .b8 dyn[];\n"
    ".visible .entry k(.param .u64 p, .param .align 8 .b8 s[12]) .maxntid 32, 1, 1\n"
    "{ .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .b64 %rd<4>; /* x */\n"
    ".shared .align 4 .b8 t[64]; .loc 1 2 3\n"
    "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; // y\n"
    "mov.u32 %r1, %tid.x; setp.lt.s32 %p1|%p2, %r1, 5; @!%p1 bra $L1;\n"
    "mov.f32 %f1, 0f3F800000; st.shared.f32 [t+4], %f1; ld.global.v2.f32 {%f1, %f2}, [%rd2+-8];\n"
    "{ .reg .pred q; setp.ne.u32 q, %r1, 0x7; @q bra M; M: } bar.sync 0; .pragma \"nounroll\";\n"
    "$L1: mov.u64 %rd3, q+8; selp.b32 %r2, %r1, -1, %p1; ret; }\n.file 1 \"a.cu\"\n"
    ".section .debug_info { .b8 1, 2 }\n";

static void cut_anywhere(void **state)
{
    size_t n = strlen(sample);

    (void)state;
    ptx_load(sample);
    for (size_t i = 0; i < n; i++) {
        const struct hd_program *p = ptx_load_bytes(sample, i);
        assert_true((p != NULL) == (diag.n == 0));
        p = ptx_load_bytes(sample + i, n - i);
        assert_true((p != NULL) == (diag.n == 0));
    }
}

static void damaged_anywhere(void **state)
{
    static const char bytes[] = {'\0', '}', '{', ';', '%', '"', '0', '\xff'};
    size_t n = strlen(sample);
    char *copy = hd_arena_get(arena, n, 1);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        memcpy(copy, sample, n);
        copy[i] = bytes[i % sizeof bytes];
        const struct hd_program *p = ptx_load_bytes(copy, n);
        assert_true((p != NULL) == (diag.n == 0));
    }
}

static void padding_of_zero_bytes(void **state)
{
    (void)state;
    assert_non_null(ptx_load_bytes(PTX_HEAD "\0\0\0", sizeof PTX_HEAD + 2));
}

// 50,000 instructions with branches, and as many registers as a kernel may have.
static void large(void **state)
{
    enum { N = 12500 };
    char *text = hd_arena_get(arena, N * 120 + 400, 1), *at = text;

    (void)state;
    at += sprintf(
        at, PTX_HEAD ".entry k() { .reg .b32 %%r<%d>; .reg .pred %%p<%d>;\nmov.u32 %%r0, 0;\n",
        2 * N + 2, N);
    for (int i = 0; i < N; i++)
        at += sprintf(at,
                      "L%d: add.u32 %%r%d, %%r%d, 1; setp.eq.s32 %%p%d, %%r%d, 0;\n"
                      "@%%p%d bra L%d; xor.b32 %%r%d, %%r%d, %%r%d;\n",
                      i, i + 8, i % 7 + 1, i, i + 8, i, i % 5 == 0 && i > 3 ? i - 3 : i + 1, i % 7,
                      i + 8, i % 7);
    sprintf(at, "L%d: ret; }\n", N);
    const struct hd_program *p = ptx_load(text);
    assert_int_equal(p->n_insns, 4 * N + 2);
    assert_in_range(p->funcs[0].n_rows, 8, 12);
    assert_int_equal(p->funcs[0].regs_live, 9); // r0 to r7, and the one of this round
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters),
        cmocka_unit_test(constants_from_0x100),
        cmocka_unit_test(variables_share_places),
        cmocka_unit_test(globals_are_relocated),
        cmocka_unit_test(shared_layout),
        cmocka_unit_test(directives),
        cmocka_unit_test(scopes_and_labels),
        cmocka_unit_test(constant_expressions),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(padding_of_zero_bytes),
        cmocka_unit_test(large),
    };
    return cmocka_run_group_tests(tests, ptx_setup, ptx_teardown);
}
