-- body %d
abs.f32 %d, %a;
-- cases
-1.5f -> 1.5f
0x80000000 -> 0
0xff800000 -> 0x7f800000
-- body %d
neg.f32 %d, %a;
-- cases
1.5f -> -1.5f
0 -> 0x80000000
-- body %d
abs.ftz.f32 %d, %a;
-- cases
0x80000001 -> 0
-- body %D
neg.f64 %D, %A;
-- cases
1.5d -> -1.5d
