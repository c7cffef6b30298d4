-- body %d
bmsk.clamp.b32 %d, %a, %b;
-- cases
0 4 -> 0xf
28 8 -> 0xf0000000
4 0 -> 0
31 1 -> 0x80000000
0 32 -> 0xffffffff
8 100 -> 0xffffff00
32 4 -> 0
70 4 -> 0
-- body %d
bmsk.wrap.b32 %d, %a, %b;
-- cases
0 4 -> 0xf
36 4 -> 0xf0
4 32 -> 0
4 36 -> 0xf0
30 5 -> 0xc0000000
-- body %d
szext.clamp.u32 %d, %a, %b;
-- cases
-1 8 -> 0xff
-1 0 -> 0
-1 32 -> 0xffffffff
0x12345678 40 -> 0x12345678
-- body %d
szext.clamp.s32 %d, %a, %b;
-- cases
0x80 8 -> 0xffffff80
0x17f 8 -> 0x7f
1 1 -> -1
-1 0 -> 0
0x87654321 33 -> 0x87654321
0x40000000 31 -> 0xc0000000
-- body %d
szext.wrap.s32 %d, %a, %b;
-- cases
0x80 40 -> 0xffffff80
-1 32 -> 0
-- body %d
szext.wrap.u32 %d, %a, %b;
-- cases
-1 36 -> 0xf
-1 32 -> 0
# the example of the manual and the corners of its loop
-- body %d
fns.b32 %d, %a, %b, %c;
-- cases
0xaaaaaaaa 3 1 -> 3
0xaaaaaaaa 3 -1 -> 3
0xaaaaaaaa 2 0 -> -1
0xaaaaaaaa 3 0 -> 3
0xaaaaaaaa 2 2 -> 5
0xaaaaaaaa 4 -2 -> 1
1 5 -1 -> 0
1 5 1 -> -1
0x80000000 0 2 -> -1
