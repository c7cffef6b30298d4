# values that PTX fixes exactly: infinities, zeros, NaN, powers of two; bounds are in unit/test_approx
-- body %d
sin.approx.f32 %d, %a;
-- cases
0 -> 0
0x80000000 -> 0x80000000
0x7f800000 -> 0x7fffffff
0xff800000 -> 0x7fffffff
0x7fc00000 -> 0x7fffffff
-- body %d
sin.approx.ftz.f32 %d, %a;
-- cases
1 -> 0
0x80000001 -> 0x80000000
-- body %d
cos.approx.f32 %d, %a;
-- cases
0 -> 1.0f
0x80000001 -> 1.0f
0x7f800000 -> 0x7fffffff
-- body %d
ex2.approx.f32 %d, %a;
-- cases
0xff800000 -> 0
0x7f800000 -> 0x7f800000
0 -> 1.0f
0x80000001 -> 1.0f
3.0f -> 8.0f
-126.0f -> 0x00800000
-149.0f -> 1
-151.0f -> 0
128.0f -> 0x7f800000
0x7fc00000 -> 0x7fffffff
-- body %d
ex2.approx.ftz.f32 %d, %a;
-- cases
-127.0f -> 0
-126.0f -> 0x00800000
-- body %d
lg2.approx.f32 %d, %a;
-- cases
0 -> 0xff800000
0x80000000 -> 0xff800000
-1.0f -> 0x7fffffff
0xff800000 -> 0x7fffffff
0x7f800000 -> 0x7f800000
1.0f -> 0
8.0f -> 3.0f
1 -> -149.0f
0x7fc00000 -> 0x7fffffff
-- body %d
lg2.approx.ftz.f32 %d, %a;
-- cases
1 -> 0xff800000
-- body %d
rcp.approx.f32 %d, %a;
-- cases
0x7f800000 -> 0
0xff800000 -> 0x80000000
0x80000000 -> 0xff800000
4.0f -> 0.25f
-- body %d
rcp.approx.ftz.f32 %d, %a;
-- cases
0x00400000 -> 0x7f800000
0x7f000000 -> 0
-- body %d
rsqrt.approx.f32 %d, %a;
-- cases
0 -> 0x7f800000
0x80000000 -> 0xff800000
-1.0f -> 0x7fffffff
0x7f800000 -> 0
4.0f -> 0.5f
-- body %d
rsqrt.approx.ftz.f32 %d, %a;
-- cases
0x80000001 -> 0xff800000
-- body %d
sqrt.approx.f32 %d, %a;
-- cases
0x80000000 -> 0x80000000
-1.0f -> 0x7fffffff
16.0f -> 4.0f
0x7f800000 -> 0x7f800000
-- body %d
tanh.approx.f32 %d, %a;
-- cases
0x7f800000 -> 1.0f
0xff800000 -> -1.0f
0x80000000 -> 0x80000000
0x00000001 -> 1
0x7fc00000 -> 0x7fffffff
# divisors above 2^126: the reciprocal underflows
-- body %d
div.approx.f32 %d, %a, %b;
-- cases
6.0f 3.0f -> 2.0f
1.0f 0x7f000000 -> 0
0x7f7fffff 0x7f000001 -> 0
0x7f800000 0x7f000001 -> 0x7fffffff
1.0f 0x7e800000 -> 0x00800000
1.0f 0x7f800000 -> 0
0.0f 0.0f -> 0x7fffffff
-- body %d
div.full.f32 %d, %a, %b;
-- cases
6.0f 3.0f -> 2.0f
0x7f7fffff 0x7f000000 -> 0x3fffffff
-- body %d
div.full.ftz.f32 %d, %a, %b;
-- cases
0x00400000 1.0f -> 0
# only the upper word is used and written
-- body %D
rcp.approx.ftz.f64 %D, %A;
-- cases
4.0d -> 0.25d
0x40100000ffffffff -> 0.25d
0x0000000100000000 -> 0x7ff0000000000000
0x8000000000000000 -> 0xfff0000000000000
0x7ff0000000000000 -> 0
0x7fefffff00000000 -> 0
-- body %D
rsqrt.approx.ftz.f64 %D, %A;
-- cases
16.0d -> 0.25d
0x40300000ffffffff -> 0.25d
0x0000000100000000 -> 0x7ff0000000000000
0x800fffff00000000 -> 0xfff0000000000000
0x4000000000000000 -> 0x3fe6a09e00000000
0x8000000000000000 -> 0xfff0000000000000
0xbff0000000000000 -> 0x7fffffff00000000
-- body %hd
ex2.approx.f16 %hd, %ha;
-- cases
0x4000 -> 0x4400
0xfc00 -> 0
0x4c00 -> 0x7c00
-- body %d
tanh.approx.f16x2 %d, %a;
-- cases
0x7c00fc00 -> 0x3c00bc00
# sm_20 and later: mad is fma
-- body %d
mad.rz.f32 %d, %a, %b, %c;
-- cases
1.0f 1.0f 0x33000000 -> 1.0f
