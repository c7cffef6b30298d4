-- kernel 1 4
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 16, %rd1;
mad.wide.u32 %rd2, %r0, 16, %rd2;
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
st.global.v4.u32 [%rd2], {%r4, %r3, %r2, %r1};
ret;
-- in
1 2 3 4  5 6 7 8  9 10 11 12  13 14 15 16
-- out
4 3 2 1  8 7 6 5  12 11 10 9  16 15 14 13
-- kernel 1 2
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 16, %rd1;
mad.wide.u32 %rd2, %r0, 16, %rd2;
ld.global.v2.u64 {%rd3, %rd4}, [%rd1];
add.u64 %rd3, %rd3, %rd4;
st.global.v2.u64 [%rd2], {%rd4, %rd3};
ld.global.v2.f32 {%f1, %f2}, [%rd2];
st.global.v2.f32 [%rd2], {%f2, %f1};
ret;
-- in
0xffffffff 0 1 0  1 2 3 4
-- out
0 1 0 1  4 3 4 6
