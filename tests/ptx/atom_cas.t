# one lane finds 0 and swaps, the others find 77; dec goes 0 -> 2 -> 1 -> 0 -> 2
-- kernel 1 4
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
atom.global.cas.b32 %r2, [%rd2], 0, 77;
setp.eq.u32 %p, %r2, 0;
@%p red.global.add.u32 [%rd2+4], 1;
@!%p red.global.add.u32 [%rd2+8], %r2;
atom.global.dec.u32 %r3, [%rd2+12], 2;
ret;
-- out
77 1 231 2
