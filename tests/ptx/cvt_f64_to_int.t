-- body %d
cvt.rzi.s32.f64 %d, %A;
-- cases
2147483647.9d -> 0x7fffffff
-2147483648.9d -> 0x80000000
1e300d -> 0x7fffffff
0x7ff8000000000000 -> 0x80000000
-- body %d
cvt.rzi.u32.f64 %d, %A;
-- cases
0xfff8000000000000 -> 0x80000000
-- body %D
cvt.rni.s64.f64 %D, %A;
-- cases
2251799813685249.5d -> 2251799813685250
-0.5d -> 0
-- body %D
cvt.rzi.u64.f64 %D, %A;
-- cases
0x43efffffffffffff -> 0xfffffffffffff800
0x7ff8000000000000 -> 0x8000000000000000
2e19d -> -1
-1.0d -> 0
