-- kernel 1 32
mov.u32 %r1, 17;
bar.sync %r1;
ret;
-- trap illegal
