-- body %p
setp.leu.f64 %p, %A, %B;
-- cases
1.0d 2.0d -> 1
2.0d 1.0d -> 0
0x7ff8000000000000 1.0d -> 1
-- body %p
setp.gt.f64 %p, %A, %B;
-- cases
0x7ff8000000000000 1.0d -> 0
1.5d 1.25d -> 1
