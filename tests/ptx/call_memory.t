# functions see the kernel's shared memory, the module's variables, and who they are
-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.shared .align 4 .b32 first[2];
.shared .align 4 .b32 box[4];
.const .align 4 .b32 ten = 10;
.func fill ()
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  .shared .align 4 .b32 own[4];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ntid.x;
  mul.lo.u32 %r1, %r1, %r0;
  shl.b32 %r2, %r0, 2;
  mov.u32 %r3, box;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  mov.u64 %rd0, own;
  cvta.shared.u64 %rd0, %rd0;
  st.u32 [%rd0], 1234;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>;
  mov.u32 %r0, %tid.x;
  st.shared.u32 [first], 5;
  call fill;
  bar.sync 0;
  xor.b32 %r1, %r0, 3;
  shl.b32 %r1, %r1, 2;
  mov.u32 %r2, box;
  add.u32 %r2, %r2, %r1;
  ld.shared.u32 %r3, [%r2];
  ld.shared.u32 %r4, [first];
  ld.const.u32 %r5, [ten];
  mad.lo.u32 %r3, %r3, %r5, %r4;
  ld.param.u64 %rd0, [out];
  mad.wide.u32 %rd0, %r0, 4, %rd0;
  st.global.u32 [%rd0], %r3;
  ret;
}
-- out
125 85 45 5
