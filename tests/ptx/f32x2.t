# two f32 in 64 bits: the lower from the lower halves, the upper from the upper
-- body %D
add.f32x2 %D, %A, %B;
-- cases
0x400000003f800000 0x4040000040800000 -> 0x40a0000040a00000
0x7f80000080000000 0xff80000080000000 -> 0x7fffffff80000000
-- body %D
add.rm.f32x2 %D, %A, %B;
-- cases
0x3f8000003f800000 0xbf8000003f800000 -> 0x8000000040000000
-- body %D
sub.rn.ftz.f32x2 %D, %A, %B;
-- cases
0x000000013f800000 0x8000000100000001 -> 0x000000003f800000
-- body %D
mul.rz.f32x2 %D, %A, %B;
-- cases
0x3fc000003f800001 0x400000003f800001 -> 0x404000003f800002
-- body %D
mul.rp.f32x2 %D, %A, %B;
-- cases
0x3fc000003f800001 0x400000003f800001 -> 0x404000003f800003
-- body %D
fma.rn.f32x2 %D, %A, %B, %C;
-- cases
0x4000000040400000 0x4080000040a00000 0x3f800000bf800000 -> 0x4110000041600000
-- body %D
fma.rn.ftz.f32x2 %D, %A, %B, %C;
-- cases
0x4000000000000001 0x4080000040a00000 0x3f80000080000001 -> 0x4110000000000000
# f32 with a half
-- body %d
add.f32.f16 %d, %ha, %b;
-- cases
0x3c00 2.5f -> 3.5f
0x7c01 1.0f -> 0x7fffffff
0x0001 0 -> 0x33800000
-- body %d
sub.rz.sat.f32.bf16 %d, %ha, %b;
-- cases
0x3f80 0.25f -> 0.75f
0x4000 0.25f -> 1.0f
0x3f80 3.0f -> 0.0f
-- body %d
fma.rn.f32.f16 %d, %ha, %hb, %c;
-- cases
0x4000 0x4200 1.0f -> 7.0f
0x7bff 0x7bff 1.0f -> 0x4f7fc004
-- body %d
fma.rm.f32.bf16 %d, %ha, %hb, %c;
-- cases
0x4000 0xc000 1.0f -> -3.0f
# the least and the greatest of three
-- body %d
min.f32 %d, %a, %b, %c;
-- cases
3.0f 1.0f 2.0f -> 1.0f
0x7fc00000 5.0f 0xffc00001 -> 5.0f
0x7fc00000 0x7fc00001 0xffc00001 -> 0x7fffffff
0x80000000 0 0 -> 0x80000000
-- body %d
max.NaN.f32 %d, %a, %b, %c;
-- cases
3.0f 1.0f 2.0f -> 3.0f
3.0f 0x7f800001 2.0f -> 0x7fffffff
-- body %d
max.abs.f32 %d, %a, %b, %c;
-- cases
3.0f -4.0f 2.0f -> 4.0f
-- body %d
min.ftz.abs.f32 %d, %a, %b, %c;
-- cases
3.0f -4.0f 0x80000001 -> 0.0f
3.0f -4.0f -5.0f -> 3.0f
# not below 0
-- body %d
min.relu.s32 %d, %a, %b;
-- cases
3 5 -> 3
-3 5 -> 0
-3 -5 -> 0
-- body %d
max.relu.s32 %d, %a, %b;
-- cases
3 5 -> 5
-3 5 -> 5
-3 -5 -> 0
# registers of 128 bits
-- body %D
.reg .b128 %q<3>;
mov.b128 %q1, {%A, %B};
mov.b128 %q2, %q1;
mov.b128 {%X, %Y}, %q2;
sub.u64 %D, %X, %Y;
-- cases
7 2 -> 5
-- kernel 1 2
.reg .b128 %q<3>;
.shared .align 16 .b8 s[32];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 16, %rd1;
mad.wide.u32 %rd2, %r0, 16, %rd2;
ld.global.b128 %q1, [%rd1];
mov.u32 %r1, s;
mad.lo.u32 %r1, %r0, 16, %r1;
st.shared.b128 [%r1], %q1;
ld.shared.b128 %q2, [%r1];
st.global.b128 [%rd2], %q2;
ret;
-- in
1 2 3 4 5 6 7 8
-- out
1 2 3 4 5 6 7 8
# 256 bits
-- kernel 1 2
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 32, %rd1;
mad.wide.u32 %rd2, %r0, 32, %rd2;
ld.global.v4.b64 {%rd3, %rd4, %rd5, %rd6}, [%rd1];
st.global.v4.b64 [%rd2], {%rd6, %rd5, %rd4, %rd3};
ret;
-- in
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
-- out
7 8 5 6 3 4 1 2 15 16 13 14 11 12 9 10
# hints, and a fence of a tensor map, do nothing
-- body %d
prefetch.tensormap [%A];
prefetch.param.tensormap [%A];
cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%A, {%a, %b}];
fence.proxy.tensormap::generic.acquire.gpu [%A], 128;
setp.eq.u32 %p, %a, 0;
@%p fence.proxy.tensormap::generic.acquire.sys [%A+16], 128;
mov.u32 %d, %b;
-- cases
0 5 -> 5
