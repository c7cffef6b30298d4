# signed: copies of the sign
-- body %d
shr.u32 %d, %a, %b;
-- cases
0x80000000 31 -> 1
0x80000000 32 -> 0
-- body %d
shr.s32 %d, %a, %b;
-- cases
0x80000000 31 -> -1
0x80000000 100 -> -1
0x7fffffff 32 -> 0
-- body %d
shr.b32 %d, %a, %b;
-- cases
0x80000000 4 -> 0x08000000
-- body %D
shr.s64 %D, %A, %b;
-- cases
-16 2 -> -4
-1 64 -> -1
-- body %D
shr.u64 %D, %A, %b;
-- cases
-1 63 -> 1
-- body %hd
shr.s16 %hd, %ha, %b;
-- cases
0x8000 3 -> 0xf000
