# vector registers and variables
-- body %d
.reg .v4 .b32 v;
.reg .v2 .b32 %w<3>;
.shared .v4 .u32 box[2];
mov.b32 v.x, 1;
mov.b32 v.y, %a;
mov.b32 v.z, 3;
mov.b32 v.a, %b;
st.shared.v4.b32 [box+16], v;
ld.shared.v2.b32 %w2, [box+24];
mad.lo.u32 %d, %w2.y, 100, %w2.x;
ld.shared.b32 %x, [box+20];
mad.lo.u32 %d, %x, 10000, %d;
-- cases
5 6 -> 50603
-- module 1 1
.version 2.0
.target sm_20
.address_size 64
.global .v2 .u32 pairs[3] = {{1, 2}, {3, 4}, {5}};
.const .v4 .f32 one = {0f3F800000, 2.0, 3.0, 0f40800000};
.entry test(.param .u64 in, .param .u64 out)
{
  .reg .v2 .b32 p; .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .v4 .f32 f; .reg .f32 %s;
  ld.global.v2.u32 p, [pairs+8];
  ld.param.u64 %rd0, [out];
  st.global.v2.u32 [%rd0], p;
  ld.global.u32 %r0, [pairs+16];
  ld.const.v4.f32 f, [one];
  add.f32 %s, f.x, f.w;
  add.f32 %s, %s, f.y;
  cvt.rzi.u32.f32 %r1, %s;
  st.global.u32 [%rd0+8], %r0;
  st.global.u32 [%rd0+12], %r1;
  ret;
}
-- out
3 4 5 7
