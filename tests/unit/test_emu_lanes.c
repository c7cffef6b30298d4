// test_emu_lanes.c - all builds of the lane loops give the same bytes, and handlers respect masks,
// overlapping rows and the registers of the next warp. What the values are is the matter of
// tests/ptx.
#include "emu/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 16
#define PREDS 8

struct file { // one warp's registers
    _Alignas(64) uint32_t rows[ROWS * HD_LANES];
    uint32_t preds[PREDS];
};

static uint64_t seed = 1;

static uint64_t rnd(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// Words that matter: limits of integers, special floats, small counts, anything.
static uint32_t word(void)
{
    static const uint32_t corners[] = {
        0,          1,          2,          31,         32,         33,         0x7f,
        0x80,       0xff,       0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000,
        0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
        0x7f7fffff, 0x00000001, 0x80000001, 0x00800000, 0x4f000000, 0x4f800000, 0xcf000000,
        0x5f000000, 0x5f800000, 0x3f000000, 0x40200000, 0x437f0000, 0x43000000, 0x3ff00000,
        0x7ff00000, 0x7ff80000, 0xfff80001, 0x43e00000, 0x43f00000, 0x41dfffff, 0x4b000001,
    };
    uint64_t r = rnd();
    switch (r & 3) {
    case 0:
        return corners[(r >> 8) % (sizeof corners / sizeof corners[0])];
    case 1:
        return (uint32_t)(r >> 8) & 0xff;
    default:
        return (uint32_t)(r >> 16);
    }
}

static void fill(struct file *f)
{
    for (unsigned i = 0; i < ROWS * HD_LANES; i++)
        f->rows[i] = word();
    for (unsigned i = 0; i < PREDS; i++)
        f->preds[i] = (uint32_t)rnd();
}

// A random instruction of this operation that the front end could have made.
static struct hd_insn instruction(int op)
{
    const struct hd_op_info *o = &hd_op_info[op];
    uint16_t may = hd_op_mods(op), mods = (uint16_t)rnd() & may & (HD_MOD_SAT | HD_MOD_FTZ);
    struct hd_insn in = {.op = (uint16_t)op, .guard = HD_PRED_TRUE, .vec = 1};

    if (may & HD_MOD_ENUM)
        do
            mods = (uint16_t)((mods & 0xff00u) | rnd() % HD_N_CMPS);
        while (!hd_op_accepts(op, mods & HD_MOD_ENUM));
    if (may & HD_MOD_ROUND) {
        unsigned r;
        do
            r = (unsigned)(rnd() % HD_N_ROUNDS);
        while (!hd_op_rounds(op, (enum hd_round)r));
        mods |= (uint16_t)(r << HD_MOD_ROUND_SHIFT);
    }
    if (o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET)
        mods |= (uint16_t)(rnd() & HD_MOD_BOOL);
    in.mods = mods;
    for (int i = 0; i < 3; i++)
        in.src[i] = (int32_t)(rnd() % (ROWS / 2)) * 2; // pairs may overlap single rows
    in.dst = (int32_t)(rnd() % (ROWS / 2)) * 2;
    in.imm = (int64_t)(rnd() % (hd_op_carry(op) ? PREDS : ROWS));
    if (o->shape == HD_SHAPE_PA) {
        in.dst = (int32_t)(rnd() % PREDS);
    } else if (o->shape == HD_SHAPE_SET) {
        in.src[2] = (int32_t)(rnd() % PREDS | (rnd() & 1) << 15);
    } else if (o->shape == HD_SHAPE_PAB) {
        in.dst = (int32_t)(rnd() % PREDS | (rnd() & 1 ? rnd() % PREDS : 0xffff) << 16);
        in.src[2] = (int32_t)(rnd() % PREDS | (rnd() & 1) << 15);
    } else if (o->shape == HD_SHAPE_DABQ) {
        in.src[2] = (int32_t)(rnd() % PREDS | (rnd() & 1) << 15);
    } else if (o->shape == HD_SHAPE_PQ || o->shape == HD_SHAPE_PQQ) {
        in.dst = (int32_t)(rnd() % PREDS);
        in.src[0] = (int32_t)(rnd() % PREDS | (rnd() & 1) << 15);
        in.src[1] = (int32_t)(rnd() % PREDS | (rnd() & 1) << 15);
    }
    return in;
}

static uint32_t some_mask(void)
{
    uint64_t r = rnd();
    return r & 1 ? UINT32_MAX : (uint32_t)(r >> 1);
}

static void compare_builds(const hd_lane_fn *other)
{
    static struct file start, a, b;

    seed = 1;
    for (int op = 0; op < HD_N_OPS; op++) {
        assert_true(!hd_lanes_baseline[op] == !other[op]);
        for (int i = 0; hd_lanes_baseline[op] && i < 200; i++) {
            struct hd_insn in = instruction(op);
            uint32_t mask = some_mask();
            fill(&start);
            a = b = start;
            hd_lanes_baseline[op](&in, &(struct hd_lane_regs){.rows = a.rows, .preds = a.preds},
                                  mask, 1);
            other[op](&in, &(struct hd_lane_regs){.rows = b.rows, .preds = b.preds}, mask, 1);
            if (memcmp(&a, &b, sizeof a))
                fail_msg("%s.%s.%s mods %04x round %d", hd_op_info[op].name,
                         hd_type_names[hd_op_info[op].dtype], hd_type_names[hd_op_info[op].type],
                         in.mods, i);
        }
    }
}

static void all_builds_agree(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        compare_builds(hd_lanes_avx2);
    else
        print_message("avx2: not on this host\n");
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        compare_builds(hd_lanes_avx512);
    else
        print_message("avx512: not on this host\n");
#endif
}

// With distinct rows a masked run changes exactly the lanes of its mask, and those like a full run.
static void masked_lanes_keep_their_value(void **state)
{
    static struct file start, full, part;
    const struct hd_lane_regs regs[] = {{.rows = full.rows, .preds = full.preds},
                                        {.rows = part.rows, .preds = part.preds}};

    (void)state;
    seed = 2;
    for (int op = 0; op < HD_N_OPS; op++) {
        unsigned shape = hd_op_info[op].shape;
        if (!hd_lanes_baseline[op] || hd_op_info[op].dtype == HD_PRED || shape == HD_SHAPE_PAB ||
            shape == HD_SHAPE_PA)
            continue;
        struct hd_insn in = instruction(op);
        unsigned words = hd_type_rows(hd_op_info[op].dtype);
        uint32_t mask = (uint32_t)rnd();
        in.dst = 0;
        for (int i = 0; i < 3; i++)
            if (!((shape == HD_SHAPE_DABQ || shape == HD_SHAPE_SET) && i == 2))
                in.src[i] = 2 + 2 * i;
        in.imm = hd_op_carry(op) ? 7 : 8;
        fill(&start);
        full = part = start;
        hd_lanes_baseline[op](&in, &regs[0], UINT32_MAX, 1);
        hd_lanes_baseline[op](&in, &regs[1], mask, 1);
        for (unsigned l = 0; l < HD_LANES; l++) {
            const struct file *want = mask >> l & 1 ? &full : &start;
            if (memcmp(part.rows + l * words, want->rows + l * words, 4 * words))
                fail_msg("%s lane %u", hd_op_info[op].name, l);
        }
        assert_memory_equal(part.rows + HD_LANES * words, start.rows + HD_LANES * words,
                            sizeof part.rows - sizeof *part.rows * HD_LANES * words);
    }
}

// Several warps at once are the same as one after the other; constants are those of all of them.
static void warps_follow_each_other(void **state)
{
    enum { WARPS = 3 };
    static struct file pool, one[WARPS], all[WARPS];
    const uint32_t next = sizeof(struct file) / sizeof(uint32_t);
    const hd_lane_fn *table = hd_lanes_pick();

    (void)state;
    seed = 3;
    for (int op = 0; op < HD_N_OPS; op++) {
        for (int i = 0; table[op] && i < 50; i++) {
            struct hd_insn in = instruction(op);
            fill(&pool);
            if (hd_op_info[op].dtype != HD_PRED && i & 1)
                in.src[0] = -1 - in.src[0];
            for (int w = 0; w < WARPS; w++) {
                fill(&one[w]);
                all[w] = one[w];
            }
            for (int w = 0; w < WARPS; w++)
                table[op](&in, &(struct hd_lane_regs){one[w].rows, pool.rows, one[w].preds, 0, 0},
                          UINT32_MAX, 1);
            table[op](&in, &(struct hd_lane_regs){all->rows, pool.rows, all->preds, next, next},
                      UINT32_MAX, WARPS);
            if (memcmp(one, all, sizeof one))
                fail_msg("%s.%s round %d", hd_op_info[op].name, hd_type_names[hd_op_info[op].type],
                         i);
        }
    }
}

// The destination pair covers the rows of both narrow sources.
static void widening_onto_its_own_sources(void **state)
{
    struct file f = {0};
    struct hd_insn in = {.op = HD_OP_MUL_WIDE_U32, .vec = 1, .dst = 0, .src = {0, 1}};

    (void)state;
    for (uint32_t l = 0; l < HD_LANES; l++) {
        f.rows[l] = 0x10000000 + l;
        f.rows[HD_LANES + l] = 0x1000 + l;
    }
    hd_lanes_pick()[in.op](&in, &(struct hd_lane_regs){.rows = f.rows, .preds = f.preds},
                           UINT32_MAX, 1);
    for (uint32_t l = 0; l < HD_LANES; l++) {
        uint64_t v;
        memcpy(&v, f.rows + 2 * l, 8);
        assert_int_equal(v, (uint64_t)(0x10000000 + l) * (0x1000 + l));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_builds_agree),
        cmocka_unit_test(masked_lanes_keep_their_value),
        cmocka_unit_test(warps_follow_each_other),
        cmocka_unit_test(widening_onto_its_own_sources),
    };
    return cmocka_run_group_tests_name("emu_lanes", tests, NULL, NULL);
}
