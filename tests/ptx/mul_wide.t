-- body %D
mul.wide.u32 %D, %a, %b;
-- cases
0xffffffff 0xffffffff -> 0xfffffffe00000001
-- body %D
mul.wide.s32 %D, %a, %b;
-- cases
0xffffffff 0xffffffff -> 1
-2 3 -> -6
0x80000000 0x80000000 -> 0x4000000000000000
-- body %d
mul.wide.u16 %d, %ha, %hb;
-- cases
0xffff 0xffff -> 0xfffe0001
-- body %d
mul.wide.s16 %d, %ha, %hb;
-- cases
0xffff 2 -> -2
0x8000 0x8000 -> 0x40000000
