-- body %hd
add.s16 %hd, %ha, %hb;
-- cases
0x7fff 1 -> 0x8000
0xffff 1 -> 0
-- body %hd
sub.u16 %hd, %ha, %hb;
-- cases
0 1 -> 0xffff
