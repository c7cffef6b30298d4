// ptx_parts.h - reads tests/ptx/*.t: PTX programs with their inputs and what must come out.
// tests/ptx runs them in the emulator, hardware/values.c on a GPU. It needs nothing of heddle.
//
// A file holds any number of parts of two kinds. Lines that start with # are comments.
//
//   -- body REG           instructions; REG is the register with the result. One thread per case.
//     add.s32 %d, %a, %b;   inputs: %a %b %c (32 bits), %A %B %C (64), %ha %hb %hc (16),
//   -- cases                the same values at three widths; results: %d, %D, %hd or %p;
//     1 -2 -> -1            free: %x %y %z, %X %Y %Z, %hx %hy, %q. Values: 7, -7, 0x7f, 1.5f
//                           (bits of a float), 1.5d (double). Results are compared at the width
//                           of REG. Whole kernel bodies may follow the same pattern with labels.
//
//   -- kernel GRID BLOCK  the body of a kernel (.param .u64 in, .param .u64 out) with registers
//                           %r0.. %rd0.. %f0.. and %p;  -- module GRID BLOCK: the whole text
//   -- in, -- out         32-bit words of the two buffers, in any number of lines. With
//   -- trap KIND [LANE]   instead of -- out the program must fault: out_of_bounds, misaligned,
//                           illegal, user, stack, sync, assert; LANE is the thread's x
#ifndef HEDDLE_TESTS_PTX_PARTS_H
#define HEDDLE_TESTS_PTX_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_PART_CASES 64
#define PTX_PART_WORDS 2048
#define PTX_PART_TEXT 16384
#define PTX_PART_MODULE (PTX_PART_TEXT + 4096) // with what surrounds it

struct ptx_part {
    const char *file; // NULL: before the first part
    int line;         // of its first line
    char text[PTX_PART_TEXT];
    char reg[8];
    uint32_t grid, block;
    uint64_t in[PTX_PART_CASES][3], out[PTX_PART_CASES];
    unsigned cases;
    uint32_t words_in[PTX_PART_WORDS], words_out[PTX_PART_WORDS];
    unsigned n_in, n_out;
    char trap[32];
    int lane; // that traps, -1: any
    bool kernel, module;
};

// Calls each() for every part of the file, in order. False if the file cannot be read or a line is
// wrong; `why` says where and what.
bool ptx_parts_read(const char *path, void (*each)(const struct ptx_part *, void *), void *context,
                    char *why, size_t size);
// The module of a part: a kernel `test(.param .u64 in, .param .u64 out)`. A part with cases reads
// three 64-bit values for each thread from `in`, and writes one to `out`. False: an unknown
// register.
bool ptx_part_module(const struct ptx_part *p, char text[PTX_PART_MODULE]);
// The bits of a case's result that count.
uint64_t ptx_part_mask(const struct ptx_part *p);

#endif
