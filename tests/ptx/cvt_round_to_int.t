-- body %d
cvt.rni.s32.f32 %d, %a;
-- cases
0.5f -> 0
1.5f -> 2
2.5f -> 2
-1.5f -> -2
-- body %d
cvt.rmi.s32.f32 %d, %a;
-- cases
1.5f -> 1
-1.5f -> -2
-- body %d
cvt.rpi.s32.f32 %d, %a;
-- cases
1.2f -> 2
-1.5f -> -1
-- body %d
cvt.rpi.ftz.u32.f32 %d, %a;
-- cases
0x00000001 -> 0
-- body %d
cvt.rpi.u32.f32 %d, %a;
-- cases
0x00000001 -> 1
