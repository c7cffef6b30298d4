// access.c - lane loops of memory instructions. See access.h.
//
// Compiled three times (see the Makefile); HD_LANES_SUFFIX names the result.
#include "emu/access.h"

#include <string.h>

#ifndef HD_LANES_SUFFIX
#define HD_LANES_SUFFIX baseline
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#define EACH_LANE for (unsigned l = 0; l < HD_LANES; l++)

// Rows are accessed with different types.
typedef uint32_t row32 __attribute__((may_alias));
typedef uint64_t row64 __attribute__((may_alias));

static const uint64_t lane64[HD_LANES] = {
#define LANE8(i) (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7
    LANE8(0), LANE8(8), LANE8(16), LANE8(24)};

// Rows are short: memset would take longer to begin than to write them.
typedef uint32_t eight32 __attribute__((vector_size(32), aligned(1), may_alias));

static void zero(void *rows, size_t n)
{
    for (eight32 *to = rows; n--; to += 4)
        to[0] = to[1] = to[2] = to[3] = (eight32){0};
}

static struct hd_access_sum sum_up(const uint64_t *addr, uint32_t lanes, unsigned bytes)
{
    const unsigned shift = (unsigned)__builtin_ctz(bytes);
    const uint64_t first = addr[0];
    uint64_t apart = 0, skew = 0, low = first, high = first, any = 0;

    if (lanes == UINT32_MAX) {
        EACH_LANE skew |= addr[l] ^ (first + (lane64[l] << shift));
        if (!skew && addr[HD_LANES - 1] > first) // no wrap-around; all are as aligned as the first
            return (struct hd_access_sum){first, addr[HD_LANES - 1], first, HD_ACCESS_ROW};
    }
    EACH_LANE apart |= addr[l] ^ first;
    if (!apart)
        return (struct hd_access_sum){first, first, first, HD_ACCESS_SAME};
    EACH_LANE
    {
        any |= addr[l];
        low = addr[l] < low ? addr[l] : low;
        high = addr[l] > high ? addr[l] : high;
    }
    return (struct hd_access_sum){low, high, any, HD_ACCESS_SCATTERED};
}

static void addresses(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                      uint64_t offset, unsigned bytes, uint64_t *restrict addr,
                      struct hd_access_sum *sum)
{
    if (in->src[0] == HD_ROW_NONE) {
        EACH_LANE addr[l] = offset;
        *sum = (struct hd_access_sum){offset, offset, offset, HD_ACCESS_SAME};
        return;
    }
    if (in->mods & HD_MOD_A32) {
        const row32 *row = hd_lanes_source(r, in->src[0]);
        EACH_LANE addr[l] = (uint32_t)(row[l] + offset);
    } else {
        const row64 *row = (const row64 *)hd_lanes_source(r, in->src[0]);
        EACH_LANE addr[l] = row[l] + offset;
    }
    if (lanes != UINT32_MAX && lanes) {
        uint64_t some = addr[__builtin_ctz(lanes)];
        EACH_LANE addr[l] = (uint64_t)lanes >> lane64[l] & 1 ? addr[l] : some;
    }
    *sum = sum_up(addr, lanes, bytes);
}

static void place(uint8_t *base, uint64_t start, uint64_t stride, const uint64_t *restrict addr,
                  uint8_t **restrict at)
{
    if (stride)
        EACH_LANE at[l] = base + (addr[l] - start + lane64[l] * stride);
    else
        EACH_LANE at[l] = base + (addr[l] - start);
}

