# always clamped; NaN gives 0, or the middle of the range of 64 bits
-- body %d
cvt.rzi.s32.f32 %d, %a;
-- cases
1.9f -> 1
-1.9f -> -1
3e9f -> 0x7fffffff
-3e9f -> 0x80000000
0x7fc00000 -> 0
0xff800000 -> 0x80000000
2147483520.0f -> 2147483520
-- body %d
cvt.rzi.u32.f32 %d, %a;
-- cases
-1.0f -> 0
-0.5f -> 0
3e9f -> 3000000000
5e9f -> 0xffffffff
0x7fc00000 -> 0
-- body %D
cvt.rzi.s64.f32 %D, %a;
-- cases
-3e9f -> -3000000000
1e20f -> 0x7fffffffffffffff
0x7fc00000 -> 0x8000000000000000
-- body %D
cvt.rzi.u64.f32 %D, %a;
-- cases
0x5f7fffff -> 0xffffff0000000000
1e20f -> -1
0xffc00000 -> 0x8000000000000000
-- body %hd
cvt.rzi.u16.f32 %hd, %a;
-- cases
70000.0f -> 0xffff
-- body %d
cvt.rzi.s8.f32 %d, %a;
-- cases
-1000.0f -> -128
