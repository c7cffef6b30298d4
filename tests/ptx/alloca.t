# a thread's own piece of stack, of its own size; given back by return and by stackrestore
-- module 1 4
.version 7.3
.target sm_70
.address_size 64
.func (.param .b32 r) sum (.param .b32 n)
{
  .local .align 4 .b8 fixed[4];
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  ld.param.u32 %r0, [n];
  add.u32 %r0, %r0, 1;
  mul.wide.u32 %rd0, %r0, 4;
  stacksave.u64 %rd7;
  alloca.u64 %rd1, %rd0, 16;
  cvta.local.u64 %rd2, %rd1;
  mov.u32 %r1, 0;
FILL:
  mad.wide.u32 %rd3, %r1, 4, %rd2;
  st.u32 [%rd3], %r1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, %r0;
  @%p bra FILL;
  alloca.u64 %rd4, 4;
  st.local.u32 [%rd4], 1000;
  mov.u32 %r3, 0;
ADD:
  sub.u32 %r1, %r1, 1;
  mad.wide.u32 %rd3, %r1, 4, %rd1;
  ld.local.u32 %r2, [%rd3];
  add.u32 %r3, %r3, %r2;
  setp.ne.u32 %p, %r1, 0;
  @%p bra ADD;
  stackrestore.u64 %rd7;
  stacksave.u64 %rd8;
  sub.u64 %rd8, %rd8, %rd7;
  cvt.u32.u64 %r4, %rd8;
  add.u32 %r3, %r3, %r4;
  st.param.b32 [r], %r3;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  .param .b32 n; .param .b32 r;
  mov.u32 %r0, %tid.x;
  cvt.u64.u32 %rd3, %r0;
  alloca.u64 %rd1, %rd3;
  st.param.b32 [n], %r0;
  call (r), sum, (n);
  ld.param.b32 %r1, [r];
  st.param.b32 [n], %r0;
  call (r), sum, (n);
  ld.param.b32 %r2, [r];
  add.u32 %r1, %r1, %r2;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 4, %rd0;
  st.global.u32 [%rd0], %r1;
  ret;
}
-- out
0 2 6 12
-- kernel 1 4
mov.u64 %rd1, 100000;
alloca.u64 %rd2, %rd1;
ret;
-- trap stack 0
