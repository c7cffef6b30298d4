# every depth has registers and local memory of its own; lanes leave at different depths
-- module 1 8
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 ret) fib (.param .b32 n)
{
  .local .align 4 .b8 keep[4];
  .reg .b32 %r<9>; .reg .pred %p; .reg .b64 %rd<3>;
  mov.u64 %rd0, keep;
  cvta.local.u64 %rd1, %rd0;
  ld.param.u32 %r0, [n];
  st.u32 [%rd1], %r0;
  setp.lt.u32 %p, %r0, 2;
  @%p bra LEAF;
  sub.u32 %r1, %r0, 1;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r1;
    call (r), fib, (a);
    ld.param.b32 %r2, [r];
  }
  ld.local.u32 %r3, [keep];
  sub.u32 %r3, %r3, 2;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r3;
    call (r), fib, (a);
    ld.param.b32 %r4, [r];
  }
  add.u32 %r5, %r2, %r4;
  st.param.b32 [ret], %r5;
  ret;
LEAF:
  st.param.b32 [ret], %r0;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  .param .b32 a; .param .b32 r;
  mov.u32 %r0, %tid.x;
  st.param.b32 [a], %r0;
  call (r), fib, (a);
  ld.param.b32 %r1, [r];
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 4, %rd0;
  st.global.u32 [%rd0], %r1;
  ret;
}
-- out
0 1 1 2 3 5 8 13