#define LOAD(T, D)                                                                                 \
    {                                                                                              \
        row##D *d = (row##D *)row;                                                                 \
        uint##D##_t v[HD_LANES];                                                                   \
        T x;                                                                                       \
        if (pattern == HD_ACCESS_SAME) {                                                           \
            memcpy(&x, at[0] + offset, sizeof x);                                                  \
            EACH_LANE v[l] = (uint##D##_t)x;                                                       \
        } else {                                                                                   \
            EACH_LANE                                                                              \
            {                                                                                      \
                memcpy(&x, at[l] + offset, sizeof x);                                              \
                v[l] = (uint##D##_t)x;                                                             \
            }                                                                                      \
        }                                                                                          \
        if (lanes == UINT32_MAX)                                                                   \
            EACH_LANE d[l] = v[l];                                                                 \
        else                                                                                       \
            EACH_LANE d[l] = lanes >> l & 1 ? v[l] : d[l];                                         \
        break;                                                                                     \
    }

static void load(unsigned kind, unsigned pattern, uint8_t *const at[HD_LANES], unsigned offset,
                 uint32_t lanes, uint32_t *row)
{
    if (pattern == HD_ACCESS_ROW && kind == 2) {
        memcpy(row, at[0], 4 * HD_LANES);
        return;
    }
    if (pattern == HD_ACCESS_ROW && kind == 3) {
        memcpy(row, at[0], 8 * HD_LANES);
        return;
    }
    switch (kind) {
    case 0:
        LOAD(uint8_t, 32)
    case 1:
        LOAD(uint16_t, 32)
    case 2:
    case 2 | HD_ACCESS_SIGNED:
        LOAD(uint32_t, 32)
    case HD_ACCESS_SIGNED:
        LOAD(int8_t, 32)
    case 1 | HD_ACCESS_SIGNED:
        LOAD(int16_t, 32)
    case HD_ACCESS_WIDE:
        LOAD(uint8_t, 64)
    case 1 | HD_ACCESS_WIDE:
        LOAD(uint16_t, 64)
    case 2 | HD_ACCESS_WIDE:
        LOAD(uint32_t, 64)
    case HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD(int8_t, 64)
    case 1 | HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD(int16_t, 64)
    case 2 | HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD(int32_t, 64)
    default:
        LOAD(uint64_t, 64)
    }
}

// Copies consecutive bytes. True if any of them changed.
static inline bool copy_row(uint8_t *restrict to, const uint8_t *restrict from, unsigned bytes)
{
    uint8_t changed = 0;

    for (unsigned i = 0; i < bytes; i++)
        changed |= to[i] ^ from[i];
    memcpy(to, from, bytes);
    return changed != 0;
}

#define STORE_LANE(T, step)                                                                        \
    memcpy(&now, from + l * (step), sizeof now);                                                   \
    memcpy(&old, at[l] + offset, sizeof old);                                                      \
    memcpy(at[l] + offset, &now, sizeof now);                                                      \
    changed |= now ^ old;
#define STORE(T, step)                                                                             \
    {                                                                                              \
        T now, old;                                                                                \
        if (lanes == UINT32_MAX)                                                                   \
            EACH_LANE                                                                              \
            {                                                                                      \
                STORE_LANE(T, step)                                                                \
            }                                                                                      \
        else                                                                                       \
            for (uint32_t m = lanes; m; m &= m - 1) {                                              \
                unsigned l = (unsigned)__builtin_ctz(m);                                           \
                STORE_LANE(T, step)                                                                \
            }                                                                                      \
        break;                                                                                     \
    }

static bool store(unsigned kind, unsigned pattern, uint8_t *const at[HD_LANES], unsigned offset,
                  uint32_t lanes, const uint32_t *row)
{
    const uint8_t *from = (const uint8_t *)row;
    uint64_t changed = 0;

    if (pattern == HD_ACCESS_ROW && kind == 2)
        return copy_row(at[0], from, 4 * HD_LANES);
    if (pattern == HD_ACCESS_ROW && kind == 3)
        return copy_row(at[0], from, 8 * HD_LANES);
    switch (kind) {
    case 0:
        STORE(uint8_t, 4)
    case 1:
        STORE(uint16_t, 4)
    case 2:
        STORE(uint32_t, 4)
    case HD_ACCESS_WIDE:
        STORE(uint8_t, 8)
    case 1 | HD_ACCESS_WIDE:
        STORE(uint16_t, 8)
    case 2 | HD_ACCESS_WIDE:
        STORE(uint32_t, 8)
    default:
        STORE(uint64_t, 8)
    }
    return changed != 0;
}

static bool copy(unsigned pattern, uint8_t *const at[HD_LANES], uint32_t lanes, unsigned bytes,
                 const uint8_t *from)
{
    const unsigned step = bytes < 8 ? bytes : 8;
    uint64_t changed = 0;

    if (pattern == HD_ACCESS_ROW)
        return copy_row(at[0], from, bytes * HD_LANES);
    for (unsigned offset = 0; offset < bytes; offset += step, from += step)
        switch (step) {
        case 1:
            STORE(uint8_t, bytes)
        case 2:
            STORE(uint16_t, bytes)
        case 4:
            STORE(uint32_t, bytes)
        default:
            STORE(uint64_t, bytes)
        }
    return changed != 0;
}

// --- offsets from the lowest address

static const uint32_t lane32[HD_LANES] = {LANE8(0), LANE8(8), LANE8(16), LANE8(24)};

// The lower halves of 64-bit addresses. Returns the bits in which any address differs from `first`.
static inline uint64_t halves_64(const row64 *row, uint32_t lanes, uint64_t offset, uint64_t first,
                                 uint32_t *restrict low)
{
    uint64_t apart = 0;

    if (lanes == UINT32_MAX)
        EACH_LANE
        {
            uint64_t a = row[l] + offset;
            apart |= a ^ first;
            low[l] = (uint32_t)a;
        }
    else
        EACH_LANE
        {
            uint64_t a = (uint64_t)lanes >> lane64[l] & 1 ? row[l] + offset : first;
            apart |= a ^ first;
            low[l] = (uint32_t)a;
        }
    return apart;
}

static inline uint32_t halves_32(const row32 *row, uint32_t lanes, uint32_t offset, uint32_t first,
                                 uint32_t *restrict low)
{
    uint32_t apart = 0;

    if (lanes == UINT32_MAX)
        EACH_LANE
        {
            low[l] = row[l] + offset;
            apart |= low[l] ^ first;
        }
    else
        EACH_LANE
        {
            uint32_t a = row[l] + offset;
            low[l] = lanes >> lane32[l] & 1 ? a : first;
            apart |= low[l] ^ first;
        }
    return apart;
}

// Offsets of addresses whose upper halves are equal.
static bool from_least(const uint32_t *restrict low, uint64_t first, struct hd_access_near *n)
{
    uint32_t least = low[0], most = low[0], any = 0;

    EACH_LANE
    {
        any |= low[l];
        least = low[l] < least ? low[l] : least;
        most = low[l] > most ? low[l] : most;
    }
    EACH_LANE n->at[l] = (int32_t)(low[l] - least);
    n->low = (first & ~(uint64_t)UINT32_MAX) | least;
    n->span = most - least;
    n->low_bits = any;
    n->pattern = HD_ACCESS_SCATTERED;
    return n->span <= INT32_MAX;
}

static bool near(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                 uint64_t offset, unsigned bytes, struct hd_access_near *n)
{
    const unsigned some = (unsigned)__builtin_ctz(lanes), shift = (unsigned)__builtin_ctz(bytes);
    uint32_t low[HD_LANES], skew = 0;
    uint64_t first = offset, apart = 0;

    if (in->src[0] != HD_ROW_NONE && in->mods & HD_MOD_A32) {
        const row32 *row = hd_lanes_source(r, in->src[0]);
        first = (uint32_t)(row[some] + offset);
        apart = halves_32(row, lanes, (uint32_t)offset, (uint32_t)first, low);
    } else if (in->src[0] != HD_ROW_NONE) {
        const row64 *row = (const row64 *)hd_lanes_source(r, in->src[0]);
        first = row[some] + offset;
        apart = halves_64(row, lanes, offset, first, low);
    }
    n->low = first;
    n->span = 0;
    n->low_bits = (uint32_t)first;
    n->pattern = HD_ACCESS_SAME;
    if (!apart)
        return true;
    if (apart >> 32)
        return false;
    if (lanes != UINT32_MAX || low[HD_LANES - 1] - low[0] != (HD_LANES - 1u) << shift ||
        low[HD_LANES - 1] < low[0])
        return from_least(low, first, n);
    EACH_LANE skew |= low[l] ^ (low[0] + (lane32[l] << shift));
    if (skew)
        return from_least(low, first, n);
    n->span = (HD_LANES - 1u) << shift;
    n->pattern = HD_ACCESS_ROW;
    return true;
}

static void spread(struct hd_access_near *n, unsigned bytes, uint32_t stride)
{
    const uint32_t step = n->pattern == HD_ACCESS_ROW ? bytes + stride : stride;

    if (n->pattern == HD_ACCESS_SCATTERED)
        EACH_LANE n->at[l] = (int32_t)((uint32_t)n->at[l] + lane32[l] * step);
    else
        EACH_LANE n->at[l] = (int32_t)(lane32[l] * step);
    n->pattern = HD_ACCESS_SCATTERED;
}

// Elements in memory, which may be unaligned.
typedef uint16_t any16 __attribute__((may_alias, aligned(1)));
typedef int16_t any16s __attribute__((may_alias, aligned(1)));
typedef uint32_t any32 __attribute__((may_alias, aligned(1)));
typedef int32_t any32s __attribute__((may_alias, aligned(1)));
typedef uint64_t any64 __attribute__((may_alias, aligned(1)));

#define LOAD_NEAR(T, D)                                                                            \
    {                                                                                              \
        row##D *d = (row##D *)row;                                                                 \
        uint##D##_t v[HD_LANES];                                                                   \
        if (pattern == HD_ACCESS_SAME) {                                                           \
            const uint##D##_t x = (uint##D##_t) * (const T *)base;                                 \
            EACH_LANE v[l] = x;                                                                    \
        } else {                                                                                   \
            EACH_LANE v[l] = (uint##D##_t) * (const T *)(base + at[l]);                            \
        }                                                                                          \
        if (lanes == UINT32_MAX)                                                                   \
            EACH_LANE d[l] = v[l];                                                                 \
        else                                                                                       \
            EACH_LANE d[l] = lanes >> l & 1 ? v[l] : d[l];                                         \
        break;                                                                                     \
    }

static void load_near(unsigned kind, unsigned pattern, const uint8_t *base,
                      const int32_t *restrict at, uint32_t lanes, uint32_t *restrict row)
{
    if (pattern == HD_ACCESS_ROW) { // of kinds 2 and 3
        memcpy(row, base, (kind == 2 ? 4 : 8) * HD_LANES);
        return;
    }
    switch (kind) {
    case 0:
        LOAD_NEAR(uint8_t, 32)
    case 1:
        LOAD_NEAR(any16, 32)
    case 2:
    case 2 | HD_ACCESS_SIGNED:
        LOAD_NEAR(any32, 32)
    case HD_ACCESS_SIGNED:
        LOAD_NEAR(int8_t, 32)
    case 1 | HD_ACCESS_SIGNED:
        LOAD_NEAR(any16s, 32)
    case HD_ACCESS_WIDE:
        LOAD_NEAR(uint8_t, 64)
    case 1 | HD_ACCESS_WIDE:
        LOAD_NEAR(any16, 64)
    case 2 | HD_ACCESS_WIDE:
        LOAD_NEAR(any32, 64)
    case HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD_NEAR(int8_t, 64)
    case 1 | HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD_NEAR(any16s, 64)
    case 2 | HD_ACCESS_SIGNED | HD_ACCESS_WIDE:
        LOAD_NEAR(any32s, 64)
    default:
        LOAD_NEAR(any64, 64)
    }
}

#define STORE_NEAR(T, step)                                                                        \
    {                                                                                              \
        for (uint32_t m = lanes; m; m &= m - 1) {                                                  \
            unsigned l = (unsigned)__builtin_ctz(m);                                               \
            T *to = (T *)(base + at[l]);                                                           \
            T now = *(const T *)(from + l * (step));                                               \
            changed |= (uint64_t)(now ^ *to);                                                      \
            *to = now;                                                                             \
        }                                                                                          \
        break;                                                                                     \
    }

static bool store_near(unsigned kind, unsigned pattern, uint8_t *base, const int32_t *at,
                       uint32_t lanes, const uint32_t *row)
{
    const uint8_t *from = (const uint8_t *)row;
    uint64_t changed = 0;

    if (pattern == HD_ACCESS_ROW) // of kinds 2 and 3
        return copy_row(base, from, (kind == 2 ? 4 : 8) * HD_LANES);
    switch (kind) {
    case 0:
        STORE_NEAR(uint8_t, 4)
    case 1:
        STORE_NEAR(any16, 4)
    case 2:
        STORE_NEAR(any32, 4)
    case HD_ACCESS_WIDE:
        STORE_NEAR(uint8_t, 8)
    case 1 | HD_ACCESS_WIDE:
        STORE_NEAR(any16, 8)
    case 2 | HD_ACCESS_WIDE:
        STORE_NEAR(any32, 8)
    default:
        STORE_NEAR(any64, 8)
    }
    return changed != 0;
}

const struct hd_access_ops CAT(hd_access_, HD_LANES_SUFFIX) = {
    zero, addresses, place, load, store, copy, near, spread, load_near, store_near};
