-- body %D
cvt.f64.f32 %D, %a;
-- cases
1.5f -> 1.5d
0x00000001 -> 0x36a0000000000000
0x7f800000 -> 0x7ff0000000000000
# a NaN keeps its sign and its upper bits
0x7fffffff -> 0x7fffffffe0000000
0xffa00001 -> 0xfffc000020000000
-- body %d
cvt.rn.f32.f64 %d, %A;
-- cases
0.1d -> 0x3dcccccd
1e300d -> 0x7f800000
0x7ff8000000000000 -> 0x7fc00000
0xfff4000020000000 -> 0xffe00001
1e-45d -> 0x00000001
-- body %d
cvt.rz.f32.f64 %d, %A;
-- cases
0.1d -> 0x3dcccccc
1e300d -> 0x7f7fffff
-1e-46d -> 0x80000000
-- body %d
cvt.rp.f32.f64 %d, %A;
-- cases
0.1d -> 0x3dcccccd
1e-300d -> 0x00000001
-0.1d -> 0xbdcccccc
-- body %d
cvt.rm.f32.f64 %d, %A;
-- cases
-1e-300d -> 0x80000001
-0.1d -> 0xbdcccccd
