# a block alone is a cluster of one: shared addresses of rank 0 are its own
-- kernel 2 1
.shared .align 4 .b32 s;
.reg .pred %q;
ld.param.u64 %rd2, [out];
mov.u32 %r0, s;
st.shared.u32 [s], 7;
mapa.shared::cluster.u32 %r1, %r0, 0;
ld.shared::cluster.u32 %r2, [%r1];
getctarank.shared::cluster.u32 %r3, %r1;
cvt.u64.u32 %rd3, %r0;
cvta.shared.u64 %rd3, %rd3;
mapa.u64 %rd4, %rd3, 0;
ld.u32 %r4, [%rd4];
isspacep.shared::cluster %p, %rd4;
isspacep.shared::cta %q, %rd4;
selp.u32 %r5, 1, 0, %p;
selp.u32 %r6, 1, 0, %q;
griddepcontrol.wait;
griddepcontrol.launch_dependents;
mov.u32 %r7, %ctaid.x;
mad.wide.u32 %rd2, %r7, 16, %rd2;
add.u32 %r5, %r5, %r6;
add.u32 %r3, %r3, %r4;
st.global.v4.u32 [%rd2], {%r2, %r3, %r5, %r7};
ret;
-- in
0
-- out
7 7 2 0 7 7 2 1
# what a block is told of its cluster
-- kernel 2 1
ld.param.u64 %rd2, [out];
mov.u32 %r0, %ctaid.x;
mad.wide.u32 %rd2, %r0, 16, %rd2;
mov.u32 %r1, %clusterid.x;
mov.u32 %r2, %nclusterid.x;
mov.u32 %r3, %cluster_nctaid.x;
mov.u32 %r4, %cluster_nctarank;
add.u32 %r3, %r3, %r4;
mov.u32 %r4, %cluster_ctarank;
mov.u32 %r5, %cluster_ctaid.y;
add.u32 %r4, %r4, %r5;
st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};
ret;
-- in
0
-- out
0 2 2 0 1 2 2 0
