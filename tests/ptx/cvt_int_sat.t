-- body %d
cvt.sat.u8.s32 %d, %a;
-- cases
-1 -> 0
300 -> 255
77 -> 77
-- body %d
cvt.sat.s8.s32 %d, %a;
-- cases
-200 -> -128
200 -> 127
-- body %hd
cvt.sat.s16.u32 %hd, %a;
-- cases
0xffffffff -> 0x7fff
-- body %d
cvt.sat.s32.s64 %d, %A;
-- cases
0x123456789a -> 0x7fffffff
-10000000000 -> 0x80000000
-- body %d
cvt.sat.u32.s64 %d, %A;
-- cases
-1 -> 0
0x123456789a -> 0xffffffff
-- body %D
cvt.sat.s64.u64 %D, %A;
-- cases
-1 -> 0x7fffffffffffffff
-- body %D
cvt.sat.u64.s64 %D, %A;
-- cases
-1 -> 0
