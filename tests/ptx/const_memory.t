-- module 1 4
.version 7.0
.target sm_70
.address_size 64
.const .align 4 .u32 table[4] = {10, 20, 30, 40};
.global .align 4 .u32 bias = 5;
.visible .entry test(.param .u64 in, .param .u64 out)
{
.reg .b32 %r<10>;
.reg .b64 %rd<8>;
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd2, %r1, 4, %rd2;
mov.u64 %rd3, table;
mad.wide.u32 %rd3, %r1, 4, %rd3;
ld.const.u32 %r2, [%rd3];
ld.const.u32 %r3, [table+4];
ld.global.u32 %r4, [bias];
add.u32 %r2, %r2, %r3;
add.u32 %r2, %r2, %r4;
mov.u64 %rd4, bias;
ld.global.u32 %r4, [%rd4];
add.u32 %r2, %r2, %r4;
st.global.u32 [%rd2], %r2;
ret;
}
-- out
40 50 60 70
