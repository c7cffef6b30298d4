# special registers of the machine and the launch; clocks move on
-- kernel 1 2
.shared .align 4 .b8 fixed[20];
.reg .b64 %c<4>; .reg .pred %q;
mov.u64 %rd3, fixed;
mov.u64 %c0, %clock64;
mov.u32 %r0, %clock;
mov.u64 %c2, %globaltimer;
mov.u32 %r9, %tid.x;
mov.u64 %c1, %clock64;
mov.u32 %r1, %clock;
mov.u64 %c3, %globaltimer;
setp.gt.u64 %p, %c1, %c0;
selp.b32 %r2, 1, 0, %p;
setp.gt.u32 %p, %r1, %r0;
selp.b32 %r3, 10, 0, %p;
setp.gt.u64 %p, %c3, %c2;
selp.b32 %r4, 100, 0, %p;
add.u32 %r2, %r2, %r3;
add.u32 %r2, %r2, %r4;
mov.u32 %r3, %clock_hi;
mov.u32 %r4, %globaltimer_hi;
add.u32 %r2, %r2, %r3;
add.u32 %r2, %r2, %r4;
mov.u64 %c0, %gridid;
cvt.u32.u64 %r5, %c0;
mov.u32 %r6, %gridid;
add.u32 %r5, %r5, %r6;
mov.u32 %r6, %nsmid;
mov.u32 %r7, %smid;
mad.lo.u32 %r6, %r6, 10, %r7;
mov.u32 %r7, %total_smem_size;
mov.u32 %r8, %dynamic_smem_size;
mad.lo.u32 %r7, %r8, 1000, %r7;
mov.b32 %r8, %envreg31;
add.u32 %r7, %r7, %r8;
ld.param.u64 %rd0, [out];
st.global.u32 [%rd0], %r2;
st.global.u32 [%rd0+4], %r5;
st.global.u32 [%rd0+8], %r6;
st.global.u32 [%rd0+12], %r7;
ret;
-- out
111 0 10 20
