-- body %d
prefetch.global.L2 [%out];
prefetch.global.L2::evict_last [%out+4];
prefetch.L1 [%out];
prefetchu.L1 [%out];
st.global.u32 [%out], %a;
setp.eq.u32 %p, %a, 0;
@%p prefetch.global.L1 [%out];
@%p bra END;
applypriority.global.L2::evict_normal [%out], 128;
ld.global.u32 %d, [%out];
END:
prefetch.L2 [%out];
-- cases
5 -> 5
