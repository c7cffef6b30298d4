-- body %d
bfi.b32 %d, %a, %b, 4, 8;
-- cases
0xab 0xffffffff -> 0xfffffabf
-- body %d
bfi.b32 %d, %a, -1, %b, %c;
-- cases
0 28 8 -> 0x0fffffff
0 0 32 -> 0
0 4 0 -> -1
0 32 4 -> -1
-- body %D
bfi.b64 %D, %A, %B, %c, 16;
-- cases
0x1234 0 40 -> 0x12340000000000
0x1234 -1 56 -> 0x34ffffffffffffff
