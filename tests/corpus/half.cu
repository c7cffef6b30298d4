// half.cu - half precision, alone and in pairs: arithmetic, comparisons, conversions in every rounding.
#include "corpus.h"

#if !ON_DEVICE
#include "host_half.h"
#endif

DEVICE __half anyh(uint32_t k)
{
    static const uint16_t special[] = {0, 0x8000, 0x3c00, 0xbc00, 1, 0x83ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x3555, 0x6400};
    uint32_t u = draw(k);
    return __ushort_as_half(u % 16 < 12 ? special[u % 16] : (uint16_t)((u >> 8) % 0x7c00u | (u >> 16 & 0x8000)));
}

PROGRAM(corpus, 3, 64, 40)
{
    __half a = anyh(1), b = anyh(2), c = anyh(3);
    float f = draw(4) & 1 ? anyf(5) : drawf(6, -70000.0f, 70000.0f) * (draw(7) & 1 ? 1e-6f : 1.0f);

    F16(__half_as_ushort(__hadd_rn(a, b)), 0), F16(__half_as_ushort(__hsub_rn(a, b)), 0), F16(__half_as_ushort(__hmul_rn(a, b)), 0);
    F16(__half_as_ushort(__hfma(a, b, c)), 0), F16(__half_as_ushort(__hneg(a)), 0), F16(__half_as_ushort(__habs(a)), 0);
    F16(__half_as_ushort(__hdiv(a, b)), 1), F16(__half_as_ushort(hsqrt(__habs(a))), 1);
    U32(__heq(a, b)), U32(__hlt(a, b)), U32(__hge(a, b)), U32(__hne(a, b)), U32(__hisnan(a)), U32(__hltu(a, b));
    F16(__half_as_ushort(__float2half_rn(f)), 0), F16(__half_as_ushort(__float2half_rz(f)), 0), F16(__half_as_ushort(__float2half_ru(f)), 0), F16(__half_as_ushort(__float2half_rd(f)), 0);
    F32(__half2float(a), 0), U32(__half2int_rn(a)), U32(__half2int_rz(b)), U32(__half2uint_rz(__habs(a))), U32((short)__half2short_rn(b));
    F16(__half_as_ushort(__int2half_rn((int)draw(8) >> 14)), 0), F16(__half_as_ushort(__uint2half_rz(draw(9) >> 15)), 0), F16(__half_as_ushort(__short2half_rn((short)draw(10))), 0);
    __half2 p = __halves2half2(a, b), q = __halves2half2(c, a);
    __half2 sum = __hadd2_rn(p, q), product = __hmul2_rn(p, q), fused = __hfma2(p, q, p), swapped = __lowhigh2highlow(p);
    F16(__half_as_ushort(__low2half(sum)), 0), F16(__half_as_ushort(__high2half(sum)), 0), F16(__half_as_ushort(__low2half(product)), 0), F16(__half_as_ushort(__high2half(fused)), 0);
    F16(__half_as_ushort(__low2half(swapped)), 0), F32(__low2float(p), 0), F32(__high2float(q), 0), U32(__hbeq2(p, p));
    __half2 pair = __floats2half2_rn(f, 1.5f);
    F16(__half_as_ushort(__low2half(pair)), 0), F16(__half_as_ushort(__high2half(pair)), 0);
    F16(__half_as_ushort(hfloor(a)), 0), F16(__half_as_ushort(hrint(b)), 0), F16(__half_as_ushort(__hmin(a, b)), 0), F16(__half_as_ushort(__hmax(a, b)), 0);
}
