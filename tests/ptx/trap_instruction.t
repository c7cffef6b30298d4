-- kernel 1 4
mov.u32 %r1, %tid.x;
setp.eq.u32 %p, %r1, 2;
@%p trap;
ret;
-- trap user 2
