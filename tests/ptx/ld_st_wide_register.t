# a 64-bit register on a narrower element: loads extend, stores take the low bytes
-- body %D
ld.global.s32 %D, [%in];
-- cases
0x80000000 -> 0xffffffff80000000
-- body %D
ld.global.u32 %D, [%in];
-- cases
0x80000000 -> 0x80000000
-- body %D
ld.global.s8 %D, [%in];
-- cases
0x80 -> -128
-- body %D
st.global.u64 [%out], %A;
st.global.u16 [%out+2], %B;
ld.global.u64 %D, [%out];
-- cases
-1 0x123456789abcdef0 -> 0xffffffffdef0ffff
