// convert.cu - between integers and floats of all widths, in every rounding, beyond every range.
#include "corpus.h"

DEVICE float number(uint32_t k) // around the ends of the integers' ranges
{
    switch (draw(k) % 6) {
    case 0: return anyf(k + 1);
    case 1: return drawf(k + 2, -2.2e9f, 2.2e9f);
    case 2: return drawf(k + 2, -1.9e19f, 1.9e19f);
    case 3: return (float)(int)(draw(k + 3) % 64) * 0.5f - 16.0f;
    default: return drawf(k + 2, -1000.0f, 1000.0f);
    }
}

PROGRAM(corpus, 4, 64, 108)
{
    float f = number(1);
    double d = draw(20) % 3 ? (double)number(30) * 1.0000000001 : anyd(40);
    int i = (int)draw(50) >> (draw(51) & 31);
    uint32_t u = draw(52) >> (draw(53) & 31);
    long long l = (long long)draw64(54) >> (draw(55) & 63);
    unsigned long long w = draw64(56) >> (draw(57) & 63);

    U32(__float2int_rn(f)), U32(__float2int_rz(f)), U32(__float2int_ru(f)), U32(__float2int_rd(f));
    U32(__float2uint_rn(f)), U32(__float2uint_rz(f)), U32(__float2uint_ru(f)), U32(__float2uint_rd(f));
    U64(__float2ll_rn(f)), U64(__float2ll_rz(f)), U64(__float2ll_ru(f)), U64(__float2ll_rd(f));
    U64(__float2ull_rn(f)), U64(__float2ull_rz(f)), U64(__float2ull_ru(f)), U64(__float2ull_rd(f));
    U32(__double2int_rn(d)), U32(__double2int_rz(d)), U32(__double2int_ru(d)), U32(__double2int_rd(d));
    U32(__double2uint_rn(d)), U32(__double2uint_rz(d)), U32(__double2uint_ru(d)), U32(__double2uint_rd(d));
    U64(__double2ll_rn(d)), U64(__double2ll_rz(d)), U64(__double2ll_ru(d)), U64(__double2ll_rd(d));
    U64(__double2ull_rn(d)), U64(__double2ull_rz(d)), U64(__double2ull_ru(d)), U64(__double2ull_rd(d));
    F32(__int2float_rn(i), 0), F32(__int2float_rz(i), 0), F32(__int2float_ru(i), 0), F32(__int2float_rd(i), 0);
    F32(__uint2float_rn(u), 0), F32(__uint2float_rz(u), 0), F32(__uint2float_ru(u), 0), F32(__uint2float_rd(u), 0);
    F32(__ll2float_rn(l), 0), F32(__ll2float_rz(l), 0), F32(__ll2float_ru(l), 0), F32(__ll2float_rd(l), 0);
    F32(__ull2float_rn(w), 0), F32(__ull2float_rz(w), 0), F32(__ull2float_ru(w), 0), F32(__ull2float_rd(w), 0);
    F64(__ll2double_rn(l), 0), F64(__ll2double_rz(l), 0), F64(__ll2double_ru(l), 0), F64(__ll2double_rd(l), 0);
    F64(__ull2double_rn(w), 0), F64(__ull2double_rz(w), 0), F64(__ull2double_ru(w), 0), F64(__ull2double_rd(w), 0);
    F32(__double2float_rn(d), 0), F32(__double2float_rz(d), 0), F32(__double2float_ru(d), 0), F32(__double2float_rd(d), 0);
    F64(__int2double_rn(i), 0), F64((double)f, 0), F32((float)(short)i, 0), F32((float)(unsigned char)u, 0);
    U32(__float_as_int(f)), F32(__uint_as_float(u), 0), U64(__double_as_longlong(d == d ? d : 0.0));
    U32(__double2hiint(d == d ? d : 1.0)), U32(__double2loint(d)), F64(__hiloint2double(i, (int)u), 0);
    float g = drawf(60, -120.0f, 120.0f);
    U32((int8_t)(int)g), U32((uint16_t)fabsf(g)), U32((short)g), U32((unsigned char)(unsigned)fabsf(g));
    U32((uint32_t)lrintf(g)), U32((int)lroundf(g)), U64(llrint((double)g)), U64(llround((double)g));
}
