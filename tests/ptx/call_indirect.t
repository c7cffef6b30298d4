# functions by address: from a register, from a table in memory; lanes of one call go to several
-- module 1 8
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 r) plus (.param .b32 a)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r0, [a];
  add.u32 %r0, %r0, 100;
  st.param.b32 [r], %r0;
  ret;
}
.func (.param .b32 r) times (.param .b32 a)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r0, [a];
  mul.lo.u32 %r0, %r0, 3;
  st.param.b32 [r], %r0;
  ret;
}
.func (.param .b32 r) other (.param .b32 a);
.global .align 8 .u64 table[3] = {plus, times, generic(other)};
.func (.param .b32 r) other (.param .b32 a)
{
  .reg .b32 %r<2>; .reg .pred %p;
  ld.param.u32 %r0, [a];
  setp.gt.u32 %p, %r0, 4;
  @%p bra BIG;
  st.param.b32 [r], 7;
  ret;
BIG:
  st.param.b32 [r], 9;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  mov.u32 %r0, %tid.x;
  rem.u32 %r1, %r0, 3;
  mov.u64 %rd1, table;
  mad.wide.u32 %rd1, %r1, 8, %rd1;
  ld.global.u64 %rd2, [%rd1];
  mov.u32 %r4, 1000;
  setp.eq.u32 %p0, %r0, 6;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r0;
    st.param.b32 [r], 55;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    @!%p0 call (r), %rd2, (a), proto;
    ld.param.b32 %r2, [r];
  }
  mov.u64 %rd3, times;
  {
    .param .b32 a; .param .b32 r;
    st.param.b32 [a], %r0;
    all: .calltargets plus, times;
    call.uni (r), %rd3, (a), all;
    ld.param.b32 %r3, [r];
  }
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 8, %rd0;
  st.global.u32 [%rd0], %r2;
  st.global.u32 [%rd0+4], %r3;
  ret;
}
-- out
100 0  3 3  7 6  103 9  12 12  9 15  55 18  21 21
