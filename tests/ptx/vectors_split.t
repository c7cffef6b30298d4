# atomics on vectors: each element by itself
-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r0, %laneid;
cvt.rn.f32.u32 %f1, %r0;
mov.f32 %f2, 0f3F800000;
mov.f32 %f3, 0f40000000;
atom.global.add.v4.f32 {%f4, %f5, %f6, %f7}, [%rd2], {%f2, %f3, %f1, 0f00000000};
red.global.v2.f32.add [%rd2+16], {%f2, %f1};
setp.eq.u32 %p, %r0, 31;
@%p st.global.v2.f32 [%rd2+24], {%f4, %f6};
setp.eq.u32 %p, %r0, 3;
@%p red.relaxed.gpu.global.add.v2.f32 [%rd2+8], {%f3, %f1};
ret;
-- in
0
-- out
0x42000000 0x42800000 0x43f90000 0x40400000 0x42000000 0x43f80000 0x41f80000 0x43e88000
# halves: two, four and eight
-- kernel 1 2
.reg .b16 %h<9>;
ld.param.u64 %rd2, [out];
mov.b16 %h1, 0x3c00;
mov.b16 %h2, 0x4000;
red.global.add.noftz.v8.f16 [%rd2], {%h1, %h2, %h1, %h2, %h1, %h1, %h2, %h2};
atom.global.add.noftz.v2.f16x2 {%r1, %r2}, [%rd2+16], {%r3, %r4};
mov.b32 %r3, 0x3c004000;
mov.b32 %r4, 0x40003c00;
red.global.add.noftz.v2.f16x2 [%rd2+16], {%r3, %r4};
mov.b32 %r3, 0x3f804000;
red.global.add.noftz.v2.bf16x2 [%rd2+24], {%r3, %r3};
ret;
-- in
0
-- out
0x44004000 0x44004000 0x40004000 0x44004400 0x40004400 0x44004000 0x40004080 0x40004080
# eight elements in two accesses
-- kernel 1 2
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 32, %rd1;
mad.wide.u32 %rd2, %r0, 32, %rd2;
ld.global.v8.b32 {%r1, %r2, %r3, _, %r5, %r6, %r7, %r8}, [%rd1];
st.global.v8.b32 [%rd2], {%r8, %r7, 44, %r5, %r6, %r3, %r2, %r1};
ret;
-- in
1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
-- out
8 7 44 5 6 3 2 1 16 15 44 13 14 11 10 9
