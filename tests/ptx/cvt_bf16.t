# conversions to and from bf16
-- body %hd
cvt.rn.bf16.f32 %hd, %a;
-- cases
0x3f808000 -> 0x3f80
0x3f818000 -> 0x3f82
0x3f808001 -> 0x3f81
0x7f7fffff -> 0x7f80
0x7f800001 -> 0x7fff
0x00008001 -> 0x0001
-- body %hd
cvt.rz.bf16.f32 %hd, %a;
-- cases
0x3f80ffff -> 0x3f80
0x7f7fffff -> 0x7f7f
-- body %hd
cvt.rp.bf16.f32 %hd, %a;
-- cases
0x3f800001 -> 0x3f81
0xbf80ffff -> 0xbf80
-- body %hd
cvt.rm.bf16.f32 %hd, %a;
-- cases
0x3f80ffff -> 0x3f80
0xbf800001 -> 0xbf81
-- body %hd
cvt.rn.relu.bf16.f32 %hd, %a;
-- cases
0xbf800000 -> 0
0x3f800000 -> 0x3f80
0xffc00000 -> 0x7fff
-- body %hd
cvt.rn.satfinite.bf16.f32 %hd, %a;
-- cases
0xff800000 -> 0xff7f
0x7f7fffff -> 0x7f7f
-- body %d
cvt.f32.bf16 %d, %ha;
-- cases
0x3f81 -> 0x3f810000
0xff81 -> 0x7fffffff
-- body %d
cvt.rn.bf16x2.f32 %d, %a, %b;
-- cases
1.0f 0x3f818000 -> 0x3f803f82
-- body %d
cvt.rz.relu.bf16x2.f32 %d, %a, %b;
-- cases
-1.0f 0x3f818000 -> 0x00003f81
-- body %hd
cvt.rn.bf16.s32 %hd, %a;
-- cases
257 -> 0x4380
259 -> 0x4382
-1 -> 0xbf80
-- body %hd
cvt.rn.bf16.u64 %hd, %A;
-- cases
0x8080000000000000 -> 0x5f00
0x8080000000000001 -> 0x5f01
0xffffffffffffffff -> 0x5f80
-- body %d
cvt.rzi.s32.bf16 %d, %ha;
-- cases
0xc049 -> -3
0x7f80 -> 0x7fffffff
-- body %hd
cvt.rpi.bf16.bf16 %hd, %ha;
-- cases
0x3f81 -> 0x4000
-- body %hd
cvt.rn.bf16.f16 %hd, %ha;
-- cases
0x3c01 -> 0x3f80
0x7bff -> 0x4780
-- body %hd
cvt.rn.f16.bf16 %hd, %ha;
-- cases
0x7f00 -> 0x7c00
0x3f81 -> 0x3c08
-- body %hd
cvt.rn.bf16.f64 %hd, %A;
-- cases
0x3ff0100000000001 -> 0x3f81
0x3ff0100000000000 -> 0x3f80
# tf32
-- body %d
cvt.rna.tf32.f32 %d, %a;
-- cases
0x3f801000 -> 0x3f802000
0x3f800fff -> 0x3f800000
0xff800001 -> 0x7fffffff
-- body %d
cvt.rn.tf32.f32 %d, %a;
-- cases
0x3f801000 -> 0x3f800000
0x3f803000 -> 0x3f804000
-- body %d
cvt.rz.relu.tf32.f32 %d, %a;
-- cases
0x3f803fff -> 0x3f802000
-2.0f -> 0
# 8-bit formats: a is the upper byte
-- body %hd
cvt.rn.satfinite.e4m3x2.f32 %hd, %a, %b;
-- cases
1.0f -448.0f -> 0x38fe
1000.0f 0x7fc00000 -> 0x7e7f
0.001953125f 0.0009765625f -> 0x0100
-- body %hd
cvt.rn.satfinite.relu.e5m2x2.f32 %hd, %a, %b;
-- cases
1.0f -1.0f -> 0x3c00
1000000.0f 0.0000152587890625f -> 0x7b01
-- body %d
cvt.rn.f16x2.e4m3x2 %d, %ha;
-- cases
0x38fe -> 0x3c00df00
0x7f01 -> 0x7fff1800
-- body %d
cvt.rn.f16x2.e5m2x2 %d, %ha;
-- cases
0x3c01 -> 0x3c000100
0x7cfe -> 0x7c007fff
-- body %hd
cvt.rn.satfinite.e4m3x2.f16x2 %hd, %a;
-- cases
0x3c00df00 -> 0x38fe
# comparisons
-- body %p
setp.lt.bf16 %p, %ha, %hb;
-- cases
0xbf80 0x3f80 -> 1
0x7fc0 0x3f80 -> 0
-- body %d
set.geu.u32.bf16 %d, %ha, %hb;
-- cases
0x7fc0 0x3f80 -> 0xffffffff
0x3f00 0x3f80 -> 0
-- body %hd
set.eq.bf16.bf16 %hd, %ha, %hb;
-- cases
0x3f80 0x3f80 -> 0x3f80
-- body %d
set.lt.bf16x2.bf16x2 %d, %a, %b;
-- cases
0x3f804000 0x40003f80 -> 0x3f800000
-- body %hd
ex2.approx.ftz.bf16 %hd, %ha;
-- cases
0x4000 -> 0x4080
0x0001 -> 0x3f80
-- body %hd
tanh.approx.bf16 %hd, %ha;
-- cases
0x0000 -> 0
0x7f80 -> 0x3f80
