-- body %d
setp.ne.u32 %p, %c, 0;
selp.b32 %d, %a, %b, %p;
-- cases
1 2 1 -> 1
1 2 0 -> 2
-- body %D
setp.ne.u32 %p, %c, 0;
selp.f64 %D, %A, %B, %p;
-- cases
1.5d 2.5d 0 -> 2.5d
