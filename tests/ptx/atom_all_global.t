# every operation and type, two lanes at each of two cells; lanes in order
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.global.add.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x73cf256d 0x0 0xdda1494c 0x0 0x8f4d3e27 0x0 0x7734d7c1 0x0
0xdb5b5fab 0x0 0x73ab4876 0x0 0xec99108d 0x0 0x8201e2bd 0x0
0xc7fde805 0x0 0xdae44550 0x0
-- out
0x73cf256d 0x0 0xdda1494c 0x0 0x31c6394 0x0 0xb8fca8f7 0x0
0xefb57421 0x0 0x80fa90fc 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.global.add.u32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x73cf256d 0x0 0xdda1494c 0x0 0x8f4d3e27 0x0 0x7734d7c1 0x0
0xdb5b5fab 0x0 0x73ab4876 0x0 0xec99108d 0x0 0x8201e2bd 0x0
0xc7fde805 0x0 0xdae44550 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xefb57421 0x0 0x80fa90fc 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.sys.global.add.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x965eda32 0x0 0x309d6b79 0x0 0x2f45e678 0x0 0xa13ffe79 0x0
0xcdcc6929 0x0 0x9d2c67ed 0x0 0x830c71c2 0x0 0xcb008853 0x0
0x79cb9e86 0x0 0x2fa91425 0x0
-- out
0x965eda32 0x0 0x309d6b79 0x0 0xc5a4c0aa 0x0 0xfe69d4a2 0x0
0x48b1326c 0x0 0x78357328 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.sys.global.add.s32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x965eda32 0x0 0x309d6b79 0x0 0x2f45e678 0x0 0xa13ffe79 0x0
0xcdcc6929 0x0 0x9d2c67ed 0x0 0x830c71c2 0x0 0xcb008853 0x0
0x79cb9e86 0x0 0x2fa91425 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x48b1326c 0x0 0x78357328 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.gpu.global.add.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x18187993 0x7253edc6 0x4dabb481 0x244caf9c 0x17362f25 0x89e7d15f 0xfb710734 0x656abd72
0xcf44dd3f 0xe3eff9c0 0xf6fa5db8 0x73f778aa 0xb1852f27 0xa26b7f62 0xa7677796 0xbd299753
0xab8ab67 0x986e86cb 0x9d95847e 0xa66b0d38
-- out
0x18187993 0x7253edc6 0x4dabb481 0x244caf9c 0x2f4ea8b8 0xfc3bbf25 0x1cf091c0 0x83ca95d
0xe0d3d7df 0x9ea73e87 0x27a93d27 0xa0ab3028
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.gpu.global.add.u64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x18187993 0x7253edc6 0x4dabb481 0x244caf9c 0x17362f25 0x89e7d15f 0xfb710734 0x656abd72
0xcf44dd3f 0xe3eff9c0 0xf6fa5db8 0x73f778aa 0xb1852f27 0xa26b7f62 0xa7677796 0xbd299753
0xab8ab67 0x986e86cb 0x9d95847e 0xa66b0d38
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xe0d3d7df 0x9ea73e87 0x27a93d27 0xa0ab3028
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.release.cta.global.add.f32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc2a98000 0x0 0x420a0000 0x0 0xc2f28000 0x0 0xc2dbc000 0x0
0x42afc000 0x0 0xc2e7c000 0x0 0x41240000 0x0 0xc298c000 0x0
0xc2d9c000 0x0 0x42c84000 0x0
-- out
0xc2a98000 0x0 0x420a0000 0x0 0xc34e0000 0x0 0x42f4c000 0x0
0xc343c000 0x0 0x41580000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.cta.global.add.f32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc2a98000 0x0 0x420a0000 0x0 0xc2f28000 0x0 0xc2dbc000 0x0
0x42afc000 0x0 0xc2e7c000 0x0 0x41240000 0x0 0xc298c000 0x0
0xc2d9c000 0x0 0x42c84000 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xc343c000 0x0 0x41580000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acq_rel.global.add.f64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0xc04f9000 0x0 0x403c8000 0x0 0xc05d5800 0x0 0xc0288000
0x0 0x40528800 0x0 0x403a4000 0x0 0xc0190000 0x0 0x4056a800
0x0 0xc044c000 0x0 0xc052c000
-- out
0x0 0xc04f9000 0x0 0x403c8000 0x0 0xc0669000 0x0 0x4059a800
0x0 0xc0675800 0x0 0x404e9000
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.global.add.f64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0xc04f9000 0x0 0x403c8000 0x0 0xc05d5800 0x0 0xc0288000
0x0 0x40528800 0x0 0x403a4000 0x0 0xc0190000 0x0 0x4056a800
0x0 0xc044c000 0x0 0xc052c000
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0xc0675800 0x0 0x404e9000
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
.reg .b16 %h<4>;
ld.global.u16 %h1, [%rd3+16];
ld.global.u16 %h2, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.sys.global.add.noftz.f16 %h3, [%rd6], %h1;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb900 0x0 0x3d80 0x0 0x47e0 0x0 0x3b00 0x0
0xc7e0 0x0 0x4500 0x0 0xc560 0x0 0xc560 0x0
0x46a0 0x0 0x3000 0x0
-- out
0xb900 0x0 0x3d80 0x0 0x4740 0x0 0xc680 0x0
0x3f80 0x0 0x3000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
.reg .b16 %h<4>;
ld.global.u16 %h1, [%rd3+16];
ld.global.u16 %h2, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.sys.global.add.noftz.f16 [%rd6], %h1;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb900 0x0 0x3d80 0x0 0x47e0 0x0 0x3b00 0x0
0xc7e0 0x0 0x4500 0x0 0xc560 0x0 0xc560 0x0
0x46a0 0x0 0x3000 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x3f80 0x0 0x3000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.gpu.global.add.noftz.f16x2 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xba004000 0x0 0xc7203c80 0x0 0xc4a0c5e0 0x0 0xbd00c800 0x0
0xc4a044c0 0x0 0xc660bd80 0x0 0x44403d00 0x0 0x44004700 0x0
0xc780c5e0 0x0 0x456044a0 0x0
-- out
0xba004000 0x0 0xc7203c80 0x0 0xc560c3c0 0x0 0xc9e045e0 0x0
0xbc80c140 0x0 0xccd00000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.gpu.global.add.noftz.f16x2 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xba004000 0x0 0xc7203c80 0x0 0xc4a0c5e0 0x0 0xbd00c800 0x0
0xc4a044c0 0x0 0xc660bd80 0x0 0x44403d00 0x0 0x44004700 0x0
0xc780c5e0 0x0 0x456044a0 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xbc80c140 0x0 0xccd00000 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.cta.global.and.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x12b2a414 0x0 0x90f5380e 0x0 0xa123f501 0x0 0x45100358 0x0
0x32d03fdd 0x0 0x563e9bed 0x0 0xc74c7ccf 0x0 0x164f1513 0x0
0xacc6d8f2 0x0 0x4fab6f3e 0x0
-- out
0x12b2a414 0x0 0x90f5380e 0x0 0x22a400 0x0 0x10d0380c 0x0
0x2400 0x0 0xc01800 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.cta.global.and.b32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x12b2a414 0x0 0x90f5380e 0x0 0xa123f501 0x0 0x45100358 0x0
0x32d03fdd 0x0 0x563e9bed 0x0 0xc74c7ccf 0x0 0x164f1513 0x0
0xacc6d8f2 0x0 0x4fab6f3e 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x2400 0x0 0xc01800 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.release.global.and.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x552454f1 0x3e0d681 0xf6cdb2f8 0x68f918d8 0xc20ef164 0xec3fbf4d 0xf552c94 0x77064c2c
0x1e34b3f1 0x2274ea18 0xcc099a1e 0x7ca07386 0x3f1347de 0xb4ff00ae 0x2d7c5048 0xae9ca08b
0x19de2bc1 0x2cdf2af 0x8f2df760 0x303a07b2
-- out
0x552454f1 0x3e0d681 0xf6cdb2f8 0x68f918d8 0x40045060 0x209601 0x1604b2f0 0x20700818
0x4040 0x200000 0x100422c0 0x400008
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.global.and.b64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x552454f1 0x3e0d681 0xf6cdb2f8 0x68f918d8 0xc20ef164 0xec3fbf4d 0xf552c94 0x77064c2c
0x1e34b3f1 0x2274ea18 0xcc099a1e 0x7ca07386 0x3f1347de 0xb4ff00ae 0x2d7c5048 0xae9ca08b
0x19de2bc1 0x2cdf2af 0x8f2df760 0x303a07b2
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x4040 0x200000 0x100422c0 0x400008
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acq_rel.sys.global.or.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x728a6fcf 0x0 0x82450164 0x0 0x30d0b194 0x0 0x21870f0b 0x0
0xfc3b66fa 0x0 0x6b52b08d 0x0 0xbb5d6b48 0x0 0xa4ca83b2 0x0
0xc4ff64de 0x0 0x623d8eb7 0x0
-- out
0x728a6fcf 0x0 0x82450164 0x0 0x72daffdf 0x0 0xfe7f67fe 0x0
0xfbdfffdf 0x0 0xfeff67fe 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.sys.global.or.b32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x728a6fcf 0x0 0x82450164 0x0 0x30d0b194 0x0 0x21870f0b 0x0
0xfc3b66fa 0x0 0x6b52b08d 0x0 0xbb5d6b48 0x0 0xa4ca83b2 0x0
0xc4ff64de 0x0 0x623d8eb7 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xfbdfffdf 0x0 0xfeff67fe 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.gpu.global.or.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1dd377bf 0x65151c40 0x6bb6a3de 0xfd741069 0x367e5d6d 0x1edc8e 0x4ddc74c8 0xff769e37
0x45114889 0xdd44fd36 0xe286852c 0x50684bf 0xf88ece64 0xf9903b72 0x35f11af2 0x2ff36007
0xcdac6046 0x97bdd982 0x64ef2ebe 0xfeef16e9
-- out
0x1dd377bf 0x65151c40 0x6bb6a3de 0xfd741069 0x3fff7fff 0x651fdcce 0x6fb7ebdf 0xfd74fd7f
0xffffffff 0xfd9ffffe 0xefbfebdf 0xfffdfdff
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.gpu.global.or.b64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1dd377bf 0x65151c40 0x6bb6a3de 0xfd741069 0x367e5d6d 0x1edc8e 0x4ddc74c8 0xff769e37
0x45114889 0xdd44fd36 0xe286852c 0x50684bf 0xf88ece64 0xf9903b72 0x35f11af2 0x2ff36007
0xcdac6046 0x97bdd982 0x64ef2ebe 0xfeef16e9
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xffffffff 0xfd9ffffe 0xefbfebdf 0xfffdfdff
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.cta.global.xor.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xdab871d5 0x0 0x9a1de24e 0x0 0xa44f576a 0x0 0xfd42e044 0x0
0x93b3a3d9 0x0 0x2577c1ec 0x0 0x19af685d 0x0 0x36971e1b 0x0
0xac793f5 0x0 0x7108e022 0x0
-- out
0xdab871d5 0x0 0x9a1de24e 0x0 0x7ef726bf 0x0 0x9ae4197 0x0
0x67584ee2 0x0 0x369d262 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.cta.global.xor.b32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xdab871d5 0x0 0x9a1de24e 0x0 0xa44f576a 0x0 0xfd42e044 0x0
0x93b3a3d9 0x0 0x2577c1ec 0x0 0x19af685d 0x0 0x36971e1b 0x0
0xac793f5 0x0 0x7108e022 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x67584ee2 0x0 0x369d262 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.global.xor.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x421e7a60 0x27385c9 0xc5cefdd8 0x9c3ecb54 0x54366c21 0xd48dd9f3 0x952e1b8b 0xa2f7647a
0x4bdbf090 0x62dc08d6 0x3e361858 0x3f8670d 0x12ca3f70 0x13041452 0x99edbce7 0x5e617f8e
0x1711eb57 0x356f8bd1 0x5f27ff08 0x9f452c07
-- out
0x421e7a60 0x27385c9 0xc5cefdd8 0x9c3ecb54 0x16281641 0xd6fe5c3a 0x8e150d48 0xfee2c382
0x4e22931 0xc5fa4868 0x9904e61f 0xcb8d4853
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.global.xor.b64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x421e7a60 0x27385c9 0xc5cefdd8 0x9c3ecb54 0x54366c21 0xd48dd9f3 0x952e1b8b 0xa2f7647a
0x4bdbf090 0x62dc08d6 0x3e361858 0x3f8670d 0x12ca3f70 0x13041452 0x99edbce7 0x5e617f8e
0x1711eb57 0x356f8bd1 0x5f27ff08 0x9f452c07
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x4e22931 0xc5fa4868 0x9904e61f 0xcb8d4853
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.release.sys.global.exch.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x74057241 0x0 0x20918fa7 0x0 0xf589d99a 0x0 0x931719fd 0x0
0x965768e0 0x0 0x22bfb8e0 0x0 0x7bd55ee6 0x0 0xddd4a054 0x0
0xd5157e9d 0x0 0x62d74145 0x0
-- out
0x74057241 0x0 0x20918fa7 0x0 0xf589d99a 0x0 0x965768e0 0x0
0x7bd55ee6 0x0 0xd5157e9d 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acq_rel.gpu.global.exch.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2ecdcc0a 0xa0931ed4 0x27756991 0x4f91540c 0xe88e752f 0x3a775505 0xbd4aeab0 0xa104a795
0xd15b77f2 0x9c461cb5 0xf0be600d 0x8dce6f52 0x3fdf2348 0xb9b338eb 0x3253b562 0xafdd8733
0x3096c6c8 0x2891dd3c 0xf33c1a7f 0x6361b9f8
-- out
0x2ecdcc0a 0xa0931ed4 0x27756991 0x4f91540c 0xe88e752f 0x3a775505 0xd15b77f2 0x9c461cb5
0x3fdf2348 0xb9b338eb 0x3096c6c8 0x2891dd3c
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.cta.global.cas.b32 %r7, [%rd6], %r4, %r5;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1 0x0 0x2 0x0 0x0 0x0 0x0 0x0
0x1 0x0 0x0 0x0 0x0 0x0 0x2 0x0
0x0 0x0 0x1 0x0
-- out
0x1 0x0 0x2 0x0 0x1 0x0 0x2 0x0
0x1 0x0 0x2 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.global.cas.b64 %rd9, [%rd6], %rd4, %rd5;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0x0 0x2 0x0 0x2 0x0 0x2 0x0
0x1 0x0 0x1 0x0 0x1 0x0 0x1 0x0
0x1 0x0 0x2 0x0
-- out
0x0 0x0 0x2 0x0 0x0 0x0 0x2 0x0
0x0 0x0 0x2 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
.reg .b16 %h<4>;
ld.global.u16 %h1, [%rd3+16];
ld.global.u16 %h2, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.sys.global.cas.b16 %h3, [%rd6], %h1, %h2;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0x0 0x2 0x0 0x0 0x0 0x2 0x0
0x0 0x0 0x2 0x0 0x0 0x0 0x2 0x0
0x1 0x0 0x2 0x0
-- out
0x0 0x0 0x2 0x0 0x2 0x0 0x2 0x0
0x2 0x0 0x2 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.release.gpu.global.min.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x12fad802 0x0 0x47bc7548 0x0 0x365fdcd6 0x0 0xbfbd7d14 0x0
0xead81dcd 0x0 0x43e3ef5 0x0 0xea3a0683 0x0 0x11b41900 0x0
0x3437f5ab 0x0 0x44e9e4a5 0x0
-- out
0x12fad802 0x0 0x47bc7548 0x0 0x12fad802 0x0 0x47bc7548 0x0
0x12fad802 0x0 0x3437f5ab 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.gpu.global.min.u32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x12fad802 0x0 0x47bc7548 0x0 0x365fdcd6 0x0 0xbfbd7d14 0x0
0xead81dcd 0x0 0x43e3ef5 0x0 0xea3a0683 0x0 0x11b41900 0x0
0x3437f5ab 0x0 0x44e9e4a5 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x12fad802 0x0 0x3437f5ab 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acq_rel.cta.global.min.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x69534048 0x0 0x7219c1da 0x0 0x3fc2a908 0x0 0x482ea760 0x0
0xf7a0443 0x0 0x5e68b7ca 0x0 0xbeddb07 0x0 0x87efda6b 0x0
0x2d1ef7bf 0x0 0x9279b1e9 0x0
-- out
0x69534048 0x0 0x7219c1da 0x0 0x3fc2a908 0x0 0xf7a0443 0x0
0xbeddb07 0x0 0xf7a0443 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.cta.global.min.s32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x69534048 0x0 0x7219c1da 0x0 0x3fc2a908 0x0 0x482ea760 0x0
0xf7a0443 0x0 0x5e68b7ca 0x0 0xbeddb07 0x0 0x87efda6b 0x0
0x2d1ef7bf 0x0 0x9279b1e9 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xbeddb07 0x0 0xf7a0443 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.global.min.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e 0x236eba1f 0xe414a8aa 0x859dcac8 0x959de095
0x7349dbc4 0xfb019df4 0xf2650b71 0x23edcb04 0x54ba1e74 0xa82cb2cd 0x970216fc 0x8fb09a0
0xbb9fab2b 0xb0f3e5fd 0xec7038c9 0x494b6d2
-- out
0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e 0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e
0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.global.min.u64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e 0x236eba1f 0xe414a8aa 0x859dcac8 0x959de095
0x7349dbc4 0xfb019df4 0xf2650b71 0x23edcb04 0x54ba1e74 0xa82cb2cd 0x970216fc 0x8fb09a0
0xbb9fab2b 0xb0f3e5fd 0xec7038c9 0x494b6d2
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xf91acb8d 0x21af214a 0x1799e728 0x5cb58b8e
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.sys.global.min.s64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x798c06fe 0xe903aefa 0x5b8349ce 0xb372c56b 0x4fd26ec4 0xf6782941 0x1138a4e4 0xbb01ea75
0x89632e3 0x5713dc6 0x4fa1d41f 0x51a3b990 0x992ef438 0xa2dcfd24 0x22f89909 0xffd5e6d8
0x13284c79 0x7b73ccf8 0x128ae84a 0x13446df8
-- out
0x798c06fe 0xe903aefa 0x5b8349ce 0xb372c56b 0x798c06fe 0xe903aefa 0x5b8349ce 0xb372c56b
0x992ef438 0xa2dcfd24 0x5b8349ce 0xb372c56b
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.sys.global.min.s64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x798c06fe 0xe903aefa 0x5b8349ce 0xb372c56b 0x4fd26ec4 0xf6782941 0x1138a4e4 0xbb01ea75
0x89632e3 0x5713dc6 0x4fa1d41f 0x51a3b990 0x992ef438 0xa2dcfd24 0x22f89909 0xffd5e6d8
0x13284c79 0x7b73ccf8 0x128ae84a 0x13446df8
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x992ef438 0xa2dcfd24 0x5b8349ce 0xb372c56b
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.gpu.global.max.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x73fdc194 0x0 0x8bcce7cd 0x0 0x5e268fa0 0x0 0xefae0b46 0x0
0xbcac6462 0x0 0xbcb1cec4 0x0 0xb620dc6 0x0 0xbcb5d0e3 0x0
0xe6733cb8 0x0 0xb4251188 0x0
-- out
0x73fdc194 0x0 0x8bcce7cd 0x0 0x73fdc194 0x0 0xbcac6462 0x0
0x73fdc194 0x0 0xe6733cb8 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.gpu.global.max.u32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x73fdc194 0x0 0x8bcce7cd 0x0 0x5e268fa0 0x0 0xefae0b46 0x0
0xbcac6462 0x0 0xbcb1cec4 0x0 0xb620dc6 0x0 0xbcb5d0e3 0x0
0xe6733cb8 0x0 0xb4251188 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x73fdc194 0x0 0xe6733cb8 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.release.cta.global.max.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2129d338 0x0 0xcb138653 0x0 0xf6a00758 0x0 0x15bdc39d 0x0
0xea3d9be7 0x0 0xaf65b9a4 0x0 0x57740511 0x0 0x7928c6a1 0x0
0x5a11cca5 0x0 0xe69d2f3b 0x0
-- out
0x2129d338 0x0 0xcb138653 0x0 0x2129d338 0x0 0xea3d9be7 0x0
0x57740511 0x0 0x5a11cca5 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.cta.global.max.s32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2129d338 0x0 0xcb138653 0x0 0xf6a00758 0x0 0x15bdc39d 0x0
0xea3d9be7 0x0 0xaf65b9a4 0x0 0x57740511 0x0 0x7928c6a1 0x0
0x5a11cca5 0x0 0xe69d2f3b 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x57740511 0x0 0x5a11cca5 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acq_rel.global.max.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x13e222b8 0xdf007dfa 0xdb77b923 0x6aca8c4a 0xf1b9ab7c 0xca604e28 0xa98a372e 0x61e09c2f
0x7bfc096 0xdd0c8b94 0x6111b4b5 0x952a71b2 0x7ffb20e6 0x92a38328 0x32fbce3 0x9bdeb398
0x3b86766 0x9ffd6a18 0x127eeabe 0x14881edc
-- out
0x13e222b8 0xdf007dfa 0xdb77b923 0x6aca8c4a 0x13e222b8 0xdf007dfa 0x7bfc096 0xdd0c8b94
0x13e222b8 0xdf007dfa 0x7bfc096 0xdd0c8b94
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.release.global.max.u64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x13e222b8 0xdf007dfa 0xdb77b923 0x6aca8c4a 0xf1b9ab7c 0xca604e28 0xa98a372e 0x61e09c2f
0x7bfc096 0xdd0c8b94 0x6111b4b5 0x952a71b2 0x7ffb20e6 0x92a38328 0x32fbce3 0x9bdeb398
0x3b86766 0x9ffd6a18 0x127eeabe 0x14881edc
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x13e222b8 0xdf007dfa 0x7bfc096 0xdd0c8b94
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.sys.global.max.s64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1734bc44 0xa3b00043 0x1d96ac56 0xfe4a5ce0 0x41d812cd 0xe13a0996 0xb1b43d07 0x94b953ed
0x6a8f1dd4 0xba6bc77c 0x752f7bd9 0x70c61508 0x5484b3db 0x6370903f 0x766e6900 0xd69f6b16
0xef2b1ae5 0xbc2b75cd 0x8a8f7aef 0x1572c073
-- out
0x1734bc44 0xa3b00043 0x1d96ac56 0xfe4a5ce0 0x41d812cd 0xe13a0996 0x1d96ac56 0xfe4a5ce0
0x5484b3db 0x6370903f 0x1d96ac56 0xfe4a5ce0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.sys.global.max.s64 [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1734bc44 0xa3b00043 0x1d96ac56 0xfe4a5ce0 0x41d812cd 0xe13a0996 0xb1b43d07 0x94b953ed
0x6a8f1dd4 0xba6bc77c 0x752f7bd9 0x70c61508 0x5484b3db 0x6370903f 0x766e6900 0xd69f6b16
0xef2b1ae5 0xbc2b75cd 0x8a8f7aef 0x1572c073
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x5484b3db 0x6370903f 0x1d96ac56 0xfe4a5ce0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.relaxed.gpu.global.inc.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8 0x0 0x8 0x0 0x0 0x0 0x7 0x0
0x4 0x0 0x0 0x0 0x9 0x0 0x3 0x0
0x1 0x0 0x1 0x0
-- out
0x8 0x0 0x8 0x0 0x0 0x0 0x0 0x0
0x1 0x0 0x1 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.gpu.global.inc.u32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8 0x0 0x8 0x0 0x0 0x0 0x7 0x0
0x4 0x0 0x0 0x0 0x9 0x0 0x3 0x0
0x1 0x0 0x1 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x1 0x0 0x1 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
atom.acquire.cta.global.dec.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x7 0x0 0x9 0x0 0x7 0x0 0x4 0x0
0x4 0x0 0x2 0x0 0x0 0x0 0x9 0x0
0x5 0x0 0x3 0x0
-- out
0x7 0x0 0x9 0x0 0x6 0x0 0x4 0x0
0x0 0x0 0x3 0x0
-- kernel 1 4
.shared .align 8 .b64 s[2];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 1;
mad.wide.u32 %rd3, %r0, 16, %rd1;
ld.global.u64 %rd4, [%rd3+16];
ld.global.u64 %rd5, [%rd3+24];
ld.global.u32 %r4, [%rd3+16];
ld.global.u32 %r5, [%rd3+24];
mad.wide.u32 %rd6, %r1, 8, %rd1;
red.relaxed.cta.global.dec.u32 [%rd6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.global.u64 %rd9, [%rd6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x7 0x0 0x9 0x0 0x7 0x0 0x4 0x0
0x4 0x0 0x2 0x0 0x0 0x0 0x9 0x0
0x5 0x0 0x3 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0x0 0x3 0x0
