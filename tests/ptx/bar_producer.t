# warp 0 produces four numbers a round, warp 1 consumes them; "full" is barrier 1, "empty" 2
-- kernel 1 64
.shared .align 4 .u32 s[32];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
and.b32 %r1, %r0, 31;
mov.u32 %r2, s;
mad.lo.u32 %r2, %r1, 4, %r2;
mad.wide.u32 %rd2, %r1, 4, %rd2;
mov.u32 %r3, 0;
mov.u32 %r4, 0;
setp.ge.u32 %p, %r0, 32;
@%p bra consumer;
producer:
bar.sync 2, 64;
mad.lo.u32 %r5, %r3, 100, %r1;
st.shared.u32 [%r2], %r5;
membar.cta;
bar.arrive 1, 64;
add.u32 %r3, %r3, 1;
setp.lt.u32 %p, %r3, 4;
@%p bra producer;
ret;
consumer:
bar.arrive 2, 64;
round:
bar.sync 1, 64;
ld.shared.u32 %r5, [%r2];
add.u32 %r4, %r4, %r5;
add.u32 %r3, %r3, 1;
setp.ge.u32 %p, %r3, 4;
@%p bra end;
bar.arrive 2, 64;
bra round;
end:
st.global.u32 [%rd2], %r4;
ret;
-- out
600 604 608 612  616 620 624 628
