-- body %d
cvt.rni.f32.f32 %d, %a;
-- cases
2.5f -> 2.0f
-0.5f -> 0x80000000
1e30f -> 1e30f
-- body %d
cvt.rzi.f32.f32 %d, %a;
-- cases
-2.7f -> -2.0f
-- body %d
cvt.rmi.f32.f32 %d, %a;
-- cases
-2.1f -> -3.0f
-- body %d
cvt.rpi.f32.f32 %d, %a;
-- cases
2.1f -> 3.0f
-- body %d
cvt.sat.f32.f32 %d, %a;
-- cases
2.5f -> 1.0f
-1.0f -> 0
0x7fc00000 -> 0
0.5f -> 0.5f
-- body %D
cvt.rpi.f64.f64 %D, %A;
-- cases
2.1d -> 3.0d
