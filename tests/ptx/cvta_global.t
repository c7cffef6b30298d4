-- body %D
cvta.global.u64 %X, %out;
cvta.to.global.u64 %Y, %X;
sub.u64 %D, %Y, %out;
-- cases
0 -> 0
