// lane_fp8.h - the 8-bit floating-point formats of one lane, in pairs: e4m3 (4 bits of exponent, no
// infinity, a NaN is 0x7f) and e5m2 (the upper half of an f16).
//
// Conversions to them round to nearest, ties to even, and always saturate; a NaN becomes 0x7f.
#ifndef HEDDLE_EMU_LANE_FP8_H
#define HEDDLE_EMU_LANE_FP8_H

#include "emu/lane_bf16.h"

enum fp8 { E4M3, E5M2 };

static inline uint8_t fp8_of(float x, enum fp8 kind, unsigned mods)
{
    const int digits = kind == E4M3 ? 3 : 2, least = kind == E4M3 ? -6 : -14;
    const uint32_t most = kind == E4M3 ? 0x7e : 0x7b;
    uint32_t u = bits_f32(x), a = u & 0x7fffffff, sign = u >> 24 & 0x80;
    int e = (int)(a >> 23) - 127;

    if (a > 0x7f800000)
        return 0x7f;
    if (mods & HD_MOD_RELU && sign)
        return 0;
    e = e < least ? least : e;
    if (e > 16)
        return (uint8_t)(sign | most);
    // In units of the last place, a whole number below 2^(digits + 2); the scaling is exact.
    uint32_t q =
        (uint32_t)integral_f32(f32_of(a) * f32_of((uint32_t)(127 + digits - e) << 23), HD_RNI);
    uint32_t code = q + ((uint32_t)(e - least) << digits); // a carry is the next exponent
    return (uint8_t)(sign | (code > most ? most : code));
}

static inline uint16_t fp8_pair(float a, float b, enum fp8 kind, unsigned mods)
{
    return (uint16_t)(fp8_of(a, kind, mods) << 8 | fp8_of(b, kind, mods));
}

static inline uint16_t fp8_halves(uint32_t x, enum fp8 kind, unsigned mods)
{
    return fp8_pair(f32_of_f16(HIGH(x)), f32_of_f16(LOW(x)), kind, mods);
}

static inline uint16_t f16_of_fp8(uint8_t c, enum fp8 kind)
{
    uint32_t a = c & 0x7f, sign = (uint32_t)(c & 0x80) << 8;

    if (kind == E5M2)
        return (uint16_t)(a > 0x7c ? 0x7fff : sign | a << 8);
    if (a == 0x7f)
        return 0x7fff;
    // The fraction moves to its place; the exponent's bias differs by 8.
    return (uint16_t)(f16_of(f32_of_f16((uint16_t)(a << 7)) * 256.0f) | sign);
}

static inline uint32_t halves_of_fp8(uint16_t x, enum fp8 kind)
{
    return f16_of_fp8((uint8_t)x, kind) | (uint32_t)f16_of_fp8((uint8_t)(x >> 8), kind) << 16;
}

#endif
