// whole.c - loads and stores in one pass over the addresses. See whole.h.
//
// Compiled three times (see the Makefile); HD_LANES_SUFFIX names the result.
#include "emu/whole.h"

#include "emu/touched.h"

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

// Is every bit of the mask 0?
static inline __attribute__((always_inline)) bool is_clear(const v8 *x, const v8 *mask)
{
#if defined(__AVX2__)
    return _mm256_testz_si256((__m256i)*x, (__m256i)*mask);
#else
    const v4 y = (v4)(*x & *mask);
    return !(y[0] | y[1] | y[2] | y[3]);
#endif
}

#define ALL(x)                                                                                     \
    {                                                                                              \
        (x), (x), (x), (x), (x), (x), (x), (x)                                                     \
    }
static const v8 everything = ALL(UINT32_MAX), signs = ALL(0x80000000u),
                upper_halves = {0, UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX},
                inside[] = {[2] = ALL(3), [3] = ALL(7)}; // an element of 4 or 8 bytes
static const v8 steps[] = {
    [2] = {0, 4, 8, 12, 16, 20, 24, 28}, [3] = {0, 8, 16, 24, 32, 40, 48, 56}};
static const v8 bits = {1, 2, 4, 8, 16, 32, 64, 128};

// The lanes of a group.
#define MASK(lanes, g) ((lanes) >> (8 * (g)) & 0xff)

// An address of 32 bits would go around inside the window.
static bool goes_around(const struct hd_whole_window *x)
{
    return x->low + x->size > UINT32_MAX;
}

// Offsets of the lanes' addresses, which are those of the row plus `start`, from the start of a
// window of this size, 0 of those that take no part; how the lanes of groups lie to each other of
// which all take part. False if an address is no multiple of the element's size or not below the
// window's end.
static inline __attribute__((always_inline)) bool find(const uint32_t *row, uint64_t start,
                                                       uint32_t lanes, bool narrow, unsigned shift,
                                                       uint32_t size, uint32_t at[HD_LANES],
                                                       enum pattern *pattern)
{
    const uint32_t last = size - (1u << shift);
    v8 any = {0}, room = {0}, apart = {0}, skew = {0}, high = {0};
    v4 both = {0};

    EACH_GROUP
    {
        v8 o;
        v4 a = {0}, b = {0};
        if (narrow) {
            o = ((const any8 *)row)[g] + (uint32_t)start;
        } else {
            a = ((const any4 *)row)[2 * g] + start;
            b = ((const any4 *)row)[2 * g + 1] + start;
            o = __builtin_shufflevector((v8)a, (v8)b, 0, 2, 4, 6, 8, 10, 12, 14);
        }
        if (MASK(lanes, g) == 0xff) {
            const v8 d = o - __builtin_shufflevector(o, o, 0, 0, 0, 0, 0, 0, 0, 0);
            apart |= d;
            skew |= d ^ steps[shift];
            both |= a | b;
        } else {
            const v8 m = (v8)((bits & MASK(lanes, g)) != 0);
            o &= m;
            high |= m & __builtin_shufflevector((v8)a, (v8)b, 1, 3, 5, 7, 9, 11, 13, 15);
        }
        *(v8 *)&at[8 * g] = o;
        any |= o;
        room |= last - o; // its sign says that there is none
    }
    room |= any;
    high |= (v8)both & upper_halves;
    if (!is_clear(&room, &signs) || !is_clear(&any, &inside[shift]) ||
        (!narrow && !is_clear(&high, &everything)))
        return false;
    *pattern = is_clear(&skew, &everything)    ? ROW
               : is_clear(&apart, &everything) ? SAME
                                               : SCATTERED;
    return true;
}

// Notes what the lanes access, for a window whose accesses are noted.
static __attribute__((noinline)) void note(const struct hd_whole_window *x,
                                           const uint32_t at[HD_LANES], uint32_t lanes,
                                           unsigned shift, enum pattern pattern,
                                           enum hd_touched_how how)
{
    if (pattern == SCATTERED) {
        hd_touched_near(x->touched, x->offset, (const int32_t *)at, lanes, 1u << shift, how);
        return;
    }
    // Each group of eight lanes is a row; is the whole warp one, too?
    if (lanes == UINT32_MAX && pattern == ROW && at[HD_LANES - 1] - at[0] == 31u << shift &&
        at[8] - at[0] == 8u << shift && at[16] - at[0] == 16u << shift) {
        hd_touched_range(x->touched, x->offset + at[0], 32u << shift, how);
        return;
    }
    EACH_GROUP
    {
        const uint32_t mask = MASK(lanes, g);
        const uint64_t first = x->offset + at[8 * g];
        if (mask == 0xff)
            hd_touched_range(x->touched, first, pattern == ROW ? 8u << shift : 1u << shift, how);
        else if (mask)
            hd_touched_near(x->touched, x->offset, (const int32_t *)at, mask << (8 * g),
                            1u << shift, how);
    }
}

