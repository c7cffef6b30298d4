# two predicates, for the lower and the upper half: bit 0 and bit 1 of the result
-- body %d
setp.eq.ftz.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 1
0xfc004000 0x80004000 -> 1
0xfc003c00 0x3c007e00 -> 0
0x00004000 0x40000000 -> 0
0x40007e00 0x0000fc00 -> 0
0x40003c00 0x3c007e00 -> 0
-- body %d
setp.ne.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 2
0xbc00fc00 0x00000001 -> 3
0xfc00bc00 0x00014000 -> 3
0xbc00fc00 0x7e004000 -> 1
0x40008000 0x4000fc00 -> 1
0x7e003c00 0xfc007c00 -> 1
-- body %d
setp.lt.ftz.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 2
0x00018000 0xbc007e00 -> 0
0x40007e00 0xfc000001 -> 0
0x80007c00 0x00017c00 -> 0
0x40004000 0x0000fc00 -> 0
0x8000bc00 0x7c00bc00 -> 2
-- body %d
setp.le.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 3
0x80008000 0x7c008000 -> 3
0x40007c00 0x00014000 -> 0
0x40007c00 0x00013c00 -> 0
0x00017c00 0x80000000 -> 0
0x7c003c00 0xbc008000 -> 0
-- body %d
setp.gt.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 0
0xbc000001 0x00007e00 -> 0
0x7c000000 0xbc004000 -> 2
0x00007c00 0x0001fc00 -> 1
0x0000bc00 0x0001fc00 -> 1
0x80000000 0x7e000000 -> 0
-- body %d
setp.ge.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 1
0x7e007e00 0x7c003c00 -> 0
0x0001bc00 0x3c000001 -> 0
0x0000bc00 0x8000fc00 -> 3
0xbc008000 0x3c00fc00 -> 1
0xfc007c00 0x00000000 -> 1
-- body %d
setp.equ.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 1
0x3c000000 0x40007e00 -> 1
0x7c007e00 0x4000bc00 -> 1
0x3c008000 0x3c004000 -> 2
0xfc00bc00 0x80004000 -> 0
0x40003c00 0x00007e00 -> 1
-- body %d
setp.neu.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 2
0x40007c00 0x7c004000 -> 3
0x7c007c00 0x00017c00 -> 2
0xbc004000 0x80004000 -> 2
0x7c000001 0xfc00bc00 -> 3
0x7e003c00 0x8000fc00 -> 3
-- body %d
setp.ltu.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 2
0x40000001 0xfc000001 -> 0
0xbc008000 0x7e008000 -> 2
0xfc00fc00 0x8000fc00 -> 2
0x7e007e00 0x00007e00 -> 3
0x7e007e00 0x7c00fc00 -> 3
-- body %d
setp.leu.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 3
0x00017c00 0x80007e00 -> 1
0x80007c00 0x40008000 -> 2
0x40007e00 0x7c007e00 -> 3
0x80007e00 0x7c007e00 -> 3
0x7c003c00 0x40008000 -> 0
-- body %d
setp.gtu.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 0
0x0000bc00 0x40008000 -> 0
0x7c000000 0x40000000 -> 2
0xbc00bc00 0x3c00bc00 -> 0
0x7c00bc00 0x7c00bc00 -> 0
0xbc008000 0xfc00fc00 -> 3
-- body %d
setp.geu.ftz.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 1
0xbc00fc00 0x7e000000 -> 2
0x3c007e00 0x7e000001 -> 3
0xfc000001 0x80007e00 -> 1
0xfc000001 0xbc000000 -> 1
0x80003c00 0xfc007c00 -> 2
-- body %d
setp.num.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 3
0xfc00bc00 0x3c00fc00 -> 3
0xbc007c00 0xbc003c00 -> 3
0xbc00bc00 0x40007c00 -> 3
0x3c00fc00 0xfc008000 -> 3
0xfc00fc00 0x40007c00 -> 3
-- body %d
setp.nan.f16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c003c00 0x40003c00 -> 0
0x3c000001 0xfc004000 -> 0
0xfc007c00 0x40003c00 -> 0
0x80007c00 0xfc00fc00 -> 0
0x00017e00 0xfc007c00 -> 1
0x7c00fc00 0x7e00fc00 -> 2
-- body %d
setp.eq.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 1
0xbf807f80 0x40000000 -> 0
0x7f800000 0x40008000 -> 1
0x00007fc0 0x7fc04000 -> 0
0x40000001 0x8000bf80 -> 0
0x0001bf80 0x7f80bf80 -> 1
-- body %d
setp.ne.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 2
0x7fc0bf80 0x0000bf80 -> 0
0x0000ff80 0x00008000 -> 1
0x80007fc0 0x40008000 -> 2
0x3f808000 0xff808000 -> 2
0x7f807f80 0x00003f80 -> 3
-- body %d
setp.lt.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 2
0x40004000 0x40007fc0 -> 0
0x00014000 0x3f800001 -> 2
0x0001bf80 0x0000bf80 -> 0
0x00000001 0xff80bf80 -> 0
0x7f80ff80 0x40008000 -> 1
-- body %d
setp.le.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 3
0x00014000 0x40003f80 -> 2
0x40000001 0x40007fc0 -> 2
0x40000001 0x3f807f80 -> 1
0xff808000 0x00010000 -> 3
0x3f80bf80 0x7fc0ff80 -> 0
-- body %d
setp.gt.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 0
0x7fc0bf80 0x00010001 -> 0
0x7fc0ff80 0x7f800001 -> 0
0xbf80ff80 0x80000001 -> 0
0x00013f80 0x3f803f80 -> 0
0xff803f80 0x7fc0ff80 -> 1
-- body %d
setp.ge.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 1
0x00004000 0xff807f80 -> 2
0xff800000 0x7fc00001 -> 0
0x80007fc0 0xbf807fc0 -> 2
0x80000000 0xbf803f80 -> 2
0x40003f80 0x00000001 -> 3
-- body %d
setp.equ.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 1
0x0001ff80 0x00017fc0 -> 3
0x7f803f80 0xbf80bf80 -> 0
0x7f800001 0x00013f80 -> 0
0x80008000 0x8000ff80 -> 2
0x3f807fc0 0x7fc00001 -> 3
-- body %d
setp.neu.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 2
0x40000000 0x00017f80 -> 3
0x7fc0ff80 0xff807fc0 -> 3
0x40003f80 0x40000001 -> 1
0x0000bf80 0x00003f80 -> 1
0x00013f80 0x7fc00001 -> 3
-- body %d
setp.ltu.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 2
0x7f808000 0x0001bf80 -> 0
0x3f80bf80 0x0000ff80 -> 0
0xbf80ff80 0xff80ff80 -> 0
0x7fc03f80 0x3f804000 -> 3
0xbf803f80 0x40008000 -> 2
-- body %d
setp.leu.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 3
0xff803f80 0x7f807fc0 -> 3
0x3f800001 0x40007f80 -> 3
0xff80ff80 0xff804000 -> 3
0x7f804000 0x40000001 -> 0
0x7fc00001 0x7fc07fc0 -> 3
-- body %d
setp.gtu.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 0
0x00017f80 0x7fc03f80 -> 3
0xbf804000 0x00018000 -> 1
0xbf800001 0x7f803f80 -> 0
0x7f803f80 0x40000001 -> 3
0x7f807fc0 0xff800001 -> 3
-- body %d
setp.geu.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 1
0xff804000 0x00017fc0 -> 1
0x7f804000 0x00013f80 -> 3
0x40007f80 0x7f80ff80 -> 1
0x00000001 0x7fc07fc0 -> 3
0x40004000 0xff80bf80 -> 3
-- body %d
setp.num.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 3
0x40000001 0x7fc08000 -> 1
0x7f807f80 0x3f800000 -> 3
0x3f80bf80 0x7f807f80 -> 3
0x00010000 0x0000bf80 -> 3
0x00008000 0x40008000 -> 3
-- body %d
setp.nan.bf16x2 %p|%q, %a, %b;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3f803f80 0x40003f80 -> 0
0x40000000 0x3f807fc0 -> 1
0x00010001 0x40008000 -> 0
0x00000000 0x80004000 -> 0
0x00010000 0x00013f80 -> 0
0x3f804000 0xbf800001 -> 0
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.and.f16x2 %p|%q, %a, %b, %q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x00017e00 0xfc000000 0 -> 0
0x7e008000 0x00008000 1 -> 0
0x00003c00 0xfc00fc00 0 -> 0
0x40007e00 0x00003c00 1 -> 0
0xbc007c00 0x7c000001 0 -> 0
0xfc003c00 0xbc00bc00 1 -> 2
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.and.f16x2 %p|%q, %a, %b, !%q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x00007c00 0x00018000 0 -> 2
0x00010001 0x00000001 1 -> 0
0x00017e00 0xfc007c00 0 -> 0
0x40000000 0xbc00bc00 1 -> 0
0x7e004000 0x7c00fc00 0 -> 0
0x7e00fc00 0x80007c00 1 -> 0
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.or.f16x2 %p|%q, %a, %b, %q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x00007c00 0xfc00bc00 0 -> 0
0x7e007e00 0xbc004000 1 -> 3
0xfc008000 0x80004000 0 -> 3
0x80007e00 0x7e000001 1 -> 3
0x00003c00 0x00000000 0 -> 0
0x7e00fc00 0x00010000 1 -> 3
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.or.f16x2 %p|%q, %a, %b, !%q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x3c008000 0x00017c00 0 -> 3
0xbc008000 0xfc00fc00 1 -> 0
0x40007e00 0x7e000001 0 -> 3
0x00000000 0x00007c00 1 -> 1
0x3c000001 0x3c00bc00 0 -> 3
0x7c000000 0x3c007c00 1 -> 1
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.xor.f16x2 %p|%q, %a, %b, %q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x00004000 0x7c00fc00 0 -> 2
0x7e007c00 0x7e004000 1 -> 3
0xbc00bc00 0x4000fc00 0 -> 2
0x40007c00 0x3c00fc00 1 -> 3
0xbc003c00 0x3c007e00 0 -> 2
0xbc000001 0xfc000001 1 -> 3
-- body %d
setp.ne.u32 %q, %c, 0;
setp.lt.xor.f16x2 %p|%q, %a, %b, !%q;
selp.u32 %x, 1, 0, %p;
selp.u32 %y, 2, 0, %q;
or.b32 %d, %x, %y;
-- cases
0x40000000 0x40004000 0 -> 2
0xfc000001 0x00007e00 1 -> 2
0x7e000001 0x3c003c00 0 -> 2
0x0001fc00 0x00017c00 1 -> 1
0x7e008000 0xfc007c00 0 -> 2
0xfc007e00 0x3c007e00 1 -> 2
# either may be left out
-- body %d
setp.lt.f16x2 _|%q, %a, %b;
selp.u32 %d, 2, 0, %q;
-- cases
0x3c003c00 0x40003c00 -> 2
0x40003c00 0x3c004000 -> 0
-- body %d
setp.lt.f16x2 %p|_, %a, %b;
selp.u32 %d, 1, 0, %p;
-- cases
0x3c003c00 0x40003c00 -> 0
0x40003c00 0x3c004000 -> 1
