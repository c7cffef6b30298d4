// test_ptx_link.c - several modules, one program: whose definition counts, what runs, messages.
#include "emu/emu.h"
#include "shared/ptx_text.h"

#define MAX 4

static struct hd_text texts[MAX];

static struct hd_program *load_all(const char *const *source, uint32_t n)
{
    static const char *const names[MAX] = {"a.ptx", "b.ptx", "c.ptx", "d.ptx"};

    memset(&diag, 0, sizeof diag);
    for (uint32_t i = 0; i < n; i++)
        texts[i] = (struct hd_text){names[i], (const uint8_t *)source[i], strlen(source[i])};
    return hd_ptx_link(arena, texts, n, &diag);
}

static struct hd_program *link_good(const char *const *source, uint32_t n)
{
    struct hd_program *p = load_all(source, n);

    if (!p)
        hd_diag_print(&diag, stderr);
    assert_non_null(p);
    return p;
}

// One thread of kernel `k`; the word it leaves in `out`.
static uint32_t run(struct hd_program *p)
{
    struct hd_memory *m = hd_memory_new(arena);
    struct hd_emu *e =
        hd_emu_new(arena, &(struct hd_emu_config){.sms = 1, .warps = 48, .tbs = 8}, m);
    struct hd_emu_result r;
    uint64_t out = hd_memory_alloc(m, 4, "out");
    uint32_t value = 0;

    assert_true(hd_emu_load(e, p, &diag));
    struct hd_launch l = {.program = p,
                          .kernel = hd_program_find(p, "k"),
                          .grid = {1, 1, 1},
                          .block = {1, 1, 1},
                          .params = (const uint8_t *)&out};
    assert_non_null(l.kernel);
    hd_emu_run(e, &l, &(struct hd_emu_patience){.warp_insts = 0}, &r);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    hd_memory_read(m, out, &value, 4);
    hd_emu_free(e);
    hd_memory_free(m);
    return value;
}

#define KERNEL(decls, body)                                                                        \
    PTX_HEAD decls "\n.visible .entry k(.param .u64 out) {\n"                                      \
                   ".reg .b64 %rd<9>; .reg .b32 %r<9>; .param .b32 r;\n" body                      \
                   "ld.param.u64 %rd8, [out]; st.global.u32 [%rd8], %r0; ret; }\n"
#define CALL "call (r), f; ld.param.b32 %r0, [r];\n"
#define RETURNS(n) "(.param .b32 v) f() { st.param.b32 [v], " #n "; ret; }\n"

static void functions_and_variables_of_other_modules(void **state)
{
    static const char *const source[] = {
        KERNEL(".extern .func (.param .b32 v) f();\n.extern .global .u32 g;\n"
               ".extern .const .align 4 .u32 c[2];\n.global .u32 mine = 1;",
               CALL "ld.global.u32 %r1, [g]; add.u32 %r0, %r0, %r1;\n"
                    "ld.const.u32 %r1, [c+4]; add.u32 %r0, %r0, %r1;\n"
                    "ld.global.u32 %r1, [mine]; add.u32 %r0, %r0, %r1;\n"),
        PTX_HEAD ".global .u32 mine = 5;\n.visible .global .u32 g = 300;\n"
                 ".visible .const .align 4 .u32 c[2] = {7, 4000};\n"
                 ".visible .func (.param .b32 v) f() { .reg .b32 %r;\n"
                 "ld.global.u32 %r, [mine]; st.param.b32 [v], %r; ret; }\n",
    };
    const struct hd_program *p = link_good(source, 2);

    (void)state;
    assert_int_equal(run(link_good(source, 2)), 4306);
    assert_string_equal(hd_program_text(p, p->funcs[0].first_pc)->path, "a.ptx");
    assert_string_equal(hd_program_text(p, p->funcs[1].first_pc)->path, "b.ptx");
    assert_int_equal(p->n_symbols, 4); // both that are called mine
}

