-- kernel 1 32
.shared .align 4 .b32 tile[16];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
mad.lo.u32 %r2, %r1, 4, %r2;
st.shared.u32 [%r2], %r1;
ret;
-- trap out_of_bounds 16
