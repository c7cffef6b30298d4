# the buffers take 256 bytes each and lie side by side: thread 8 reads past both
-- kernel 1 32
ld.param.u64 %rd1, [in];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, 64, %rd1;
ld.global.u32 %r2, [%rd2];
ret;
-- in
1 2 3 4
-- trap out_of_bounds 8
