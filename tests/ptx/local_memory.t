# every thread has its own
-- body %d
.local .align 4 .b8 mine[16];
mov.u64 %X, mine;
cvta.local.u64 %Y, %X;
st.local.u32 [%X+4], %a;
st.u32 [%Y+8], %b;
ld.u32 %x, [%Y+4];
ld.local.u32 %y, [%X+8];
ld.local.u32 %z, [%X];
shl.b32 %x, %x, 8;
or.b32 %d, %x, %y;
add.u32 %d, %d, %z;
-- cases
1 2 -> 0x102
3 4 -> 0x304
5 6 -> 0x506
