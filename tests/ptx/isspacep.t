-- kernel 1 1
.shared .b32 s;
.local .b32 l;
.reg .pred %q;
ld.param.u64 %rd1, [out];
cvta.global.u64 %rd2, %rd1;
cvta.shared.u64 %rd3, s;
cvta.local.u64 %rd4, l;
isspacep.global %p, %rd2;
selp.u32 %r1, 1, 0, %p;
isspacep.shared %p, %rd2;
selp.u32 %r2, 1, 0, %p;
isspacep.shared %p, %rd3;
selp.u32 %r3, 1, 0, %p;
isspacep.global %p, %rd3;
selp.u32 %r4, 1, 0, %p;
isspacep.local %q, %rd4;
selp.u32 %r5, 1, 0, %q;
isspacep.const %q, %rd4;
selp.u32 %r6, 1, 0, %q;
st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
st.global.v2.u32 [%rd1+16], {%r5, %r6};
-- out
1 0 1 0
1 0
