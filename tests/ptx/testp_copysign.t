-- body %p
testp.finite.f32 %p, %a;
-- cases
0 -> 1
0x7f7fffff -> 1
0x7f800000 -> 0
0xffc00000 -> 0
-- body %p
testp.infinite.f32 %p, %a;
-- cases
0xff800000 -> 1
0x7f800001 -> 0
1.0f -> 0
-- body %p
testp.number.f32 %p, %a;
-- cases
0x7f800000 -> 1
0x7f800001 -> 0
-- body %p
testp.notanumber.f32 %p, %a;
-- cases
0x7f800000 -> 0
0xffffffff -> 1
# zeros count as normal
-- body %p
testp.normal.f32 %p, %a;
-- cases
0 -> 1
0x80000000 -> 1
1 -> 0
0x00800000 -> 1
0x7f800000 -> 0
-- body %p
testp.subnormal.f32 %p, %a;
-- cases
0 -> 0
0x80000001 -> 1
0x007fffff -> 1
0x00800000 -> 0
-- body %p
testp.subnormal.f64 %p, %A;
-- cases
1 -> 1
0x0010000000000000 -> 0
-- body %p
testp.infinite.f64 %p, %A;
-- cases
0xfff0000000000000 -> 1
0x7ff0000000000001 -> 0
# the sign of the first operand on the value of the second
-- body %d
copysign.f32 %d, %a, %b;
-- cases
-1.0f 2.0f -> -2.0f
1.0f -2.0f -> 2.0f
0x80000000 0x7f800000 -> 0xff800000
-- body %D
copysign.f64 %D, %A, %B;
-- cases
-1.0d 2.0d -> -2.0d
0.0d -3.0d -> 3.0d
