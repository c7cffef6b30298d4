# 1.0 or all ones where the comparison holds; pairs give both halves
-- body %hd
set.lt.f16.f16 %hd, %ha, %hb;
-- cases
0x3c00 0x4000 -> 0x3c00
0x4000 0x3c00 -> 0
0x7e00 0x3c00 -> 0
-- body %hd
set.nan.u16.f16 %hd, %ha, %ha;
-- cases
0x7e00 -> 0xffff
0x3c00 -> 0
-- body %d
set.eq.u32.f16 %d, %ha, %hb;
-- cases
0x8000 0 -> 0xffffffff
-- body %d
set.eq.u32.f16x2 %d, %a, %b;
-- cases
0x3c004000 0x3c003c00 -> 0xffff0000
0x3c004000 0x3c004000 -> 0xffffffff
0x7e008000 0x7e000000 -> 0xffff
-- body %d
set.gt.f16x2.f16x2 %d, %a, %b;
-- cases
0x40003c00 0x3c003c00 -> 0x3c000000
0x40004000 0x3c003c00 -> 0x3c003c00
-- body %d
setp.eq.u32 %p, %c, 1;
set.gt.or.f16x2.f16x2 %d, %a, %b, %p;
-- cases
0x40003c00 0x3c003c00 0 -> 0x3c000000
0x40003c00 0x3c003c00 1 -> 0x3c003c00
