# the remainder has the sign of the dividend
-- body %d
rem.s32 %d, %a, %b;
-- cases
7 3 -> 1
-7 3 -> -1
7 -3 -> 1
-- body %d
rem.u32 %d, %a, %b;
-- cases
0xffffffff 10 -> 5
-- body %D
rem.u64 %D, %A, %B;
-- cases
10000000000 7 -> 4
