# c >= 0 selects a; NaN selects b, -0 selects a
-- body %d
slct.u32.s32 %d, %a, %b, %c;
-- cases
1 2 0 -> 1
1 2 -1 -> 2
-- body %d
slct.f32.f32 %d, %a, %b, %c;
-- cases
1 2 0x80000000 -> 1
1 2 0x7fc00000 -> 2
1 2 0x80000001 -> 2
-- body %d
slct.ftz.u32.f32 %d, %a, %b, %c;
-- cases
1 2 0x80000001 -> 1
-- body %D
slct.u64.s32 %D, %A, %B, %c;
-- cases
0x100000000 2 5 -> 0x100000000
