-- body %d
mov.u32 %d, 0x12345678;
-- cases
0 -> 0x12345678
-- body %d
mov.f32 %d, 0f3FC00000;
-- cases
0 -> 1.5f
-- body %D
mov.f64 %D, 0d3FF8000000000000;
-- cases
0 -> 1.5d
-- body %D
mov.b64 %D, %A;
-- cases
0x123456789abcdef0 -> 0x123456789abcdef0
-- body %hd
mov.u16 %hd, 65535;
-- cases
0 -> 0xffff
