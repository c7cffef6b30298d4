-- body %d
popc.b32 %d, %a;
-- cases
0 -> 0
-1 -> 32
0x80010001 -> 3
-- body %d
popc.b64 %d, %A;
-- cases
-1 -> 64
0x8000000000000001 -> 2
-- body %d
clz.b32 %d, %a;
-- cases
0 -> 32
1 -> 31
0x80000000 -> 0
-- body %d
clz.b64 %d, %A;
-- cases
0 -> 64
1 -> 63
0x100000000 -> 31
-- body %d
brev.b32 %d, %a;
-- cases
1 -> 0x80000000
0x12345678 -> 0x1e6a2c48
-- body %D
brev.b64 %D, %A;
-- cases
1 -> 0x8000000000000000
0x12345678 -> 0x1e6a2c4800000000
