-- body %d
abs.s32 %d, %a;
-- cases
-5 -> 5
5 -> 5
0x80000000 -> 0x80000000
-- body %d
neg.s32 %d, %a;
-- cases
5 -> -5
0x80000000 -> 0x80000000
-- body %D
neg.s64 %D, %A;
-- cases
1 -> -1
-- body %hd
abs.s16 %hd, %ha;
-- cases
0xffff -> 1
