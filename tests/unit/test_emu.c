// test_emu.c - the emulator behind its seam: hand-built programs, one warp instruction at a time.
#include "shared/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define NONE HD_ROW_NONE

static struct hd_arena *arena;
static struct hd_memory *memory;
static struct hd_emu *emu;
static struct built b;
static struct hd_launch launch;
static struct hd_isrc sm[2];
static struct hd_effects eff;

static int set_up(void **state)
{
    (void)state;
    arena = hd_arena_new();
    memory = hd_memory_new(arena);
    emu = hd_emu_new(arena, &(struct hd_emu_config){.sms = 2, .warps = 8, .tbs = 4}, memory);
    for (unsigned i = 0; i < 2; i++)
        sm[i] = hd_emu_source(emu, i);
    built_start(&b, 16, 4);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hd_emu_free(emu);
    hd_memory_free(memory);
    hd_arena_free(arena);
    return 0;
}

static void make_launch(uint32_t blocks, uint32_t threads)
{
    struct hd_program *p = built_program(&b);
    struct hd_diag d = {0};

    assert_true(hd_emu_load(emu, p, &d));
    launch = (struct hd_launch){
        .program = p, .kernel = &b.func, .grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
}

static void place(unsigned on, uint32_t threads, unsigned slot)
{
    unsigned warps = (threads + 31) / 32;
    struct hd_tb tb = {.launch = &launch,
                       .linear = on,
                       .slot = (uint8_t)slot,
                       .index = {on, 0, 0},
                       .first_warp = (uint8_t)(slot * warps),
                       .n_warps = (uint8_t)warps};
    sm[on].ops->tb_start(sm[on].self, &tb);
}

static void begin(uint32_t threads) // one block on each SM
{
    make_launch(2, threads);
    hd_emu_prepare(emu);
    place(0, threads, 0);
    place(1, threads, 0);
}

static void exec(unsigned on, unsigned warp)
{
    sm[on].ops->exec(sm[on].self, warp, 0, &eff);
}

static struct hd_emu_result run(uint32_t blocks, uint32_t threads, uint64_t limit)
{
    struct hd_emu_result r;

    make_launch(blocks, threads);
    hd_emu_run(emu, &launch, &(struct hd_emu_patience){.warp_insts = limit}, &r);
    return r;
}

static uint32_t word(uint64_t address)
{
    uint32_t v;
    assert_true(hd_memory_read(memory, address, &v, 4));
    return v;
}

static struct hd_insn *mem(unsigned op, unsigned space, int32_t dst, int32_t addr, int32_t value,
                           int64_t imm)
{
    struct hd_insn *in = built_add(&b, op, dst, addr, value, NONE);
    in->space = (uint8_t)space;
    in->imm = imm;
    return in;
}

// r0 = tid.x; rd2 = base + 4 * tid.x
static void address_in_rd2(uint64_t base)
{
    built_special(&b, HD_SREG_TID_X, 0);
    built_add(&b, HD_OP_MAD_WIDE_U32, 2, 0, built_const(&b, 4, false), built_const(&b, base, true));
}

static void stores_reach_other_sms_with_commit(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 256, "A");

    (void)state;
    address_in_rd2(A);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 0, 0);
    mem(HD_OP_LD_B32, HD_SPACE_GLOBAL, 4, 2, NONE, 0);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 4, 128);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    begin(32);
    exec(0, 0);
    exec(1, 0);
    assert_int_equal(*sm[0].pending_stores, 0);
    exec(0, 0); // the store
    assert_int_not_equal(*sm[0].pending_stores, 0);
    assert_int_equal(word(A + 4 * 31), 0); // not committed
    exec(0, 0);                            // own load sees it
    exec(0, 0);
    sm[0].ops->commit(sm[0].self);
    assert_int_equal(*sm[0].pending_stores, 0);
    assert_int_equal(word(A + 4 * 31), 31);
    assert_int_equal(word(A + 128 + 4 * 31), 31);
    exec(0, 0);
    assert_int_equal(eff.flags, HD_EFF_EXITED);
    assert_int_equal(eff.next_pc, HD_PC_NONE);
    assert_int_equal(sm[0].pc[0], HD_PC_NONE);
    assert_int_equal(sm[1].pc[0], 1);
}

