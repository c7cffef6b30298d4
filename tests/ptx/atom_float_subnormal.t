# PTX: in global memory atom.add.f32 flushes subnormals, in shared memory it keeps them
-- kernel 1 1
.shared .align 4 .f32 s[1];
ld.param.u64 %rd2, [out];
atom.global.add.f32 %f1, [%rd2], 0f00000003;
mov.u32 %r1, s;
atom.shared.add.f32 %f1, [%r1], 0f00000003;
ld.shared.f32 %f2, [%r1];
st.global.f32 [%rd2+4], %f2;
ret;
-- out
0 3
