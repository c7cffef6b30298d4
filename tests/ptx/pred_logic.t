-- body %d
setp.ne.u32 %p, %a, 0;
setp.ne.u32 %q, %b, 0;
mov.u32 %d, 0;
and.pred %p, %p, %q;
@%p add.u32 %d, %d, 1;
setp.ne.u32 %p, %a, 0;
or.pred %p, %p, %q;
@%p add.u32 %d, %d, 2;
setp.ne.u32 %p, %a, 0;
xor.pred %p, %p, %q;
@%p add.u32 %d, %d, 4;
not.pred %q, %q;
@%q add.u32 %d, %d, 8;
@!%q add.u32 %d, %d, 16;
mov.pred %p, %q;
@%p add.u32 %d, %d, 32;
-- cases
0 0 -> 40
0 1 -> 22
1 0 -> 46
1 1 -> 19