// Bytes of a logged word store are found by loads of other widths.
static void log_is_seen_bytewise(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 256, "A");
    int32_t at = built_const(&b, A, true), value = built_const(&b, 0x44332211, false);

    (void)state;
    hd_memory_write(memory, A + 4, "\xaa\xbb\xcc\xdd", 4);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, at, value, 0);
    mem(HD_OP_LD_U8, HD_SPACE_GLOBAL, 0, at, NONE, 2);
    mem(HD_OP_LD_B64, HD_SPACE_GLOBAL, 2, at, NONE, 0);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, at, 0, 16);
    mem(HD_OP_ST_B64, HD_SPACE_GLOBAL, NONE, at, 2, 24);
    begin(1);
    for (int i = 0; i < 5; i++)
        exec(0, 0);
    sm[0].ops->commit(sm[0].self);
    assert_int_equal(word(A + 16), 0x33);
    assert_int_equal(word(A + 24), 0x44332211);
    assert_int_equal(word(A + 28), 0xddccbbaa);
}

static void effects_of_loads(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 4096, "A");

    (void)state;
    address_in_rd2(A);
    struct hd_insn *in = mem(HD_OP_LD_B32, HD_SPACE_GENERIC, 0, 2, NONE, 64);
    in->vec = 4;
    b.vecs[0][0] = 4;
    b.vecs[0][1] = NONE;
    b.vecs[0][2] = 5;
    b.vecs[0][3] = 6;
    in->guard = 1; // predicate 1 is false everywhere
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    begin(20);
    exec(0, 0);
    exec(0, 0);
    assert_int_equal(eff.active_mask, 0xfffff);
    assert_int_equal(eff.exec_mask, 0);
    assert_int_equal(eff.next_pc, 2);
    assert_int_equal(eff.vec, 4);
    assert_int_equal(eff.bytes, 4);
    b.insns[1].guard = 1 | HD_PRED_NOT;
    exec(1, 0);
    exec(1, 0); // 4-byte steps of 16-byte accesses: lane 1 is misaligned
    assert_int_equal(eff.flags, HD_EFF_TRAP);
    assert_int_equal(sm[1].pc[0], 1); // nothing changed
    const struct hd_trap *t = sm[1].ops->trap(sm[1].self);
    assert_int_equal(t->kind, HD_TRAP_MISALIGNED);
    assert_int_equal(t->thread[0], 1);
    assert_int_equal(t->block[0], 1);
    assert_int_equal(t->addr, A + 68);
    assert_int_equal(t->space, HD_SPACE_GLOBAL);
    assert_int_equal(t->bytes, 16);
}

static void faults_name_the_lowest_lane_and_change_nothing(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 1000, "A"); // 1024 with rounding

    (void)state;
    address_in_rd2(A);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 0, 1024 - 4 * 40);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    struct hd_emu_result r = run(1, 64, 0);
    assert_int_equal(r.trap.kind, HD_TRAP_OUT_OF_BOUNDS);
    assert_int_equal(r.trap.pc, 1);
    assert_int_equal(r.trap.thread[0], 40);
    assert_int_equal(r.trap.addr, A + 1024);
    assert_true(r.trap.write);
    assert_string_equal(r.trap.detail, "24 bytes past the end of `A` (1000 bytes from 0x80000000)");
    assert_int_equal(word(A + 1024 - 4 * 9), 31); // the first warp has stored
    assert_int_equal(word(A + 1024 - 4 * 8), 0);  // the faulting one has not
    assert_int_equal(r.warp_insts, 2 + 1);        // warps take turns: the first one has not ended
}

