# values of both widths die and are born in turn
-- body %D
cvt.u64.u32 %X, %a;
mul.wide.u32 %Y, %a, %b;
mul.wide.u32 %Z, %b, %c;
add.u64 %X, %X, %Y;
cvt.u32.u64 %x, %X;
mul.wide.u32 %X, %x, %x;
cvt.u32.u64 %y, %Z;
mad.wide.u32 %Z, %y, %x, %Z;
sub.u64 %D, %Z, %X;
-- cases
2 3 5 -> 71
10 1 1 -> -379
