-- body %d
add.u16x2 %d, %a, %b;
-- cases
0x0001ffff 0x00020001 -> 0x00030000
0xffff8000 0x00018000 -> 0
-- body %d
min.s16x2 %d, %a, %b;
-- cases
0x8000ffff 0x00010001 -> 0x8000ffff
0x7fff0005 0xfffe0006 -> 0xfffe0005
-- body %d
max.u16x2 %d, %a, %b;
-- cases
0x8000ffff 0x00010001 -> 0x8000ffff
0x7fff0005 0xfffe0006 -> 0xfffe0006
-- body %d
max.s16x2.relu %d, %a, %b;
-- cases
0x8000ffff 0x0001fffe -> 0x00010000
-- body %d
min.relu.s16x2 %d, %a, %b;
-- cases
0x8000000f 0x00010009 -> 0x00000009
