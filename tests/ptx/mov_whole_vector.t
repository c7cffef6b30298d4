# a vector register, a vector of registers, a special register: copied as a whole
-- body %d
.reg .v4 .u32 %v;
.reg .v2 .u32 %w;
mov.v2.u32 %w, {%a, %b};
mov.v4.u32 %v, {%w.y, %w.x, 7, %c};
mov.v4.u32 {%x, %y, _, %z}, %v;
shl.b32 %y, %y, 8;
shl.b32 %z, %z, 16;
or.b32 %d, %x, %y;
or.b32 %d, %d, %z;
-- cases
1 2 3 -> 0x030102
0x11 0x22 0x33 -> 0x331122
# all are read before one is written
-- body %d
mov.u32 %x, %a;
mov.u32 %y, %b;
mov.v2.b32 {%x, %y}, {%y, %x};
sub.u32 %d, %x, %y;
-- cases
10 25 -> 15
7 3 -> -4
# 64 and 16 bits
-- body %D
mov.v2.u64 {%X, %Y}, {%B, %A};
sub.u64 %D, %X, %Y;
-- cases
0x100000000 0x300000000 -> 0x200000000
-- body %d
.reg .v4 .u16 %v;
mov.v4.u16 %v, {%ha, %hb, 3, %hc};
cvt.u32.u16 %x, %v.x;
cvt.u32.u16 %y, %v.w;
mad.lo.u32 %d, %x, 65536, %y;
-- cases
0x1234 5 0xfedc -> 0x1234fedc
# under a guard the others keep their values
-- body %d
setp.eq.u32 %p, %a, 1;
mov.v2.b32 {%x, %y}, {5, 6};
@%p mov.v2.b32 {%x, _}, {%b, %c};
mad.lo.u32 %d, %x, 100, %y;
-- cases
1 9 8 -> 906
0 9 8 -> 506
# special registers: three elements and a 0
-- kernel 3 2
.reg .v4 .u32 %v;
.reg .v4 .u16 %h;
ld.param.u64 %rd2, [out];
mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %tid.x;
mad.lo.u32 %r0, %r0, 2, %r1;
mad.wide.u32 %rd2, %r0, 16, %rd2;
mov.v4.u32 %v, %ctaid;
mov.v4.u16 %h, %tid;
mov.v4.u32 {%r3, %r4, _, %r5}, %nctaid;
cvt.u32.u16 %r6, %h.x;
cvt.u32.u16 %r7, %h.w;
add.u32 %r7, %r7, %v.w;
add.u32 %r7, %r7, %r5;
mov.u32 %r5, %ntid.w;
add.u32 %r7, %r7, %r5;
mad.lo.u32 %r3, %r3, 16, %r4;
st.global.v4.u32 [%rd2], {%v.x, %r6, %r3, %r7};
ret;
-- in
0
-- out
0 0 0x31 0  0 1 0x31 0  1 0 0x31 0  1 1 0x31 0  2 0 0x31 0  2 1 0x31 0
# in PTX 1.x thread and block indices had 16 bits
-- kernel 2 2
.reg .u16 %h<4>;
ld.param.u64 %rd2, [out];
mov.u16 %h0, %ctaid.x;
mov.u16 %h1, %ntid.x;
mov.u16 %h2, %tid.x;
mov.u16 %h3, %gridid;
mad.wide.u16 %r1, %h0, %h1, 0;
cvt.u32.u16 %r2, %h2;
add.u32 %r1, %r1, %r2;
mad.wide.u32 %rd2, %r1, 4, %rd2;
cvt.u32.u16 %r3, %h3;
mad.lo.u32 %r1, %r3, 0, %r1;
st.global.u32 [%rd2], %r1;
ret;
-- in
0
-- out
0 1 2 3
