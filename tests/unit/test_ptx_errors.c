// test_ptx_errors.c - what people read when their PTX is not right: place, reason, hint.
#include "shared/ptx_text.h"

#include <stdio.h>

// Line 5 of a kernel; the statement under test is line 6.
#define REGS                                                                                       \
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .f64 %fd<3>; .reg .b64 %rd<4>; "     \
    ".reg .b16 %rs<3>; .shared .b32 tile[4];\n"

struct bad {
    const char *text;
    uint32_t line, column;
    const char *message, *hint;
};

static void expect_entry(const struct bad *b, const char *what)
{
    const struct hd_diag_entry *e = &diag.entries[0];

    if (diag.n < 1 || e->line != b->line || e->column != b->column ||
        strcmp(e->text, b->message) != 0 || strcmp(e->hint, b->hint) != 0) {
        hd_diag_print(&diag, stderr);
        fail_msg("%s: expected %u:%u: %s; %s", what, b->line, b->column, b->message, b->hint);
    }
    assert_string_equal(e->file, "t.ptx");
}

static void modules(void **state)
{
    static const struct bad cases[] = {
        {"hello", 1, 1, "expected '.version', with which PTX begins, found 'hello'", ""},
        {"", 1, 1, "expected '.version', with which PTX begins, found the end of the text", ""},
        {PTX_HEAD ".visible .entyr k() { ret; }", 4, 10, "directive '.entyr' is not supported here",
         "did you mean 'entry'?"},
        {PTX_HEAD ".global .b33 x;", 4, 9, "type '.b33' is not supported", "did you mean 'b32'?"},
        {PTX_HEAD ".shared .b8 x[4] = {1};", 4, 20,
         "only .global and .const variables have initial values", ""},
        {PTX_HEAD ".global .b8 x[2] = {1, 2, 3};", 4, 27,
         "more initial values than the variable holds", ""},
        {PTX_HEAD ".entry k() { ret;", 4, 18, "the body of 'k' has no '}'", ""},
        {PTX_HEAD ".entry k( { ret; }", 4, 11, "expected '.param', found '{'", ""},
        {PTX_HEAD ".entry k() { ret; }\n.entry k() { ret; }", 5, 8,
         "function 'k' is defined twice, first at line 4", ""},
        {".version 9.0\n.target sm_75\n.address_size 32", 3, 15,
         "address size 32 is not supported, only 64 is",
         "compile the program for 64-bit addresses: nvcc -m64"},
        {".version 9.1\n.target sm_75\n.address_size 64", 1, 10,
         "PTX of version 9.1 is not supported",
         "the newest that heddle knows is 9.0, of CUDA 13.0"},
        {".version 10.0\n.target sm_75\n.address_size 64", 1, 10,
         "PTX of version 10.0 is not supported",
         "the newest that heddle knows is 9.0, of CUDA 13.0"},
        {PTX_HEAD ".global .samplerref t;", 4, 9, "type '.samplerref' is not supported", ""},
        {PTX_HEAD ".entry k() .maxntidd 3 { ret; }", 4, 12,
         "directive '.maxntidd' is not known here", "did you mean 'maxntid'?"},
        {PTX_HEAD ".global .u64 a = nothing;", 4, 18,
         "'nothing' is neither a variable nor a function of this module", ""},
        {PTX_HEAD ".extern .func f();\n.global .u64 a[2] = {1, f};", 5, 25,
         "'f' is declared but not defined in this module", ""},
        {PTX_HEAD ".global .u8 a[8] = {0xFF(a), 0xFF1(a)};", 4, 35,
         "a part of an address is one byte of it, in an array of bytes", ""},
        {PTX_HEAD ".global .u32 a[8] = {0xFF(a)};", 4, 26,
         "a part of an address is one byte of it, in an array of bytes", ""},
        {PTX_HEAD ".entry k() { .reg .v2 .pred %p; ret; }", 4, 23,
         "there are no vectors of predicates", ""},
        {PTX_HEAD ".entry k() { .reg .v2 .b32 v; mov.b32 v.z, 1; ret; }", 4, 40,
         "'v' has elements .x and .y", ""},
        {PTX_HEAD ".entry k() { .reg .b32 %r; ways: .branchtargets A; A: brx.idx %r, wayz; ret; }",
         4, 67, "unknown name 'wayz'", "did you mean 'ways'?"},
        {PTX_HEAD ".global .align 3 .b8 a[4];", 4, 16, "an alignment is a power of two up to 4096",
         ""},
        {PTX_HEAD ".global .b8 a[];", 4, 13, "'a' needs a length: only an .extern array has none",
         ""},
        {PTX_HEAD ".const .b8 a[70000];", 4, 12, "'a' does not fit into 64 KiB of constant memory",
         ""},
        {PTX_HEAD ".extern .func f();\n.entry k() { call f; }", 5, 19,
         "'call': 'f' is declared but not defined in this module", ""},
        {PTX_HEAD ".extern .func malloc(.param .b64 a);\n.entry k() { .param .b64 p; call malloc, "
                  "(p); }",
         5, 34, "'call': 'malloc' is declared but not defined in this module",
         "the device provides it with other parameters"},
        {PTX_HEAD ".entry e() { ret; }\n.entry k() { call e; }", 5, 19,
         "'call': 'e' is a kernel: only functions can be called", ""},
        {PTX_HEAD ".extern .func (.param .b32 r) __cudaCDP2GetLastError(.param .b32 a);\n"
                  ".entry k() { .param .b32 r; call (r), __cudaCDP2GetLastError, (1); }",
         5, 39, "'call': '__cudaCDP2GetLastError' is declared but not defined in this module",
         "the device provides it with other parameters"},
        {PTX_HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { call f; }", 5, 14,
         "'call': 'f' has 1 parameter, not 0", ""},
        {PTX_HEAD ".func f(.param .b32 a) { ret; }\n.entry k() { .param .b64 x; call f, (x); }", 5,
         38, "'call': 'x' has 8 bytes, expected 4", ""},
        {PTX_HEAD ".func f(.param .b32 a) { ret; }\n.entry k(.param .b32 x) { call f, (x); }", 5,
         36, "'call': 'x' is not a .param variable of this body", ""},
        {PTX_HEAD ".func f(.reg .b32 a) { ret; }\n.entry k() { .reg .b64 %r; call f, (%r); }", 5,
         37, "'call': '%r' has type '.b64', expected '.b32'", ""},
        {PTX_HEAD ".func f() { ret; }\n.entry k() { .reg .b64 %r; call %r, (); }", 5, 33,
         "'call': a call through a register ends with the name of a .callprototype", ""},
        {PTX_HEAD ".extern .global .u32 g;\n.entry k() { .reg .u64 %r; mov.u64 %r, g; ret; }", 5,
         40, "'mov': 'g' is declared but not defined in this module", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(ptx_load_bytes(cases[i].text, strlen(cases[i].text)));
        expect_entry(&cases[i], cases[i].text);
        assert_int_equal(diag.n, 1);
    }
}

static void references(void **state)
{
    static const struct bad cases[] = {
        {PTX_HEAD ".func f() { ret; }\n.alias g, f;", 5, 8,
         "'g' is not a function that is only declared here", ""},
        {PTX_HEAD ".func g();\n.func f(.reg .b32 a) { ret; }\n.alias g, f;", 6, 11,
         "'f' has 1 parameter here, 0 in its alias", ""},
        {PTX_HEAD ".func g();\n.alias g, g;", 5, 11, "'g' is not a function that is defined here",
         ""},
        {PTX_HEAD ".global .attribute(.unified(1)) .u32 x;", 4, 30, "expected ',', found ')'", ""},
        {PTX_HEAD ".const .texref t;", 4, 8, "'.texref' is for .global variables of the module",
         ""},
        {PTX_HEAD ".global .texref t[2];", 4, 17, "'t': arrays of references are not supported",
         ""},
        {PTX_HEAD ".global .surfref t = {0};", 4, 18,
         "'t': initial values of references are not supported", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(ptx_load_bytes(cases[i].text, strlen(cases[i].text)));
        expect_entry(&cases[i], cases[i].text);
        assert_int_equal(diag.n, 1);
    }
}

static void refused(const struct bad *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = hd_arena_printf(
            arena, "%s%s\n}\n", PTX_HEAD ".entry k(.param .u64 p, .param .u32 n) {\n" REGS,
            cases[i].text);
        assert_null(ptx_load_bytes(text, strlen(text)));
        expect_entry(&cases[i], cases[i].text);
        assert_int_equal(diag.n, 1);
    }
}

static void statements(void **state)
{
    static const struct bad cases[] = {
        {"addd.s32 %r1, %r2, %r3;", 6, 1, "unknown instruction 'addd'", "did you mean 'add'?"},
        {"wgmma.fence.sync.aligned;", 6, 1, "instruction 'wgmma' is not supported", ""},
        {"wmma.load.a.sync.f16 %r1;", 6, 1,
         "'wmma': needs a layout, a shape and a type, as in "
         "'wmma.load.a.sync.aligned.row.m16n16k16.f16'",
         ""},
        {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 %r1;", 6, 1,
         "'mma': this combination of shape, layouts and types is not supported", ""},
        {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];", 6, 42,
         "'ldmatrix': expected a vector of 2 registers", ""},
        {"add.s32 %r1, %r2;", 6, 1, "'add': expected 3 operands, found 2", ""},
        {"barrier.cluster.arrive.sync;", 6, 23,
         "'bar.cluster.arrive': unsupported modifier '.sync'", ""},
        {"barrier.cluster.arrive 0;", 6, 1, "'bar.cluster.arrive': expected 0 operands, found 1",
         ""},
        {"bar.sync 0, 1, 2;", 6, 1, "'bar.sync': expected 1 or 2 operands, found 3", ""},
        {"add.s32 %r1, %r2, %r9;", 6, 19, "unknown register '%r9'", "line 5 declares %r0 to %r8"},
        {"add.s32 %r1, %r2, %q1;", 6, 19, "unknown register '%q1'", "did you mean '%r1'?"},
        {"add.s32 %r1, %r2, %f1;", 6, 19, "'add': '%f1' has type '.f32', expected '.s32'", ""},
        {"mul.s32 %r1, %r2, %r2;", 6, 1, "'mul' on type '.s32' is not supported",
         "for example 'mul.lo.s32'"},
        {"mov.b128 %r1, %r2;", 6, 10, "'mov': expected a vector, found a register", ""},
        {"ld.global.v2.b128 %r1, [%rd1];", 6, 1, "'ld': there are no vectors of type '.b128'", ""},
        {"atom.global.exch.b128 %r1, [%rd1], %r2;", 6, 17, "'atom': unsupported type '.b128'", ""},
        {"add.b128 %r1, %r2, %r3;", 6, 4, "'add': unsupported type '.b128'", ""},
        {"cvt.u32 %r1, %r2;", 6, 1, "'cvt' needs two types",
         "of the destination and of the source, as in 'cvt.u32.s32'"},
        {"add.sat.u32 %r1, %r2, %r2;", 6, 4, "'add': unsupported modifier '.sat'",
         "it is there on type .s32 .f32 .f16 .f16x2"},
        {"setp.s32 %p1, %r1, 0;", 6, 1, "'setp' needs a comparison such as .lt", ""},
        {"setp.lo.f32 %p1, %f1, %f2;", 6, 5, "'setp': unsupported modifier '.lo'",
         "it is there on type .u16 .u32 .u64"},
        {"setp.eq.ne.s32 %p1, %r1, 0;", 6, 8, "'setp': one modifier too many: '.ne'", ""},
        {"atom.global.xor.u32 %r1, [%rd1], 1;", 6, 12, "'atom': unsupported modifier '.xor'",
         "it is there on type .b32 .b64"},
        {"atom.global.cas.b32 %r1, [%rd1], 1;", 6, 1, "'atom': expected 4 operands, found 3", ""},
        {"bra LL1;\nL1: ret;", 6, 5, "unknown name 'LL1'", "did you mean 'L1'?"},
        {"bra %r1;", 6, 5, "'bra': expected a label, found a register", ""},
        {"L: L: ret;", 6, 4, "label 'L' is declared twice, first at line 6", ""},
        {"mov.u32 %r1, %tid.v;", 6, 14, "unknown register '%tid.v'", "did you mean '%tid.x'?"},
        {"mov.u32 %r1, tille;", 6, 14, "unknown name 'tille'", "did you mean 'tile'?"},
        {"mov.u32 %r1, 0f3F800000;", 6, 14,
         "'mov': a floating-point number where type '.u32' is expected", ""},
        {"mov.f32 %f1, 1;", 6, 14,
         "'mov': expected a floating-point number such as 0f3F800000, found an integer", ""},
        {"mov.u32 %r1, 1/0;", 6, 15, "division by zero or overflow in a constant", ""},
        {"mov.u32 5, %r1;", 6, 9, "'mov': expected a destination register, found an integer", ""},
        {"ld.global.u32 %r1, %rd1;", 6, 20,
         "'ld': expected an address such as [%rd1+4], found a register", ""},
        {"ld.global.u32 %r1, [tile];", 6, 21, "'ld': 'tile' lies in '.shared'", ""},
        {"ld.u32 %r1, [tile];", 6, 14,
         "'ld': 'tile' lies in '.shared', which the instruction has to say", ""},
        {"ld.global.u32 %r1, [%f1];", 6, 21,
         "'ld': '%f1' has type '.f32', expected an address of 64 or 32 bits", ""},
        {"ld.global.u64 %r1, [%rd1];", 6, 15, "'ld': '%r1' has type '.b32', expected '.u64'", ""},
        {"ld.global.v2.u32 %r1, [%rd1];", 6, 18, "'ld': expected a vector of 2, found a register",
         ""},
        {"ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];", 6, 18,
         "'ld': expected a vector of 2, found one of 3", ""},
        {"ld.global.v2.u32 {%r1, %rd2}, [%rd1];", 6, 24,
         "'ld': vector of registers of different sizes", ""},
        {"ld.global.u32 %r1, [%rd1;", 6, 25, "expected ']', found ';'", ""},
        {"st.const.u32 [%rd1], %r1;", 6, 1, "'st' cannot write to .const", ""},
        {"st.param.b32 [p], %r1;", 6, 1, "'st': the parameters of a kernel cannot be written", ""},
        {"cvta.u64 %rd1, %rd2;", 6, 1, "'cvta' needs a state space such as .global", ""},
        {"@%r1 bra L;\nL: ret;", 6, 2, "the guard '%r1' has type '.b32', not '.pred'", ""},
        {"selp.b32 %r1, %r2, %r3, %r4;", 6, 25, "'selp': '%r4' has type '.b32', expected '.pred'",
         ""},
        {"mov.u32 %r1, %r2\nadd.u32 %r1, %r1, %r1;", 7, 1, "expected ',' or ';', found 'add'", ""},
        {".reg .b32 %r<3>;", 6, 11, "'%r' is declared twice in this block, first at line 5", ""},
        {"mov.u32 %r1, \1;", 6, 14, "stray character 0x01", ""},
    };

    (void)state;
    refused(cases, sizeof cases / sizeof *cases);
}

