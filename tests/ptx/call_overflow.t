# endless recursion ends at the limit of the stack; the lane that asked for more is named
-- module 1 32
.version 7.0
.target sm_70
.address_size 64
.func down (.param .b32 n)
{
  .reg .b32 %r<9>; .reg .pred %p;
  .param .b32 a;
  ld.param.u32 %r0, [n];
  setp.eq.u32 %p, %r0, 0;
  @%p ret;
  st.param.b32 [a], %r0;
  call down, (a);
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>;
  .param .b32 a;
  mov.u32 %r0, %tid.x;
  shr.u32 %r0, %r0, 2;
  st.param.b32 [a], %r0;
  call down, (a);
  ret;
}
-- trap stack 4
