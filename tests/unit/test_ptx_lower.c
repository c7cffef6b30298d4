// test_ptx_lower.c - instructions in columns: values, dependences, banks, constants, storage.
#include "shared/ptx_text.h"

#include <stdio.h>

static const struct hd_program *p;

static uint32_t word(int32_t row, unsigned lane)
{
    assert_true(row < 0 && row != HD_ROW_NONE);
    assert_true((uint32_t)(-1 - row) < p->n_pool_rows);
    return p->pool[(size_t)(-1 - row) * HD_LANES + lane];
}

static uint64_t pair(int32_t row, unsigned lane)
{
    uint64_t v;

    assert_int_equal((-1 - row) % 2, 0); // pairs start even
    memcpy(&v, p->pool + (size_t)(-1 - row) * HD_LANES + 2 * (size_t)lane, sizeof v);
    return v;
}

static void expect_regs(const uint16_t *ids, unsigned n, ...)
{
    va_list want;

    va_start(want, n);
    for (unsigned i = 0; i < n; i++)
        assert_int_equal(ids[i], (uint16_t)va_arg(want, int));
    va_end(want);
}

static void arithmetic(void **state)
{
    (void)state;
    p = ptx_load(PTX_KERNEL(".reg .b32 %r<40>; .reg .b64 %rd<8>; .reg .pred %p<3>;\n"
                            "mov.u32 %r12, %tid.x;\n"            // 0
                            "mad.lo.s32 %r33, %r12, %r12, -7;\n" // 1
                            "mul.wide.s32 %rd5, %r33, 4;\n"      // 2
                            "@!%p2 add.s64 %rd6, %rd5, %rd5;\n"  // 3
                            "st.global.u32 [%rd6+8], %r33;\n")); // 4
    const struct hd_insn *in = p->insns;

    (void)state;
    assert_int_equal(in[0].op, HD_OP_MOV_B32);
    assert_int_equal(in[0].src[0], p->funcs[0].specials[0].row);
    assert_int_equal(p->funcs[0].specials[0].which, HD_SREG_TID_X);
    assert_int_equal(p->funcs[0].n_specials, 1);
    assert_int_equal(p->deps[0].src[0], HD_SB_NONE);
    assert_int_equal(p->banks[0].n_src, 0);

    assert_int_equal(in[1].op, HD_OP_MAD_LO_S32);
    assert_int_equal(in[1].src[0], in[0].dst);
    assert_int_equal(in[1].src[1], in[0].dst);
    assert_int_equal(word(in[1].src[2], 0), (uint32_t)-7);
    assert_int_equal(word(in[1].src[2], 31), (uint32_t)-7);
    assert_int_equal(in[1].guard, HD_PRED_TRUE);
    expect_regs(p->deps[1].src, 4, 12, 12, HD_SB_NONE, HD_SB_NONE); // numbers as declared
    expect_regs(p->deps[1].dst, 2, 33, HD_SB_NONE);
    assert_int_equal(p->deps[1].guard, HD_SB_NONE);
    assert_int_equal(p->banks[1].n_src, 2); // read twice
    assert_int_equal(p->banks[1].src[0], 12);
    assert_int_equal(p->banks[1].dst[0], 1); // 33 modulo 32
    assert_int_equal(p->deps[1].unit, HD_UNIT_SFU);
    assert_int_equal(p->deps[1].lat, HD_LAT(HD_LAT_MAD, HD_COL_INT));

    assert_int_equal(in[2].op, HD_OP_MUL_WIDE_S32);
    assert_int_equal(in[2].dst % 2, 0);
    assert_int_equal(word(in[2].src[1], 5), 4);

    assert_int_equal(in[3].guard, 0 | HD_PRED_NOT);
    assert_int_equal(p->deps[3].guard, 40 + 8 + 2);
    assert_int_equal(p->banks[3].n_src, 2); // without the guard
    assert_int_equal(p->banks[3].dst[0], 6);

    assert_int_equal(in[4].op, HD_OP_ST_B32);
    assert_int_equal(in[4].imm, 8);
    assert_int_equal(in[4].src[0], in[3].dst);
    assert_int_equal(in[4].src[1], in[1].dst);
    assert_int_equal(in[4].space, HD_SPACE_GLOBAL);
    assert_int_equal(p->deps[4].bytes, 4);
    assert_int_equal(p->deps[4].src[0], p->deps[1].dst[0]);
    assert_int_equal(p->deps[4].addr[0], p->deps[3].dst[0]);
    assert_int_equal(p->deps[4].dst[0], HD_SB_NONE);
    assert_int_equal(p->banks[4].src[0], 1); // the value, then the address
    assert_int_equal(p->banks[4].src[1], 6);
    assert_int_equal(p->deps[4].flags, HD_DEP_OFFCHIP);
    assert_int_equal(p->deps[4].kind, HD_KIND_STORE);
}

