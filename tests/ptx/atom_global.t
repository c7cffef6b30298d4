-- kernel 1 32
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
atom.global.add.u32 %r2, [%rd2], %r1;
red.global.max.u32 [%rd2+4], %r1;
red.global.min.s32 [%rd2+8], -3;
atom.global.or.b32 %r3, [%rd2+12], 5;
atom.global.exch.b32 %r3, [%rd2+16], 9;
atom.global.inc.u32 %r3, [%rd2+20], 9;
red.global.add.f32 [%rd2+24], 0f3F800000;
atom.global.add.u64 %rd3, [%rd2+32], 0x100000001;
ret;
-- out
496 31 -3 5 9 2 32.0f 0 32 32
