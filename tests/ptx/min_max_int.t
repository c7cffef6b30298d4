-- body %d
min.s32 %d, %a, %b;
-- cases
-1 1 -> -1
-- body %d
min.u32 %d, %a, %b;
-- cases
-1 1 -> 1
-- body %d
max.s32 %d, %a, %b;
-- cases
-1 1 -> 1
-- body %d
max.u32 %d, %a, %b;
-- cases
-1 1 -> -1
-- body %D
max.s64 %D, %A, %B;
-- cases
-1 0x7fffffffffffffff -> 0x7fffffffffffffff
-- body %hd
min.s16 %hd, %ha, %hb;
-- cases
0x8000 1 -> 0x8000
-- body %hd
min.u16 %hd, %ha, %hb;
-- cases
0x8000 1 -> 1
