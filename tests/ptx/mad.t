-- body %d
mad.lo.s32 %d, %a, %b, %c;
-- cases
2 3 4 -> 10
-2 3 1 -> -5
0x10000 0x10000 7 -> 7
-- body %d
mad.hi.u32 %d, %a, %b, %c;
-- cases
0xffffffff 2 5 -> 6
-- body %D
mad.wide.u32 %D, %a, %b, %C;
-- cases
0xffffffff 4 0x80000000 -> 0x47ffffffc
-- body %D
mad.wide.s32 %D, %a, %b, %C;
-- cases
-1 4 0x80000000 -> 0x7ffffffc
-- body %D
mad.lo.u64 %D, %A, %B, %C;
-- cases
0x100000000 3 1 -> 0x300000001
