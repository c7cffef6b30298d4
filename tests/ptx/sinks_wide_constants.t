# `_` stands for a result that nobody wants
-- body %d
setp.lt.s32 _|%q, %a, %b;
selp.u32 %d, 1, 0, %q;
-- cases
1 2 -> 0
2 1 -> 1
-- body %d
setp.lt.s32 %p|_, %a, %b;
selp.u32 %d, 1, 0, %p;
-- cases
1 2 -> 1
2 1 -> 0
-- body %d
setp.eq.u32 %p, %c, 0;
setp.lt.and.s32 _|%q, %a, %b, !%p;
setp.lt.s32 _, %a, %b;
selp.u32 %d, 1, 0, %q;
-- cases
1 2 1 -> 0
2 1 1 -> 1
2 1 0 -> 0
-- body %d
mov.b64 {_, %d}, %A;
-- cases
0x500000006 -> 5
-- body %d
mov.b64 {%d, _}, %A;
-- cases
0x500000006 -> 6
-- body %d
shfl.sync.idx.b32 %d|_, %a, 0, 31, -1;
-- cases
9 -> 9
# constants wider than their type lose their upper bits, as with ptxas
-- body %d
mov.u32 %d, 4294967299;
-- cases
0 -> 3
-- body %d
and.b32 %d, %a, 0xf0000000f;
-- cases
0x1234567f -> 15
-- body %d
mov.u16 %hx, 0x12345;
cvt.u32.u16 %d, %hx;
-- cases
0 -> 0x2345
-- body %d
add.s16 %hx, %ha, 70000;
cvt.s32.s16 %d, %hx;
-- cases
1 -> 4465
-- body %d
setp.eq.s32 %p, %a, -4294967297;
selp.u32 %d, 1, 0, %p;
-- cases
-1 -> 1
1 -> 0
# numbers without a digit before or after the point
-- body %d
mov.f32 %d, .5;
-- cases
0 -> 0.5f
-- body %d
add.f32 %d, %a, -.5e+1;
-- cases
7.0f -> 2.0f
-- body %d
mov.f32 %d, 5.;
-- cases
0 -> 5.0f
-- body %d
mov.u32 %d, WARP_SZ*2-1;
-- cases
0 -> 63
# an address with an expression
-- kernel 1 1
.shared .align 8 .b32 s[4];
ld.param.u64 %rd2, [out];
st.shared.u32 [s+(1<<2)], 11;
mov.u32 %r1, s+2*2;
ld.shared.u32 %r2, [%r1+(1>2?4:0)];
ldu.global.u32 %r3, [%rd2];
st.global.u32 [%rd2], %r2;
ret;
-- in
0
-- out
11
