-- body %d
and.b32 %d, %a, %b;
-- cases
0xff00ff00 0x0ff00ff0 -> 0x0f000f00
-- body %d
or.b32 %d, %a, %b;
-- cases
0xff00ff00 0x0ff00ff0 -> 0xfff0fff0
-- body %d
xor.b32 %d, %a, %b;
-- cases
0xff00ff00 0x0ff00ff0 -> 0xf0f0f0f0
-- body %D
xor.b64 %D, %A, -1;
-- cases
0 -> -1
-- body %d
not.b32 %d, %a;
-- cases
0x12345678 -> 0xedcba987
-- body %hd
not.b16 %hd, %ha;
-- cases
0 -> 0xffff
