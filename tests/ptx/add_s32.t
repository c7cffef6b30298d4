# add wraps; signed and unsigned are the same bits
-- body %d
add.s32 %d, %a, %b;
-- cases
1 2 -> 3
0x7fffffff 1 -> 0x80000000
-1 -1 -> -2
0x80000000 0x80000000 -> 0
-- body %d
add.u32 %d, %a, -5;
-- cases
3 -> -2
