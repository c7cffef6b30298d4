-- kernel 1 8
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, 4, %rd1;
setp.ge.u32 %p, %r1, 3;
@%p exit;
st.global.u32 [%rd2], 1;
setp.eq.u32 %p, %r1, 1;
@%p ret;
st.global.u32 [%rd2], 2;
ret;
-- out
2 1 2 0 0 0 0 0