static bool usable(const struct hd_whole_window *x, unsigned shift)
{
    return x->size - (1u << shift) < INT32_MAX; // goes around if the window is too small
}

#define EACH_OF(mask, g)                                                                           \
    for (unsigned m_ = (mask), l; m_ && (l = 8 * (g) + (unsigned)__builtin_ctz(m_), true);         \
         m_ &= m_ - 1)

static inline __attribute__((always_inline)) void load_4(any32 *row, const uint8_t *base,
                                                         const uint32_t at[HD_LANES],
                                                         uint32_t lanes, enum pattern pattern)
{
    if (lanes == UINT32_MAX) {
        if (pattern == ROW)
            EACH_GROUP *(any8 *)&row[8 * g] = *(const any8 *)(base + at[8 * g]);
        else if (pattern == SAME)
            EACH_GROUP *(any8 *)&row[8 * g] = (v8){0} + *(const any32 *)(base + at[8 * g]);
        else
            EACH_LANE row[l] = *(const any32 *)(base + at[l]);
        return;
    }
    EACH_GROUP
    {
        any8 *to = (any8 *)&row[8 * g];
        if (MASK(lanes, g) != 0xff || pattern == SCATTERED)
            EACH_OF(MASK(lanes, g), g) row[l] = *(const any32 *)(base + at[l]);
        else if (pattern == ROW)
            *to = *(const any8 *)(base + at[8 * g]);
        else
            *to = (v8){0} + *(const any32 *)(base + at[8 * g]);
    }
}

static inline __attribute__((always_inline)) void load_8(any64 *row, const uint8_t *base,
                                                         const uint32_t at[HD_LANES],
                                                         uint32_t lanes, enum pattern pattern)
{
    if (lanes == UINT32_MAX && pattern != SAME) {
        if (pattern == ROW)
            for (unsigned h = 0; h < 2 * GROUPS; h++)
                *(any4 *)&row[4 * h] = *(const any4 *)(base + at[4 * h]);
        else
            EACH_LANE row[l] = *(const any64 *)(base + at[l]);
        return;
    }
    EACH_GROUP
    {
        any4 *to = (any4 *)&row[8 * g];
        const any4 *from = (const any4 *)(base + at[8 * g]);
        if (MASK(lanes, g) != 0xff || pattern == SCATTERED)
            EACH_OF(MASK(lanes, g), g) row[l] = *(const any64 *)(base + at[l]);
        else if (pattern == ROW)
            to[0] = from[0], to[1] = from[1];
        else
            to[0] = to[1] = (v4){0} + *(const any64 *)(base + at[8 * g]);
    }
}

// A variable, or a parameter.
static bool load_fixed(uint64_t at, uint32_t *row, uint32_t lanes, unsigned shift,
                       const struct hd_whole_window *x)
{
    if (at > x->size - (1u << shift) || at & ((1u << shift) - 1))
        return false;
    if (x->touched)
        hd_touched_range(x->touched, x->offset + at, 1u << shift, HD_TOUCHED_READ);
    const uint64_t value =
        shift == 2 ? *(const any32 *)(x->base + at) : *(const any64 *)(x->base + at);
    if (lanes != UINT32_MAX)
        EACH_GROUP
        {
            EACH_OF(MASK(lanes, g), g)
            {
                if (shift == 2)
                    row[l] = (uint32_t)value;
                else
                    ((any64 *)row)[l] = value;
            }
        }
    else if (shift == 2)
        EACH_GROUP((any8 *)row)[g] = (v8){0} + (uint32_t)value;
    else
        for (unsigned g = 0; g < 2 * GROUPS; g++)
            ((any4 *)row)[g] = (v4){0} + value;
    return true;
}

// Called with constants: all lanes mostly take part, and only then there is more than one warp.
static inline __attribute__((always_inline)) unsigned
load_as(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes, bool narrow,
        unsigned shift, const struct hd_whole_window *x, unsigned warps)
{
    const struct hd_whole_window window = *x;
    const uint64_t start = (uint64_t)in->imm - x->low;
    const uint32_t *from = hd_lanes_source(r, in->src[0]);
    const size_t next = r->next_rows, next_from = in->src[0] < 0 ? 0 : next;
    uint32_t *to = hd_lanes_row(r, in->dst);
    _Alignas(32) uint32_t at[HD_LANES];
    enum pattern pattern;
    unsigned done = 0;

    if (narrow && goes_around(x))
        return 0;
    for (;;) {
        if (!find(from, start, lanes, narrow, shift, (uint32_t)window.size, at, &pattern))
            break;
        if (window.touched)
            note(x, at, lanes, shift, pattern, HD_TOUCHED_READ);
        if (shift == 2)
            load_4(to, window.base, at, lanes, pattern);
        else
            load_8((any64 *)to, window.base, at, lanes, pattern);
        if (++done == warps)
            break;
        from += next_from;
        to += next;
    }
    return done;
}