static void shared_memory_has_its_size(void **state)
{
    (void)state;
    b.func.shared_bytes = 64;
    mem(HD_OP_LD_B32, HD_SPACE_SHARED, 0, NONE, NONE, 60);
    mem(HD_OP_LD_B32, HD_SPACE_SHARED, 0, NONE, NONE, 64);
    struct hd_emu_result r = run(1, 1, 0);
    assert_int_equal(r.trap.kind, HD_TRAP_OUT_OF_BOUNDS);
    assert_int_equal(r.trap.pc, 1);
    assert_string_equal(r.trap.detail, "shared memory has 64 bytes here");
}

// Generic addresses: even lanes shared, odd lanes local, then both to global.
static void generic_windows(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 256, "A");
    int32_t one = built_const(&b, 1, false), zero = built_const(&b, 0, false);

    (void)state;
    b.func.shared_bytes = 256;
    b.func.local_bytes = 16;
    address_in_rd2(0);
    built_add(&b, HD_OP_CVTA_B64, 4, 2, NONE, NONE)->space = HD_SPACE_SHARED;
    built_add(&b, HD_OP_CVTA_B64, 6, built_const(&b, 8, true), NONE, NONE)->space = HD_SPACE_LOCAL;
    built_add(&b, HD_OP_AND_B32, 8, 0, one, NONE);
    built_add(&b, HD_OP_SETP_U32, (int32_t)0xffff0000, 8, zero, NONE)->mods = HD_CMP_EQ;
    built_add(&b, HD_OP_SELP_B64, 10, 4, 6, 0);
    mem(HD_OP_ST_B32, HD_SPACE_GENERIC, NONE, 10, 0, 0);
    mem(HD_OP_LD_B32, HD_SPACE_GENERIC, 12, 10, NONE, 0);
    mem(HD_OP_LD_B32, HD_SPACE_LOCAL, 13, NONE, NONE, 8);
    built_add(&b, HD_OP_ADD_U32, 12, 12, 13, NONE);
    mem(HD_OP_ST_B32, HD_SPACE_GENERIC, NONE, 2, 12, (int64_t)A);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    struct hd_emu_result r = run(1, 32, 0);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(word(A + 4 * l), l & 1 ? 2 * l : l);
}

static void atomics_happen_when_served(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 256, "A");

    (void)state;
    address_in_rd2(A + 128);
    struct hd_insn *in = built_add(&b, HD_OP_ATOM_U32, 4, built_const(&b, A, true), 0, NONE);
    in->space = HD_SPACE_GLOBAL;
    in->mods = HD_ATOM_ADD;
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 4, 0);
    begin(4);
    exec(0, 0);
    exec(0, 0);
    assert_int_equal(eff.space, HD_SPACE_GLOBAL);
    assert_int_equal(eff.exec_mask, 0xf);
    assert_int_equal(word(A), 0); // not yet
    sm[0].ops->serve(sm[0].self, 0, 0xc);
    assert_int_equal(word(A), 2 + 3);
    sm[0].ops->serve(sm[0].self, 0, 0x3);
    assert_int_equal(word(A), 6);
    sm[0].ops->finish(sm[0].self, 0);
    exec(0, 0);
    sm[0].ops->commit(sm[0].self);
    assert_int_equal(word(A + 128), 5); // order served: 2, 3, then 0, 1
    assert_int_equal(word(A + 132), 5);
    assert_int_equal(word(A + 136), 0);
    assert_int_equal(word(A + 140), 2);
}

