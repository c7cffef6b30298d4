// lanes_check.c - whether two builds of the lane loops compute the same.
//
// Every build is made of the same source, so they differ only if a compiler was wrong. That has
// happened: gcc 14 inverted comparisons of halves in the AVX-512 build. Each operation is tried in
// its forms (roundings, .sat, .ftz, comparisons) on a few warps of values among which special ones
// are frequent. That takes three milliseconds, so that it can be done whenever heddle starts. The
// values are always the same.
#include "emu/lanes.h"
#include "isa/video.h"

#include <string.h>

enum { ROUNDS = 3, OPERANDS = 4, WARPS = 2, PREDS = 8, BITS_16 = 0, BITS_32, BITS_64, N_WIDTHS };

static const uint64_t corners_16[] = {
    0,      1,      2,      7,      8,      15,     16,     0x1f,   0x7f,   0x80,   0xff,
    0x3ff,  0x400,  0x401,  0x3bff, 0x3c00, 0x3c01, 0x3f80, 0x3f81, 0x4248, 0x7bff, 0x7c00,
    0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fff, 0x8000, 0x8001, 0x8080, 0x83ff, 0x8400,
    0xbc00, 0xbf80, 0xfbff, 0xfc00, 0xfc01, 0xfe00, 0xff7f, 0xff80, 0xff81, 0xffff,
};
static const uint64_t corners_32[] = {
    0,          1,          2,          8,          16,         31,         32,
    33,         63,         64,         0xff,       0x7fff,     0x8000,     0xffff,
    0x10000,    0x7fffff,   0x800000,   0x800001,   0x33000001, 0x38800000, 0x3f000000,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x40200000, 0x437f0000, 0x477fe000, 0x47800000,
    0x4b000001, 0x4effffff, 0x4f000000, 0x4f800000, 0x5f000000, 0x5f800000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x80000000, 0x80000001, 0x807fffff,
    0xbf000000, 0xbf800000, 0xcf000000, 0xff7fffff, 0xff800000, 0xffc00001, 0xffffffff,
};
static const uint64_t corners_64[] = {
    0,
    1,
    2,
    63,
    64,
    0xffffffff,
    UINT64_C(0x100000000),
    UINT64_C(0x7fffffffffffffff),
    UINT64_C(0x8000000000000000),
    UINT64_C(0xffffffffffffffff),
    UINT64_C(0x000fffffffffffff),
    UINT64_C(0x0010000000000000),
    UINT64_C(0x36a0000000000001),
    UINT64_C(0x3e70000000000000),
    UINT64_C(0x3fe0000000000000),
    UINT64_C(0x3ff0000000000000),
    UINT64_C(0x3ff0000000000001),
    UINT64_C(0x40effe0000000000),
    UINT64_C(0x40f0000000000000),
    UINT64_C(0x41dfffffffc00000),
    UINT64_C(0x43e0000000000000),
    UINT64_C(0x43f0000000000000),
    UINT64_C(0x47efffffe0000000),
    UINT64_C(0x47f0000000000000),
    UINT64_C(0x7fefffffffffffff),
    UINT64_C(0x7ff0000000000000),
    UINT64_C(0x7ff0000000000001),
    UINT64_C(0x7ff8000000000000),
    UINT64_C(0x8000000000000001),
    UINT64_C(0xbfe0000000000000),
    UINT64_C(0xbff0000000000000),
    UINT64_C(0xc1e0000000000000),
    UINT64_C(0xc3e0000000000000),
    UINT64_C(0xffefffffffffffff),
    UINT64_C(0xfff0000000000000),
    UINT64_C(0xfff8000000000001),
};

struct operand {
    uint32_t words[2 * HD_LANES]; // a row, or two for 64 bits
};

struct inputs {
    struct operand operands[N_WIDTHS][ROUNDS][OPERANDS];
};

struct file {
    uint32_t rows[WARPS][2 * HD_LANES]; // the destination's
    uint32_t preds[WARPS][PREDS];
};

static uint64_t rnd(uint64_t *seed) // SplitMix64
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

// Three of four values are special ones.
static uint64_t value(unsigned width, uint64_t *seed)
{
    uint64_t r = rnd(seed), which = rnd(seed) >> 8;

    if (!(r & 3))
        return which * 257;
    switch (width) {
    case BITS_16: // or a pair of them
        return corners_16[which % COUNT(corners_16)] | corners_16[(which >> 24) % COUNT(corners_16)]
                                                           << 16;
    case BITS_32:
        return corners_32[which % COUNT(corners_32)];
    default:
        return corners_64[which % COUNT(corners_64)];
    }
}

