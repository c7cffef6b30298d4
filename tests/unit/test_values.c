// test_values.c - every operation with a lane loop, on every type and with every modifier it takes,
// against what PTX and IEEE 754 say, computed here the slow way: integers in 128 bits, conversions
// and halves from exact values, other floats by the host in the rounding mode of the instruction.
//
// An operation of ops.def that the references below do not know fails the test, so none can be
// added without one. Approximate functions are test_approx.c's. Arguments: rounds of 32 lanes for
// each form of an operation, first seed.
#include "emu/lanes.h"
#include "isa/video.h"
#include "unit/references.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;
static unsigned rounds = 16, wrong;

static uint64_t rnd(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// --- predicates

// Ordered comparisons are false with a NaN, the others true.
static bool compares(const struct lane *x)
{
    unsigned t = x->type, how = x->mods & HD_MOD_ENUM;
    uint64_t mask = UINT64_MAX >> (64 - width_of(t)), ua = x->a & mask, ub = x->b & mask;
    bool unordered = false, less, equal;

    if (is_float(t)) {
        if (x->mods & HD_MOD_FTZ) {
            ua = flush(t, ua);
            ub = flush(t, ub);
        }
        quad a = number(t, ua), b = number(t, ub);
        unordered = is_nan(t, ua) || is_nan(t, ub);
        less = a < b;
        equal = a == b;
    } else {
        less = integer(t, ua) < integer(t, ub);
        equal = ua == ub;
    }
    bool with_nan = how >= HD_CMP_EQU && how <= HD_CMP_GEU;
    if (how == HD_CMP_NUM || how == HD_CMP_NAN)
        return unordered == (how == HD_CMP_NAN);
    if (unordered)
        return with_nan;
    static const char relation[HD_N_CMPS] = "=!<{>}<{>}=!<{>}";
    switch (relation[how]) {
    case '=':
        return equal;
    case '!':
        return !equal;
    case '<':
        return less;
    case '{':
        return less || equal;
    case '>':
        return !less && !equal;
    default:
        return !less;
    }
}

static bool combined(bool value, const struct lane *x)
{
    switch ((x->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT) {
    case HD_BOOL_AND:
        return value && x->q;
    case HD_BOOL_OR:
        return value || x->q;
    case HD_BOOL_XOR:
        return value != x->q;
    default:
        return value;
    }
}

static bool of_class(const char *what, unsigned t, uint64_t v)
{
    uint64_t m = magnitude(t, v), top = infinity_of(format_of(t));
    bool tiny = m && m < UINT64_C(1) << (format_of(t).digits - 1);

    return is(what, "finite")       ? m < top
           : is(what, "infinite")   ? m == top
           : is(what, "number")     ? m <= top
           : is(what, "notanumber") ? m > top
           : is(what, "normal")     ? m < top && !tiny
                                    : tiny;
}

// What set gives where the comparison holds: 1.0 or all ones, of a pair of halves for each.
static uint64_t set(const struct lane *x)
{
    struct lane low = *x, high = *x;
    uint64_t one = is_float(x->dtype) ? encode(x->dtype, 1, false, HD_RN)
                                      : UINT64_MAX >> (64 - width_of(x->dtype));

    if (half_of(x->type) == HD_TYPE_NONE)
        return combined(compares(x), x) ? one : 0;
    one =
        half_of(x->dtype) != HD_TYPE_NONE ? encode(half_of(x->dtype), 1, false, HD_RN) : UINT16_MAX;
    low.type = high.type = half_of(x->type);
    low.a &= UINT16_MAX, low.b &= UINT16_MAX;
    high.a = high.a >> 16 & UINT16_MAX, high.b = high.b >> 16 & UINT16_MAX;
    return (combined(compares(&low), x) ? one : 0) | (combined(compares(&high), x) ? one << 16 : 0);
}

static bool is_in(const char *space, uint64_t address)
{
    static const char *const windows[] = {"global", "shared", "local", "const", "param", "code"};
    uint64_t window = address >> HD_WINDOW_SHIFT;

    return is(space, windows[window < 6 ? window : 0]);
}

// setp of pairs: a predicate for each half.
static void compare_halves(struct lane *x)
{
    struct lane low = *x, high = *x;

    low.type = high.type = half_of(x->type);
    low.a &= UINT16_MAX, low.b &= UINT16_MAX;
    high.a = high.a >> 16 & UINT16_MAX, high.b = high.b >> 16 & UINT16_MAX;
    x->p = combined(compares(&low), x);
    x->second = combined(compares(&high), x);
}

static bool choices(const char *name, struct lane *x)
{
    if (is(name, "setp") && half_of(x->type) != HD_TYPE_NONE) {
        compare_halves(x);
    } else if (is(name, "setp")) {
        bool holds = compares(x);
        x->p = combined(holds, x);
        x->second = combined(!holds, x);
    } else if (is(name, "set")) {
        x->d = set(x);
    } else if (starts(name, "isspacep.")) {
        x->p = is_in(name + 9, x->a);
    } else if (is(name, "selp")) {
        x->d = pattern(x->dtype, (wide)(x->q ? x->a : x->b));
    } else if (is(name, "slct")) {
        bool first = is_float(x->type) ? number(x->type, x->c & UINT32_MAX) >= 0
                                       : integer(x->type, x->c) >= 0;
        if (x->mods & HD_MOD_FTZ)
            first = number(x->type, flush(x->type, x->c & UINT32_MAX)) >= 0;
        x->d = pattern(x->dtype, (wide)(first ? x->a : x->b));
    } else if (starts(name, "testp.")) {
        x->p = of_class(name + 6, x->type, x->a & (UINT64_MAX >> (64 - width_of(x->type))));
    } else {
        return false;
    }
    return true;
}

static bool predicates(const char *name, struct lane *x)
{
    bool a = x->a & 1, b = x->b & 1;

    x->p = is(name, "and")   ? a && b
           : is(name, "or")  ? a || b
           : is(name, "xor") ? a != b
           : is(name, "not") ? !a
                             : a;
    return is(name, "and") || is(name, "or") || is(name, "xor") || is(name, "not") ||
           is(name, "mov");
}

static bool reference(int op, struct lane *x)
{
    const char *name = hd_op_info[op].name;

    if (x->type == HD_PRED)
        return predicates(name, x);
    if (hd_op_carry(op) != HD_CARRY_NONE)
        return reference_carries(name, x);
    if (name[0] == '(')
        return hd_op_two_types(name) ? reference_mixed(name, x) : reference_of_three(name, x);
    if (choices(name, x) || reference_conversions(name, x))
        return true;
    if (is_float(x->type) || half_of(x->type) != HD_TYPE_NONE)
        return reference_floats(name, x);
    if (!reference_integers(name, x))
        return false;
    if (hd_op_info[op].shape == HD_SHAPE_LOP3P)
        x->p = is(name, "lop3.or") ? x->d || x->q : x->d && x->q;
    return true;
}

// --- operands

// Limits, what is near them, special floats, small numbers, anything.
static uint64_t operand(unsigned t)
{
    static const uint32_t halves[] = {0,      1,      0x3ff,  0x400,  0x3800, 0x3bff, 0x3c00,
                                      0x3c01, 0x7bff, 0x7c00, 0x7c01, 0x7fff, 0x4bff, 0x5bff};
    static const uint32_t bhalves[] = {0,      1,      0x7f,   0x80,   0x3f00, 0x3f7f, 0x3f80,
                                       0x3f81, 0x7f7f, 0x7f80, 0x7f81, 0x7fff, 0x0700, 0x4300};
    uint64_t r = rnd(), sign = (r >> 32 & 1) << 63, by = rnd();
    const uint32_t *special = t == HD_BF16 || t == HD_BF16X2 ? bhalves : halves;
    unsigned width = is_float(t) ? width_of(t) : 0;

    switch (r % 6) {
    case 0: // an integer near a power of two
        return (sign ? UINT64_MAX << (by & 63) : UINT64_C(1) << (by & 63)) + (by >> 8) % 3 - 1;
    case 1:
        return by & 0x3f;
    case 2: // a float near a power of two, of which integers are made too
        if (width == 64)
            return sign | (UINT64_C(960) + (by & 127)) << 52 | (rnd() & 3) << 50 | (rnd() & 1);
        if (width == 32)
            return sign >> 32 | (UINT64_C(110) + by % 90) << 23 | (rnd() & 3) << 21 | (rnd() & 1);
        return special[by % 14] | sign >> 48 | (uint64_t)special[(by >> 8) % 14] << 16 | sign >> 32;
    case 3: // limits of floats
        if (width == 64)
            return sign ^ ((by & 1 ? UINT64_C(0x7ff) << 52 : (by >> 1 & 1) << 52) + (by >> 8) % 3 -
                           (by >> 16) % 2);
        return sign >> 32 ^
               ((by & 1 ? 0x7f800000 : (by >> 1 & 1) << 23) + (by >> 8) % 3 - (by >> 16) % 2);
    default:
        return by;
    }
}

struct file { // rows: sources 0 to 7, two each; the destination 8
    _Alignas(64) uint32_t rows[10 * HD_LANES];
    uint32_t preds[4]; // destinations, sources
};

static uint64_t read_row(const struct file *f, unsigned row, unsigned l, unsigned t)
{
    uint64_t v = 0;
    unsigned words = hd_type_rows((enum hd_type)t);
    memcpy(&v, &f->rows[row * HD_LANES + l * words], 4 * words);
    return v;
}

static void fill(struct file *f, const unsigned types[4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < HD_LANES; l++) {
            unsigned words = types[i] == HD_PRED ? 1 : hd_type_rows((enum hd_type)types[i]);
            uint64_t v = operand(types[i]);
            memcpy(&f->rows[2 * i * HD_LANES + l * words], &v, 4 * words);
        }
    for (unsigned i = 0; i < 4; i++)
        f->preds[i] = (uint32_t)rnd();
}

// The types of the source registers, by shape.
static void source_types(const struct hd_op_info *o, unsigned types[4])
{
    for (int i = 0; i < 4; i++)
        types[i] = o->type;
    switch ((enum hd_shape)o->shape) {
    case HD_SHAPE_DAN:
        types[1] = HD_U32;
        break;
    case HD_SHAPE_DANM:
        types[1] = types[2] = HD_U32;
        break;
    case HD_SHAPE_DABNM:
        types[2] = types[3] = HD_U32;
        break;
    case HD_SHAPE_DAX:
        types[1] = o->dtype;
        break;
    case HD_SHAPE_DABX:
        types[2] = o->dtype;
        break;
    case HD_SHAPE_SLCT:
        types[0] = types[1] = o->dtype;
        break;
    default:
        break;
    }
}

static struct hd_insn instruction(int op, unsigned mods, unsigned space)
{
    const struct hd_op_info *o = &hd_op_info[op];
    bool to_pred = o->dtype == HD_PRED || o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_PA;
    struct hd_insn in = {.op = (uint16_t)op,
                         .mods = (uint16_t)mods,
                         .guard = HD_PRED_TRUE,
                         .vec = 1,
                         .space = (uint8_t)space,
                         .dst = to_pred ? 0 : 8,
                         .src = {0, 2, 4},
                         .imm = 6};

    if (o->shape == HD_SHAPE_PAB)
        in.dst = 0 | 1 << 16;
    if (o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET || o->shape == HD_SHAPE_DABQ)
        in.src[2] = 2;
    if (o->type == HD_PRED) {
        in.src[0] = 2;
        in.src[1] = 3;
    }
    if (hd_op_carry(op) != HD_CARRY_NONE)
        in.imm = 2;
    if (o->shape == HD_SHAPE_LOP3P)
        in.imm = HD_WARP_IMM(2, 0);
    return in;
}

static void compare(int op, const struct hd_insn *in, const struct file *before,
                    const struct file *after)
{
    const struct hd_op_info *o = &hd_op_info[op];
    unsigned types[4];

    source_types(o, types);
    for (unsigned l = 0; l < HD_LANES; l++) {
        struct lane x = {.type = o->type,
                         .dtype = o->dtype,
                         .mods = in->mods,
                         .space = in->space,
                         .imm = in->imm};
        bool pred = o->type == HD_PRED, ok = true;
        x.a = pred ? before->preds[2] >> l : read_row(before, 0, l, types[0]);
        x.b = pred ? before->preds[3] >> l : read_row(before, 2, l, types[1]);
        x.c = pred ? 0 : read_row(before, 4, l, types[2]);
        x.e = pred ? 0 : read_row(before, 6, l, types[3]);
        x.q = x.carry = before->preds[2] >> l & 1;
        if (!reference(op, &x))
            fail_msg("%s.%s has no reference here", o->name, hd_type_names[o->type]);
        uint64_t got = 0;
        if (in->dst == 8) {
            got = read_row(after, 8, l, o->dtype);
            ok = got == x.d;
        } else {
            got = after->preds[0] >> l & 1;
            ok = got == x.p && (o->shape != HD_SHAPE_PAB || (after->preds[1] >> l & 1) == x.second);
            x.d = x.p;
        }
        if (o->shape == HD_SHAPE_LOP3P)
            ok &= (after->preds[0] >> l & 1) == x.p;
        enum hd_carry c = hd_op_carry(op);
        if (c == HD_CARRY_OUT || c == HD_CARRY_THROUGH)
            ok &= (after->preds[2] >> l & 1) == x.p;
        if (ok)
            continue;
        if (wrong++ < 50)
            print_error(
                "%s.%s.%s, modifiers %04x, of %llx, %llx, %llx, %llx (%d): %llx, expected %llx\n",
                o->name, hd_type_names[o->dtype], hd_type_names[o->type], in->mods,
                (unsigned long long)x.a, (unsigned long long)x.b, (unsigned long long)x.c,
                (unsigned long long)x.e, x.q, (unsigned long long)got, (unsigned long long)x.d);
        return; // one lane of each is enough
    }
}

// Any modifiers and selectors that the video instruction may have.
static struct hd_video any_video(const char *name)
{
    static const struct {
        const char *name;
        uint8_t op;
    } kinds[] = {{"vadd", HD_VIDEO_ADD},         {"vsub", HD_VIDEO_SUB}, {"vavrg", HD_VIDEO_AVRG},
                 {"vabsdiff", HD_VIDEO_ABSDIFF}, {"vmin", HD_VIDEO_MIN}, {"vmax", HD_VIDEO_MAX},
                 {"vshl", HD_VIDEO_SHL},         {"vshr", HD_VIDEO_SHR}, {"vset", HD_VIDEO_SET},
                 {"vmad", HD_VIDEO_MAD}};
    const uint64_t r = rnd();
    struct hd_video v = {.bits = strchr(name, '4')   ? 8
                                 : strchr(name, '2') ? 16
                                                     : 32,
                         .signed_d = r & 1,
                         .signed_a = r >> 1 & 1,
                         .signed_b = r >> 2 & 1,
                         .sat = r >> 3 & 1,
                         .wrap = r >> 4 & 1,
                         .cmp = (uint8_t)((r >> 5 & 63) % 6)};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (starts(name, kinds[i].name))
            v.op = kinds[i].op;
    for (unsigned i = 0; i < 4; i++) {
        unsigned most = v.bits == 8 ? 8 : v.bits == 16 ? 4 : 7;
        v.a[i] = (uint8_t)(rnd() % most);
        v.b[i] = (uint8_t)(rnd() % most);
    }
    v.second = v.bits == 32 ? (uint8_t)((r >> 16 & 255) % 5) : r >> 16 & 1;
    v.mask = v.bits == 8                  ? r >> 24 & 15
             : v.bits == 16               ? r >> 24 & 3
             : v.second == HD_VIDEO_MERGE ? (uint8_t)((r >> 24 & 255) % 6)
                                          : HD_VIDEO_WORD;
    v.scale = v.op == HD_VIDEO_MAD ? (const uint8_t[]){0, 7, 15, 0}[r >> 32 & 3] : 0;
    v.neg_ab = v.op == HD_VIDEO_MAD && (r >> 34 & 3) == 1;
    v.neg_c = v.op == HD_VIDEO_MAD && (r >> 34 & 3) == 2;
    v.plus_one = v.op == HD_VIDEO_MAD && (r >> 34 & 3) == 3;
    if (v.op == HD_VIDEO_SHL || v.op == HD_VIDEO_SHR)
        v.signed_b = false;
    return v;
}

static const hd_lane_fn *table; // the build of the lane loops that is tried

static void try(int op, unsigned mods, unsigned space)
{
    static struct file before, after;
    struct hd_insn in = instruction(op, mods, space);
    unsigned types[4];

    source_types(&hd_op_info[op], types);
    bool video = hd_op_info[op].shape == HD_SHAPE_VIDEO;
    for (unsigned i = 0; i < (video ? 50 * rounds : rounds); i++) {
        if (video) {
            struct hd_video v = any_video(hd_op_info[op].name);
            in.imm = hd_video_imm(&v);
        }
        fill(&before, types);
        after = before;
        table[op](&in, &(struct hd_lane_regs){.rows = after.rows, .preds = after.preds}, UINT32_MAX,
                  1);
        compare(op, &in, &before, &after);
    }
}

// All roundings, with and without .sat and .ftz, all values of the low byte, all ways to combine.
static unsigned try_all(int op)
{
    const unsigned may = hd_op_mods(op), n_low = may & HD_MOD_ENUM ? HD_MOD_ENUM + 1 : 1;
    const unsigned n_bool = may & HD_MOD_BOOL ? 4 : 1;
    unsigned forms = 0;

    for (unsigned low = 0; low < n_low; low++)
        for (unsigned r = 0; r < HD_N_ROUNDS; r++)
            for (unsigned flags = 0; flags < 4; flags++)
                for (unsigned how = 0; how < n_bool; how++) {
                    unsigned mods = low | r << HD_MOD_ROUND_SHIFT | (flags & 1 ? HD_MOD_SAT : 0) |
                                    (flags & 2 ? HD_MOD_FTZ : 0) | how << HD_MOD_BOOL_SHIFT;
                    if (mods & ~may || !hd_op_accepts(op, low) ||
                        !hd_op_rounds(op, (enum hd_round)r))
                        continue;
                    try(op, mods, forms % 2 ? HD_SPACE_SHARED : HD_SPACE_LOCAL);
                    forms++;
                }
    return forms;
}

static void all_operations(enum hd_lanes_width width)
{
    unsigned operations = 0, forms = 0;

    table = hd_lanes_table(width);
    if (!table) {
        print_message("build %d of the lane loops is not for this host\n", (int)width);
        return;
    }
    for (int op = 0; op < HD_N_OPS; op++) {
        if (!table[op] || strstr(hd_op_info[op].name, ".approx"))
            continue;
        operations++;
        forms += try_all(op);
    }
    print_message("%u operations in %u forms\n", operations, forms);
    assert_true(operations > 300);
    assert_int_equal(wrong, 0);
}

static void every_operation_in_every_form(void **state)
{
    (void)state;
    for (unsigned w = 0; w < HD_N_LANES_WIDTHS; w++)
        all_operations(w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_in_every_form)};

    if (argc > 1)
        rounds = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
