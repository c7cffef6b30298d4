# narrow parts of a 64-bit register, extended over all of it
-- body %D
cvt.s64.s8 %D, %A;
-- cases
0x123456789abcde80 -> 0xffffffffffffff80
0x123456789abcde7f -> 0x7f
-- body %D
cvt.u64.u8 %D, %A;
-- cases
0x123456789abcde80 -> 0x80
-- body %D
cvt.s64.s16 %D, %A;
-- cases
0x123456789abc8e80 -> 0xffffffffffff8e80
-- body %D
cvt.u64.s16 %D, %A;
-- cases
0x123456789abc8e80 -> 0xffffffffffff8e80
-- body %D
cvt.s64.s32 %D, %A;
-- cases
0x123456788abcde80 -> 0xffffffff8abcde80
0x123456787abcde80 -> 0x7abcde80
-- body %D
cvt.s64.u32 %D, %A;
-- cases
0x123456789abcde80 -> 0x9abcde80