static void make_inputs(struct inputs *x)
{
    uint64_t seed = 1;

    for (unsigned w = 0; w < N_WIDTHS; w++)
        for (unsigned r = 0; r < ROUNDS; r++)
            for (unsigned o = 0; o < OPERANDS; o++)
                for (unsigned l = 0; l < HD_LANES; l++) {
                    uint64_t v = value(w, &seed);
                    if (w == BITS_64)
                        memcpy(&x->operands[w][r][o].words[2 * l], &v, sizeof v);
                    else
                        x->operands[w][r][o].words[l] = (uint32_t)v;
                }
}

static unsigned width_of(unsigned type)
{
    switch ((enum hd_type)type) {
    case HD_U32:
    case HD_S32:
    case HD_B32:
    case HD_F32:
        return BITS_32;
    case HD_U64:
    case HD_S64:
    case HD_B64:
    case HD_F64:
    case HD_F32X2:
        return BITS_64;
    default:
        return BITS_16;
    }
}

// The type of source operand i.
static unsigned source_type(const struct hd_op_info *o, unsigned i)
{
    switch ((enum hd_shape)o->shape) {
    case HD_SHAPE_DAN:
    case HD_SHAPE_DANM:
        return i ? HD_U32 : o->type;
    case HD_SHAPE_DABNM:
        return i > 1 ? HD_U32 : o->type;
    case HD_SHAPE_DAX:
        return i == 1 ? o->dtype : o->type;
    case HD_SHAPE_DABX:
        return i == 2 ? o->dtype : o->type;
    case HD_SHAPE_SLCT:
        return i < 2 ? o->dtype : o->type;
    default:
        return o->type;
    }
}

// The operand as a row of the pool, which is `inputs`.
static int32_t pool_row(unsigned type, unsigned round, unsigned i)
{
    return -1 - (int32_t)(2 * ((width_of(type) * ROUNDS + round) * OPERANDS + i));
}

int64_t hd_lanes_video(int op, uint64_t r)
{
    static const char names[][8] = {"vadd", "vsub", "vavrg", "vabsdif", "vmin",
                                    "vmax", "vshl", "vshr",  "vset",    "vmad"};
    const char *name = hd_op_info[op].name;
    struct hd_video v = {.bits = strchr(name, '4') ? 8 : strchr(name, '2') ? 16 : 32};

    while (strncmp(name, names[v.op], strlen(names[v.op])) != 0)
        v.op++;
    const bool scalar = v.bits == 32, mad = v.op == HD_VIDEO_MAD;
    const unsigned most = v.bits == 8 ? 8 : v.bits == 16 ? 4 : HD_VIDEO_WORD + 1, what = r >> 8 & 3;

    for (unsigned i = 0; i < 4; i++) {
        v.a[i] = (uint8_t)((r >> (16 + 3 * i) & 7) % most);
        v.b[i] = (uint8_t)((r >> (28 + 3 * i) & 7) % most);
    }
    v.signed_d = r & 1, v.signed_a = r >> 1 & 1, v.sat = r >> 2 & 1, v.wrap = r >> 3 & 1;
    v.signed_b = r >> 4 & 1 && v.op != HD_VIDEO_SHL && v.op != HD_VIDEO_SHR;
    v.cmp = (uint8_t)((r >> 5 & 7) % 6);
    v.second = (uint8_t)(scalar ? (r >> 40 & 7) % 5 : r >> 40 & 1);
    v.mask = (uint8_t)(!scalar                      ? r >> 44 & (v.bits == 8 ? 15 : 3)
                       : v.second == HD_VIDEO_MERGE ? (r >> 44 & 7) % HD_VIDEO_WORD
                                                    : HD_VIDEO_WORD);
    v.scale = mad ? (const uint8_t[]){0, 7, 15, 0}[what] : 0;
    v.neg_ab = mad && what == 1, v.neg_c = mad && what == 2, v.plus_one = mad && what == 3;
    return hd_video_imm(&v);
}

static struct hd_insn instruction(int op, unsigned mods, unsigned n)
{
    const unsigned round = n % ROUNDS;
    const struct hd_op_info *o = &hd_op_info[op];
    struct hd_insn in = {.op = (uint16_t)op,
                         .mods = (uint16_t)mods,
                         .guard = HD_PRED_TRUE,
                         .vec = 1,
                         .space = round & 1 ? HD_SPACE_SHARED : HD_SPACE_LOCAL};

