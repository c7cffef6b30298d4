// simd.h - two halfwords or four bytes of a word at once: the __v* functions.
#ifndef HEDDLE_SIMD_H
#define HEDDLE_SIMD_H

#include "heddle/libdevice.h"

#define HD_U(a, i, bits) ((int)((a) >> ((i) * (bits)) & ((1u << (bits)) - 1)))
#define HD_S(a, i, bits) ((int)((a) << (32 - ((i) + 1) * (bits))) >> (32 - (bits)))
#define HD_PUT(v, i, bits) (((unsigned int)(v) & ((1u << (bits)) - 1)) << ((i) * (bits)))

// name: of the function without the number of parts. x, y: the parts; take: HD_U or HD_S.
#define HD_PARTS2(name, n, bits, take, ...)                                                        \
    HD_DEV unsigned int __nv_##name##n(unsigned int a, unsigned int b)                             \
    {                                                                                              \
        unsigned int r = 0;                                                                        \
        for (int i = 0; i < n; i++) {                                                              \
            int x = take(a, i, bits), y = take(b, i, bits);                                        \
            r |= HD_PUT(__VA_ARGS__, i, bits);                                                     \
        }                                                                                          \
        return r;                                                                                  \
    }
#define HD_SUM2(name, n, bits, take, ...)                                                          \
    HD_DEV unsigned int __nv_##name##n(unsigned int a, unsigned int b)                             \
    {                                                                                              \
        unsigned int r = 0;                                                                        \
        for (int i = 0; i < n; i++) {                                                              \
            int x = take(a, i, bits), y = take(b, i, bits);                                        \
            r += (unsigned int)(__VA_ARGS__);                                                      \
        }                                                                                          \
        return r;                                                                                  \
    }
#define HD_PARTS1(name, n, bits, ...)                                                              \
    HD_DEV unsigned int __nv_##name##n(unsigned int a)                                             \
    {                                                                                              \
        unsigned int r = 0;                                                                        \
        for (int i = 0; i < n; i++) {                                                              \
            int x = HD_S(a, i, bits);                                                              \
            r |= HD_PUT(__VA_ARGS__, i, bits);                                                     \
        }                                                                                          \
        return r;                                                                                  \
    }
#define HD_COMPARES(n, bits, name, take, op)                                                       \
    HD_PARTS2(vcmp##name, n, bits, take, x op y ? ~0u : 0u)                                        \
    HD_PARTS2(vset##name, n, bits, take, x op y)
#define HD_CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))
#define HD_SIGNED(v, bits) HD_CLAMP(v, -(1 << ((bits)-1)), (1 << ((bits)-1)) - 1)

#define HD_SIMD(n, bits)                                                                           \
    HD_PARTS1(vabs, n, bits, x < 0 ? -x : x)                                                       \
    HD_PARTS1(vabsss, n, bits, HD_SIGNED(x < 0 ? -x : x, bits))                                    \
    HD_PARTS1(vneg, n, bits, -x)                                                                   \
    HD_PARTS1(vnegss, n, bits, HD_SIGNED(-x, bits))                                                \
    HD_PARTS2(vadd, n, bits, HD_U, x + y)                                                          \
    HD_PARTS2(vaddss, n, bits, HD_S, HD_SIGNED(x + y, bits))                                       \
    HD_PARTS2(vaddus, n, bits, HD_U, HD_CLAMP(x + y, 0, (1 << (bits)) - 1))                        \
    HD_PARTS2(vsub, n, bits, HD_U, x - y)                                                          \
    HD_PARTS2(vsubss, n, bits, HD_S, HD_SIGNED(x - y, bits))                                       \
    HD_PARTS2(vsubus, n, bits, HD_U, x < y ? 0 : x - y)                                            \
    HD_PARTS2(vabsdiffs, n, bits, HD_S, x < y ? y - x : x - y)                                     \
    HD_PARTS2(vabsdiffu, n, bits, HD_U, x < y ? y - x : x - y)                                     \
    HD_PARTS2(vavgs, n, bits, HD_S, (x + y + (x + y >= 0)) >> 1)                                   \
    HD_PARTS2(vavgu, n, bits, HD_U, (x + y + 1) >> 1)                                              \
    HD_PARTS2(vhaddu, n, bits, HD_U, (x + y) >> 1)                                                 \
    HD_PARTS2(vmaxs, n, bits, HD_S, x > y ? x : y)                                                 \
    HD_PARTS2(vmaxu, n, bits, HD_U, x > y ? x : y)                                                 \
    HD_PARTS2(vmins, n, bits, HD_S, x < y ? x : y)                                                 \
    HD_PARTS2(vminu, n, bits, HD_U, x < y ? x : y)                                                 \
    HD_SUM2(vsads, n, bits, HD_S, x < y ? y - x : x - y)                                           \
    HD_SUM2(vsadu, n, bits, HD_U, x < y ? y - x : x - y)                                           \
    HD_COMPARES(n, bits, eq, HD_U, ==)                                                             \
    HD_COMPARES(n, bits, ne, HD_U, !=)                                                             \
    HD_COMPARES(n, bits, ges, HD_S, >=)                                                            \
    HD_COMPARES(n, bits, geu, HD_U, >=)                                                            \
    HD_COMPARES(n, bits, gts, HD_S, >)                                                             \
    HD_COMPARES(n, bits, gtu, HD_U, >)                                                             \
    HD_COMPARES(n, bits, les, HD_S, <=)                                                            \
    HD_COMPARES(n, bits, leu, HD_U, <=)                                                            \
    HD_COMPARES(n, bits, lts, HD_S, <)                                                             \
    HD_COMPARES(n, bits, ltu, HD_U, <)
HD_SIMD(2, 16)
HD_SIMD(4, 8)

#endif
