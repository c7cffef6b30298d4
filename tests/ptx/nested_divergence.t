-- body %d
mov.u32 %d, 0;
and.b32 %x, %a, 1;
setp.eq.u32 %p, %x, 0;
@%p bra even;
and.b32 %y, %a, 2;
setp.eq.u32 %q, %y, 0;
@%q bra one;
add.u32 %d, %d, 3;
bra oddjoin;
one:
add.u32 %d, %d, 1;
oddjoin:
add.u32 %d, %d, 10;
bra join;
even:
and.b32 %y, %a, 2;
setp.ne.u32 %q, %y, 0;
@%q add.u32 %d, %d, 2;
add.u32 %d, %d, 20;
join:
add.u32 %d, %d, 100;
-- cases
0 -> 120
1 -> 111
2 -> 122
3 -> 113
