-- kernel 1 64
.shared .align 4 .u32 sum[2];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r5, sum;
atom.shared.add.u32 %r2, [%r5], %r1;
red.shared.and.b32 [%r5+4], 0;
bar.sync 0;
setp.ne.u32 %p, %r1, 0;
@%p ret;
ld.shared.u32 %r3, [%r5];
st.global.u32 [%rd2], %r3;
ret;
-- out
2016
