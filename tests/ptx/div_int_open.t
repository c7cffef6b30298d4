# PTX leaves these open; heddle: x / 0 = all bits, x % 0 = all bits in 32 bits, else x; MININT / -1 = MININT, remainder 0
-- body %d
div.u32 %d, %a, %b;
-- cases
5 0 -> 0xffffffff
-- body %d
div.s32 %d, %a, %b;
-- cases
5 0 -> -1
0x80000000 -1 -> 0x80000000
-- body %d
rem.s32 %d, %a, %b;
-- cases
5 0 -> -1
0x80000000 -1 -> 0
-- body %D
div.s64 %D, %A, %B;
-- cases
0x8000000000000000 -1 -> 0x8000000000000000
5 0 -> -1
-- body %d
rem.u32 %d, %a, %b;
-- cases
5 0 -> 0xffffffff