// The reference counts what a vote writes among its sources: nobody waits for it.
static void votes_have_no_result(void **state)
{
    (void)state;
    p = ptx_load(PTX_KERNEL(".reg .pred %p<4>; .reg .b32 %r<4>;\n"
                            "vote.all.pred %p1, %p2;\n"
                            "vote.ballot.b32 %r3, !%p2;\n"));
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(p->deps[i].dst[0], HD_SB_NONE);
        assert_int_equal(p->banks[i].n_dst, 0);
        assert_int_equal(p->banks[i].n_src, 2);
        assert_int_equal(p->banks[i].src[0], i ? 3 : 1);
        assert_int_equal(p->banks[i].src[1], 2);
        assert_true(p->deps[i].src[0] != HD_SB_NONE && p->deps[i].src[1] != HD_SB_NONE);
    }
}

// A register without digits in its name lies in no bank: never collected, never written back. One
// name is an exception.
static void names_without_digits(void **state)
{
    (void)state;
    p = ptx_load(PTX_KERNEL(".reg .b64 %SPL, %sp; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
                            "mov.u64 %SPL, 8;\n"           // 0
                            "add.s64 %rd3, %SPL, %rd2;\n"  // 1
                            "st.global.u32 [%SPL], %r5;\n" // 2
                            "add.s64 %sp, %sp, 1;\n"));    // 3
    assert_int_equal(p->banks[0].n_dst, 0);
    assert_int_equal(p->banks[1].n_src, 1);
    assert_int_equal(p->banks[1].src[0], 2);
    assert_int_equal(p->banks[2].n_src, 1);
    assert_int_equal(p->banks[2].src[0], 5);
    assert_true(p->deps[2].addr[0] != HD_SB_NONE); // but it is waited for
    assert_int_equal(p->banks[3].n_src, 1);
    assert_int_equal(p->banks[3].src[0], 0);
    assert_int_equal(p->banks[3].dst[0], 0);
}

static void constants(void **state)
{
    (void)state;
    p = ptx_load(
        PTX_KERNEL(".reg .b16 %rs<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>; .reg .f32 %f<2>;\n"
                   ".reg .f64 %fd<2>;\n"
                   "add.s16 %rs1, %rs1, 0xffff;\n"
                   "add.u16 %rs1, %rs1, -1;\n"
                   "mov.f32 %f1, 0f3E800000;\n"
                   "mov.f32 %f1, 0.25;\n"
                   "mov.b32 %r1, 0x3e800000;\n"
                   "mov.f64 %fd1, 0f3E800000;\n"
                   "mov.u64 %rd1, 4611686018427387904;\n"
                   "mov.u64 %rd1, -1;\n"
                   "shl.b64 %rd1, %rd1, 3;\n"
                   "mov.u32 %r1, 3;\n"));
    const struct hd_insn *in = p->insns;

    assert_int_equal(word(in[0].src[1], 0), UINT32_MAX); // kept extended by its sign
    assert_int_equal(word(in[1].src[1], 0), 0xffff);
    assert_int_equal(word(in[2].src[0], 7), 0x3e800000);
    assert_int_equal(in[3].src[0], in[2].src[0]); // equal constants are one
    assert_int_equal(in[4].src[0], in[2].src[0]);
    assert_int_equal(pair(in[5].src[0], 31), UINT64_C(0x3fd0000000000000));
    assert_int_equal(pair(in[6].src[0], 0), UINT64_C(0x4000000000000000));
    assert_int_equal(pair(in[7].src[0], 1), UINT64_MAX);
    assert_int_equal(in[8].src[1], in[9].src[0]); // a shift amount has 32 bits
    assert_int_equal((uintptr_t)p->pool % 64, 0);
}

