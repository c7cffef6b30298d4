# constant expressions: values, signs and precedence
-- body %D
mov.u64 %D, (1<<4)|(7>1?2:3);
-- cases
0 -> 0x12
-- body %D
mov.u64 %D, 5&&0;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (3|4)+1;
-- cases
0 -> 0x8
-- body %D
mov.u64 %D, -1;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, ~0;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, -1>>1;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (-1)>>63;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, 0xffffffffffffffff>>1;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, -8/2;
-- cases
0 -> 0xfffffffffffffffc
-- body %D
mov.u64 %D, -7 % 3;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 0xffffffffffffffff/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (.s64)0xffffffffffffffff/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (.u64)-1/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, 1-2;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, 1U-2;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (1U-2)/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (1-2)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, -1<0;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1<0U;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 0xffffffffffffffff<0;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, !5;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, !0;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1?-1:0U;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (1?-1:0U)>>1;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (0?1U:-2)/2;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, 1<<63;
-- cases
0 -> 0x8000000000000000
-- body %D
mov.u64 %D, (1<<63)>>63;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (1U<<63)>>63;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1<<64;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1<<65;
-- cases
0 -> 0x2
-- body %D
mov.u64 %D, 1>>64;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1>>64;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, 1<<-1;
-- cases
0 -> 0x8000000000000000
-- body %D
mov.u64 %D, 010;
-- cases
0 -> 0x8
-- body %D
mov.u64 %D, 0b11;
-- cases
0 -> 0x3
-- body %D
mov.u64 %D, 5==5;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 5!=5;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 1||0;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 3&1==1;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1|2^3&4;
-- cases
0 -> 0x3
-- body %D
mov.u64 %D, (-1==0xffffffffffffffff)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 2*3+4;
-- cases
0 -> 0xa
-- body %D
mov.u64 %D, WARP_SZ;
-- cases
0 -> 0x20
-- body %D
mov.u64 %D, -9223372036854775808;
-- cases
0 -> 0x8000000000000000
-- body %D
mov.u64 %D, 9223372036854775808/2;
-- cases
0 -> 0x4000000000000000
-- body %D
mov.u64 %D, (-5)/2;
-- cases
0 -> 0xfffffffffffffffe
-- body %D
mov.u64 %D, -5/2U;
-- cases
0 -> 0x7ffffffffffffffd
-- body %D
mov.u64 %D, +5;
-- cases
0 -> 0x5
-- body %D
mov.u64 %D, - -5;
-- cases
0 -> 0x5
-- body %D
mov.u64 %D, 7 % 3U;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, (~0)/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (~0U)/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (!0-2)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (1<2)-2;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, ((1<2)-2)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, ((1U<2U)-2)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, ((1&&1)-2)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 0x7fffffffffffffff+1;
-- cases
0 -> 0x8000000000000000
-- body %D
mov.u64 %D, (0x7fffffffffffffff+1)/2;
-- cases
0 -> 0xc000000000000000
-- body %D
mov.u64 %D, 0x8000000000000000/2;
-- cases
0 -> 0x4000000000000000
-- body %D
mov.u64 %D, 18446744073709551615/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, -18446744073709551615;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1?2?3:4:5;
-- cases
0 -> 0x3
-- body %D
mov.u64 %D, 0?2:0?4:5;
-- cases
0 -> 0x5
-- body %D
mov.u64 %D, -1 % 2;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1 % 2U;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1*2U/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (-2)>>1U;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (-2)>>1;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, 0xfffffffffffffffeU>>1;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, -2U>>1;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, 1<=1;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1>=2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 4>3>2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 1+2<<3;
-- cases
0 -> 0x18
-- body %D
mov.u64 %D, 6/4*2;
-- cases
0 -> 0x2
-- body %D
mov.u64 %D, (.s64)-1>>1;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, (.u64)-1>>1;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (.s64)(-1U)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (.u64)5+1;
-- cases
0 -> 0x6
-- body %D
mov.u64 %D, (0xfffffffffffffffe % 0xffffffffffffffff)/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (-2 % 0xffffffffffffffff)/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (-1&-1)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (-1|0)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (-1^0)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (-1<<0)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (-1>>0)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, +0xffffffffffffffff/2;
-- cases
0 -> 0x7fffffffffffffff
-- body %D
mov.u64 %D, (-0xffffffffffffffff)/2;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (.s64)(.u64)-4/2;
-- cases
0 -> 0xfffffffffffffffe
-- body %D
mov.u64 %D, !(.u64)0-2;
-- cases
0 -> 0xffffffffffffffff
-- body %D
mov.u64 %D, -9223372036854775808/-1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (0x8000000000000000)>>63;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1 % -1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 00;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 1 == 1 == 1;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1<2==1;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, -1 == ~0;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 2&3|4&&0;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 5-3-1;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 2>=1&&3;
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 16>>1>>1;
-- cases
0 -> 0x4
-- body %D
mov.u64 %D, !-1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, -!1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, ~-1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, 1 + -1;
-- cases
0 -> 0x0
-- body %D
mov.u64 %D, (1);
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, ((1));
-- cases
0 -> 0x1
-- body %D
mov.u64 %D, 1?2:3+4;
-- cases
0 -> 0x2
-- body %D
mov.u64 %D, 1==1?5:6;
-- cases
0 -> 0x5
