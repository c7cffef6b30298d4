// lane_compare.h - the lane loops that make or read predicates: setp, set, testp, selp, lop3 with a
// predicate, logic of predicates. See lane_loops.h.
#ifndef HEDDLE_EMU_LANE_COMPARE_H
#define HEDDLE_EMU_LANE_COMPARE_H

#include "emu/lane_bf16.h"
#include "emu/lane_rows.h"

// clang-format off
static inline uint32_t combine(uint32_t x, uint32_t q, unsigned how)
{
    return how == HD_BOOL_AND ? x & q : how == HD_BOOL_OR ? x | q : x ^ q;
}

static inline void set_both(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                     uint32_t holds)
{
    uint32_t p = (uint32_t)in->dst & 0xffff, second = (uint32_t)in->dst >> 16, fails = ~holds;
    unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT;

    if (how != HD_BOOL_NONE) {
        uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]);
        holds = combine(holds, q, how);
        fails = combine(fails, q, how);
    }
    set_pred(r, p, holds, mask);
    if (second != 0xffff)
        set_pred(r, second, fails, mask);
}

typedef lane_U16 cmp_U16, cmp_B16; typedef lane_S16 cmp_S16;
typedef lane_U32 cmp_U32, cmp_B32; typedef lane_S32 cmp_S32;
typedef lane_U64 cmp_U64, cmp_B64; typedef lane_S64 cmp_S64;
typedef float cmp_F32, cmp_F16, cmp_BF16; typedef double cmp_F64;
#define TEST(T, PRE, test) \
    EACH_LANE { \
        cmp_##T a = PRE((lane_##T)pa[l]), b = PRE((lane_##T)pb[l]); \
        m |= (test) ? bit32[l] : 0; \
    } \
    break;
#define TESTS_INT(T, PRE) \
    case HD_CMP_EQ: TEST(T, PRE, a == b) \
    case HD_CMP_NE: TEST(T, PRE, a != b) \
    case HD_CMP_LT: case HD_CMP_LO: TEST(T, PRE, a < b) \
    case HD_CMP_LE: case HD_CMP_LS: TEST(T, PRE, a <= b) \
    case HD_CMP_GT: case HD_CMP_HI: TEST(T, PRE, a > b) \
    case HD_CMP_GE: case HD_CMP_HS: TEST(T, PRE, a >= b)
// gcc 14 joins the masks of `a != a || b != b` wrongly if a and b were 16 bits wide (-O3, AVX-512).
#define TESTS_FLOAT(T, PRE) \
    case HD_CMP_EQ:  TEST(T, PRE, a == b) \
    case HD_CMP_NE:  TEST(T, PRE, a < b || a > b) \
    case HD_CMP_LT:  TEST(T, PRE, a < b) \
    case HD_CMP_LE:  TEST(T, PRE, a <= b) \
    case HD_CMP_GT:  TEST(T, PRE, a > b) \
    case HD_CMP_GE:  TEST(T, PRE, a >= b) \
    case HD_CMP_EQU: TEST(T, PRE, !(a < b || a > b)) \
    case HD_CMP_NEU: TEST(T, PRE, a != b) \
    case HD_CMP_LTU: TEST(T, PRE, !(a >= b)) \
    case HD_CMP_LEU: TEST(T, PRE, !(a > b)) \
    case HD_CMP_GTU: TEST(T, PRE, !(a <= b)) \
    case HD_CMP_GEU: TEST(T, PRE, !(a < b)) \
    case HD_CMP_NUM: TEST(T, PRE, !__builtin_isunordered(a, b)) \
    case HD_CMP_NAN: TEST(T, PRE, __builtin_isunordered(a, b))
#define COMPARE_CMP(T) \
    switch (in->mods & HD_MOD_ENUM) { TESTS_INT(T, SAME) }
#define COMPARE_CMPF(T) COMPAREF_##T
#define COMPAREF_F64 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F64, SAME) }
#define WIDEN_F16(x) f32_of_f16(in->mods & HD_MOD_FTZ ? flush_f16(x) : (x))
#define COMPAREF_F16 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F16, WIDEN_F16) }
#define WIDEN_BF16(x) f32_of_bf16(in->mods & HD_MOD_FTZ ? flush_bf16(x) : (x))
#define COMPAREF_BF16 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(BF16, WIDEN_BF16) }
#define COMPAREF_F32 \
    if (in->mods & HD_MOD_FTZ) \
        switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F32, flush_f32) } \
    else \
        switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F32, SAME) }
#define HANDLER_SETP(id, T, mods) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t m = 0; \
            ROWS_DAB(T, T); \
            COMPARE_##mods(T) \
            set_both(in, r, mask, m); \
        } \
    }

#define SETPS_CMP HANDLER_SETP
#define SETPS_CMPF HANDLER_SETP

