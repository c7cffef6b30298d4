# lanes whose guard is false keep their register
-- body %d
mov.u32 %d, 7;
setp.gt.s32 %p, %a, 0;
@%p mov.u32 %d, %a;
@!%p add.u32 %d, %d, 1;
-- cases
5 -> 5
-5 -> 8
0 -> 8
