-- body %d
cvt.rn.f32.s32 %d, %a;
-- cases
-1 -> -1.0f
16777217 -> 16777216.0f
16777219 -> 16777220.0f
0x7fffffff -> 0x4f000000
-- body %d
cvt.rn.f32.u32 %d, %a;
-- cases
0xffffffff -> 0x4f800000
-- body %d
cvt.rz.f32.u32 %d, %a;
-- cases
0xffffffff -> 0x4f7fffff
-- body %d
cvt.rp.f32.s32 %d, %a;
-- cases
16777217 -> 16777218.0f
-16777217 -> -16777216.0f
-- body %d
cvt.rm.f32.s32 %d, %a;
-- cases
16777217 -> 16777216.0f
-16777217 -> -16777218.0f
-- body %d
cvt.rn.f32.u64 %d, %A;
-- cases
-1 -> 0x5f800000
0x8000008000000001 -> 0x5f000001
-- body %d
cvt.rp.f32.u64 %d, %A;
-- cases
-1 -> 0x5f800000
0x8000000000000001 -> 0x5f000001
-- body %d
cvt.rn.f32.u8 %d, %a;
-- cases
0x1ff -> 255.0f
-- body %d
cvt.rn.f32.s16 %d, %ha;
-- cases
0x8000 -> -32768.0f
