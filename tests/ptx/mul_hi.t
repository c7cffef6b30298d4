-- body %d
mul.hi.u32 %d, %a, %b;
-- cases
0xffffffff 0xffffffff -> 0xfffffffe
0x10000 0x10000 -> 1
-- body %d
mul.hi.s32 %d, %a, %b;
-- cases
-1 -1 -> 0
-1 1 -> -1
0x80000000 0x80000000 -> 0x40000000
-- body %D
mul.hi.u64 %D, %A, %B;
-- cases
-1 -1 -> 0xfffffffffffffffe
-- body %D
mul.hi.s64 %D, %A, %B;
-- cases
-1 1 -> -1
0x8000000000000000 2 -> -1
-- body %hd
mul.hi.u16 %hd, %ha, %hb;
-- cases
0xffff 0xffff -> 0xfffe
-- body %hd
mul.hi.s16 %hd, %ha, %hb;
-- cases
0xffff 1 -> 0xffff
0x8000 0x8000 -> 0x4000
