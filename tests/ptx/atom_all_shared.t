# as atom_all_global, in shared memory
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
atom.shared.add.u32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x84b58297 0x0 0x2b6b5fce 0x0 0xc0f727ad 0x0 0xee283c1e 0x0
0xe7dd5eed 0x0 0x71227cb2 0x0 0x57afaba6 0x0 0x7f914fe8 0x0
0xa8f51ac5 0x0 0xe448373c 0x0
-- out
0x84b58297 0x0 0x2b6b5fce 0x0 0x45acaa44 0x0 0x1348bebb 0x0
0x9d5c55ea 0x0 0xbc3dd980 0x0
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
red.shared.add.u32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x84b58297 0x0 0x2b6b5fce 0x0 0xc0f727ad 0x0 0xee283c1e 0x0
0xe7dd5eed 0x0 0x71227cb2 0x0 0x57afaba6 0x0 0x7f914fe8 0x0
0xa8f51ac5 0x0 0xe448373c 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x9d5c55ea 0x0 0xbc3dd980 0x0
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
atom.relaxed.sys.shared.add.s32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x3dd1e044 0x0 0x53b3b0ff 0x0 0x679e2a61 0x0 0xa2592b9d 0x0
0xaa785c61 0x0 0x6e4f2724 0x0 0x402746a4 0x0 0xcdc02ecd 0x0
0x32d1464e 0x0 0xce554174 0x0
-- out
0x3dd1e044 0x0 0x53b3b0ff 0x0 0xa5700aa5 0x0 0xfe2c0d60 0x0
0xe5975149 0x0 0x30fd53ae 0x0
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
red.relaxed.sys.shared.add.s32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x3dd1e044 0x0 0x53b3b0ff 0x0 0x679e2a61 0x0 0xa2592b9d 0x0
0xaa785c61 0x0 0x6e4f2724 0x0 0x402746a4 0x0 0xcdc02ecd 0x0
0x32d1464e 0x0 0xce554174 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xe5975149 0x0 0x30fd53ae 0x0
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
atom.acquire.gpu.shared.add.u64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc12f694d 0xea0a668a 0x33465430 0xe1594dc4 0x36d51bff 0x62694354 0x22720c54 0x7f1876d3
0x38363a3c 0x95468325 0x59ca6ef0 0xd64be5f0 0xebb9c596 0x51054839 0xe5498256 0xd945bbf3
0x35bb8498 0x22dc73ab 0xa62f486 0xb6125e0c
-- out
0xc12f694d 0xea0a668a 0x33465430 0xe1594dc4 0xf804854c 0x4c73a9de 0x6b7c8e6c 0x769fd0e9
0xe3be4ae2 0x9d78f218 0xa1381304 0x997c4494
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
red.relaxed.gpu.shared.add.u64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc12f694d 0xea0a668a 0x33465430 0xe1594dc4 0x36d51bff 0x62694354 0x22720c54 0x7f1876d3
0x38363a3c 0x95468325 0x59ca6ef0 0xd64be5f0 0xebb9c596 0x51054839 0xe5498256 0xd945bbf3
0x35bb8498 0x22dc73ab 0xa62f486 0xb6125e0c
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xe3be4ae2 0x9d78f218 0xa1381304 0x997c4494
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
atom.release.cta.shared.add.f32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc2d94000 0x0 0x42ec4000 0x0 0xc2590000 0x0 0xc11c0000 0x0
0x42aac000 0x0 0xc08c0000 0x0 0xc2a38000 0x0 0xc25a8000 0x0
0xc2c04000 0x0 0x42dfc000 0x0
-- out
0xc2d94000 0x0 0x42ec4000 0x0 0xc322e000 0x0 0x434b8000 0x0
0xc374a000 0x0 0x42d6c000 0x0
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
red.release.cta.shared.add.f32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc2d94000 0x0 0x42ec4000 0x0 0xc2590000 0x0 0xc11c0000 0x0
0x42aac000 0x0 0xc08c0000 0x0 0xc2a38000 0x0 0xc25a8000 0x0
0xc2c04000 0x0 0x42dfc000 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xc374a000 0x0 0x42d6c000 0x0
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
atom.acq_rel.shared.add.f64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0xc0519000 0x0 0x4055e800 0x0 0xc0332000 0x0 0x3ff60000
0x0 0xc03b2000 0x0 0x40478000 0x0 0x40419000 0x0 0xc0463000
0x0 0x40200000 0x0 0x404d2000
-- out
0x0 0xc0519000 0x0 0x4055e800 0x0 0xc0565800 0x0 0x404e4000
0x0 0xc04b2000 0x0 0x40512000
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
red.release.shared.add.f64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x0 0xc0519000 0x0 0x4055e800 0x0 0xc0332000 0x0 0x3ff60000
0x0 0xc03b2000 0x0 0x40478000 0x0 0x40419000 0x0 0xc0463000
0x0 0x40200000 0x0 0x404d2000
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0xc04b2000 0x0 0x40512000
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
atom.sys.shared.add.noftz.f16 %h3, [%r6], %h1;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4660 0x0 0x4080 0x0 0xc5a0 0x0 0x3b00 0x0
0xc700 0x0 0x4280 0x0 0x3b00 0x0 0x3f80 0x0
0xc6c0 0x0 0xc780 0x0
-- out
0x4660 0x0 0x4080 0x0 0x3a00 0x0 0xc4c0 0x0
0x3e80 0x0 0xc9c0 0x0
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
red.sys.shared.add.noftz.f16 [%r6], %h1;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4660 0x0 0x4080 0x0 0xc5a0 0x0 0x3b00 0x0
0xc700 0x0 0x4280 0x0 0x3b00 0x0 0x3f80 0x0
0xc6c0 0x0 0xc780 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x3e80 0x0 0xc9c0 0x0
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
atom.relaxed.gpu.shared.add.noftz.f16x2 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x44e0c380 0x0 0xc0004680 0x0 0x3800c740 0x0 0xc5a04380 0x0
0xc300b800 0x0 0xbe80bf00 0x0 0xc460c680 0x0 0x30004720 0x0
0xc4a04640 0x0 0xc7c0c0c0 0x0
-- out
0x44e0c380 0x0 0xc0004680 0x0 0x4560c980 0x0 0xc5804600 0x0
0x3c00cc60 0x0 0xc9104a20 0x0
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
red.relaxed.gpu.shared.add.noftz.f16x2 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x44e0c380 0x0 0xc0004680 0x0 0x3800c740 0x0 0xc5a04380 0x0
0xc300b800 0x0 0xbe80bf00 0x0 0xc460c680 0x0 0x30004720 0x0
0xc4a04640 0x0 0xc7c0c0c0 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x3c00cc60 0x0 0xc9104a20 0x0
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
atom.acquire.cta.shared.and.b32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc14b0510 0x0 0x78e21103 0x0 0x88ebd524 0x0 0x39f90f81 0x0
0xb6d3e879 0x0 0x45b90d8c 0x0 0x942c3fb 0x0 0xc751459f 0x0
0x2dd96b62 0x0 0x588262d5 0x0
-- out
0xc14b0510 0x0 0x78e21103 0x0 0x804b0500 0x0 0x30c20001 0x0
0x420100 0x0 0x20c00000 0x0
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
red.relaxed.cta.shared.and.b32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xc14b0510 0x0 0x78e21103 0x0 0x88ebd524 0x0 0x39f90f81 0x0
0xb6d3e879 0x0 0x45b90d8c 0x0 0x942c3fb 0x0 0xc751459f 0x0
0x2dd96b62 0x0 0x588262d5 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x420100 0x0 0x20c00000 0x0
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
atom.release.shared.and.b64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8a29110d 0xb28302c1 0xf262b76d 0x853a7037 0x801b43bf 0x9d4c712e 0xb3257dda 0xe7ff25b9
0xff2edc17 0xc196c5c2 0x39530168 0x16535f4c 0x28c0d4ae 0x64bd7a63 0x69155cca 0xeebf1fce
0xd94874ac 0xcabc1222 0xe484a550 0xb8edb5e1
-- out
0x8a29110d 0xb28302c1 0xf262b76d 0x853a7037 0x8009010d 0x90000000 0xf2229405 0x81124002
0xc 0x0 0xd0001404 0x80100002
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
red.release.shared.and.b64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8a29110d 0xb28302c1 0xf262b76d 0x853a7037 0x801b43bf 0x9d4c712e 0xb3257dda 0xe7ff25b9
0xff2edc17 0xc196c5c2 0x39530168 0x16535f4c 0x28c0d4ae 0x64bd7a63 0x69155cca 0xeebf1fce
0xd94874ac 0xcabc1222 0xe484a550 0xb8edb5e1
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xc 0x0 0xd0001404 0x80100002
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
atom.acq_rel.sys.shared.or.b32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x63522556 0x0 0x2141c6d1 0x0 0x7354293c 0x0 0xe327c967 0x0
0x741af215 0x0 0xe8f37d7e 0x0 0x32668377 0x0 0x1b8d526 0x0
0xa023ecd5 0x0 0x60762560 0x0
-- out
0x63522556 0x0 0x2141c6d1 0x0 0x73562d7e 0x0 0x755bf6d5 0x0
0x7376af7f 0x0 0xf57bfed5 0x0
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
red.release.sys.shared.or.b32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x63522556 0x0 0x2141c6d1 0x0 0x7354293c 0x0 0xe327c967 0x0
0x741af215 0x0 0xe8f37d7e 0x0 0x32668377 0x0 0x1b8d526 0x0
0xa023ecd5 0x0 0x60762560 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x7376af7f 0x0 0xf57bfed5 0x0
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
atom.gpu.shared.or.b64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8ccda80c 0x919dcc0f 0xa715a0fb 0xe11b2b6d 0x80adb24a 0xcbf8f01a 0xfb7a3b3b 0x3473f51f
0xd1c778e6 0xf1bae498 0x1955bf31 0xb8d0c65d 0x57d53e43 0x76b58cc1 0xddbc8ddd 0xd17f17d2
0x53935c55 0xa6bd1348 0xcc5dcd5f 0xa440f745
-- out
0x8ccda80c 0x919dcc0f 0xa715a0fb 0xe11b2b6d 0x8cedba4e 0xdbfdfc1f 0xf7d7f8ff 0xf1bbeffd
0xdffdbe4f 0xfffdfcdf 0xf7d7fcff 0xf7bffffd
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
red.gpu.shared.or.b64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8ccda80c 0x919dcc0f 0xa715a0fb 0xe11b2b6d 0x80adb24a 0xcbf8f01a 0xfb7a3b3b 0x3473f51f
0xd1c778e6 0xf1bae498 0x1955bf31 0xb8d0c65d 0x57d53e43 0x76b58cc1 0xddbc8ddd 0xd17f17d2
0x53935c55 0xa6bd1348 0xcc5dcd5f 0xa440f745
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xdffdbe4f 0xfffdfcdf 0xf7d7fcff 0xf7bffffd
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
atom.relaxed.cta.shared.xor.b32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xec9a5dc8 0x0 0xb7b8b1a0 0x0 0x1f9ca6ce 0x0 0x63e5a05b 0x0
0x369a9ad7 0x0 0xfb019964 0x0 0x3e06d750 0x0 0x167cd62e 0x0
0xe665559b 0x0 0xfa342b15 0x0
-- out
0xec9a5dc8 0x0 0xb7b8b1a0 0x0 0xf306fb06 0x0 0x81222b77 0x0
0xcd002c56 0x0 0x67477eec 0x0
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
red.relaxed.cta.shared.xor.b32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xec9a5dc8 0x0 0xb7b8b1a0 0x0 0x1f9ca6ce 0x0 0x63e5a05b 0x0
0x369a9ad7 0x0 0xfb019964 0x0 0x3e06d750 0x0 0x167cd62e 0x0
0xe665559b 0x0 0xfa342b15 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xcd002c56 0x0 0x67477eec 0x0
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
atom.acquire.shared.xor.b64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4f52d3fe 0x8975fcdb 0xfa0c31f6 0xca71067b 0xeea93b6f 0x52056395 0x813547e2 0x1530959b
0x430ac631 0xe8f51608 0x981abb6 0x70dee693 0xb7e06d03 0xdb14a009 0x5790db4f 0x8ce09658
0x40182fc 0x5937c1f0 0x6be1fcde 0xc4aaf35a
-- out
0x4f52d3fe 0x8975fcdb 0xfa0c31f6 0xca71067b 0xa1fbe891 0xdb709f4e 0xb906f7c7 0x22841073
0x161b8592 0x643f47 0xbd07753b 0x7bb3d183
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
red.relaxed.shared.xor.b64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4f52d3fe 0x8975fcdb 0xfa0c31f6 0xca71067b 0xeea93b6f 0x52056395 0x813547e2 0x1530959b
0x430ac631 0xe8f51608 0x981abb6 0x70dee693 0xb7e06d03 0xdb14a009 0x5790db4f 0x8ce09658
0x40182fc 0x5937c1f0 0x6be1fcde 0xc4aaf35a
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x161b8592 0x643f47 0xbd07753b 0x7bb3d183
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
atom.release.sys.shared.exch.b32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x46773aad 0x0 0x7cc95bc2 0x0 0xeb754412 0x0 0xde17b009 0x0
0x745e6cf 0x0 0x106607dc 0x0 0x37e2265e 0x0 0x6dcea371 0x0
0xcf23cf20 0x0 0xccc39dd2 0x0
-- out
0x46773aad 0x0 0x7cc95bc2 0x0 0xeb754412 0x0 0x745e6cf 0x0
0x37e2265e 0x0 0xcf23cf20 0x0
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
atom.acq_rel.gpu.shared.exch.b64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x8fc9878 0x2c42eeac 0x887aae6a 0x55c2d7f4 0xafc3eec0 0xc9b433b5 0xe68b92e4 0xb93ba587
0xea7f7301 0x23f7d227 0x84a991f3 0xd708b232 0x7876c03c 0x260f99dd 0xad89f4a1 0xb07aa746
0xfff47593 0x843afa19 0x70ae8985 0xf21c805c
-- out
0x8fc9878 0x2c42eeac 0x887aae6a 0x55c2d7f4 0xafc3eec0 0xc9b433b5 0xea7f7301 0x23f7d227
0x7876c03c 0x260f99dd 0xfff47593 0x843afa19
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
atom.cta.shared.cas.b32 %r7, [%r6], %r4, %r5;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x1 0x0 0x2 0x0 0x2 0x0 0x2 0x0
0x0 0x0 0x2 0x0 0x0 0x0 0x1 0x0
0x1 0x0 0x2 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
atom.relaxed.shared.cas.b64 %rd9, [%r6], %rd4, %rd5;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2 0x0 0x2 0x0 0x0 0x0 0x1 0x0
0x2 0x0 0x1 0x0 0x2 0x0 0x2 0x0
0x2 0x0 0x1 0x0
-- out
0x2 0x0 0x2 0x0 0x2 0x0 0x1 0x0
0x2 0x0 0x1 0x0
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
atom.acquire.sys.shared.cas.b16 %h3, [%r6], %h1, %h2;
bar.sync 0;
cvt.u64.u16 %rd9, %h3;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x2 0x0 0x0 0x0 0x1 0x0 0x1 0x0
0x0 0x0 0x2 0x0 0x2 0x0 0x1 0x0
0x2 0x0 0x0 0x0
-- out
0x2 0x0 0x0 0x0 0x2 0x0 0x2 0x0
0x1 0x0 0x0 0x0
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
atom.release.gpu.shared.min.u32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x693cc50d 0x0 0x8930fbcd 0x0 0x1d417ead 0x0 0x60850d66 0x0
0x80d004b2 0x0 0x71afc55 0x0 0x14378ff 0x0 0x89cf6d5a 0x0
0x9af034b9 0x0 0xf82aead1 0x0
-- out
0x693cc50d 0x0 0x8930fbcd 0x0 0x1d417ead 0x0 0x80d004b2 0x0
0x14378ff 0x0 0x80d004b2 0x0
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
red.release.gpu.shared.min.u32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x693cc50d 0x0 0x8930fbcd 0x0 0x1d417ead 0x0 0x60850d66 0x0
0x80d004b2 0x0 0x71afc55 0x0 0x14378ff 0x0 0x89cf6d5a 0x0
0x9af034b9 0x0 0xf82aead1 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x14378ff 0x0 0x80d004b2 0x0
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
atom.acq_rel.cta.shared.min.s32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb407faf 0x0 0x8419bd91 0x0 0xead7af87 0x0 0xfd496ca3 0x0
0x668cab3c 0x0 0x9018081e 0x0 0x8b435ef0 0x0 0x1f36ddf8 0x0
0xcd12d457 0x0 0x7db4d3b5 0x0
-- out
0xb407faf 0x0 0x8419bd91 0x0 0xead7af87 0x0 0x8419bd91 0x0
0x8b435ef0 0x0 0x8419bd91 0x0
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
red.release.cta.shared.min.s32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xb407faf 0x0 0x8419bd91 0x0 0xead7af87 0x0 0xfd496ca3 0x0
0x668cab3c 0x0 0x9018081e 0x0 0x8b435ef0 0x0 0x1f36ddf8 0x0
0xcd12d457 0x0 0x7db4d3b5 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x8b435ef0 0x0 0x8419bd91 0x0
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
atom.shared.min.u64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x17dd6621 0xb0e48236 0x2ab184ee 0x10ded65a 0xee4a9a3b 0x89e9414e 0x6776fd34 0x44eb31e4
0x757cc12a 0x69ed1938 0x3f0c0a29 0x79211cb2 0xebb86ee2 0xf4f51c13 0x7e37a508 0x2080f2ac
0xcce6a106 0xec652b9e 0x56f55245 0x6f057e95
-- out
0x17dd6621 0xb0e48236 0x2ab184ee 0x10ded65a 0xee4a9a3b 0x89e9414e 0x2ab184ee 0x10ded65a
0xee4a9a3b 0x89e9414e 0x2ab184ee 0x10ded65a
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
red.shared.min.u64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x17dd6621 0xb0e48236 0x2ab184ee 0x10ded65a 0xee4a9a3b 0x89e9414e 0x6776fd34 0x44eb31e4
0x757cc12a 0x69ed1938 0x3f0c0a29 0x79211cb2 0xebb86ee2 0xf4f51c13 0x7e37a508 0x2080f2ac
0xcce6a106 0xec652b9e 0x56f55245 0x6f057e95
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xee4a9a3b 0x89e9414e 0x2ab184ee 0x10ded65a
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
atom.relaxed.sys.shared.min.s64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xe6a1096b 0xd0d2d52e 0xef89597b 0xe68acd96 0xeb864f1e 0x79fe0c5f 0x787b26d 0xecde8a07
0x866534cd 0x5134fab7 0x429df542 0x212462ac 0x1bce1a9b 0x3102fad3 0xb3bd4390 0xc77f7935
0x6b66ec95 0x9e2e5be5 0xfa2f0afd 0x5d54cb2
-- out
0xe6a1096b 0xd0d2d52e 0xef89597b 0xe68acd96 0xe6a1096b 0xd0d2d52e 0xef89597b 0xe68acd96
0xe6a1096b 0xd0d2d52e 0x6b66ec95 0x9e2e5be5
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
red.relaxed.sys.shared.min.s64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0xe6a1096b 0xd0d2d52e 0xef89597b 0xe68acd96 0xeb864f1e 0x79fe0c5f 0x787b26d 0xecde8a07
0x866534cd 0x5134fab7 0x429df542 0x212462ac 0x1bce1a9b 0x3102fad3 0xb3bd4390 0xc77f7935
0x6b66ec95 0x9e2e5be5 0xfa2f0afd 0x5d54cb2
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xe6a1096b 0xd0d2d52e 0x6b66ec95 0x9e2e5be5
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
atom.acquire.gpu.shared.max.u32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x91eb5ff 0x0 0x31b0f869 0x0 0x27d0c0a4 0x0 0x48b988aa 0x0
0x3a2daad0 0x0 0x5273fb71 0x0 0x307784d 0x0 0xb93e081b 0x0
0xafe17664 0x0 0x5af806ef 0x0
-- out
0x91eb5ff 0x0 0x31b0f869 0x0 0x27d0c0a4 0x0 0x3a2daad0 0x0
0x27d0c0a4 0x0 0xafe17664 0x0
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
red.relaxed.gpu.shared.max.u32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x91eb5ff 0x0 0x31b0f869 0x0 0x27d0c0a4 0x0 0x48b988aa 0x0
0x3a2daad0 0x0 0x5273fb71 0x0 0x307784d 0x0 0xb93e081b 0x0
0xafe17664 0x0 0x5af806ef 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x27d0c0a4 0x0 0xafe17664 0x0
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
atom.release.cta.shared.max.s32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x3e955df7 0x0 0x9ea901ac 0x0 0x7fb2d83b 0x0 0x950d76ce 0x0
0x1ad9c6d8 0x0 0x1f6ebaa5 0x0 0x7feacb06 0x0 0xda1757a5 0x0
0xbb1bda5d 0x0 0x82ae1988 0x0
-- out
0x3e955df7 0x0 0x9ea901ac 0x0 0x7fb2d83b 0x0 0x1ad9c6d8 0x0
0x7feacb06 0x0 0x1ad9c6d8 0x0
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
red.release.cta.shared.max.s32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x3e955df7 0x0 0x9ea901ac 0x0 0x7fb2d83b 0x0 0x950d76ce 0x0
0x1ad9c6d8 0x0 0x1f6ebaa5 0x0 0x7feacb06 0x0 0xda1757a5 0x0
0xbb1bda5d 0x0 0x82ae1988 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x7feacb06 0x0 0x1ad9c6d8 0x0
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
atom.acq_rel.shared.max.u64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x9f9f6563 0x40244898 0xb7baf0a6 0x329e5b83 0xb38cd305 0x87c52404 0xd33efae9 0x878354ac
0xe0f48d2f 0x6fd08d91 0x9da4b378 0x28e3f793 0x5f3b66c 0x60303f45 0x89c666c4 0x344acadf
0xa20cb894 0x69d4b6cc 0xdd248e6f 0xa19ddc1a
-- out
0x9f9f6563 0x40244898 0xb7baf0a6 0x329e5b83 0xb38cd305 0x87c52404 0xe0f48d2f 0x6fd08d91
0xb38cd305 0x87c52404 0xe0f48d2f 0x6fd08d91
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
red.release.shared.max.u64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x9f9f6563 0x40244898 0xb7baf0a6 0x329e5b83 0xb38cd305 0x87c52404 0xd33efae9 0x878354ac
0xe0f48d2f 0x6fd08d91 0x9da4b378 0x28e3f793 0x5f3b66c 0x60303f45 0x89c666c4 0x344acadf
0xa20cb894 0x69d4b6cc 0xdd248e6f 0xa19ddc1a
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0xb38cd305 0x87c52404 0xe0f48d2f 0x6fd08d91
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
atom.sys.shared.max.s64 %rd9, [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x88b48922 0xa3729599 0x37e56031 0x87951cb5 0x375701be 0xd9ec0e3d 0xea31df80 0xbda334ae
0x8afe332d 0x9c9919f2 0xa0bd016b 0xcf7d77e7 0x962e5835 0xdb54e659 0x58fc0a18 0xe715dfe5
0x22ef6a80 0x3b8f801c 0x2e5edcf4 0x50dd1af0
-- out
0x88b48922 0xa3729599 0x37e56031 0x87951cb5 0x375701be 0xd9ec0e3d 0x8afe332d 0x9c9919f2
0x962e5835 0xdb54e659 0x22ef6a80 0x3b8f801c
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
red.sys.shared.max.s64 [%r6], %rd4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x88b48922 0xa3729599 0x37e56031 0x87951cb5 0x375701be 0xd9ec0e3d 0xea31df80 0xbda334ae
0x8afe332d 0x9c9919f2 0xa0bd016b 0xcf7d77e7 0x962e5835 0xdb54e659 0x58fc0a18 0xe715dfe5
0x22ef6a80 0x3b8f801c 0x2e5edcf4 0x50dd1af0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x962e5835 0xdb54e659 0x22ef6a80 0x3b8f801c
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
atom.relaxed.gpu.shared.inc.u32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x9 0x0 0x5 0x0 0x3 0x0 0x2 0x0
0x3 0x0 0x3 0x0 0x3 0x0 0x2 0x0
0x1 0x0 0x1 0x0
-- out
0x9 0x0 0x5 0x0 0x0 0x0 0x0 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
red.relaxed.gpu.shared.inc.u32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x9 0x0 0x5 0x0 0x3 0x0 0x2 0x0
0x3 0x0 0x3 0x0 0x3 0x0 0x2 0x0
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
mad.wide.u32 %rd7, %r1, 8, %rd1;
ld.global.u64 %rd8, [%rd7];
mov.u32 %r6, s;
mad.lo.u32 %r6, %r1, 8, %r6;
st.shared.u64 [%r6], %rd8;
bar.sync 0;
atom.acquire.cta.shared.dec.u32 %r7, [%r6], %r4;
bar.sync 0;
cvt.u64.u32 %rd9, %r7;
mad.wide.u32 %rd3, %r0, 8, %rd2;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4 0x0 0x6 0x0 0x1 0x0 0x2 0x0
0x6 0x0 0x3 0x0 0x6 0x0 0x6 0x0
0x8 0x0 0x0 0x0
-- out
0x4 0x0 0x6 0x0 0x1 0x0 0x5 0x0
0x0 0x0 0x4 0x0
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
red.relaxed.cta.shared.dec.u32 [%r6], %r4;
bar.sync 0;
mad.wide.u32 %rd3, %r0, 8, %rd2;
mov.u64 %rd9, 0;
st.global.u64 [%rd3], %rd9;
ld.shared.u64 %rd9, [%r6];
mad.wide.u32 %rd3, %r1, 8, %rd2;
st.global.u64 [%rd3+32], %rd9;
ret;
-- in
0x4 0x0 0x6 0x0 0x1 0x0 0x2 0x0
0x6 0x0 0x3 0x0 0x6 0x0 0x6 0x0
0x8 0x0 0x0 0x0
-- out
0x0 0x0 0x0 0x0 0x0 0x0 0x0 0x0
0x0 0x0 0x4 0x0
