-- kernel 1 4
mov.u64 %rd1, 0;
st.u32 [%rd1], 1;
ret;
-- trap out_of_bounds 0
