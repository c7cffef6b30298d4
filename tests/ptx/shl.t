# amounts of the width and more give 0
-- body %d
shl.b32 %d, %a, %b;
-- cases
1 31 -> 0x80000000
1 32 -> 0
1 0xffffffff -> 0
3 0 -> 3
-- body %D
shl.b64 %D, %A, %b;
-- cases
1 63 -> 0x8000000000000000
1 64 -> 0
1 32 -> 0x100000000
-- body %D
shl.b64 %D, %A, 4;
-- cases
0x0fffffffffffffff -> 0xfffffffffffffff0
1 -> 16
-- body %hd
shl.b16 %hd, %ha, %b;
-- cases
1 15 -> 0x8000
1 16 -> 0
