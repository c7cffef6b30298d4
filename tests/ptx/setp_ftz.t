-- body %p
setp.gt.f32 %p, %a, %b;
-- cases
0x00000001 0 -> 1
-- body %p
setp.gt.ftz.f32 %p, %a, %b;
-- cases
0x00000001 0 -> 0
0x00800000 0 -> 1
