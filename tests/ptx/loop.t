# trip counts differ between lanes
-- body %d
mov.u32 %d, 0;
mov.u32 %x, 0;
again:
add.u32 %d, %d, %x;
add.u32 %x, %x, 1;
setp.le.u32 %p, %x, %a;
@%p bra again;
-- cases
1 -> 1
10 -> 55
0 -> 0
100 -> 5050
3 -> 6
