# packing and unpacking
-- body %d
mov.b32 {%hx, %hy}, %a;
mov.b32 %d, {%hy, %hx};
-- cases
0x12345678 -> 0x56781234
-- body %D
mov.b64 {%x, _}, %A;
mov.b64 {_, %y}, %B;
mov.b64 %D, {%y, %x};
-- cases
0x1122334455667788 0x99aabbccddeeff00 -> 0x5566778899aabbcc
-- body %D
.reg .b16 %e<4>;
mov.b64 {%e0, %e1, %e2, %e3}, %A;
mov.b64 %D, {%e3, %e2, 7, %e0};
-- cases
0x1122334455667788 -> 0x7788000733441122
-- body %hd
.reg .b8 %q<2>;
mov.b16 {%q0, %q1}, %ha;
mov.b16 %hd, {%q1, %q0};
-- cases
0x1234 -> 0x3412
# guarded: other lanes keep what they had
-- body %d
mov.u32 %d, 9;
setp.eq.u32 %p, %a, 1;
@%p mov.b32 %d, {%ha, %hb};
-- cases
1 2 -> 0x20001
2 2 -> 9
