// extent.h - the lowest and the highest of the offsets of a warp's lanes.
#ifndef HEDDLE_EMU_EXTENT_H
#define HEDDLE_EMU_EXTENT_H

#include <stdint.h>

#define HD_EXTENT_LANES 8u // that are summarised together

// Of four lanes. Wider vectors are slow on a host that lacks them.
typedef int32_t hd_four __attribute__((vector_size(16)));
typedef hd_four hd_any_four __attribute__((aligned(4), may_alias));

// Element k is the extent of lanes k, k + 4, k + 8 and so on.
struct hd_extents {
    hd_four low, high;
};

struct hd_extent {
    int32_t low, high; // INT32_MAX and INT32_MIN if no lane takes part
};

#define HD_LESSER(a, b) (((a) & ((a) < (b))) | ((b) & ~((a) < (b))))
#define HD_GREATER(a, b) (((b) & ((a) < (b))) | ((a) & ~((a) < (b))))

static inline struct hd_extents hd_extents_join(const struct hd_extents *x,
                                                const struct hd_extents *y)
{
    return (struct hd_extents){HD_LESSER(x->low, y->low), HD_GREATER(x->high, y->high)};
}

static inline struct hd_extents hd_extents_of_four(const int32_t at[4], uint32_t lanes)
{
    const hd_four bits = {1, 2, 4, 8}, in = (bits & (int32_t)lanes) != 0;
    const hd_four x = *(const hd_any_four *)at;

    return (struct hd_extents){(x & in) | (INT32_MAX & ~in), (x & in) | (INT32_MIN & ~in)};
}

// Of the lanes that are set in the low bits of `lanes`.
static inline struct hd_extents hd_extents_of(const int32_t at[HD_EXTENT_LANES], uint32_t lanes)
{
    const struct hd_extents x = hd_extents_of_four(at, lanes);
    const struct hd_extents y = hd_extents_of_four(at + 4, lanes >> 4);

    return hd_extents_join(&x, &y);
}

static inline struct hd_extent hd_extent_of(const struct hd_extents *x)
{
    const hd_four low = HD_LESSER(x->low, __builtin_shufflevector(x->low, x->low, 2, 3, 2, 3));
    const hd_four high = HD_GREATER(x->high, __builtin_shufflevector(x->high, x->high, 2, 3, 2, 3));

    return (struct hd_extent){low[0] < low[1] ? low[0] : low[1],
                              high[0] > high[1] ? high[0] : high[1]};
}

#endif
