-- body %D
cvt.rn.f64.s32 %D, %a;
-- cases
-7 -> -7.0d
-- body %D
cvt.rn.f64.u64 %D, %A;
-- cases
-1 -> 0x43f0000000000000
-- body %D
cvt.rz.f64.u64 %D, %A;
-- cases
-1 -> 0x43efffffffffffff
-- body %D
cvt.rn.f64.s64 %D, %A;
-- cases
9007199254740993 -> 9007199254740992.0d