static void barrier_exchange(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 1024, "A");
    int32_t n = built_const(&b, 127, false), four = built_const(&b, 4, false);

    (void)state;
    b.func.shared_bytes = 512;
    address_in_rd2(A);
    built_add(&b, HD_OP_MUL_LO_U32, 4, 0, four, NONE);
    mem(HD_OP_ST_B32, HD_SPACE_SHARED, NONE, 4, 0, 0)->mods = HD_MOD_A32;
    built_add(&b, HD_OP_BAR_SYNC, NONE, built_const(&b, 0, false), NONE, NONE);
    built_add(&b, HD_OP_SUB_U32, 5, n, 0, NONE);
    built_add(&b, HD_OP_MUL_LO_U32, 5, 5, four, NONE);
    mem(HD_OP_LD_B32, HD_SPACE_SHARED, 6, 5, NONE, 0)->mods = HD_MOD_A32;
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 6, 0);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    struct hd_emu_result r = run(3, 128, 0);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    assert_int_equal(r.warp_insts, 3 * 4 * 9);
    assert_int_equal(r.thread_insts, 3 * 128 * 9);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(word(A + 4 * i), 127 - i);
}

static void endless_programs_stop(void **state)
{
    struct hd_insn *in;

    (void)state;
    in = built_add(&b, HD_OP_BRA, NONE, NONE, NONE, NONE);
    in->imm = HD_TARGET(0, HD_PC_NONE);
    struct hd_emu_result r = run(1, 64, 1000);
    assert_true(r.limit);
    assert_int_equal(r.warp_insts, 1000);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    r = run(1, 64, 0);
    assert_true(r.livelock && !r.limit);
}

// A barrier that expects more threads than the block has never opens.
static void deadlock_is_found(void **state)
{
    (void)state;
    built_add(&b, HD_OP_BAR_SYNC, NONE, built_const(&b, 1, false), built_const(&b, 96, false),
              NONE);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    struct hd_emu_result r = run(1, 64, 0);
    assert_true(r.deadlock);
    assert_int_equal(r.warp_insts, 2);
    assert_string_equal(r.warps,
                        "warp 0 (block 0): PTX line 1, waits at barrier 1 with 2 of 3 warps, and "
                        "no other warp is left\nwarp 1 (block 0): PTX line 1, waits at barrier 1 "
                        "with 2 of 3 warps, and no other warp is left\n");
}

static void wrong_barriers_trap(void **state)
{
    (void)state;
    built_add(&b, HD_OP_BAR_SYNC, NONE, built_const(&b, 16, false), NONE, NONE);
    struct hd_emu_result r = run(1, 64, 0);
    assert_int_equal(r.trap.kind, HD_TRAP_ILLEGAL);
    assert_string_equal(r.trap.detail, "a block has barriers 0 to 15");
}

static void constants_parameters_and_globals(void **state)
{
    static const uint8_t init[4] = {1, 2, 3, 4};
    static const uint8_t params[8] = {0, 0, 0, 0, 0x0d, 0x0c, 0x0b, 0x0a};
    struct hd_symbol symbols[2] = {
        {.name = "G",
         .init = init,
         .place = 0x100,
         .bytes = 4,
         .align = 4,
         .space = HD_SPACE_GLOBAL},
        {.name = "K", .address = 0x100, .bytes = 8, .align = 4, .space = HD_SPACE_CONST},
    };
    struct hd_emu_result r;

    (void)state;
    mem(HD_OP_LD_B32, HD_SPACE_CONST, 0, NONE, NONE, 0x104);
    mem(HD_OP_LD_B32, HD_SPACE_PARAM, 1, NONE, NONE, 4);
    built_add(&b, HD_OP_ADD_U32, 0, 0, 1, NONE);
    struct hd_insn *in = mem(HD_OP_LD_U8, HD_SPACE_GLOBAL, 1, NONE, NONE, 3);
    struct hd_reloc reloc = {.symbol = 0, .words = 1, .addend = 3, .at = &in->imm};
    built_add(&b, HD_OP_ADD_U32, 0, 0, 1, NONE);
    in = mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, NONE, 0, HD_MEMORY_BASE + 0x100);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    b.program.symbols = symbols;
    b.program.n_symbols = 2;
    b.program.relocs = &reloc;
    b.program.n_relocs = 1;
    b.func.param_bytes = 8;
    make_launch(1, 32);
    launch.params = params;
    assert_int_equal(symbols[0].address, HD_MEMORY_BASE + 0x100);
    assert_null(hd_consts_at(emu, &b.program, 0x106, 3));
    memcpy(hd_consts_at(emu, &b.program, 0x106, 2), "\x00\x10", 2);
    hd_emu_run(emu, &launch, &(struct hd_emu_patience){.warp_insts = 0}, &r);
    assert_int_equal(r.trap.kind, HD_TRAP_NONE);
    assert_int_equal(word(HD_MEMORY_BASE + 0x100), 0x10000000 + 0x0a0b0c0d + 4);
    assert_int_equal(hd_memory_alloc(memory, 4, "A"), HD_GLOBAL_BASE); // variables move no buffer
}

