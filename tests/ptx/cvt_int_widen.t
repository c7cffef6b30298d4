-- body %D
cvt.s64.s32 %D, %a;
-- cases
-1 -> -1
5 -> 5
-- body %D
cvt.u64.u32 %D, %a;
-- cases
0xffffffff -> 0xffffffff
-- body %d
cvt.s32.s16 %d, %ha;
-- cases
0x8000 -> 0xffff8000
-- body %d
cvt.u32.u16 %d, %ha;
-- cases
0xffff -> 0xffff
-- body %d
cvt.s32.s8 %d, %a;
-- cases
0x180 -> -128
0x17f -> 127
-- body %d
cvt.u32.u8 %d, %a;
-- cases
0x1ff -> 255
-- body %D
cvt.u64.s32 %D, %a;
-- cases
-1 -> -1
