# round to nearest even; subnormals kept; NaN is 0x7fffffff
-- body %d
add.f32 %d, %a, %b;
-- cases
1.5f 2.25f -> 3.75f
16777216.0f 1.0f -> 16777216.0f
16777218.0f 1.0f -> 16777220.0f
0x00000001 0x00000001 -> 0x00000002
0x7f7fffff 0x7f7fffff -> 0x7f800000
0x7f800000 0xff800000 -> 0x7fffffff
0x7fc12345 1.0f -> 0x7fffffff
1.0f -1.0f -> 0
-0.0f -0.0f -> 0x80000000
-- body %d
sub.rn.f32 %d, %a, %b;
-- cases
1.0f 0x33800000 -> 0x3f7fffff
0.0f 0.0f -> 0
-0.0f 0.0f -> 0x80000000