static void predicates(void **state)
{
    (void)state;
    p = ptx_load(PTX_KERNEL(".reg .b32 %r<4>; .reg .pred %p<9>;\n"
                            "setp.lt.u32 %p1, %r1, 5;\n"
                            "setp.ge.s32 %p2|%p3, %r1, %r2;\n"
                            "setp.eq.and.s32 %p4, %r1, %r2, !%p1;\n"
                            "or.pred %p5, %p2, %p3;\n"
                            "selp.b32 %r3, %r1, -1, %p5;\n"
                            "not.pred %p6, %p4;\n"
                            "mov.pred %p7, 1; mov.pred %p8, 0;\n"
                            "@%p6 st.global.u32 [0], %r3; @%p7 ret; @%p8 ret;\n"));
    const struct hd_insn *in = p->insns;

    assert_int_equal(in[0].op, HD_OP_SETP_U32);
    assert_int_equal(in[0].mods, HD_CMP_LT);
    assert_int_equal((uint32_t)in[0].dst >> 16, 0xffff);
    uint32_t p1 = (uint32_t)in[0].dst & 0xffff;
    uint32_t p2 = (uint32_t)in[1].dst & 0xffff, p3 = (uint32_t)in[1].dst >> 16;
    assert_int_not_equal(p2, p3);
    expect_regs(p->deps[1].dst, 3, p->deps[0].dst[0] + 1, p->deps[0].dst[0] + 2, HD_SB_NONE);
    assert_int_equal(in[2].mods, HD_CMP_EQ | HD_BOOL_AND << HD_MOD_BOOL_SHIFT);
    assert_int_equal(in[2].src[2], (int32_t)(p1 | HD_PRED_NOT));
    assert_int_equal(p->deps[2].src[2], p->deps[0].dst[0]);
    assert_int_equal(in[3].op, HD_OP_OR_PRED);
    assert_int_equal(in[3].src[0], (int32_t)p2);
    assert_int_equal(in[3].src[1], (int32_t)p3);
    assert_int_equal(p->banks[3].src[1], 3);
    assert_int_equal(in[4].src[2], in[3].dst);
    assert_int_equal(p->banks[4].n_src, 2); // %r1 and %p5
    // constants: the complement of a predicate nobody writes, and that predicate
    assert_int_equal(in[6].src[0], in[7].src[0] | (int32_t)HD_PRED_NOT);
    assert_int_equal(in[7].src[0], p->funcs[0].n_preds - 1);
    for (uint32_t i = 0; i < p->n_insns; i++)
        if (p->insns[i].dst >= 0)
            assert_true(p->deps[i].kind != HD_KIND_ALU || p->insns[i].dst != in[7].src[0] ||
                        hd_op_info[p->insns[i].op].shape == HD_SHAPE_DABQ);
    // predicates are not counted among the registers
    assert_int_equal(p->funcs[0].regs_live, 2);
}

