# a call in one half of a branch; early returns; threads that end inside a function
-- module 1 8
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 r) step (.param .b32 a)
{
  .reg .b32 %r<4>; .reg .pred %p<4>;
  ld.param.u32 %r0, [a];
  setp.eq.u32 %p0, %r0, 7;
  @%p0 exit;
  mov.u32 %r1, 0;
LOOP:
  setp.ge.u32 %p1, %r1, %r0;
  @%p1 bra DONE;
  setp.eq.u32 %p2, %r1, 4;
  st.param.b32 [r], 44;
  @%p2 ret;
  add.u32 %r1, %r1, 1;
  bra LOOP;
DONE:
  st.param.b32 [r], %r1;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  .param .b32 a; .param .b32 r;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 4, %rd0;
  mov.u32 %r2, 77;
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p0, %r1, 0;
  @%p0 bra EVEN;
  st.param.b32 [a], %r0;
  call (r), step, (a);
  ld.param.b32 %r2, [r];
  bra JOIN;
EVEN:
  setp.gt.u32 %p1, %r0, 3;
  st.param.b32 [a], 2;
  @%p1 call (r), step, (a);
  @%p1 ld.param.b32 %r2, [r];
JOIN:
  st.global.u32 [%rd0], %r2;
  ret;
}
-- out
77 1 77 3 2 44 2 0
