-- body %D
add.s64 %D, %A, %B;
-- cases
0xffffffff 1 -> 0x100000000
0x7fffffffffffffff 1 -> 0x8000000000000000
-- body %D
sub.u64 %D, %A, %B;
-- cases
0 1 -> -1
0x100000000 1 -> 0xffffffff
