# p = (a cmp b) op c
-- body %p
setp.ne.u32 %q, %c, 0;
setp.lt.and.s32 %p, %a, %b, %q;
-- cases
1 2 1 -> 1
1 2 0 -> 0
2 1 1 -> 0
-- body %p
setp.ne.u32 %q, %c, 0;
setp.lt.or.s32 %p, %a, %b, !%q;
-- cases
2 1 0 -> 1
2 1 1 -> 0
1 2 1 -> 1
-- body %p
setp.ne.u32 %q, %c, 0;
setp.lt.xor.s32 %p, %a, %b, %q;
-- cases
1 2 1 -> 0
2 1 1 -> 1