static void memory(void **state)
{
    (void)state;
    p = ptx_load(
        PTX_KERNEL(".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<5>; .reg .b16 %rs<5>;\n"
                   ".shared .align 4 .b8 pad[4]; .shared .align 16 .b8 t[64];\n"
                   "ld.param.u32 %r1, [n];\n"                               // 0
                   "ld.shared.f32 %f1, [t+-4];\n"                           // 1
                   "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1+16];\n"     // 2
                   "st.global.v2.u32 [%rd1], {%r2, 7};\n"                   // 3
                   "ld.global.nc.L1::no_allocate.u8 %rs1, [%rd1];\n"        // 4
                   "ld.global.s8 %rd2, [%rd1];\n"                           // 5
                   "st.global.u8 [%rd1], %rd2;\n"                           // 6
                   "ld.global.cg.u32 %r3, [%rd1];\n"                        // 7
                   "ld.volatile.u32 %r4, [%rd1];\n"                         // 8
                   "ld.const.u32 %r5, [%rd1]; ld.local.u64 %rd3, [%rd1];\n" // 9 10
                   "ld.shared.v2.u32 {%r6, _}, [t];\n"                      // 11
                   "atom.global.add.u32 %r7, [%rd1+4], %r1;\n"              // 12
                   "atom.shared.cas.b32 %r7, [%r1], %r2, 5;\n"              // 13
                   "red.relaxed.gpu.global.add.f32 [%rd1], %f1;\n"          // 14
                   "cvta.to.shared.u64 %rd4, %rd1;\n"));                    // 15
    const struct hd_insn *in = p->insns;
    const struct hd_deps *d = p->deps;

    assert_int_equal(in[0].space, HD_SPACE_PARAM);
    assert_int_equal(in[0].imm, 8);
    assert_int_equal(in[0].src[0], HD_ROW_NONE);
    assert_int_equal(d[0].flags, HD_DEP_LONG);
    assert_int_equal(in[1].imm, 12);
    assert_int_equal(d[1].flags, 0);
    assert_int_equal(in[2].vec, 4);
    assert_int_equal(in[2].mods, HD_MOD_A32);
    assert_int_equal(in[2].src[0], in[0].dst);
    assert_int_equal(p->vecs[in[2].dst][0], in[1].dst); // both are %f1
    expect_regs(d[2].dst, 4, d[1].dst[0], d[1].dst[0] + 1, d[1].dst[0] + 2, d[1].dst[0] + 3);
    assert_int_equal(p->banks[2].n_dst, 4);
    assert_int_equal(in[3].vec, 2);
    assert_int_equal(word(p->vecs[in[3].src[1]][1], 3), 7);
    assert_int_equal(p->vecs[in[3].src[1]][2], HD_ROW_NONE);
    assert_int_equal(d[3].src[1], HD_SB_NONE);
    assert_int_equal(in[4].op, HD_OP_LD_U8);
    assert_int_equal(d[4].bytes, 1);
    assert_int_equal(in[5].mods, HD_MOD_WIDE | HD_MOD_SIGNED);
    assert_int_equal(in[5].op, HD_OP_LD_S8);
    assert_int_equal(in[6].mods, HD_MOD_WIDE);
    assert_int_equal(d[7].flags, HD_DEP_LONG | HD_DEP_OFFCHIP | HD_DEP_NO_L1);
    assert_int_equal(in[8].space, HD_SPACE_GENERIC);
    assert_int_equal(d[8].flags, HD_DEP_LONG | HD_DEP_OFFCHIP);
    assert_int_equal(d[9].flags, 0);
    assert_int_equal(d[10].flags, HD_DEP_LONG | HD_DEP_OFFCHIP);
    assert_int_equal(p->vecs[in[11].dst][1], HD_ROW_NONE);
    assert_int_equal(d[11].dst[1], HD_SB_NONE);
    assert_int_equal(in[12].mods, HD_ATOM_ADD);
    assert_int_equal(d[12].kind, HD_KIND_ATOMIC);
    assert_int_equal(d[12].flags, HD_DEP_LONG | HD_DEP_OFFCHIP);
    assert_int_equal(d[12].addr[0], HD_SB_NONE); // atomics do not wait for their address,
    assert_int_equal(p->banks[12].n_src, 1);     // nor read it from a bank
    assert_int_equal(in[12].src[1], in[0].dst);
    assert_int_equal(in[13].mods, HD_ATOM_CAS | HD_MOD_A32);
    assert_int_equal(word(in[13].src[2], 0), 5);
    assert_int_equal(d[13].flags, 0);
    assert_int_equal(in[14].dst, HD_ROW_NONE);
    assert_int_equal(in[14].src[1], in[1].dst);
    assert_int_equal(in[15].op, HD_OP_CVTA_TO_B64);
    assert_int_equal(in[15].space, HD_SPACE_SHARED);
}

