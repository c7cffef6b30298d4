-- body %d
div.rn.f32 %d, %a, %b;
-- cases
1.0f 3.0f -> 0x3eaaaaab
1.0f 0.0f -> 0x7f800000
-1.0f 0.0f -> 0xff800000
0.0f 0.0f -> 0x7fffffff
0x00800000 2.0f -> 0x00400000
10.0f 0x7f800000 -> 0