static void addresses_across_modules(void **state)
{
    static const char *const source[] = {
        KERNEL(".extern .global .align 8 .u64 table[2];",
               "ld.global.u64 %rd0, [table+8]; p: .callprototype (.param .b32 _) _ ();\n"
               "call (r), %rd0, (), p; ld.param.b32 %r0, [r];\n"
               "ld.global.u64 %rd1, [table]; ld.u32 %r1, [%rd1]; add.u32 %r0, %r0, %r1;\n"),
        PTX_HEAD ".extern .func (.param .b32 v) f();\n.extern .global .u32 g;\n"
                 ".visible .global .align 8 .u64 table[2] = {g, f};\n",
        PTX_HEAD ".visible .global .u32 g = 30;\n.visible .func " RETURNS(5),
    };

    (void)state;
    assert_int_equal(run(link_good(source, 3)), 35);
}

static void weak_and_common(void **state)
{
    static const char *const weak[] = {KERNEL(".weak .func " RETURNS(1), CALL),
                                       PTX_HEAD ".weak .func " RETURNS(2),
                                       PTX_HEAD ".visible .func " RETURNS(3)};
    static const char *const common[] = {
        KERNEL(".common .global .align 4 .b8 x[4];",
               "mov.u64 %rd0, x; st.global.u32 [%rd0], 6; ld.global.u32 %r0, [x];\n"),
        PTX_HEAD ".common .global .align 4 .b8 x[400];\n"};
    const struct hd_program *p;

    (void)state;
    assert_int_equal(run(link_good(weak, 3)), 3); // even for the module with its own
    assert_int_equal(run(link_good(weak, 2)), 1);
    p = link_good(common, 2);
    assert_int_equal(p->n_symbols, 1);
    assert_int_equal(p->symbols[0].bytes, 400);
    assert_int_equal(run(link_good(common, 2)), 6);
}

static void shared_memory_of_a_function_elsewhere(void **state)
{
    static const char *const source[] = {
        KERNEL(".extern .func (.param .b32 v) f();\n.shared .align 4 .b32 own;",
               "st.shared.u32 [own], 9;\n" CALL "ld.shared.u32 %r1, [own]; "
               "add.u32 %r0, %r0, %r1;\n"),
        PTX_HEAD ".shared .align 4 .b32 theirs;\n"
                 ".visible .func (.param .b32 v) f() { .reg .b32 %r; st.shared.u32 [theirs], 50;\n"
                 "ld.shared.u32 %r, [theirs]; st.param.b32 [v], %r; ret; }\n",
    };

    (void)state;
    assert_int_equal(link_good(source, 2)->funcs[0].shared_bytes, 8);
    assert_int_equal(run(link_good(source, 2)), 59);
}

static void messages(void **state)
{
    static const char *const twice[] = {PTX_HEAD ".visible .global .u32 g;\n",
                                        PTX_HEAD "\n.visible .global .u32 g;\n.entry k() { add; }"};
    static const char *const space[] = {PTX_HEAD ".extern .global .u32 g;\n",
                                        PTX_HEAD ".visible .const .u32 g;\n"};
    static const char *const missing[] = {PTX_HEAD ".extern .func f();\n.entry k() { call f; }",
                                          PTX_HEAD ".func f() { ret; }"}; // local to its module

    (void)state;
    assert_null(load_all(twice, 2));
    assert_int_equal(diag.n, 2);
    assert_string_equal(diag.entries[0].file, "b.ptx");
    assert_string_equal(diag.entries[0].text, "'g' is defined twice, first in a.ptx, line 4");
    assert_string_equal(diag.entries[0].excerpt, ".visible .global .u32 g;");
    assert_int_equal(diag.entries[1].line, 6);
    assert_null(load_all(space, 2));
    assert_string_equal(diag.entries[0].file, "a.ptx");
    assert_string_equal(diag.entries[0].text, "'g' is in another state space in b.ptx, line 4");
    assert_null(load_all(missing, 2));
    assert_string_equal(diag.entries[0].text,
                        "'call': 'f' is declared but not defined in any of the 2 modules");
    assert_string_equal(diag.entries[0].hint,
                        "that of b.ptx, line 4, is local to its module: declare it .visible there");
}