static void control(void **state)
{
    (void)state;
    p = ptx_load(PTX_HEAD ".entry first() { ret; }\n"
                          ".entry k() { .reg .pred %p<3>; .reg .b32 %r<3>;\n"
                          "mov.u32 %r1, 0;\n"            // 1
                          "LOOP: add.u32 %r1, %r1, 1;\n" // 2
                          "setp.lt.u32 %p1, %r1, 9;\n"   // 3
                          "@%p1 bra LOOP;\n"             // 4
                          "@%p1 bra ELSE;\n"             // 5
                          "bra.uni END;\n"               // 6
                          "ELSE: bar.sync 0;\n"          // 7
                          "END: barrier.sync 1, 64;\n"   // 8
                          "exit; }\n");                  // 9
    const struct hd_insn *in = p->insns;

    assert_int_equal(p->n_funcs, 2);
    assert_int_equal(p->funcs[1].first_pc, 1);
    assert_int_equal(p->funcs[1].end_pc, 10);
    assert_int_equal(p->places[4].func, 1);
    assert_int_equal(HD_TARGET_PC(in[4].imm), 2);
    assert_int_equal(HD_RECONV_PC(in[4].imm), 5);
    assert_int_equal(p->deps[4].flags, HD_DEP_BACKWARD);
    assert_int_equal(HD_TARGET_PC(in[5].imm), 7);
    assert_int_equal(HD_RECONV_PC(in[5].imm), 8);
    assert_int_equal(p->deps[6].flags, HD_DEP_UNIFORM);
    assert_int_equal(in[7].op, HD_OP_BAR_SYNC);
    assert_int_equal(word(in[7].src[0], 0), 0);
    assert_int_equal(in[7].src[1], HD_ROW_NONE);
    assert_int_equal(word(in[8].src[1], 0), 64);
    assert_int_equal(p->deps[9].kind, HD_KIND_EXIT);
    p = ptx_load(PTX_KERNEL(".reg .pred %p<3>; @%p1 bra L; exit; L: ret;\n"));
    assert_int_equal(HD_RECONV_PC(p->insns[0].imm), HD_PC_NONE);
}

static void storage(void **state)
{
    (void)state;
    // A chain: each value dies where the next one is made; rows must not be shared within one
    // instruction, so two of them take turns.
    p = ptx_load(PTX_KERNEL(".reg .b32 %r<9>;\n"
                            "add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;\n"
                            "add.u32 %r4, %r3, 1; st.global.u32 [0], %r4;\n"));
    assert_int_equal(p->funcs[0].n_rows, 2);
    assert_int_equal(p->funcs[0].regs_live, 1);
    assert_int_equal(p->funcs[0].n_sb, 9); // every register declared
    p = ptx_load(PTX_KERNEL(".reg .b32 %r<70000>; add.u32 %r69999, %r0, 1;\n"));
    assert_int_equal(p->funcs[0].n_sb, 2); // too many: those that occur
    expect_regs(p->deps[0].src, 2, 1, HD_SB_NONE);
    expect_regs(p->deps[0].dst, 2, 0, HD_SB_NONE);
    // a 64-bit value counts as two
    p = ptx_load(PTX_KERNEL(".reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
                            "ld.param.u64 %rd1, [p]; mov.u32 %r1, %laneid;\n"
                            "st.global.u32 [%rd1], %r1;\n"));
    assert_int_equal(p->funcs[0].regs_live, 3);
    assert_int_equal(p->funcs[0].n_rows, 4); // with one for %laneid
}

static void same_bytes_each_time(void **state)
{
    static const char text[] =
        PTX_KERNEL(".reg .b32 %r<9>; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 77; "
                   "st.global.u32 [8], %r2;\n");

    (void)state;
    const struct hd_program *a = ptx_load(text), *b = ptx_load(text);
    assert_memory_equal(a->insns, b->insns, a->n_insns * sizeof *a->insns);
    assert_memory_equal(a->deps, b->deps, a->n_insns * sizeof *a->deps);
    assert_memory_equal(a->banks, b->banks, a->n_insns * sizeof *a->banks);
    assert_memory_equal(a->pool, b->pool, a->n_pool_rows * HD_LANES * sizeof *a->pool);
}

