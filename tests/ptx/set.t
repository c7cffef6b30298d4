-- body %d
set.lt.u32.s32 %d, %a, %b;
-- cases
-1 0 -> 0xffffffff
0 -1 -> 0
-- body %d
set.gt.f32.u32 %d, %a, %b;
-- cases
-1 0 -> 1.0f
0 0 -> 0
-- body %d
set.eq.s32.f32 %d, %a, %b;
-- cases
1.0f 1.0f -> -1
0x7fc00000 0x7fc00000 -> 0
-- body %d
setp.eq.u32 %q, %c, 1;
set.le.and.u32.f64 %d, %A, %B, %q;
-- cases
1.0d 2.0d 1 -> -1
1.0d 2.0d 0 -> 0
3.0d 2.0d 1 -> 0
-- body %d
setp.eq.u32 %q, %c, 1;
set.le.xor.f32.s64 %d, %A, %B, !%q;
-- cases
1 2 1 -> 1.0f
1 2 0 -> 0
3 2 0 -> 1.0f
-- body %d
set.lt.u32.f16 %d, %ha, %hb;
-- cases
0x3c00 0x4000 -> -1
0x4000 0x3c00 -> 0
0xbc00 0x0001 -> -1