static unsigned load(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                     unsigned shift, const struct hd_whole_window *x, unsigned warps)
{
    const bool narrow = in->mods & HD_MOD_A32;
    unsigned done = 0;

    if (!usable(x, shift))
        return 0;
    if (in->src[0] == HD_ROW_NONE) {
        uint32_t *row = hd_lanes_row(r, in->dst);
        while (done < warps &&
               load_fixed((uint64_t)in->imm - x->low, row + done * r->next_rows, lanes, shift, x))
            done++;
        return done;
    }
    if (lanes != UINT32_MAX)
        return load_as(in, r, lanes, narrow, shift, x, 1);
    if (shift == 2)
        return narrow ? load_as(in, r, UINT32_MAX, true, 2, x, warps)
                      : load_as(in, r, UINT32_MAX, false, 2, x, warps);
    return narrow ? load_as(in, r, UINT32_MAX, true, 3, x, warps)
                  : load_as(in, r, UINT32_MAX, false, 3, x, warps);
}

// True if a byte changed.
#define STORE(name, T, V, PARTS)                                                                   \
    static inline __attribute__((always_inline)) bool name(                                        \
        const T *row, uint8_t *base, const uint32_t at[HD_LANES], uint32_t lanes, bool in_rows)    \
    {                                                                                              \
        T old = 0;                                                                                 \
        V olds = {0};                                                                              \
                                                                                                   \
        if (!in_rows && lanes == UINT32_MAX) {                                                     \
            EACH_LANE                                                                              \
            {                                                                                      \
                T *to = (T *)(base + at[l]);                                                       \
                old |= *to ^ row[l];                                                               \
                *to = row[l];                                                                      \
            }                                                                                      \
            return old != 0;                                                                       \
        }                                                                                          \
        EACH_GROUP                                                                                 \
        {                                                                                          \
            if (MASK(lanes, g) == 0xff && in_rows) {                                               \
                for (unsigned i = 0; i < PARTS; i++) {                                             \
                    any##V *to = (any##V *)(base + at[8 * g]) + i;                                 \
                    const V now = ((const any##V *)&row[8 * g])[i];                                \
                    olds |= *to ^ now;                                                             \
                    *to = now;                                                                     \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            EACH_OF(MASK(lanes, g), g)                                                             \
            {                                                                                      \
                T *to = (T *)(base + at[l]);                                                       \
                old |= *to ^ row[l];                                                               \
                *to = row[l];                                                                      \
            }                                                                                      \
        }                                                                                          \
        const v8 all = (v8)olds;                                                                   \
        return old || !is_clear(&all, &everything);                                                \
    }
typedef any8 anyv8;
typedef any4 anyv4;
STORE(store_4, any32, v8, 1)
STORE(store_8, any64, v4, 2)

static inline __attribute__((always_inline)) bool
store_as(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes, bool narrow,
         unsigned shift, const struct hd_whole_window *x, uint8_t *changed)
{
    _Alignas(32) uint32_t at[HD_LANES];
    enum pattern pattern;

    if ((narrow && goes_around(x)) ||
        !find(hd_lanes_source(r, in->src[0]), (uint64_t)in->imm - x->low, lanes, narrow, shift,
              (uint32_t)x->size, at, &pattern))
        return false;
    if (x->touched)
        note(x, at, lanes, shift, pattern, HD_TOUCHED_WRITE);
    const uint32_t *row = hd_lanes_source(r, in->src[1]);
    if (shift == 2)
        *changed |= store_4(row, x->base, at, lanes, pattern == ROW);
    else
        *changed |= store_8((const any64 *)row, x->base, at, lanes, pattern == ROW);
    return true;
}

static bool store(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                  unsigned shift, const struct hd_whole_window *x, uint8_t *changed)
{
    const bool narrow = in->mods & HD_MOD_A32;

    if (!usable(x, shift) || in->src[0] == HD_ROW_NONE)
        return false;
    if (lanes == UINT32_MAX)
        return narrow ? store_as(in, r, UINT32_MAX, true, shift, x, changed)
                      : store_as(in, r, UINT32_MAX, false, shift, x, changed);
    return store_as(in, r, lanes, narrow, shift, x, changed);
}

const struct hd_whole_ops CAT(hd_whole_, HD_LANES_SUFFIX) = {load, store};
