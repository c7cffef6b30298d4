# an address that is no function; a function of another kind
-- module 1 8
.version 7.0
.target sm_70
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<3>; .reg .pred %p;
  mov.u32 %r0, %tid.x;
  mov.u64 %rd0, 4096;
  setp.gt.u32 %p, %r0, 2;
  proto: .callprototype _ ();
  @%p call %rd0, (), proto;
  ret;
}
-- trap illegal 3
-- module 1 8
.version 7.0
.target sm_70
.address_size 64
.func f (.param .b64 a) { ret; }
.visible .entry test(.param .u64 in, .param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<3>; .param .b32 x;
  mov.u64 %rd0, f;
  proto: .callprototype _ (.param .b32 _);
  call %rd0, (x), proto;
  ret;
}
-- trap illegal 0