// set: the bits that setp would give, as numbers.
#define ONE_B32 UINT32_MAX
#define ONE_F32 1.0f
#define ONE_B16 0xffff
#define ONE_F16 0x3c00
#define ONE_BF16 0x3f80
#define HANDLER_SET(id, T, D, kind) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT; \
            lane_##D v[HD_LANES]; \
            uint32_t m = 0; \
            ROWS_DAB(T, T); \
            COMPARE_##kind(T) \
            if (how != HD_BOOL_NONE) \
                m = combine(m, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
            EACH_LANE v[l] = m & bit32[l] ? ONE_##D : 0; \
            store_##D(r, in->dst, v, mask); \
        } \
    }

#define SETS_CMP(id, T, D) HANDLER_SET(id, T, D, CMP)
#define SETS_CMPF(id, T, D) HANDLER_SET(id, T, D, CMPF)

// Of pairs of halves: the bits for the lower halves and those for the upper.
#define COMPARE_HALVES(name, T) \
    static inline uint32_t name(const struct hd_insn *in, const row32 *x, const row32 *y, unsigned shift) \
    { \
        row32 pa[HD_LANES], pb[HD_LANES]; \
        uint32_t m = 0; \
        EACH_LANE { \
            pa[l] = x[l] >> shift & 0xffff; \
            pb[l] = y[l] >> shift & 0xffff; \
        } \
        COMPAREF_##T \
        return m; \
    }
COMPARE_HALVES(compare_F16X2, F16)
COMPARE_HALVES(compare_BF16X2, BF16)
// setp of halves: one predicate for each.
static inline void set_each(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                     uint32_t low, uint32_t high)
{
    uint32_t p = (uint32_t)in->dst & 0xffff, second = (uint32_t)in->dst >> 16;
    unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT;

    if (how != HD_BOOL_NONE) {
        uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]);
        low = combine(low, q, how);
        high = combine(high, q, how);
    }
    set_pred(r, p, low, mask);
    if (second != 0xffff)
        set_pred(r, second, high, mask);
}
#define SETPS_CMPH(id, T, mods) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            ROWS_DAB(T, T); \
            set_each(in, r, mask, compare_##T(in, pa, pb, 0), compare_##T(in, pa, pb, 16)); \
        } \
    }
#define HALF_B32 0xffffu
#define HALF_F16X2 0x3c00u
#define HALF_BF16X2 0x3f80u
#define SETS_CMPH(id, T, D) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT; \
            lane_##D v[HD_LANES]; \
            ROWS_DAB(T, T); \
            uint32_t low = compare_##T(in, pa, pb, 0), high = compare_##T(in, pa, pb, 16); \
            if (how != HD_BOOL_NONE) { \
                low = combine(low, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
                high = combine(high, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
            } \
            EACH_LANE v[l] = (low & bit32[l] ? HALF_##D : 0) | (high & bit32[l] ? HALF_##D << 16 : 0); \
            store_##D(r, in->dst, v, mask); \
        } \
    }

// lop3 with a predicate: whether the result is not 0, combined with another predicate.
#define HOW_LOP3_AND HD_BOOL_AND
#define HOW_LOP3_OR HD_BOOL_OR
#define HANDLER_LOP3P(id) \
    static void id##_B32(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            lane_B32 v[HD_LANES]; \
            uint32_t m = 0; \
            ROWS_DABC(B32, B32); \
            EACH_LANE { \
                v[l] = lop3(pa[l], pb[l], pc[l], in->mods & HD_MOD_ENUM); \
                m |= v[l] ? bit32[l] : 0; \
            } \
            m = combine(m, hd_lanes_pred(r, (uint32_t)HD_WARP_ROW(in->imm)), HOW_##id); \
            if (in->dst != HD_ROW_NONE) \
                store_B32(r, in->dst, v, mask); \
            if (HD_WARP_PRED(in->imm) != HD_PRED_TRUE) \
                set_pred(r, HD_WARP_PRED(in->imm), m, mask); \
        } \
    }

#define HANDLER_TESTP(id, T, test) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t m = 0; \
            ROWS_DA(T, T); \
            EACH_LANE { \
                LANE_DA(T, T, SAME); \
                m |= (test) ? bit32[l] : 0; \
            } \
            set_pred(r, (uint32_t)in->dst, m, mask); \
        } \
    }

#define HANDLER_SELP(id, T, bit) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]); \
            lane_##T v[HD_LANES]; \
            ROWS_DAB(T, T); \
            EACH_LANE { \
                LANE_DAB(T, T, SAME); \
                v[l] = q & bit[l] ? a : b; \
            } \
            store_##T(r, in->dst, v, mask); \
        } \
    }
#define BITS_B16 bit32
#define BITS_B32 bit32
#define BITS_B64 bit64

#define HANDLER_PRED(id, T, GET_B, body) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t a = hd_lanes_pred(r, (uint32_t)in->src[0]); \
            GET_B \
            set_pred(r, (uint32_t)in->dst, body, mask); \
        } \
    }
// clang-format on

#endif
