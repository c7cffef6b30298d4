-- body %d
mul.lo.s32 %d, %a, %b;
-- cases
-3 7 -> -21
0x10000 0x10000 -> 0
0x12345678 0x9abcdef0 -> 0x242d2080
-- body %D
mul.lo.u64 %D, %A, %B;
-- cases
0x100000001 0x100000001 -> 0x200000001
-1 -1 -> 1
-- body %hd
mul.lo.u16 %hd, %ha, %hb;
-- cases
0xffff 0xffff -> 1
