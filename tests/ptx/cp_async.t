# every lane copies 16 bytes; then 4 of 8 asked for, the rest zeros; then nothing, by a predicate
-- kernel 1 32
.shared .align 16 .b8 s[1024];
.reg .pred %q;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
setp.ge.u32 %p, %r1, 2;
@%p ret;
mul.wide.u32 %rd3, %r1, 16;
add.u64 %rd4, %rd1, %rd3;
add.u64 %rd5, %rd2, %rd3;
mov.u32 %r2, s;
mad.lo.u32 %r3, %r1, 16, %r2;
st.shared.u32 [%r3+76], 0;
cp.async.cg.shared.global [%r3], [%rd4], 16;
cp.async.commit_group;
cp.async.ca.shared.global.L2::128B [%r3+64], [%rd4+8], 8, 4;
setp.eq.u32 %q, %r1, 1;
cp.async.ca.shared::cta.global [%r3+72], [%rd4], 4, %q;
cp.async.commit_group;
cp.async.wait_group 1;
ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
st.global.v4.u32 [%rd5], {%r4, %r5, %r6, %r7};
cp.async.wait_all;
ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3+64];
st.global.v4.u32 [%rd5+32], {%r4, %r5, %r6, %r7};
ret;
-- in
11 12 13 14 15 16 17 18
-- out
11 12 13 14 15 16 17 18
13 0 11 0 17 0 0 0
