// lane_video.h - the video instructions in one lane (isa/video.h). PTX ISA 9.0, 9.7.17 and 9.7.18.
#ifndef HEDDLE_EMU_LANE_VIDEO_H
#define HEDDLE_EMU_LANE_VIDEO_H

#include "emu/lane_bits.h"
#include "isa/video.h"

static inline int64_t video_extend(uint32_t x, unsigned shift, unsigned bits, bool sign)
{
    uint64_t up = (uint64_t)(x >> shift) << (64 - bits);

    return sign ? (int64_t)up >> (64 - bits) : (int64_t)(up >> (64 - bits));
}

static inline unsigned video_part_bits(unsigned part)
{
    return part < HD_VIDEO_H0 ? 8 : part < HD_VIDEO_WORD ? 16 : 32;
}

static inline unsigned video_part_shift(unsigned part)
{
    return part < HD_VIDEO_H0 ? 8 * part : part < HD_VIDEO_WORD ? 16 * (part - HD_VIDEO_H0) : 0;
}

static inline int64_t video_part(uint32_t x, unsigned part, bool sign)
{
    return video_extend(x, video_part_shift(part), video_part_bits(part), sign);
}

static inline bool video_holds(unsigned cmp, int64_t a, int64_t b)
{
    switch (cmp) {
    case HD_CMP_EQ:
        return a == b;
    case HD_CMP_NE:
        return a != b;
    case HD_CMP_LT:
        return a < b;
    case HD_CMP_LE:
        return a <= b;
    case HD_CMP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static inline int64_t video_shift(const struct hd_video *v, int64_t a, int64_t b)
{
    unsigned by = v->wrap ? (unsigned)b & 31 : b > 32 ? 32 : (unsigned)b;

    if (v->op == HD_VIDEO_SHR)
        return a >> by;
    if (by ==
        32) // large words would lose their sign; only the low half counts, unless it saturates
        return (a > 0) * (INT64_C(1) << 40) - (a < 0) * (INT64_C(1) << 40);
    return (int64_t)((uint64_t)a << by);
}

static inline int64_t video_result(const struct hd_video *v, int64_t a, int64_t b)
{
    switch (v->op) {
    case HD_VIDEO_ADD:
        return a + b;
    case HD_VIDEO_SUB:
        return a - b;
    case HD_VIDEO_AVRG: // rounded away from zero
        return (a + b + (a + b >= 0)) >> 1;
    case HD_VIDEO_ABSDIFF:
        return a < b ? b - a : a - b;
    case HD_VIDEO_MIN:
        return a < b ? a : b;
    case HD_VIDEO_MAX:
        return a > b ? a : b;
    case HD_VIDEO_SET:
        return video_holds(v->cmp, a, b);
    default:
        return video_shift(v, a, b);
    }
}

static inline int64_t video_clamp(int64_t x, unsigned bits, bool sign)
{
    int64_t most = (INT64_C(1) << (sign ? bits - 1 : bits)) - 1, least = sign ? -most - 1 : 0;

    return x < least ? least : x > most ? most : x;
}

static inline uint32_t video_second(const struct hd_video *v, uint32_t x, uint32_t c)
{
    bool less = v->signed_d ? (int32_t)x < (int32_t)c : x < c;

    switch (v->second) {
    case HD_VIDEO_SUM:
        return x + c;
    case HD_VIDEO_LEAST:
        return less ? x : c;
    case HD_VIDEO_MOST:
        return less ? c : x;
    default:
        return x;
    }
}

// a * b + c with the sign that the types and the minus signs give, scaled.
static inline uint32_t video_mad(const struct hd_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    bool sign = v->signed_a || v->signed_b || v->neg_ab || v->neg_c;
    const __int128 product =
        (__int128)video_part(a, v->a[0], v->signed_a) * video_part(b, v->b[0], v->signed_b);
    const __int128 addend = sign ? (__int128)(int32_t)c : (__int128)c;
    __int128 x = v->neg_ab ? -product : product;

    x += v->neg_c ? -addend : addend;
    x = (x + v->plus_one) >> v->scale;
    if (!v->sat)
        return (uint32_t)x;
    const __int128 most = sign ? INT32_MAX : UINT32_MAX, least = sign ? INT32_MIN : 0;
    return (uint32_t)(x < least ? least : x > most ? most : x);
}

static inline uint32_t video_scalar(const struct hd_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    unsigned bits = video_part_bits(v->mask), shift = video_part_shift(v->mask);
    int64_t x =
        video_result(v, video_part(a, v->a[0], v->signed_a), video_part(b, v->b[0], v->signed_b));

    if (v->sat)
        x = video_clamp(x, bits, v->signed_d);
    if (v->second != HD_VIDEO_MERGE)
        return video_second(v, (uint32_t)x, c);
    uint32_t field = (uint32_t)low_bits(bits);
    return (c & ~(field << shift)) | ((uint32_t)x & field) << shift;
}

// Field i of both words together.
static inline int64_t video_field(uint32_t a, uint32_t b, unsigned i, unsigned bits, bool sign)
{
    unsigned n = 32 / bits;

    return video_extend(i < n ? a : b, i % n * bits, bits, sign);
}

static inline uint32_t video_fields(const struct hd_video *v, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t packed = c, total = c, field = (uint32_t)low_bits(v->bits);

    for (unsigned i = 0; i < 32u / v->bits; i++) {
        int64_t x = video_result(v, video_field(a, b, v->a[i], v->bits, v->signed_a),
                                 video_field(a, b, v->b[i], v->bits, v->signed_b));
        if (!(v->mask >> i & 1))
            continue;
        if (v->sat)
            x = video_clamp(x, v->bits, v->signed_d);
        total += (uint32_t)x;
        packed = (packed & ~(field << v->bits * i)) | ((uint32_t)x & field) << v->bits * i;
    }
    return v->second == HD_VIDEO_SUM ? total : packed;
}

static inline uint32_t video(int64_t imm, uint32_t a, uint32_t b, uint32_t c)
{
    const struct hd_video v = hd_video_of(imm);

    return v.op == HD_VIDEO_MAD ? video_mad(&v, a, b, c)
           : v.bits == 32       ? video_scalar(&v, a, b, c)
                                : video_fields(&v, a, b, c);
}

#endif
