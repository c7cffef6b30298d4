-- kernel 1 4
ld.param.u64 %rd1, [in];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, 2, %rd1;
ld.global.u32 %r2, [%rd2];
ret;
-- in
1 2 3 4
-- trap misaligned 1
