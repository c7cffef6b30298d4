# the least and the greatest f32 of the lanes in the mask
-- kernel 1 32
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %laneid;
and.b32 %r1, %r0, 7;
mad.wide.u32 %rd1, %r1, 4, %rd1;
ld.global.f32 %f1, [%rd1];
redux.sync.min.f32 %f2, %f1, -1;
redux.sync.max.f32 %f3, %f1, -1;
redux.sync.max.abs.f32 %f4, %f1, -1;
redux.sync.min.abs.f32 %f5, %f1, -1;
redux.sync.min.NaN.f32 %f6, %f1, -1;
setp.lt.u32 %p, %r1, 4;
mov.f32 %f7, 0f00000000;
@%p redux.sync.max.NaN.f32 %f7, %f1, 0x0f0f0f0f;
setp.eq.u32 %p, %r1, 6;
mov.f32 %f8, 0f00000000;
@%p redux.sync.max.f32 %f8, %f1, 0x40404040;
setp.eq.u32 %p, %r0, 0;
@%p st.global.v4.f32 [%rd2], {%f2, %f3, %f4, %f5};
@%p st.global.v2.f32 [%rd2+16], {%f6, %f7};
setp.eq.u32 %p, %r0, 6;
@%p st.global.f32 [%rd2+24], %f8;
ret;
-- in
0x3fc00000 0xc0400000 0x80000000 0x40000000 0 0xc0200000 0x7fc00000 0x80000000
-- out
0xc0400000 0x40000000 0x40400000 0 0x7fffffff 0x40000000 0x7fffffff
