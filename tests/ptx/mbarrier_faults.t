# nobody initialised it
-- kernel 1 1
.shared .align 8 .b64 b;
mbarrier.arrive.shared.b64 _, [b];
ret;
-- in
0
-- trap illegal 0
# it was taken down
-- kernel 1 1
.shared .align 8 .b64 b;
mbarrier.init.shared.b64 [b], 1;
mbarrier.inval.shared.b64 [b];
mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 16;
ret;
-- in
0
-- trap illegal 0
# the third of two arrivals
-- kernel 1 32
.shared .align 8 .b64 b;
mov.u32 %r0, %tid.x;
mbarrier.init.shared.b64 [b], 2;
mbarrier.arrive.shared.b64 _, [b], 3;
ret;
-- in
0
-- trap illegal 0
# a count of 0
-- kernel 1 1
.shared .align 8 .b64 b;
mbarrier.init.shared.b64 [b], 0;
ret;
-- in
0
-- trap illegal 0
# an arrival that must not complete the phase does
-- kernel 1 1
.shared .align 8 .b64 b;
.reg .b64 %s;
mbarrier.init.shared.b64 [b], 1;
mbarrier.arrive.noComplete.shared.b64 %s, [b], 1;
ret;
-- in
0
-- trap illegal 0
# not a multiple of 8
-- kernel 1 1
.shared .align 8 .b64 b[2];
mbarrier.init.shared.b64 [b+4], 1;
ret;
-- in
0
-- trap misaligned 0
# not in shared memory
-- kernel 1 1
ld.param.u64 %rd1, [in];
mbarrier.init.b64 [%rd1], 1;
ret;
-- in
0 0
-- trap illegal 0
