# a number beats a NaN; two NaNs give 0x7fffffff; -0 < +0
-- body %d
min.f32 %d, %a, %b;
-- cases
1.0f 2.0f -> 1.0f
0x7fc00000 2.0f -> 2.0f
2.0f 0xffc00000 -> 2.0f
0x7fc00000 0xffc00001 -> 0x7fffffff
0.0f -0.0f -> 0x80000000
-0.0f 0.0f -> 0x80000000
0x00000001 0x00000002 -> 0x00000001
-- body %d
max.f32 %d, %a, %b;
-- cases
1.0f 2.0f -> 2.0f
0.0f -0.0f -> 0
-0.0f 0.0f -> 0
0x7fc00000 -2.0f -> -2.0f
0xff800000 -2.0f -> -2.0f
-- body %d
max.ftz.f32 %d, %a, %b;
-- cases
0x00000001 0x80000000 -> 0
-- body %D
min.f64 %D, %A, %B;
-- cases
0x7ff8000000000000 2.0d -> 2.0d
-0.0d 0.0d -> 0x8000000000000000
