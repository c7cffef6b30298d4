# q = !(a cmp b)
-- body %d
setp.lt.s32 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
add.u32 %d, %x, %y;
-- cases
1 2 -> 1
2 1 -> 2
