# addresses in initial values: whole, byte by byte, of functions
-- module 1 1
.version 7.1
.target sm_70
.address_size 64
.global .align 4 .u32 value[2] = {11, 22};
.global .align 8 .u64 whole = generic(value)+4;
.const .align 4 .u32 k = 1;
.global .align 1 .b8 bytes[17] = {9, 0xFF(value+4), 0xFF00(value+4), 0xFF0000(value+4),
  0xFF000000(value+4), 0xFF00000000(generic(value)+4), 0xFF0000000000(value+4),
  0xFF000000000000(value+4), 0xFF00000000000000(value+4), 0xFF(k), 0xFF00(k), 3};
.entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h;
  mov.u64 %rd1, 0;
  mov.u32 %r1, 8;
LOOP:
  cvt.u64.u32 %rd2, %r1;
  mov.u64 %rd3, bytes;
  add.u64 %rd3, %rd3, %rd2;
  ld.global.u8 %rd4, [%rd3];
  shl.b64 %rd1, %rd1, 8;
  or.b64 %rd1, %rd1, %rd4;
  sub.u32 %r1, %r1, 1;
  .reg .pred %p;
  setp.ne.u32 %p, %r1, 0;
  @%p bra LOOP;
  ld.global.u64 %rd5, [whole];
  ld.global.u32 %r2, [%rd1];
  ld.u32 %r3, [%rd5];
  ld.global.u8 %r4, [bytes+10];
  ld.global.u8 %r5, [bytes+11];
  ld.param.u64 %rd0, [out];
  st.global.u32 [%rd0], %r2;
  st.global.u32 [%rd0+4], %r3;
  st.global.u32 [%rd0+8], %r4;
  st.global.u32 [%rd0+12], %r5;
  ret;
}
-- out
22 22 1 3
