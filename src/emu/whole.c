// whole.c - loads and stores of whole warps. See whole.h.
//
// Compiled three times (see the Makefile); HD_LANES_SUFFIX names the result.
#include "emu/whole.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef HD_LANES_SUFFIX
#define HD_LANES_SUFFIX baseline
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#define EACH_LANE for (unsigned l = 0; l < HD_LANES; l++)
#define GROUPS 4 // of eight lanes
#define EACH_GROUP for (unsigned g = 0; g < GROUPS; g++)

typedef uint32_t v8 __attribute__((vector_size(32)));
typedef uint64_t v4 __attribute__((vector_size(32)));
// In registers' rows and in memory, at any address.
typedef v8 any8 __attribute__((aligned(1), may_alias));
typedef v4 any4 __attribute__((aligned(1), may_alias));
typedef uint32_t any32 __attribute__((aligned(1), may_alias));
typedef uint64_t any64 __attribute__((aligned(1), may_alias));

// How the lanes of each group lie to each other.
enum pattern { SCATTERED, SAME, ROW };

static inline __attribute__((always_inline)) bool is_zero(const v8 *x)
{
#if defined(__AVX2__)
    return _mm256_testz_si256((__m256i)*x, (__m256i)*x);
#else
    const v4 y = (v4)*x;
    return !(y[0] | y[1] | y[2] | y[3]);
#endif
}

// Offsets of the lanes' addresses from the window's start. False if one is no multiple of the
// element's size or not below `size`, which is at most 2^31.
static inline __attribute__((always_inline)) bool find(const struct hd_insn *in,
                                                       const struct hd_lane_regs *r, unsigned shift,
                                                       const struct hd_whole_window *x,
                                                       uint32_t at[HD_LANES], enum pattern *pattern)
{
    const uint32_t bytes = 1u << shift, last = (uint32_t)x->size - bytes;
    const uint64_t start = (uint64_t)in->imm - x->low;
    const uint32_t *row = hd_lanes_source(r, in->src[0]);
    const v8 steps = (v8){0, 1, 2, 3, 4, 5, 6, 7} << shift;
    v8 any = {0}, room = {0}, apart = {0}, skew = {0}, o[GROUPS];
    v4 high = {0};

    if (in->mods & HD_MOD_A32) { // an address goes around at 2^32, and must not do so in the window
        if (x->low + x->size > UINT32_MAX)
            return false;
        EACH_GROUP o[g] = ((const any8 *)row)[g] + (uint32_t)start;
    } else {
        EACH_GROUP
        {
            const v4 a = ((const any4 *)row)[2 * g] + start,
                     b = ((const any4 *)row)[2 * g + 1] + start;
            high |= a | b;
            o[g] = __builtin_shufflevector((v8)a, (v8)b, 0, 2, 4, 6, 8, 10, 12, 14);
        }
    }
    EACH_GROUP
    {
        const v8 d = o[g] - __builtin_shufflevector(o[g], o[g], 0, 0, 0, 0, 0, 0, 0, 0);
        *(v8 *)&at[8 * g] = o[g];
        any |= o[g];
        room |= last - o[g]; // its sign says that there is none
        apart |= d;
        skew |= d ^ steps;
    }
    const v8 bad = ((any | room) & 0x80000000u) | (any & (bytes - 1)) |
                   (v8)(high & UINT64_C(0xffffffff00000000));
    if (!is_zero(&bad))
        return false;
    *pattern = is_zero(&skew) ? ROW : is_zero(&apart) ? SAME : SCATTERED;
    return true;
}

static bool usable(const struct hd_whole_window *x, unsigned shift)
{
    return x->size >= 1u << shift && x->size <= INT32_MAX;
}

// A variable, or a parameter.
static bool load_fixed(const struct hd_insn *in, const struct hd_lane_regs *r, unsigned shift,
                       const struct hd_whole_window *x)
{
    const uint64_t at = (uint64_t)in->imm - x->low;
    uint32_t *row = hd_lanes_row(r, in->dst);

    if (at > x->size - (1u << shift) || at & ((1u << shift) - 1))
        return false;
    if (shift == 2) {
        const v8 all = (v8){0} + *(const any32 *)(x->base + at);
        EACH_GROUP((any8 *)row)[g] = all;
    } else {
        const v4 all = (v4){0} + *(const any64 *)(x->base + at);
        for (unsigned g = 0; g < 2 * GROUPS; g++)
            ((any4 *)row)[g] = all;
    }
    return true;
}

static bool load(const struct hd_insn *in, const struct hd_lane_regs *r, unsigned shift,
                 const struct hd_whole_window *x)
{
    _Alignas(32) uint32_t at[HD_LANES];
    const uint8_t *base = x->base;
    enum pattern pattern;

    if (!usable(x, shift))
        return false;
    if (in->src[0] == HD_ROW_NONE)
        return load_fixed(in, r, shift, x);
    if (!find(in, r, shift, x, at, &pattern))
        return false;
    any32 *row = hd_lanes_row(r, in->dst);
    any64 *wide = (any64 *)row;
    if (shift == 2 && pattern == ROW)
        EACH_GROUP((any8 *)row)[g] = *(const any8 *)(base + at[8 * g]);
    else if (shift == 2 && pattern == SAME)
        EACH_GROUP((any8 *)row)[g] = (v8){0} + *(const any32 *)(base + at[8 * g]);
    else if (shift == 2)
        EACH_LANE row[l] = *(const any32 *)(base + at[l]);
    else if (pattern == ROW)
        EACH_GROUP
        {
            ((any4 *)row)[2 * g] = *(const any4 *)(base + at[8 * g]);
            ((any4 *)row)[2 * g + 1] = *(const any4 *)(base + at[8 * g] + 32);
        }
    else
        EACH_LANE wide[l] = *(const any64 *)(base + at[l]);
    return true;
}

#define STORE_LANES(T)                                                                             \
    {                                                                                              \
        T old = 0;                                                                                 \
        EACH_LANE                                                                                  \
        {                                                                                          \
            T *to = (T *)(base + at[l]);                                                           \
            const T now = ((const T *)row)[l];                                                     \
            old |= *to ^ now;                                                                      \
            *to = now;                                                                             \
        }                                                                                          \
        *changed |= old != 0;                                                                      \
    }

static bool store(const struct hd_insn *in, const struct hd_lane_regs *r, unsigned shift,
                  const struct hd_whole_window *x, uint8_t *changed)
{
    _Alignas(32) uint32_t at[HD_LANES];
    uint8_t *base = x->base;
    enum pattern pattern;

    if (!usable(x, shift) || in->src[0] == HD_ROW_NONE || !find(in, r, shift, x, at, &pattern))
        return false;
    const uint32_t *row = hd_lanes_source(r, in->src[1]);
    if (pattern == ROW) {
        v8 old = {0};
        const unsigned parts = 1u << (shift - 2); // of 32 bytes, of a group
        EACH_GROUP
        {
            for (unsigned i = 0; i < parts; i++) {
                any8 *to = (any8 *)(base + at[8 * g]) + i;
                const v8 now = ((const any8 *)row)[parts * g + i];
                old |= *to ^ now;
                *to = now;
            }
        }
        *changed |= !is_zero(&old);
    } else if (shift == 2) {
        STORE_LANES(any32)
    } else {
        STORE_LANES(any64)
    }
    return true;
}

const struct hd_whole_ops CAT(hd_whole_, HD_LANES_SUFFIX) = {load, store};
