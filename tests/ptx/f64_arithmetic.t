-- body %D
add.f64 %D, %A, %B;
-- cases
0.1d 0.2d -> 0x3fd3333333333334
0x7ff0000000000000 0xfff0000000000000 -> 0xfff8000000000000
-- body %D
sub.f64 %D, %A, %B;
-- cases
1.0d 0.9d -> 0x3fb9999999999998
-- body %D
mul.f64 %D, %A, %B;
-- cases
0.1d 0.1d -> 0x3f847ae147ae147c
-- body %D
div.rn.f64 %D, %A, %B;
-- cases
1.0d 3.0d -> 0x3fd5555555555555
1.0d 0.0d -> 0x7ff0000000000000
