// test_emu_lanes.c - all builds of the lane loops give the same bytes, a build that does not is not
// used, and handlers respect masks, overlapping rows and the registers of the next warp. What the
// values are is the matter of test_values.c and tests/ptx.
#include "emu/access.h"
#include "emu/lanes.h"
#include "emu/whole.h"

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
    uint16_t may = hd_op_mods(op), mods = (uint16_t)rnd() & may & 0xe300; // all but the next two
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
    in.mods = mods;
    for (int i = 0; i < 3; i++)
        in.src[i] = (int32_t)(rnd() % (ROWS / 2)) * 2; // pairs may overlap single rows
    in.dst = (int32_t)(rnd() % (ROWS / 2)) * 2;
    in.imm = (int64_t)(rnd() % (hd_op_carry(op) ? PREDS : ROWS));
    if (o->shape == HD_SHAPE_VIDEO)
        in.imm = hd_lanes_video(op, rnd());
    else if (o->shape == HD_SHAPE_LOP3P)
        in.imm = HD_WARP_IMM(rnd() % PREDS | (rnd() & 1) << 15, rnd() % PREDS);
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
    const hd_lane_fn *base = hd_lanes_table(HD_LANES_BASELINE);

    seed = 1;
    for (int op = 0; op < HD_N_OPS; op++) {
        assert_true(!base[op] == !other[op]);
        for (int i = 0; base[op] && i < 400; i++) {
            struct hd_insn in = instruction(op);
            uint32_t mask = some_mask();
            fill(&start);
            a = b = start;
            base[op](&in, &(struct hd_lane_regs){.rows = a.rows, .preds = a.preds}, mask, 1);
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
    for (unsigned w = HD_LANES_AVX2; w < HD_N_LANES_WIDTHS; w++)
        if (hd_lanes_table(w))
            compare_builds(hd_lanes_table(w));
        else
            print_message("%s: not on this host\n", w == HD_LANES_AVX2 ? "avx2" : "avx512");
}

// --- what is compared at the start

static const hd_lane_fn *base_table;
static struct hd_insn wrong_in; // the instruction that comes out wrong: one form of one operation

// Which of the forms that are compared: how a comparison is combined with a predicate does not
// count.
static unsigned form(const struct hd_insn *in)
{
    unsigned shape = hd_op_info[in->op].shape;

    return shape == HD_SHAPE_PAB || shape == HD_SHAPE_SET ? in->mods & ~(unsigned)HD_MOD_BOOL
                                                          : in->mods;
}

// Right, but the wrong form loses a lane of its result.
static void nearly_right(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                         unsigned warps)
{
    const struct hd_op_info *o = &hd_op_info[in->op];
    enum hd_carry carry = hd_op_carry(in->op);

    base_table[in->op](in, r, mask, warps);
    if (form(in) != form(&wrong_in))
        return;
    if (o->dtype == HD_PRED || o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_PA)
        r->preds[in->dst & 0xffff] ^= 0x1000;
    else if (carry == HD_CARRY_OUT || carry == HD_CARRY_THROUGH)
        r->preds[in->imm] ^= 0x1000;
    else
        hd_lanes_row(r, in->dst)[12 * hd_type_rows(o->dtype)] ^= 1;
}

static void every_operation_is_compared(void **state)
{
    static hd_lane_fn table[HD_N_OPS];
    unsigned n = 0;

    (void)state;
    seed = 4;
    base_table = hd_lanes_table(HD_LANES_BASELINE);
    memcpy(table, base_table, sizeof table);
    assert_true(hd_lanes_same(base_table, table, &wrong_in));
    for (int op = 0; op < HD_N_OPS; op++) {
        struct hd_insn where = {0};
        if (!base_table[op])
            continue;
        do
            wrong_in = instruction(op);
        while ((hd_op_info[op].shape == HD_SHAPE_LOP3 || hd_op_info[op].shape == HD_SHAPE_LOP3P) &&
               (wrong_in.mods & HD_MOD_ENUM) % 15);
        table[op] = nearly_right;
        if (hd_lanes_same(base_table, table, &where) || where.op != op ||
            form(&where) != form(&wrong_in))
            fail_msg("%s.%s mods %04x is not compared", hd_op_info[op].name,
                     hd_type_names[hd_op_info[op].type], wrong_in.mods);
        table[op] = base_table[op];
        n++;
    }
    assert_true(n > 300);
}

static void a_wrong_build_is_not_used(void **state)
{
    static hd_lane_fn table[HD_N_OPS];
    char text[600] = "";
    FILE *to = tmpfile();

    (void)state;
    base_table = hd_lanes_table(HD_LANES_BASELINE);
    memcpy(table, base_table, sizeof table);
    assert_int_equal(hd_lanes_trusted(HD_LANES_AVX512, table, to), HD_LANES_AVX512);
    assert_int_equal(ftell(to), 0);
    wrong_in = (struct hd_insn){.op = HD_OP_SETP_F16, .mods = HD_CMP_NUM | HD_MOD_FTZ};
    table[HD_OP_SETP_F16] = nearly_right;
    assert_int_equal(hd_lanes_trusted(HD_LANES_AVX512, table, to), HD_LANES_BASELINE);
    rewind(to);
    assert_true(fread(text, 1, sizeof text - 1, to) > 0);
    fclose(to);
    assert_non_null(strstr(text, "heddle: warning: "));
    assert_non_null(strstr(text, "avx512"));
    assert_non_null(strstr(text, "setp.f16 (modifiers 0x"));
    assert_non_null(strstr(text, "baseline"));
}

static struct hd_access_ops wrong_access;
static struct hd_whole_ops wrong_whole;

static void load_wrong(unsigned kind, unsigned pattern, uint8_t *const at[HD_LANES],
                       unsigned offset, uint32_t lanes, uint32_t *row)
{
    hd_access_baseline.load(kind, pattern, at, offset, lanes, row);
    if (kind == (1 | HD_ACCESS_SIGNED) && lanes != UINT32_MAX)
        row[5] ^= 1;
}

static bool store_near_wrong(unsigned kind, unsigned pattern, uint8_t *base,
                             const int32_t at[HD_LANES], uint32_t lanes, const uint32_t *row)
{
    bool changed = hd_access_baseline.store_near(kind, pattern, base, at, lanes, row);
    return kind == 3 ? !changed : changed;
}

static unsigned load_whole_wrong(const struct hd_insn *in, const struct hd_lane_regs *r,
                                 uint32_t lanes, unsigned shift, const struct hd_whole_window *x,
                                 unsigned warps)
{
    unsigned done = hd_whole_baseline.load(in, r, lanes, shift, x, warps);
    hd_lanes_row(r, in->dst)[9] ^= shift == 2;
    return done;
}

static bool same_as_wrong(void)
{
    return hd_access_same((const struct hd_access_ops *[]){&hd_access_baseline, &wrong_access},
                          (const struct hd_whole_ops *[]){&hd_whole_baseline, &wrong_whole});
}

static void loads_and_stores_are_compared(void **state)
{
    (void)state;
    wrong_access = hd_access_baseline, wrong_whole = hd_whole_baseline;
    assert_true(same_as_wrong());
    wrong_access.load = load_wrong;
    assert_false(same_as_wrong());
    wrong_access = hd_access_baseline;
    wrong_access.store_near = store_near_wrong;
    assert_false(same_as_wrong());
    wrong_access = hd_access_baseline;
    wrong_whole.load = load_whole_wrong;
    assert_false(same_as_wrong());
}

// With distinct rows a masked run changes exactly the lanes of its mask, and those like a full run.
static void masked_lanes_keep_their_value(void **state)
{
    static struct file start, full, part;
    const struct hd_lane_regs regs[] = {{.rows = full.rows, .preds = full.preds},
                                        {.rows = part.rows, .preds = part.preds}};

    const hd_lane_fn *base = hd_lanes_table(HD_LANES_BASELINE);

    (void)state;
    seed = 2;
    for (int op = 0; op < HD_N_OPS; op++) {
        unsigned shape = hd_op_info[op].shape;
        if (!base[op] || hd_op_info[op].dtype == HD_PRED || shape == HD_SHAPE_PAB ||
            shape == HD_SHAPE_PA)
            continue;
        struct hd_insn in = instruction(op);
        unsigned words = hd_type_rows(hd_op_info[op].dtype);
        uint32_t mask = (uint32_t)rnd();
        in.dst = 0;
        for (int i = 0; i < 3; i++)
            if (!((shape == HD_SHAPE_DABQ || shape == HD_SHAPE_SET) && i == 2))
                in.src[i] = 2 + 2 * i;
        if (hd_op_carry(op) || shape == HD_SHAPE_DABNM)
            in.imm = hd_op_carry(op) ? 7 : 8;
        fill(&start);
        full = part = start;
        base[op](&in, &regs[0], UINT32_MAX, 1);
        base[op](&in, &regs[1], mask, 1);
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
        cmocka_unit_test(every_operation_is_compared),
        cmocka_unit_test(a_wrong_build_is_not_used),
        cmocka_unit_test(loads_and_stores_are_compared),
        cmocka_unit_test(masked_lanes_keep_their_value),
        cmocka_unit_test(warps_follow_each_other),
        cmocka_unit_test(widening_onto_its_own_sources),
    };
    return cmocka_run_group_tests_name("emu_lanes", tests, NULL, NULL);
}