// The same kernel on SM 1 in another slot, registers of a reused slot start at zero.
static void slots_start_clean(void **state)
{
    uint64_t A = hd_memory_alloc(memory, 512, "A");

    (void)state;
    address_in_rd2(A);
    mem(HD_OP_ST_B32, HD_SPACE_GLOBAL, NONE, 2, 4, 0);
    built_add(&b, HD_OP_MOV_B32, 4, 0, NONE, NONE);
    built_add(&b, HD_OP_RET, NONE, NONE, NONE, NONE);
    make_launch(2, 40);
    hd_emu_prepare(emu);
    for (int round = 0; round < 2; round++) {
        place(1, 40, 2);
        assert_int_equal(sm[1].lanes[4], UINT32_MAX);
        assert_int_equal(sm[1].lanes[5], 0xff); // partial warp
        for (int i = 0; i < 4; i++) {
            exec(1, 4);
            exec(1, 5);
            sm[1].ops->commit(sm[1].self);
        }
        sm[1].ops->tb_end(sm[1].self, 2);
        assert_int_equal(word(A + 4 * 39), 0);
    }
}

static void texts(void **state)
{
    char s[100];
    struct hd_program *p;

    (void)state;
    built_add(&b, HD_OP_ADD_F32, 3, 1, built_const(&b, 0x3f800000, false), NONE)->mods = HD_MOD_FTZ;
    built_add(&b, HD_OP_CVT_S32_F64, 3, 4, NONE, NONE)->mods = HD_RZI << HD_MOD_ROUND_SHIFT;
    built_add(&b, HD_OP_SETP_S32, 1 | 2 << 16, 3, built_const(&b, (uint32_t)-7, false), 0x8003)
        ->mods = HD_CMP_LT | HD_BOOL_AND << HD_MOD_BOOL_SHIFT;
    mem(HD_OP_LD_B32, HD_SPACE_SHARED, 3, 5, NONE, -8)->mods = HD_MOD_A32;
    struct hd_insn *in = built_add(&b, HD_OP_BRA, NONE, NONE, NONE, NONE);
    in->guard = 2 | HD_PRED_NOT;
    in->imm = HD_TARGET(0, 5);
    p = built_program(&b);
    assert_string_equal(hd_op_text(p, 0, s, sizeof s), "add.rn.ftz.f32 r3, r1, 0f3F800000");
    assert_string_equal(hd_op_text(p, 1, s, sizeof s), "cvt.rzi.s32.f64 r3, rd4");
    assert_string_equal(hd_op_text(p, 2, s, sizeof s), "setp.lt.and.s32 p1|p2, r3, -7, !p3");
    assert_string_equal(hd_op_text(p, 3, s, sizeof s), "ld.shared.b32 r3, [r5-8]");
    assert_string_equal(hd_op_text(p, 4, s, sizeof s), "@!p2 bra 0 (join 5)");
    assert_string_equal(hd_op_text(p, 5, s, sizeof s), "?");
    assert_string_equal(hd_op_text(p, 0, s, 4), "add");
}