static void operands(void **state)
{
    static const struct bad cases[] = {
        {"mov.u32 %r1, %tid;", 6, 14,
         "'mov': '%tid' is a vector of 4: name a component such as .x, or use mov.v4", ""},
        {"mov.v4.u32 {%r1, %r2}, %tid;", 6, 12, "'mov': expected a vector of 4, found one of 2",
         ""},
        {"mov.v4.u32 {%r1, %r2, %r3, %r4}, 1;", 6, 34, "'mov': expected a vector, found an integer",
         ""},
        {"mov.u16 %rs1, %laneid;", 6, 15, "'mov': '%laneid' has type '.u32', expected '.u16'", ""},
        {"mov.u32 %r1, %reserved_smem_offset_2;", 6, 14,
         "unknown register '%reserved_smem_offset_2'", "did you mean '%reserved_smem_offset_0'?"},
        {"mov.u32 %r1, -%r2;", 6, 15, "expected a number, found '%r2'", ""},
        {"mov.u32 %r1, %r2.b0;", 6, 17, "'%r2' is not a vector register", ""},
        {"setp.eq.f16x2 %p1, %r1, %r2;", 6, 15,
         "'setp': expected two predicates such as %p1|%p2, found a register", ""},
        {"setp.eq.u32 _|_, %r1, %r2;", 6, 13, "'setp': one of the two predicates has to be written",
         ""},
        {"lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 0x80, %p2;", 6, 5,
         "'lop3': unsupported modifier '.xor'", ""},
        {"lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x180, %p2;", 6, 37,
         "'lop3.or': expected a number from 0 to 255, found an integer", ""},
        {"cvt.pack.sat.u8.s32 %r1, %r2, %r3;", 6, 1, "'cvt.pack.sat.u8.s32' needs a modifier",
         "for example 'cvt.pack.sat.u8.s32.b32'"},
        {"vadd.u32.u32 %r1, %r2, %r3;", 6, 1, "'vadd': needs three types, as in vadd.u32.u32.u32",
         ""},
        {"vadd.u32.u32.u32 %r1, %r2.b4, %r3;", 6, 23,
         "'vadd': '%r2.b4': expected one of .b0 to .b3, .h0 and .h1", ""},
        {"vadd.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;", 6, 22,
         "'vadd': a part of '%r1' is written only without an operation, and with a fourth operand",
         ""},
        {"vadd.u32.u32.u32.add %r1, %r2, %r3;", 6, 1, "'vadd': expected 4 operands, found 3", ""},
        {"vadd4.u32.u32.u32 %r1.b02, %r2, %r3, %r4;", 6, 19,
         "'vadd4': '%r1.b02': expected the bytes that are written, as in .b31", ""},
        {"vadd2.u32.u32.u32 %r1, %r2.h14, %r3, %r4;", 6, 24,
         "'vadd2': '%r2.h14': expected two digits from 0 to 3, as in .h10", ""},
        {"vadd4.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;", 6, 1,
         "'vadd4': cannot have both .sat and .add", ""},
        {"vshl.u32.u32.u32 %r1, %r2, %r3;", 6, 1, "'vshl': needs .clamp or .wrap", ""},
        {"vset.u32.u32 %r1, %r2, %r3;", 6, 1, "'vset': needs a comparison such as .lt", ""},
        {"vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4;", 6, 1,
         "'vmad': either the product or c may have a minus sign, and neither with .po", ""},
        {"atom.global.add.v2.f32 {%f1, %f2}, [%rd1], {%f2, %f1};", 6, 16,
         "'atom': unsupported modifier '.v2'", ""},
        {"atom.global.min.noftz.v2.f16x2 {%r1, %r2}, [%rd1], {%r3, %r4};", 6, 12,
         "'atom': unsupported modifier '.min'", "it is there on type .u32 .s32 .u64 .s64"},
        {"red.global.add.v2.f32 [%rd1], {%f2};", 6, 15, "'atom': unsupported modifier '.v2'", ""},
        {"ld.global.v8.b32 {%r1, %r2, %r3, %r4}, [%rd1];", 6, 10,
         "'ld': unsupported modifier '.v8'", "did you mean 'v2'?"},
        {"min.f32 %f1, %f2, %f2, %f2, %f2;", 6, 1, "'min': expected 3 operands, found 5", ""},
        {"fence.sc.gpu [%rd1], 128;", 6, 1, "'membar': expected 0 operands, found 2", ""},
        {"fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;", 6, 1,
         "'membar': expected an address and 128 bytes", ""},
        {"mov.u32 %r1, (1;", 6, 16, "expected ')', found ';'", ""},
        {"mov.u32 %r1, 1 ? 2;", 6, 19, "expected ':', found ';'", ""},
        {"mov.u32 %r1, 1 % 0;", 6, 16, "division by zero or overflow in a constant", ""},
        {"mov.u32 %r1, (-9223372036854775807-1)/-1;", 6, 38,
         "division by zero or overflow in a constant", ""},
    };

    (void)state;
    refused(cases, sizeof cases / sizeof *cases);
}

