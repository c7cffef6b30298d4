# policies and hints change no value
-- kernel 1 1
.reg .b64 %pol;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
createpolicy.fractional.L2::evict_first.b64 %pol, 1.0;
createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %pol, 0.5;
createpolicy.range.global.L2::evict_last.L2::evict_unchanged.b64 %pol, [%rd1], 0x100000, 0x200000;
ld.global.L1::no_allocate.L2::cache_hint.u32 %r1, [%rd1], %pol;
ld.global.L2::cache_hint.v2.u32 {%r2, %r3}, [%rd1+8], %pol;
st.global.L2::cache_hint.u32 [%rd2], %r1, %pol;
red.global.add.L2::cache_hint.u32 [%rd2], %r2, %pol;
atom.global.add.L2::cache_hint.u32 %r4, [%rd2], %r3, %pol;
st.global.u32 [%rd2+4], %r4;
ret;
-- in
1 2 3 4
-- out
8 4
