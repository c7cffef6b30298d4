# blocks of the device's heap are apart, writable, and gone after free
-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
  .param .b64 n; .param .b64 r; .param .b64 p;
  mov.u32 %r0, %tid.x;
  st.param.b64 [n], 64;
  call (r), malloc, (n);
  ld.param.b64 %rd1, [r];
  st.u32 [%rd1+60], %r0;
  bar.sync 0;
  ld.u32 %r1, [%rd1+60];
  st.param.b64 [p], %rd1;
  call free, (p);
  st.param.b64 [n], 0x10000000;
  call (r), malloc, (n);
  ld.param.b64 %rd2, [r];
  setp.eq.u64 %p, %rd2, 0;
  selp.b32 %r2, 10, 20, %p;
  add.u32 %r1, %r1, %r2;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 4, %rd0;
  st.global.u32 [%rd0], %r1;
  ret;
}
-- out
10 11 12 13
-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.extern .func free (.param .b64 p);
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b64 %rd<9>; .param .b64 p;
  ld.param.u64 %rd1, [out];
  st.param.b64 [p], 0;
  call free, (p);
  st.param.b64 [p], %rd1;
  call free, (p);
  ret;
}
-- out
0
-- trap illegal 0
