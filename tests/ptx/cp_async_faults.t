# from an address that is no multiple of the size
-- kernel 1 1
.shared .align 16 .b8 s[64];
ld.param.u64 %rd1, [in];
mov.u32 %r1, s;
cp.async.ca.shared.global [%r1], [%rd1+4], 8;
ret;
-- in
1 2 3 4
-- trap misaligned 0
# behind the end of shared memory
-- kernel 1 32
.shared .align 16 .b8 s[64];
ld.param.u64 %rd1, [in];
mov.u32 %r2, %tid.x;
mov.u32 %r1, s;
mad.lo.u32 %r1, %r2, 16, %r1;
cp.async.ca.shared.global [%r1], [%rd1], 16;
ret;
-- in
1 2 3 4
-- trap out_of_bounds 4
# from nowhere
-- kernel 1 1
.shared .align 16 .b8 s[64];
mov.u64 %rd1, 0;
mov.u32 %r1, s;
cp.async.ca.shared.global [%r1], [%rd1], 16;
ret;
-- in
1
-- trap out_of_bounds 0
# more than it copies
-- kernel 1 1
.shared .align 16 .b8 s[64];
ld.param.u64 %rd1, [in];
mov.u32 %r1, s;
mov.u32 %r2, 8;
cp.async.ca.shared.global [%r1], [%rd1], 4, %r2;
ret;
-- in
1 2 3 4
-- trap illegal 0
