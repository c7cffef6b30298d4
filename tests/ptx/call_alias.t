# a name for a function that is defined under another; calls may stand before it
-- module 1 1
.version 8.0
.target sm_80
.address_size 64
.func (.reg .b32 r) other(.reg .b32 a);
.func (.reg .b32 r) twice(.reg .b32 a);
.visible .entry test(.param .u64 in, .param .u64 out) {
  .reg .b32 %r<3>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  call (%r1), other, (5);
  call (%r2), twice, (7);
  st.global.v2.u32 [%rd], {%r1, %r2};
  ret;
}
.func (.reg .b32 r) twice(.reg .b32 a) {
  .reg .pred %p;
  setp.gt.u32 %p, a, 100;
  @%p bra end;
  add.u32 r, a, a;
end:
  ret;
}
.alias other, twice;
-- in
0
-- out
10 14
