# ordered comparisons with a NaN are false, unordered ones true
-- body %p
setp.eq.f32 %p, %a, %b;
-- cases
0.0f -0.0f -> 1
0x7fc00000 0x7fc00000 -> 0
-- body %p
setp.ne.f32 %p, %a, %b;
-- cases
1.0f 2.0f -> 1
1.0f 0x7fc00000 -> 0
-- body %p
setp.lt.f32 %p, %a, %b;
-- cases
-1.0f 1.0f -> 1
1.0f 0x7fc00000 -> 0
-- body %p
setp.geu.f32 %p, %a, %b;
-- cases
2.0f 1.0f -> 1
1.0f 2.0f -> 0
1.0f 0x7fc00000 -> 1
-- body %p
setp.neu.f32 %p, %a, %b;
-- cases
1.0f 1.0f -> 0
0x7fc00000 1.0f -> 1
-- body %p
setp.equ.f32 %p, %a, %b;
-- cases
1.0f 2.0f -> 0
0xffc00000 1.0f -> 1
-- body %p
setp.num.f32 %p, %a, %b;
-- cases
1.0f 2.0f -> 1
1.0f 0x7f800001 -> 0
-- body %p
setp.nan.f32 %p, %a, %b;
-- cases
1.0f 2.0f -> 0
0xff800001 1.0f -> 1
