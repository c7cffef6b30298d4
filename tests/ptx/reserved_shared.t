# what a kernel is told of the shared memory that is reserved for the system, and its use
-- kernel 1 2
.shared .align 4 .b32 own[2];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %reserved_smem_offset_begin;
mov.u32 %r1, %reserved_smem_offset_end;
mov.u32 %r2, %reserved_smem_offset_cap;
mov.u32 %r3, %reserved_smem_offset_1;
mov.u32 %r4, %tid.x;
mad.lo.u32 %r4, %r4, 4, 0;
add.u32 %r5, %r3, %r4;
add.u32 %r6, %r4, 100;
st.shared.u32 [%r5], %r6;
mov.u32 %r7, own;
st.shared.u32 [own], 1;
st.shared.u32 [own+4], 2;
bar.sync 0;
xor.b32 %r5, %r5, 4;
ld.shared.u32 %r6, [%r5];
setp.ge.u32 %p, %r7, %r1;
selp.u32 %r7, 1, 0, %p;
sub.u32 %r1, %r1, %r0;
setp.eq.u32 %p, %r1, %r2;
selp.u32 %r3, 1, 0, %p;
mov.u32 %r5, %total_smem_size;
mov.u32 %r4, %aggr_smem_size;
sub.u32 %r4, %r4, %r5;
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd2, %r0, 24, %rd2;
st.global.v2.u32 [%rd2], {%r2, %r6};
st.global.v2.u32 [%rd2+8], {%r7, %r3};
st.global.v2.u32 [%rd2+16], {%r5, %r4};
ret;
-- in
0
-- out
1024 104 1 1 8 1024
1024 100 1 1 8 1024
# a function that uses it, and variables of functions
-- module 1 1
.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b32 of_function;
.func (.reg .b32 r) place() {
  st.shared.u32 [of_function], 5;
  mov.u32 r, %reserved_smem_offset_0;
  st.shared.u32 [r], 7;
  ret;
}
.visible .entry test(.param .u64 in, .param .u64 out) {
  .shared .align 4 .b32 own;
  .reg .b32 %r<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  st.shared.u32 [own], 3;
  call (%r0), place, ();
  ld.shared.u32 %r1, [%r0];
  ld.shared.u32 %r2, [own];
  ld.shared.u32 %r3, [of_function];
  st.global.v4.u32 [%rd], {%r0, %r1, %r2, %r3};
  ret;
}
-- in
0
-- out
0 7 3 5
# registers that hold nothing here: performance counters, the graph; no explicit cluster
-- body %D
mov.u32 %x, %pm0;
mov.u32 %y, %pm7;
add.u32 %x, %x, %y;
cvt.u64.u32 %D, %x;
mov.u64 %X, %pm3_64;
or.b64 %D, %D, %X;
mov.u64 %X, %current_graph_exec;
or.b64 %D, %D, %X;
mov.pred %p, %is_explicit_cluster;
selp.u64 %X, 16, 0, %p;
or.b64 %D, %D, %X;
-- cases
0 -> 0
-- module 1 1
.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) .explicitcluster .reqnctapercluster 1, 1, 1 {
  .reg .b32 %r;
  .reg .b64 %rd;
  .reg .pred %p;
  ld.param.u64 %rd, [out];
  mov.pred %p, %is_explicit_cluster;
  selp.u32 %r, 1, 0, %p;
  st.global.u32 [%rd], %r;
  ret;
}
-- in
0
-- out
1