static void operations_by_ptx_type(void **state)
{
    (void)state;
    assert_int_equal(hd_op_find("add", HD_S32, HD_TYPE_NONE), HD_OP_ADD_S32);
    assert_int_equal(hd_op_find("add", HD_B32, HD_TYPE_NONE), -1);
    assert_int_equal(hd_op_find("and", HD_U32, HD_TYPE_NONE), -1);
    assert_int_equal(hd_op_find("mov", HD_F32, HD_TYPE_NONE), HD_OP_MOV_B32);
    assert_int_equal(hd_op_find("mov", HD_PRED, HD_TYPE_NONE), HD_OP_MOV_PRED);
    assert_int_equal(hd_op_find("mov", HD_U8, HD_TYPE_NONE), -1);
    assert_int_equal(hd_op_find("ld", HD_F64, HD_TYPE_NONE), HD_OP_LD_B64);
    assert_int_equal(hd_op_find("ld", HD_S8, HD_TYPE_NONE), HD_OP_LD_S8);
    assert_int_equal(hd_op_find("ld", HD_B8, HD_TYPE_NONE), HD_OP_LD_U8);
    assert_int_equal(hd_op_find("st", HD_F16, HD_TYPE_NONE), HD_OP_ST_U16);
    assert_int_equal(hd_op_find("shr", HD_B64, HD_TYPE_NONE), HD_OP_SHR_U64);
    assert_int_equal(hd_op_find("setp", HD_B32, HD_TYPE_NONE), HD_OP_SETP_B32);
    assert_int_equal(hd_op_find("cvt", HD_U16, HD_F32), HD_OP_CVT_F32_U16);
    assert_int_equal(hd_op_find("slct", HD_S32, HD_F64), HD_OP_SLCT_B64_S32);
    assert_int_equal(hd_op_find("popc", HD_B64, HD_TYPE_NONE), HD_OP_POPC_B64);
    assert_int_equal(hd_op_find("exit", HD_TYPE_NONE, HD_TYPE_NONE), HD_OP_EXIT);
    assert_int_equal(hd_op_find("frob", HD_U32, HD_TYPE_NONE), -1);
    assert_true(hd_op_accepts(HD_OP_SETP_U32, HD_CMP_LO));
    assert_false(hd_op_accepts(HD_OP_SETP_S32, HD_CMP_LO));
    assert_false(hd_op_accepts(HD_OP_ATOM_F32, HD_ATOM_MIN));
    assert_true(hd_op_rounds(HD_OP_CVT_S32_F32, HD_RZI));
    assert_false(hd_op_rounds(HD_OP_CVT_S32_F32, HD_RN));
    assert_true(hd_op_rounds(HD_OP_ADD_F32, HD_RZ));
    assert_false(hd_op_rounds(HD_OP_ADD_F32, HD_RNI));
    for (int i = 0; i < HD_N_OPS; i++) // every row is found under its own types
        assert_int_equal(hd_op_find(hd_op_info[i].name, hd_op_info[i].type, hd_op_info[i].dtype),
                         i);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(stores_reach_other_sms_with_commit),
        TEST(log_is_seen_bytewise),
        TEST(effects_of_loads),
        TEST(faults_name_the_lowest_lane_and_change_nothing),
        TEST(shared_memory_has_its_size),
        TEST(generic_windows),
        TEST(atomics_happen_when_served),
        TEST(barrier_exchange),
        TEST(endless_programs_stop),
        TEST(deadlock_is_found),
        TEST(wrong_barriers_trap),
        TEST(constants_parameters_and_globals),
        TEST(slots_start_clean),
        TEST(texts),
        TEST(operations_by_ptx_type),
    };
    return cmocka_run_group_tests_name("emu", tests, NULL, NULL);
}