    for (unsigned i = 0; i < 3; i++)
        in.src[i] = pool_row(source_type(o, i), round, i);
    in.imm = hd_op_carry(op) ? 3 : pool_row(source_type(o, 3), round, 3);
    if (o->shape == HD_SHAPE_VIDEO) {
        uint64_t seed = n;
        in.imm = hd_lanes_video(op, rnd(&seed));
    }
    if (o->shape == HD_SHAPE_LOP3P)
        in.imm = HD_WARP_IMM(5, 1);
    if (o->shape == HD_SHAPE_PAB)
        in.dst = 0 | 1 << 16;
    if (o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET || o->shape == HD_SHAPE_DABQ)
        in.src[2] = (int32_t)(2 | (round & 1 ? HD_PRED_NOT : 0));
    if (o->type == HD_PRED) {
        in.src[0] = 4;
        in.src[1] = (int32_t)(5 | (round & 1 ? HD_PRED_NOT : 0));
    }
    return in;
}

static bool same(const struct hd_insn *in, const struct inputs *x, hd_lane_fn a, hd_lane_fn b,
                 unsigned round)
{
    static const uint32_t before[PREDS] = {0x0f0f3355, 0x12345678, 0x99aa55cc, 0xf0e1d2c3,
                                           0x00ff00ff, 0xaaaa5555, 0xffffffff, 0};
    const uint32_t mask = round & 1 ? 0x7ffe5a3c : UINT32_MAX;
    hd_lane_fn fn[] = {a, b};
    struct file f[2];

    for (unsigned i = 0; i < 2; i++) {
        memset(f[i].rows, 0x5a, sizeof f[i].rows);
        for (unsigned w = 0; w < WARPS; w++)
            memcpy(f[i].preds[w], before, sizeof before);
        fn[i](in,
              &(struct hd_lane_regs){f[i].rows[0], x->operands[0][0][0].words, f[i].preds[0],
                                     2 * HD_LANES, PREDS},
              mask, 1 + (round & 1));
    }
    return !memcmp(&f[0], &f[1], sizeof f[0]);
}

// How a comparison is combined with a predicate is the same code for all of them: they take turns.
static unsigned flags_of(int op)
{
    const unsigned shape = hd_op_info[op].shape, all = hd_op_mods(op) & ~(unsigned)HD_MOD_ENUM;

    return shape == HD_SHAPE_PAB || shape == HD_SHAPE_SET ? all & ~(unsigned)HD_MOD_BOOL : all;
}

static bool same_in_all_forms(int op, const struct inputs *x, hd_lane_fn a, hd_lane_fn b,
                              struct hd_insn *where)
{
    const unsigned may = hd_op_mods(op), low_bits = may & HD_MOD_ENUM, flags = flags_of(op);
    // Of all truth tables a part.
    const unsigned shape = hd_op_info[op].shape;
    const unsigned step = shape == HD_SHAPE_LOP3 || shape == HD_SHAPE_LOP3P ? 15 : 1;
    const unsigned repeat = low_bits || flags ? 1 : shape == HD_SHAPE_VIDEO ? 12 : ROUNDS;
    unsigned some = 0, n = 0;

    for (unsigned low = 0; low <= low_bits; low += step) {
        if (!hd_op_accepts(op, low))
            continue;
        do { // each choice of the flags
            if (!hd_op_rounds(op, (enum hd_round)((some & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT)))
                continue;
            for (unsigned i = 0; i < repeat; i++, n++) {
                const unsigned turn = n << HD_MOD_BOOL_SHIFT & may & ~flags & HD_MOD_BOOL;
                *where = instruction(op, low | some | turn, n);
                if (!same(where, x, a, b, n % ROUNDS))
                    return false;
            }
        } while ((some = (some - flags) & flags) != 0);
    }
    return true;
}

bool hd_lanes_same(const hd_lane_fn *a, const hd_lane_fn *b, struct hd_insn *where)
{
    struct inputs x;

    make_inputs(&x);
    for (int op = 0; op < HD_N_OPS; op++)
        if (a[op] && a[op] != b[op] && (!b[op] || !same_in_all_forms(op, &x, a[op], b[op], where)))
            return false;
    return true;
}
