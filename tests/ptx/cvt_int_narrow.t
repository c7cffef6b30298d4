-- body %d
cvt.u32.u64 %d, %A;
-- cases
0x123456789 -> 0x23456789
-- body %hd
cvt.u16.u32 %hd, %a;
-- cases
0x12345678 -> 0x5678
-- body %d
cvt.u8.u32 %d, %a;
-- cases
0x1ff -> 0xff
-- body %d
cvt.s8.s32 %d, %a;
-- cases
0x180 -> 0xffffff80