// What one module declares and another defines otherwise: b.ptx has the definition, in line 4.
static void mismatches(void **state)
{
    static const struct {
        const char *declares, *defines, *text;
        uint32_t line, column;
    } cases[] = {
        {".extern .global .u32 g;", ".visible .global .u32 g[2];",
         "'g' has 4 bytes here, 8 in b.ptx, line 4", 4, 22},
        {".extern .global .b8 g[9];", ".visible .global .b8 g;",
         "'g' has 9 bytes here, 1 in b.ptx, line 4", 4, 21},
        {".extern .global .f32 g;", ".visible .global .u32 g;",
         "'g' has type '.f32' here, '.u32' in b.ptx, line 4", 4, 22},
        {".extern .global .u16 g[4];", ".visible .global .u32 g[2];",
         "'g' has type '.u16' here, '.u32' in b.ptx, line 4", 4, 22},
        {".weak .global .u64 g;", ".visible .global .u32 g;",
         "'g' has 8 bytes here, 4 in b.ptx, line 4", 4, 20},
        {".common .global .u64 g;", ".visible .global .u32 g;",
         "'g' has 8 bytes here, 4 in b.ptx, line 4", 4, 22},
        {".extern .func g();", ".visible .func g(.param .u32 a) { ret; }",
         "'g' has 0 parameters here, 1 in b.ptx, line 4", 4, 15},
        {".extern .func g(.param .u64 a, .param .u64 b);",
         ".visible .func g(.param .u64 a, .param .u32 b) { ret; }",
         "'g' has a parameter 2 of 8 bytes here, 4 in b.ptx, line 4", 4, 15},
        {".extern .func (.param .u32 r) g();", ".visible .func g() { ret; }",
         "'g' has 1 result here, 0 in b.ptx, line 4", 4, 31},
        {".extern .func g(.reg .u32 a);", ".visible .func g(.param .u32 a) { ret; }",
         "'g' has a parameter 1 of 4 bytes in a register here, 4 in b.ptx, line 4", 4, 15},
        {".extern .func (.param .u32 r) g();", ".visible .entry g() { ret; }",
         "'g' is a function here, a kernel in b.ptx, line 4", 4, 31},
    };
    static const char *const fine[][2] = {
        {".extern .global .u32 g[];", ".visible .global .u32 g[2];"},
        {".extern .global .s32 g;", ".visible .global .u32 g;"},
        {".extern .global .b32 g;", ".visible .global .f32 g;"},
        {".extern .global .align 4 .b8 g[8];", ".visible .global .f32 g[2];"},
        {".common .global .u32 g;", ".visible .global .u64 g;"},
        {".extern .func g(.param .b64 a);", ".visible .func g(.param .u64 b) { ret; }"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const source[] = {hd_arena_printf(arena, "%s%s\n", PTX_HEAD, cases[i].declares),
                                      hd_arena_printf(arena, "%s%s\n", PTX_HEAD, cases[i].defines)};
        assert_null(load_all(source, 2));
        assert_int_equal(diag.n, 1);
        assert_string_equal(diag.entries[0].text, cases[i].text);
        assert_string_equal(diag.entries[0].file, "a.ptx");
        assert_int_equal(diag.entries[0].line, cases[i].line);
        assert_int_equal(diag.entries[0].column, cases[i].column);
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        const char *const source[] = {hd_arena_printf(arena, "%s%s\n", PTX_HEAD, fine[i][0]),
                                      hd_arena_printf(arena, "%s%s\n", PTX_HEAD, fine[i][1])};
        link_good(source, 2);
    }
}

static void nobody_defines(void **state)
{
    static const char *const source[] = {
        PTX_HEAD ".extern .global .u32 count;\n.extern .global .u64 *;\n", PTX_HEAD};
    static const char *const near[] = {
        PTX_HEAD ".extern .global .u32 conut;\n.extern .func hepl();\n"
                 ".visible .global .u64 p = conut;\n.visible .global .u64 q = hepl;\n"
                 ".entry k() { .reg .b32 %r; ld.global.u32 %r, [conut]; call hepl; ret; }\n",
        PTX_HEAD ".visible .global .u32 count;\n.visible .func help() { ret; }\n"};
    static const char *const var = "'conut' is declared but not defined in any of the 2 modules";

    (void)state;
    assert_null(load_all(source, 2)); // a message, not a crash, for what is no declaration
    assert_null(load_all(near, 2));
    assert_int_equal(diag.n, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_string_equal(diag.entries[i].hint,
                            i % 2 ? "did you mean 'help'?" : "did you mean 'count'?");
    assert_string_equal(diag.entries[0].text, var);
    assert_int_equal(diag.entries[0].line, 6);
    assert_int_equal(diag.entries[2].line, 8);
}

// Whoever declares a variable may count on the alignment that it declares.
static void the_larger_alignment_counts(void **state)
{
    static const char *const source[] = {
        KERNEL(
            ".extern .global .align 16 .b8 x[16];\n.global .b8 odd;",
            "mov.u64 %rd0, odd; ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [x]; mov.u32 %r0, %r2;\n"),
        PTX_HEAD ".visible .global .b8 first;\n"
                 ".visible .global .align 4 .b8 x[16] = {1, 0, 0, 0, 2, 0, 0, 0, 30};\n"};

    (void)state;
    assert_int_equal(run(link_good(source, 2)), 30);
}

// clang declares a kernel of another file like a function, with parameters of 32 bits: its address
// may be taken, but it cannot be called.
static void a_kernel_declared_as_a_function(void **state)
{
    static const char *const taken[] = {KERNEL(".extern .func g(.param .b32 a);",
                                               ".reg .pred %p0; mov.u64 %rd0, g; setp.ne.u64 "
                                               "%p0, %rd0, 0; selp.u32 %r0, 7, 0, %p0;\n"),
                                        PTX_HEAD ".visible .entry g(.param .u8 a) { ret; }\n"};
    static const char *const called[] = {KERNEL(".extern .func g();", "call.uni g;\n"),
                                         PTX_HEAD ".visible .entry g() { ret; }\n"};

    (void)state;
    assert_int_equal(run(link_good(taken, 2)), 7);
    assert_null(load_all(called, 2));
    assert_string_equal(diag.entries[0].text,
                        "'call': 'g' is a kernel: only functions can be called");
}

static void declarations_in_one_module(void **state)
{
    static const char source[] = PTX_HEAD ".func f(.param .u32 a);\n.func f(.param .u64 a) { }\n";

    (void)state;
    assert_null(ptx_load_bytes(source, strlen(source)));
    assert_int_equal(diag.n, 1);
    assert_string_equal(diag.entries[0].text, "'f' has a parameter 1 of 8 bytes here, 4 in line 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_variables_of_other_modules),
        cmocka_unit_test(addresses_across_modules),
        cmocka_unit_test(weak_and_common),
        cmocka_unit_test(shared_memory_of_a_function_elsewhere),
        cmocka_unit_test(messages),
        cmocka_unit_test(mismatches),
        cmocka_unit_test(nobody_defines),
        cmocka_unit_test(the_larger_alignment_counts),
        cmocka_unit_test(a_kernel_declared_as_a_function),
        cmocka_unit_test(declarations_in_one_module),
    };
    return cmocka_run_group_tests_name("ptx_link", tests, ptx_setup, ptx_teardown);
}
