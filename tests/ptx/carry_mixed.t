# behind a difference the carry is set where nothing was borrowed; nvcc's 128-bit division reads it
-- body %d
sub.cc.u32 %x, %a, %b;
addc.u32 %d, 0, 0;
-- cases
5 3 -> 1
3 5 -> 0
4 4 -> 1
-- body %d
sub.cc.u32 %x, %a, %b;
subc.cc.u32 %y, 0, 0;
addc.u32 %d, %y, 10;
-- cases
5 3 -> 11
3 5 -> 9
-- body %D
sub.cc.u64 %X, %A, %B;
addc.u64 %D, 0, 0;
-- cases
5 3 -> 1
3 5 -> 0
-- body %d
add.cc.u32 %x, %a, %b;
subc.u32 %d, 100, %c;
-- cases
-1 1 7 -> 93
1 1 7 -> 92
