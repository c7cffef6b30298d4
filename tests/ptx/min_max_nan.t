# min and max with .NaN and .xorsign.abs
-- body %d
min.NaN.f32 %d, %a, %b;
-- cases
0x7fc00001 1.0f -> 0x7fffffff
2.0f 1.0f -> 1.0f
-- body %d
max.NaN.f32 %d, %a, %b;
-- cases
1.0f 0xffc00001 -> 0x7fffffff
2.0f 1.0f -> 2.0f
-- body %d
min.xorsign.abs.f32 %d, %a, %b;
-- cases
-2.0f 3.0f -> -2.0f
-2.0f -3.0f -> 2.0f
2.0f -1.0f -> -1.0f
0x7fc00001 -3.0f -> 0xc0400000
-- body %d
max.ftz.NaN.xorsign.abs.f32 %d, %a, %b;
-- cases
-2.0f 3.0f -> -3.0f
0x80000001 0x00000002 -> 0x80000000
0x7fc00001 1.0f -> 0x7fffffff
-- body %hd
max.NaN.f16 %hd, %ha, %hb;
-- cases
0x7e01 0x3c00 -> 0x7fff
0x4000 0x3c00 -> 0x4000
-- body %d
min.NaN.f16x2 %d, %a, %b;
-- cases
0x7e014000 0x3c003c00 -> 0x7fff3c00
-- body %hd
min.bf16 %hd, %ha, %hb;
-- cases
0x7fc0 0x3f80 -> 0x3f80
0x8000 0x0000 -> 0x8000
-- body %hd
max.NaN.bf16 %hd, %ha, %hb;
-- cases
0x7fc0 0x3f80 -> 0x7fff
0x0000 0x8000 -> 0x0000
-- body %d
max.xorsign.abs.bf16x2 %d, %a, %b;
-- cases
0xbf804000 0x40003f80 -> 0xc0004000
