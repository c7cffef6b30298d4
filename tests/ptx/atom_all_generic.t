# as atom_all_global, generic addresses of shared memory
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.add.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x18972e44 0x0 0x33706a35 0x0 0x91e4f834 0x0 0xd22b5aa4 0x0
0xaeb0a94c 0x0 0xf7e7a342 0x0 0x5b8adc51 0x0 0x5c7fb02d 0x0
0xe94fbd20 0x0 0x1d8b8694 0x0
-- out
0x18972e44 0x0 0x33706a35 0x0 0xaa7c2678 0x0 0xe2211381 0x0
0x60702c9 0x0 0xcb70d0a1 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.sys.add.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb467fb8a 0x0 0x81744e12 0x0 0xa2792e75 0x0 0xffa36013 0x0
0xc21668aa 0x0 0xaf88e590 0x0 0x57ef69aa 0x0 0xd53c269b 0x0
0x80b68be5 0x0 0x3062c81e 0x0
-- out
0xb467fb8a 0x0 0x81744e12 0x0 0x56e129ff 0x0 0x438ab6bc 0x0
0xaed093a9 0x0 0xc44142a1 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.gpu.add.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xcd872ab4 0x120fb44e 0x7b692cda 0x1b2e2cd7 0x638d57b 0x99565a2 0x7b34f6d9 0x25849de2
0xc3123f99 0x8d3a57ef 0x3087bbf9 0x2f3dc554 0x9d05633a 0x83cb86df 0x1d6d2a93 0x3433b58e
0xe7b4b57e 0x9199165c 0x2c2869b6 0xd71848a1
-- out
0xcd872ab4 0x120fb44e 0x7b692cda 0x1b2e2cd7 0xd3c0002f 0x1ba519f0 0x3e7b6c73 0xa86884c7
0x70c56369 0x9f70a0d0 0x263021f1 0x3a019b24
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.release.cta.add.f32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc2a94000 0x0 0xc2528000 0x0 0x42e08000 0x0 0xc2da8000 0x0
0x423d0000 0x0 0xc2b54000 0x0 0xc2c94000 0x0 0x42ed0000 0x0
0x41bb0000 0x0 0x42450000 0x0
-- out
0xc2a94000 0x0 0xc2528000 0x0 0x41dd0000 0x0 0xc0ac0000 0x0
0xc2920000 0x0 0x41900000 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acq_rel.add.f64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0xc01b0000 0x0 0xc05a5000 0x0 0x4051b000 0x0 0xc0160000
0x0 0xc0591000 0x0 0xc02fc000 0x0 0xc044b000 0x0 0x401b8000
0x0 0xc0390000 0x0 0xc0412000
-- out
0x0 0xc01b0000 0x0 0xc05a5000 0x0 0x40500000 0x0 0xc069b000
0x0 0x4036a000 0x0 0xc06cd000
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.sys.add.noftz.f16 %h3, [%rd6], %h1;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x45c0 0x0 0xbd80 0x0 0x43c0 0x0 0xc080 0x0
0xc7a0 0x0 0x4500 0x0 0xc6c0 0x0 0x4680 0x0
0xbe80 0x0 0x4300 0x0
-- out
0x45c0 0x0 0xbd80 0x0 0x48d0 0x0 0xc880 0x0
0x41c0 0x0 0xc950 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.gpu.add.noftz.f16x2 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x44e04380 0x0 0xc180bf80 0x0 0xc7a0c500 0x0 0xc4603b00 0x0
0xc5604080 0x0 0x44e0c200 0x0 0xc00044e0 0x0 0x4100c380 0x0
0x340041c0 0x0 0x45c04380 0x0
-- out
0x44e04380 0x0 0xc180bf80 0x0 0xc180bd00 0x0 0xc8103600 0x0
0xc4c04340 0x0 0xc7e04280 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.cta.and.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc3e60e90 0x0 0x2e7a07f2 0x0 0x67def005 0x0 0x120fac4a 0x0
0x34f2bae5 0x0 0xcc1e0437 0x0 0xb8fe90a6 0x0 0x577adfd3 0x0
0x2f5031f8 0x0 0x4d3b8462 0x0
-- out
0xc3e60e90 0x0 0x2e7a07f2 0x0 0x43c60000 0x0 0x247202e0 0x0
0xc60000 0x0 0x245000e0 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.release.and.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x7805ec94 0x19d22b97 0x2b653e4 0xe3571fe6 0x5b0b09cf 0xfd969744 0xf1d643e6 0xf61fe913
0xa382a266 0xe717a666 0xaa851bb4 0x4c8281a2 0x9fbfcb0a 0xcb09b78 0x567b159a 0x374ee8d7
0x3b6b6092 0x45e1b952 0xa8e61cb5 0x67f8388b
-- out
0x7805ec94 0x19d22b97 0x2b653e4 0xe3571fe6 0x58010884 0x19920304 0x2820264 0xe3170666
0x18010800 0x8900300 0x2020000 0x41010042
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acq_rel.sys.or.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x91cfb3fa 0x0 0x2e950507 0x0 0x8877e8e7 0x0 0xfff8987d 0x0
0x13ab6410 0x0 0x7f6262b4 0x0 0x63bc6fea 0x0 0xa46b7f17 0x0
0x83c3417f 0x0 0x369580ff 0x0
-- out
0x91cfb3fa 0x0 0x2e950507 0x0 0x99fffbff 0x0 0x3fbf6517 0x0
0xfbffffff 0x0 0xbfff657f 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.gpu.or.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb3852a64 0x1e9eca4f 0xc3015f9f 0x6537437f 0xfae6f67d 0x932d823f 0x41b2bb99 0x7192d0d7
0x5d790b6 0x1d617a4c 0x66cc59ee 0x8138093c 0x9d8a9ea9 0x1ba9a6b5 0xceabec7 0xc2e4e6be
0xbd21a956 0x3cae11a6 0x3208c155 0xa5e3f4d0
-- out
0xb3852a64 0x1e9eca4f 0xc3015f9f 0x6537437f 0xfbe7fe7d 0x9fbfca7f 0xc7d7dfbf 0x7d777b7f
0xffeffefd 0x9fbfeeff 0xfff7ffff 0x7dff7bff
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.cta.xor.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x602c595b 0x0 0x2c27e4b 0x0 0x1933f5a3 0x0 0xe7d83cb6 0x0
0x4230d4e8 0x0 0x5741cca6 0x0 0x403a290b 0x0 0x8cd094b8 0x0
0x4693bb1f 0x0 0x8a5d63c3 0x0
-- out
0x602c595b 0x0 0x2c27e4b 0x0 0x791facf8 0x0 0x40f2aaa3 0x0
0x392585f3 0x0 0x66111bc 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.xor.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x82007424 0x6a6a7ad6 0xf7963e48 0x854af08c 0x91670a0b 0xd8acacfd 0x13819483 0x8ca68024
0xfebf3621 0x1981fcb5 0x98f8285a 0xab1e2d91 0xa354cb3a 0x71c08716 0xc25e175d 0xf4916c21
0xcf3d3dcd 0xa5081794 0xb8c90f1 0x62ec9eae
-- out
0x82007424 0x6a6a7ad6 0xf7963e48 0x854af08c 0x13677e2f 0xb2c6d62b 0x9290869 0x9ccb0c39
0xb033b515 0xc306513d 0xc61435a4 0x39c31bad
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.release.sys.exch.b32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xee1e8faf 0x0 0xf0484de3 0x0 0x28f1469a 0x0 0x2b4b9f2c 0x0
0x62ca815b 0x0 0xdb0d5869 0x0 0x78c55d1f 0x0 0x7eda7522 0x0
0xf85680d1 0x0 0x8abd7a2f 0x0
-- out
0xee1e8faf 0x0 0xf0484de3 0x0 0x28f1469a 0x0 0x62ca815b 0x0
0x78c55d1f 0x0 0xf85680d1 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acq_rel.gpu.exch.b64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x9c75bdf3 0x98b84db3 0xefcd38b 0x6df8d816 0xf1fd7037 0x7e99b910 0x5d965853 0x87c8d198
0x6bb33fb5 0x48d0ca3e 0x4926f077 0x7bb5c9e7 0x86d9a0d3 0x660888b5 0xa7b563e5 0x450eb763
0x990b84c5 0x4ff916f1 0x8f866186 0xedf218f0
-- out
0x9c75bdf3 0x98b84db3 0xefcd38b 0x6df8d816 0xf1fd7037 0x7e99b910 0x6bb33fb5 0x48d0ca3e
0x86d9a0d3 0x660888b5 0x990b84c5 0x4ff916f1
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.cta.cas.b32 %r7, [%rd6], %r4, %r5;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1 0x0 0x2 0x0 0x2 0x0 0x0 0x0
0x2 0x0 0x0 0x0 0x1 0x0 0x2 0x0
0x0 0x0 0x0 0x0
-- out
0x1 0x0 0x2 0x0 0x1 0x0 0x0 0x0
0x2 0x0 0x0 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.cas.b64 %rd9, [%rd6], %rd4, %rd5;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2 0x0 0x0 0x0 0x1 0x0 0x1 0x0
0x2 0x0 0x2 0x0 0x1 0x0 0x1 0x0
0x0 0x0 0x0 0x0
-- out
0x2 0x0 0x0 0x0 0x2 0x0 0x0 0x0
0x2 0x0 0x0 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.sys.cas.b16 %h3, [%rd6], %h1, %h2;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2 0x0 0x2 0x0 0x1 0x0 0x2 0x0
0x0 0x0 0x1 0x0 0x0 0x0 0x1 0x0
0x1 0x0 0x0 0x0
-- out
0x2 0x0 0x2 0x0 0x2 0x0 0x2 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.release.gpu.min.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xba18f33 0x0 0x85fae26b 0x0 0x193585f8 0x0 0xe8d33780 0x0
0xeff0fd26 0x0 0x77e5cf1e 0x0 0xcf67329f 0x0 0x24f51339 0x0
0xb905579f 0x0 0xfa93ffce 0x0
-- out
0xba18f33 0x0 0x85fae26b 0x0 0xba18f33 0x0 0x85fae26b 0x0
0xba18f33 0x0 0x85fae26b 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acq_rel.cta.min.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xf5bf77aa 0x0 0xd112fdfd 0x0 0x3ec460c4 0x0 0xce6ff6c 0x0
0x9a870e44 0x0 0x9fceb71a 0x0 0xb4d7072c 0x0 0x6acadd57 0x0
0x1d76c09b 0x0 0x74a8039f 0x0
-- out
0xf5bf77aa 0x0 0xd112fdfd 0x0 0xf5bf77aa 0x0 0x9a870e44 0x0
0xb4d7072c 0x0 0x9a870e44 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.min.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1e32f289 0x3422dc67 0xdc72f57f 0xd5385d2 0x5b507fdc 0x87318ae1 0x6abec276 0x749f265f
0x279c003c 0x1fd3d299 0x99de7a2f 0x431ae9a9 0x5d015d21 0x715f8ae1 0xa3bc6081 0x950d7616
0x23c881e9 0xaafaebfe 0xae97f76b 0x6b666ff6
-- out
0x1e32f289 0x3422dc67 0xdc72f57f 0xd5385d2 0x1e32f289 0x3422dc67 0xdc72f57f 0xd5385d2
0x1e32f289 0x3422dc67 0xdc72f57f 0xd5385d2
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.sys.min.s64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x5d3068a3 0xc728d420 0xbe6e0ec5 0x87e04c32 0xd0ac7bb8 0xff64fb1b 0x7b299f4a 0x1d267d54
0x2310b11e 0xf3dfe313 0x80c13adc 0xe487f655 0x4a45e625 0xbbfa1535 0x4f008cc7 0xc8c87666
0x20fdbaee 0x3d08814d 0x81e1d213 0x9ffe747c
-- out
0x5d3068a3 0xc728d420 0xbe6e0ec5 0x87e04c32 0x5d3068a3 0xc728d420 0xbe6e0ec5 0x87e04c32
0x4a45e625 0xbbfa1535 0xbe6e0ec5 0x87e04c32
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.gpu.max.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xd8b843a4 0x0 0x5bf379c4 0x0 0x46565bb6 0x0 0xb99e8c2c 0x0
0x4581ccd9 0x0 0x909ca87e 0x0 0x9c1c6a5e 0x0 0xb2f4432f 0x0
0xaf5eb491 0x0 0x977804a0 0x0
-- out
0xd8b843a4 0x0 0x5bf379c4 0x0 0xd8b843a4 0x0 0x5bf379c4 0x0
0xd8b843a4 0x0 0xaf5eb491 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.release.cta.max.s32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x30a5746d 0x0 0xa212e20c 0x0 0x4754feb6 0x0 0xf3af6fdb 0x0
0xc0db84e1 0x0 0x3fbbe91b 0x0 0x3d4bae13 0x0 0x808cd779 0x0
0x3097bea7 0x0 0xfacefc74 0x0
-- out
0x30a5746d 0x0 0xa212e20c 0x0 0x4754feb6 0x0 0xc0db84e1 0x0
0x4754feb6 0x0 0x3097bea7 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acq_rel.max.u64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xa726f5a3 0xea6cc216 0x322b9969 0xe0f77d81 0xaee4438e 0xa1d3045 0x6e32b27 0x9f93cf9c
0xa0df7253 0xf8fba2f 0x9bd5491 0x1a3b72a8 0x26d0148 0x455c49ac 0x38f9c638 0x8aa97466
0x426fd48d 0x6cd9727e 0x473de855 0x128ee3f5
-- out
0xa726f5a3 0xea6cc216 0x322b9969 0xe0f77d81 0xa726f5a3 0xea6cc216 0x322b9969 0xe0f77d81
0xa726f5a3 0xea6cc216 0x322b9969 0xe0f77d81
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.sys.max.s64 %rd9, [%rd6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc17b558b 0x16210cc5 0xe9b2ebf7 0xad20b0d0 0x292df063 0x8cf5ff3a 0x5aa64015 0x35ec0528
0x3c18d810 0xa1901fe2 0x5697e720 0x57fcc1f1 0xfb42efac 0x5f88f5d0 0x7e91601b 0xbeacf87b
0x7be80c9d 0x7a829d0a 0x22240b7c 0xd6ab77a6
-- out
0xc17b558b 0x16210cc5 0xe9b2ebf7 0xad20b0d0 0xc17b558b 0x16210cc5 0xe9b2ebf7 0xad20b0d0
0xfb42efac 0x5f88f5d0 0x7be80c9d 0x7a829d0a
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.relaxed.gpu.inc.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1 0x0 0x1 0x0 0x7 0x0 0x6 0x0
0x9 0x0 0x4 0x0 0x3 0x0 0x6 0x0
0x7 0x0 0x2 0x0
-- out
0x1 0x0 0x1 0x0 0x2 0x0 0x2 0x0
0x3 0x0 0x3 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
cvt.u64.u32 %rd6, %r6;
cvta.shared.u64 %rd6, %rd6;
atom.acquire.cta.dec.u32 %r7, [%rd6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x5 0x0 0x2 0x0 0x9 0x0 0x2 0x0
0x5 0x0 0x6 0x0 0x4 0x0 0x5 0x0
0x8 0x0 0x9 0x0
-- out
0x5 0x0 0x2 0x0 0x4 0x0 0x1 0x0
0x3 0x0 0x0 0x0
