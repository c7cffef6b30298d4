# .sat: limits are MININT and MAXINT
-- body %d
add.sat.s32 %d, %a, %b;
-- cases
0x7fffffff 1 -> 0x7fffffff
0x80000000 -1 -> 0x80000000
0x7fffffff -1 -> 0x7ffffffe
-3 5 -> 2
-- body %d
sub.sat.s32 %d, %a, %b;
-- cases
0x80000000 1 -> 0x80000000
0x7fffffff -1 -> 0x7fffffff
0 0x80000000 -> 0x7fffffff
-- body %d
sub.s32 %d, %a, %b;
-- cases
0x80000000 1 -> 0x7fffffff
