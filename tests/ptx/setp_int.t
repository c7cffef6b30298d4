-- body %p
setp.lt.s32 %p, %a, %b;
-- cases
-1 0 -> 1
0 0 -> 0
-- body %p
setp.lt.u32 %p, %a, %b;
-- cases
-1 0 -> 0
0 1 -> 1
-- body %p
setp.lo.u32 %p, %a, %b;
-- cases
0 -1 -> 1
-- body %p
setp.hs.u32 %p, %a, %b;
-- cases
-1 -1 -> 1
0 1 -> 0
-- body %p
setp.ls.u32 %p, %a, %b;
-- cases
1 1 -> 1
2 1 -> 0
-- body %p
setp.hi.u32 %p, %a, %b;
-- cases
2 1 -> 1
-- body %p
setp.eq.b32 %p, %a, %b;
-- cases
5 5 -> 1
5 6 -> 0
-- body %p
setp.ge.s64 %p, %A, %B;
-- cases
0x100000000 0xffffffff -> 1
-1 0 -> 0
-- body %p
setp.gt.s16 %p, %ha, %hb;
-- cases
0x7fff 0x8000 -> 1
-- body %p
setp.le.u16 %p, %ha, %hb;
-- cases
0x7fff 0x8000 -> 1