static void statements_with_special_operands(void **state)
{
    static const struct bad cases[] = {
        {"add.u32 %r1, %clock, 1;", 6, 14, "'add': '%clock' can only be read with mov", ""},
        {"mov.u32 %r1, %clock64;", 6, 14, "'mov': '%clock64' has type '.u64', expected '.u32'", ""},
        {"mov.u32 %r1, %envreg32;", 6, 14, "unknown register '%envreg32'",
         "did you mean '%envreg2'?"},
        {"mov.b32 %r1, {%rs1, %rs2, %rs1};", 6, 14, "'mov': a vector of 3 does not fit type '.b32'",
         ""},
        {"mov.b64 {%r1, %rs1}, %rd1;", 6, 15, "'mov': '%rs1' has type '.b16', expected '.b32'", ""},
        {"alloca.u64 %rd1, %rd2, 3;", 6, 24,
         "'alloca': expected an alignment: a power of two up to 4096, found an integer", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = hd_arena_printf(
            arena, "%s%s\n}\n", PTX_HEAD ".entry k(.param .u64 p, .param .u32 n) {\n" REGS,
            cases[i].text);
        assert_null(ptx_load_bytes(text, strlen(text)));
        expect_entry(&cases[i], cases[i].text);
        assert_int_equal(diag.n, 1);
    }
}

#define FOUR "{%f1, %f1, %f1, %f1}"

static void statements_on_textures(void **state)
{
    static const struct bad cases[] = {
        {"tex.cube.v4.f32.s32 " FOUR ", [%rd1, {%r1, %r1, %r1, %r1}];", 6, 1,
         "'tex.cube' on types '.f32.s32' is not supported", "supported types: .f32"},
        {"tex.cube.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}];", 6, 50,
         "'tex.cube': expected 3 coordinates", ""},
        {"tex.cube.v4.f32.f32 " FOUR ", [%rd1, " FOUR "], {1, 1, 1, 1};", 6, 1,
         "'tex.cube': expected 2 operands, found 3", ""},
        {"tex.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}], %f2;", 6, 61,
         "'tex.2d': comparison with a depth is not supported", ""},
        {"tex.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}], {1};", 6, 61,
         "'tex.2d': expected 2 offsets", ""},
        {"tex.2d.v4.f32.f32 " FOUR "|%r1, [%rd1, {%f1, %f1}];", 6, 40,
         "'tex.2d': '%r1' has type '.b32', expected '.pred'", ""},
        {"ld.global.v4.f32 " FOUR "|%p1, [%rd1];", 6, 18,
         "'ld': expected a vector of 4, found a pair", ""},
        {"tex.level.2d.v4.f32.s32 " FOUR ", [%rd1, {%r1, %r1}], %f1;", 6, 67,
         "'tex.level.2d': '%f1' has type '.f32', expected '.s32'", ""},
        {"tex.grad.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}], {%f1, %f1};", 6, 1,
         "'tex.grad.2d': expected 4 or 5 operands, found 3", ""},
        {"tex.grad.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}], {%f1}, {%f1};", 6, 66,
         "'tex.grad.2d': expected 2 derivatives", ""},
        {"tex.grad.1d.v4.f32.f32 " FOUR ", [%rd1, {%f1}], %f1, %f1;", 6, 61,
         "'tex.grad.1d': expected a vector of derivatives such as {%f1, %f2}, found a register",
         ""},
        {"tex.base.level.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}], %f1;", 6, 4,
         "'tex.level.2d': unsupported modifier '.base'", ""},
        {"tld4.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}];", 6, 1,
         "'tld4.2d' needs a component such as .r", ""},
        {"tld4.r.g.2d.v4.f32.f32 " FOUR ", [%rd1, {%f1, %f1}];", 6, 7,
         "'tld4.2d': one modifier too many: '.g'", ""},
        {"tld4.r.3d.v4.f32.f32 " FOUR ", [%rd1, " FOUR "];", 6, 1, "'tld4.r' is not supported",
         "for example 'tld4.2d'"},
        {"txq.b32 %r1, [%rd1];", 6, 1, "'txq' needs an attribute such as .width", ""},
        {"txq.widht.b32 %r1, [%rd1];", 6, 4, "'txq': unsupported modifier '.widht'",
         "did you mean 'width'?"},
        {"txq.level.filter_mode.b32 %r1, [%rd1], 0;", 6, 10,
         "'txq.level': unsupported modifier '.filter_mode'", ""},
        {"txq.width.b32 %r1, [%rd1, {%f1}];", 6, 20,
         "'txq': expected an object such as [%rd1], found an address", ""},
        {"txq.level.width.b32 %r1, [%rd1];", 6, 1, "'txq.level': expected 3 operands, found 2", ""},
        {"suq.filter_mode.b32 %r1, [%rd1];", 6, 4, "'suq': unsupported modifier '.filter_mode'",
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = hd_arena_printf(
            arena, "%s%s\n}\n", PTX_HEAD ".entry k(.param .u64 p, .param .u32 n) {\n" REGS,
            cases[i].text);
        assert_null(ptx_load_bytes(text, strlen(text)));
        expect_entry(&cases[i], cases[i].text);
        assert_int_equal(diag.n, 1);
    }
}

// After an error it goes on; the messages come in the order of the text, parser's and others'.
static void several(void **state)
{
    static const char text[] = PTX_HEAD ".entry a() { .reg .b32 %r<2>;\n"
                                        "shrl.b32 %r1, %r1, 1;\n"
                                        "add.u32 %r1, %r1;;\n"
                                        "add.u32 %r1, %r1, %r7;\n"
                                        "ret }\n"
                                        ".globl .u32 x;\n"
                                        ".entry b() { foo; }\n";
    static const uint32_t lines[] = {5, 6, 7, 8, 9, 10};

    (void)state;
    assert_null(ptx_load_bytes(text, sizeof text - 1));
    assert_int_equal(diag.n, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(diag.entries[i].line, lines[i]);
    assert_string_equal(diag.entries[0].excerpt, "shrl.b32 %r1, %r1, 1;");
}

static void at_most_twenty(void **state)
{
    char text[2000] = PTX_HEAD ".entry k() { .reg .b32 %r;\n";

    (void)state;
    for (int i = 0; i < 40; i++)
        strcat(text, i % 2 ? "frob.b32 %r, %r;\n" : "add.u32 %r, ];\n");
    assert_null(ptx_load_bytes(text, strlen(text)));
    assert_int_equal(diag.n, HD_DIAG_MAX);
}

// Initialised variables take no memory before it is known that they fit: five of 64 MiB.
static void too_many_initial_bytes(void **state)
{
    char text[1000] = PTX_HEAD;

    (void)state;
    for (int i = 0; i < 5; i++)
        snprintf(text + strlen(text), 60, ".global .b8 a%d[67108864] = {1};\n", i);
    assert_null(ptx_load_bytes(text, strlen(text)));
    assert_non_null(strstr(diag.entries[0].text, "more than 256 MiB in all"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules),
        cmocka_unit_test(references),
        cmocka_unit_test(statements),
        cmocka_unit_test(operands),
        cmocka_unit_test(statements_with_special_operands),
        cmocka_unit_test(statements_on_textures),
        cmocka_unit_test(several),
        cmocka_unit_test(at_most_twenty),
        cmocka_unit_test(too_many_initial_bytes),
    };
    return cmocka_run_group_tests(tests, ptx_setup, ptx_teardown);
}
