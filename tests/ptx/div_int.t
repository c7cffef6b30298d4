-- body %d
div.s32 %d, %a, %b;
-- cases
7 2 -> 3
-7 2 -> -3
7 -2 -> -3
-7 -2 -> 3
-- body %d
div.u32 %d, %a, %b;
-- cases
0xffffffff 2 -> 0x7fffffff
-- body %D
div.s64 %D, %A, %B;
-- cases
-10000000000 3 -> -3333333333
-- body %hd
div.s16 %hd, %ha, %hb;
-- cases
-7 2 -> -3
