# Lanes 0 to 15 run first although their path stands last. Registers that have died where it begins
# are still wanted by the other lanes, also when registers of another width are born in it.
-- kernel 1 32
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd1, %rd1, %rd2;
mul.lo.u32 %r2, %r1, 3;
mul.lo.u32 %r3, %r1, 5;
mul.lo.u32 %r4, %r1, 7;
setp.lt.u32 %p, %r1, 16;
@%p bra FIRST;
add.u32 %r5, %r2, %r3;
add.u32 %r5, %r5, %r4;
st.global.u32 [%rd1], %r5;
bra DONE;
FIRST:
mov.u64 %rd3, -1;
mov.u64 %rd4, -1;
mov.u64 %rd5, -1;
and.b64 %rd6, %rd3, %rd4;
and.b64 %rd6, %rd6, %rd5;
st.global.u32 [%rd1], %rd6;
DONE:
ret;
-- out
-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
240 255 270 285 300 315 330 345 360 375 390 405 420 435 450 465
-- kernel 1 32
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd1, %rd1, %rd2;
cvt.u64.u32 %rd3, %r1;
shl.b64 %rd4, %rd3, 33;
add.u64 %rd3, %rd3, %rd4;
setp.lt.u32 %p, %r1, 16;
@%p bra FIRST;
shr.u64 %rd4, %rd3, 32;
add.u64 %rd4, %rd4, %rd3;
st.global.u32 [%rd1], %rd4;
bra DONE;
FIRST:
mov.u32 %r3, 77;
mov.u32 %r4, 88;
mov.u32 %r5, 99;
mov.u32 %r6, 11;
add.u32 %r3, %r3, %r4;
add.u32 %r5, %r5, %r6;
add.u32 %r3, %r3, %r5;
st.global.u32 [%rd1], %r3;
DONE:
ret;
-- out
275 275 275 275 275 275 275 275 275 275 275 275 275 275 275 275
48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93
