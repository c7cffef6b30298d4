-- body %d
bfind.u32 %d, %a;
-- cases
0 -> -1
1 -> 0
0x80000000 -> 31
0x00f00000 -> 23
-- body %d
bfind.s32 %d, %a;
-- cases
0 -> -1
-1 -> -1
-2 -> 0
0x80000000 -> 30
0x7fffffff -> 30
-- body %d
bfind.u64 %d, %A;
-- cases
0 -> -1
0x8000000000000000 -> 63
0x100000000 -> 32
-- body %d
bfind.s64 %d, %A;
-- cases
-1 -> -1
0xffffffff00000000 -> 31
-- body %d
bfind.shiftamt.u32 %d, %a;
-- cases
0 -> -1
1 -> 31
0x80000000 -> 0
-- body %d
bfind.shiftamt.s32 %d, %a;
-- cases
-1 -> -1
-2 -> 31
0x40000000 -> 1
-- body %d
bfind.shiftamt.s64 %d, %A;
-- cases
1 -> 63
-1 -> -1
-- body %d
bfind.shiftamt.u64 %d, %A;
-- cases
0x8000000000000000 -> 0
