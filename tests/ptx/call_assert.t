# a failed assertion faults, in the lowest lane that failed
-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s) .noreturn;
.global .align 1 .b8 text[4] = {97, 60, 98, 0};
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;
  mov.u32 %r0, %tid.x;
  setp.lt.u32 %p, %r0, 2;
  @%p bra FINE;
  mov.u64 %rd0, text;
  cvta.global.u64 %rd0, %rd0;
  st.param.b64 [m], %rd0;
  st.param.b64 [f], %rd0;
  st.param.b32 [l], 12;
  st.param.b64 [n], %rd0;
  st.param.b64 [s], 1;
  call.uni __assertfail, (m, f, l, n, s);
  trap;
FINE:
  ret;
}
-- trap assert 2
