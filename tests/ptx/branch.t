-- body %d
setp.lt.s32 %p, %a, 0;
@%p bra neg;
mul.lo.s32 %d, %a, 2;
bra.uni done;
neg:
mul.lo.s32 %d, %a, -3;
done:
add.s32 %d, %d, 100;
-- cases
5 -> 110
-5 -> 115
0 -> 100
-1 -> 103
