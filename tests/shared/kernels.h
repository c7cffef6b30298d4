// kernels.h - PTX for the tests of the driver API.
#ifndef TESTS_CUDA_KERNELS_H
#define TESTS_CUDA_KERNELS_H

// scale: x[i] = x[i] * factor + offset (offset from constant memory, counted calls in `calls`).
// spin: adds 1 to x[i] `times` times through memory; takes a while.
// sum3: parameters of odd sizes. Faults: wild (writes to 0x10), odd (misaligned), trap.
static const char kernels[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".const .align 4 .s32 offset = 7;\n"
    ".global .align 4 .u32 calls = 5;\n"
    ".visible .entry scale(.param .u64 x, .param .s32 factor)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.s32 %r1, [factor];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nmul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.s32 %r6, [%rd3];\nld.const.s32 %r7, [offset];\n"
    "mad.lo.s32 %r6, %r6, %r1, %r7;\nst.global.s32 [%rd3], %r6;\nret;\n}\n"
    ".visible .entry spin(.param .u64 x, .param .u32 times)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u32 %r1, [times];\n"
    "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n"
    "mad.lo.s32 %r5, %r2, %r3, %r4;\nmul.wide.s32 %rd2, %r5, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "L:\nld.global.s32 %r6, [%rd3];\nadd.s32 %r6, %r6, 1;\nst.global.s32 [%rd3], %r6;\n"
    "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\nret;\n}\n"
    ".visible .entry count()\n{\n"
    ".reg .b32 %r<2>;\nld.global.u32 %r1, [calls];\nadd.u32 %r1, %r1, 1;\n"
    "st.global.u32 [calls], %r1;\nret;\n}\n"
    ".visible .entry sum3(.param .u64 x, .param .u8 a, .param .align 8 .b8 pair[16], "
    ".param .u16 b)\n{\n"
    ".reg .b16 %h<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u8 %r1, [a];\nld.param.u32 %r2, [pair];\n"
    "ld.param.u32 %r3, [pair+8];\nld.param.u16 %h1, [b];\ncvt.u32.u16 %r4, %h1;\n"
    "add.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\nadd.u32 %r1, %r1, %r4;\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry shared()\n{\n"
    ".shared .align 4 .b8 room[1024];\n.reg .b32 %r<2>;\nmov.u32 %r1, 1;\n"
    "st.shared.u32 [room], %r1;\nret;\n}\n"
    ".visible .entry small() .maxntid 64, 1, 1\n{\nret;\n}\n"
    ".visible .entry wild()\n{\n"
    ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nmov.u64 %rd1, 16;\nmov.u32 %r1, 1;\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry odd(.param .u64 x)\n{\n"
    ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [x];\nmov.u32 %r1, 1;\n"
    "st.global.u32 [%rd1+2], %r1;\nret;\n}\n"
    ".visible .entry stop()\n{\ntrap;\nret;\n}\n";

#endif