// Instruction number `at` of a kernel that accesses a generic address.
static void expect_space(const char *body, uint32_t at, unsigned space, unsigned flags)
{
    p = ptx_load(hd_arena_printf(arena,
                                 PTX_HEAD
                                 ".shared .align 8 .b8 tile[64]; .global .u32 g;\n"
                                 ".entry k(.param .u64 p, .param .u32 n) {\n"
                                 ".reg .b64 %%rd<20>; .reg .b32 %%r<20>; .reg .pred %%p<3>;\n"
                                 ".local .align 8 .b8 own[64];\n%s ret; }\n",
                                 body));

    assert_int_equal(p->insns[at].space, HD_SPACE_GENERIC); // the emulator looks for itself
    assert_int_equal(p->deps[at].space, space);
    assert_int_equal(p->deps[at].flags & (HD_DEP_LONG | HD_DEP_OFFCHIP), flags);
}

static void generic_addresses_of_one_space(void **state)
{
#define TILE "mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; mov.u32 %r1, %tid.x;\n"
#define FAR (HD_DEP_LONG | HD_DEP_OFFCHIP)
    (void)state;
    expect_space(TILE "ld.u32 %r2, [%rd2];", 3, HD_SPACE_SHARED, 0);
    expect_space(TILE "mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd3, %rd2; mov.u64 %rd5, %rd4;\n"
                      "st.u32 [%rd5+8], %r1;",
                 6, HD_SPACE_SHARED, 0);
    expect_space(TILE "mad.wide.u32 %rd3, %r1, 4, %rd2; atom.add.u32 %r2, [%rd3], 1;", 4,
                 HD_SPACE_SHARED, 0);
    expect_space("mov.u64 %rd1, own; cvta.local.u64 %rd2, %rd1; ld.u32 %r2, [%rd2];", 2,
                 HD_SPACE_LOCAL, FAR);
    expect_space("ld.param.u64 %rd1, [p]; ld.u32 %r2, [%rd1+4];", 1, HD_SPACE_GLOBAL, FAR);
    expect_space("ld.param.u64 %rd1, [p]; st.u32 [%rd1+4], 1;", 1, HD_SPACE_GLOBAL, HD_DEP_OFFCHIP);
    // around a loop, and from two places
    expect_space(TILE "L: add.s64 %rd2, %rd2, 4; ld.u32 %r2, [%rd2]; setp.ne.u32 %p1, %r2, 0;\n"
                      "@%p1 bra L;",
                 4, HD_SPACE_SHARED, 0);
    expect_space(TILE "ld.param.u64 %rd3, [p]; setp.eq.u32 %p1, %r1, 0;\n"
                      "selp.b64 %rd4, %rd2, %rd3, %p1; ld.u32 %r2, [%rd4];",
                 6, HD_SPACE_GENERIC, FAR);
    expect_space(TILE "setp.eq.u32 %p1, %r1, 0; @%p1 ld.param.u64 %rd2, [p]; ld.u32 %r2, [%rd2];",
                 5, HD_SPACE_GENERIC, FAR);
    // what memory or a call gives may be anything; so may the sum of two addresses
    expect_space(TILE "ld.shared.u64 %rd3, [tile]; ld.u32 %r2, [%rd3];", 4, HD_SPACE_GENERIC, FAR);
    expect_space(TILE "sub.s64 %rd3, %rd2, %rd2; add.s64 %rd4, %rd2, %rd2; ld.u32 %r2, [%rd4];", 5,
                 HD_SPACE_GENERIC, FAR);
    expect_space("mov.u64 %rd1, 64; ld.u32 %r2, [%rd1];", 1, HD_SPACE_GENERIC, FAR);
#undef TILE
#undef FAR
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(votes_have_no_result),
        cmocka_unit_test(names_without_digits),
        cmocka_unit_test(constants),
        cmocka_unit_test(predicates),
        cmocka_unit_test(memory),
        cmocka_unit_test(control),
        cmocka_unit_test(storage),
        cmocka_unit_test(same_bytes_each_time),
        cmocka_unit_test(generic_addresses_of_one_space),
    };
    return cmocka_run_group_tests(tests, ptx_setup, ptx_teardown);
}
