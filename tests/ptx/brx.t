# a branch through a table: lanes go to several places and meet again
-- kernel 1 8
ld.param.u64 %rd0, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd0, %r0, 4, %rd0;
and.b32 %r1, %r0, 3;
mov.u32 %r2, 5;
setp.eq.u32 %p, %r0, 7;
ts: .branchtargets A, B, C, A;
@%p bra JOIN;
brx.idx %r1, ts;
A:
add.u32 %r2, %r2, 10;
bra JOIN;
B:
add.u32 %r2, %r2, 20;
bra JOIN;
C:
add.u32 %r2, %r2, 30;
JOIN:
mul.lo.u32 %r2, %r2, 2;
st.global.u32 [%rd0], %r2;
ret;
-- out
30 50 70 30 30 50 70 10
-- kernel 1 8
mov.u32 %r0, %tid.x;
ts: .branchtargets A, B;
brx.idx.uni %r0, ts;
A:
ret;
B:
ret;
-- trap illegal 2
