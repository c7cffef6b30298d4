# arguments and results in .param space: scalars, a struct, an array of bytes
-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 ret) mix (.param .b32 a, .param .b64 b, .param .align 8 .b8 s[12])
{
  .reg .b32 %r<9>; .reg .b64 %rd<2>; .reg .b16 %h;
  ld.param.u32 %r0, [a];
  ld.param.u64 %rd0, [b];
  ld.param.u32 %r1, [s+8];
  ld.param.s8 %h, [s];
  cvt.u32.u64 %r2, %rd0;
  cvt.s32.s16 %r3, %h;
  mad.lo.u32 %r4, %r0, 1000, %r1;
  add.u32 %r4, %r4, %r2;
  add.u32 %r4, %r4, %r3;
  st.param.b32 [ret], %r4;
  ret;
}
.func (.param .align 8 .b8 ret[8]) pair (.param .b32 a)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r0, [a];
  mul.lo.u32 %r1, %r0, %r0;
  st.param.v2.b32 [ret], {%r0, %r1};
  ret.uni;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 12, %rd0;
  {
    .param .b32 a; .param .b64 b; .param .align 8 .b8 s[12]; .param .b32 r;
    st.param.b32 [a], %r0;
    mov.u64 %rd1, 70;
    st.param.b64 [b], %rd1;
    mov.u16 %h, 0xfe;
    st.param.b8 [s+0], %h;
    st.param.b32 [s+8], 500;
    call.uni (r), mix, (a, b, s);
    ld.param.b32 %r1, [r];
  }
  {
    .param .b32 a; .param .align 8 .b8 r[8];
    st.param.b32 [a], %r0;
    call (r), pair, (a);
    ld.param.v2.b32 {%r2, %r3}, [r];
  }
  st.global.u32 [%rd0], %r1;
  st.global.u32 [%rd0+4], %r2;
  st.global.u32 [%rd0+8], %r3;
  ret;
}
-- out
568 0 0  1568 1 1  2568 2 4  3568 3 9
