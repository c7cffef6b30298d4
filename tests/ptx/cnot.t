-- body %d
cnot.b32 %d, %a;
-- cases
0 -> 1
5 -> 0
-- body %D
cnot.b64 %D, %A;
-- cases
0x100000000 -> 0
0 -> 1
