-- body %d
ld.global.s8 %d, [%in];
-- cases
0x80 -> -128
0x7f -> 127
-- body %d
ld.global.u8 %d, [%in+1];
-- cases
0x8000 -> 0x80
-- body %d
ld.global.s16 %d, [%in];
-- cases
0x8000 -> -32768
-- body %d
ld.global.u16 %d, [%in+2];
-- cases
0xffff0000 -> 0xffff
-- body %D
st.global.u64 [%out], %A;
st.global.u8 [%out+1], %b;
st.global.u16 [%out+4], %hc;
ld.global.u64 %D, [%out];
-- cases
-1 0x12345600 0x77778888 -> 0xffff8888ffff00ff
