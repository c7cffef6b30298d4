# arguments and results in registers, constants as arguments, a result that nobody wants
-- module 1 3
.version 2.0
.target sm_20
.address_size 64
.func (.reg .u32 q, .reg .u32 r) divide (.reg .u32 a, .reg .u32 b, .reg .f64 unused)
{
  div.u32 q, a, b;
  rem.u32 r, a, b;
  ret;
}
.entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  mov.u32 %r0, %tid.x;
  add.u32 %r0, %r0, 17;
  call (%r1, %r2), divide, (%r0, 5, 0d3FF0000000000000);
  call (_, %r3), divide, (%r0, 4, 0d3FF0000000000000);
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 12, %rd0;
  st.global.u32 [%rd0], %r1;
  st.global.u32 [%rd0+4], %r2;
  st.global.u32 [%rd0+8], %r3;
  ret;
}
-- out
3 2 1  3 3 2  3 4 3
