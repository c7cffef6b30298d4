# one rounding: (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24
-- body %d
fma.rn.f32 %d, %a, %b, %c;
-- cases
2.0f 3.0f 4.0f -> 10.0f
0x3f800800 0x3f800800 0xbf801000 -> 0x33800000
0x7f7fffff 2.0f 0xff7fffff -> 0x7f7fffff
0x7f800000 0.0f 1.0f -> 0x7fffffff
-- body %d
mad.rn.f32 %d, %a, %b, %c;
-- cases
2.0f 3.0f 4.0f -> 10.0f
-- body %d
fma.rn.ftz.sat.f32 %d, %a, %b, %c;
-- cases
2.0f 3.0f 4.0f -> 1.0f
0x00000001 1.0f 0.0f -> 0
