# the sign is the field's highest bit inside the register
-- body %d
bfe.u32 %d, %a, %b, %c;
-- cases
0x12345678 4 8 -> 0x67
0x12345678 0 32 -> 0x12345678
0x12345678 28 8 -> 1
0x12345678 4 0 -> 0
0x12345678 40 8 -> 0
0x12345678 260 8 -> 0x67
-- body %d
bfe.s32 %d, %a, %b, %c;
-- cases
0x12345678 3 5 -> 0x0f
0x12345678 3 4 -> -1
0x80000000 28 8 -> -8
0x80000000 32 8 -> -1
0x7fffffff 32 8 -> 0
0x80000000 4 0 -> 0
-- body %D
bfe.u64 %D, %A, %b, %c;
-- cases
0x123456789abcdef0 60 8 -> 1
0x123456789abcdef0 4 40 -> 0x6789abcdef
-- body %D
bfe.s64 %D, %A, %b, %c;
-- cases
0x8000000000000000 60 2 -> 0
0x8000000000000000 60 4 -> -8
