// program.h - small programs built by hand, for tests of the emulator without the PTX front end.
#ifndef HEDDLE_TESTS_PROGRAM_H
#define HEDDLE_TESTS_PROGRAM_H

#include "emu/emu.h"
#include "isa/op.h"

#include <string.h>

struct built {
    struct hd_program program;
    struct hd_func func;
    struct hd_insn insns[64];
    struct hd_deps deps[64];
    struct hd_place places[64];
    _Alignas(64) uint32_t pool[64 * HD_LANES];
    int32_t vecs[8][4];
    struct hd_special specials[4];
};

static inline void built_start(struct built *b, uint32_t rows, uint32_t preds)
{
    memset(b, 0, sizeof *b);
    b->func = (struct hd_func){.name = "kernel",
                               .is_kernel = true,
                               .n_rows = rows,
                               .n_preds = preds,
                               .specials = b->specials};
}

// A constant of one word (row) or two (row pair); the row number for an operand.
static inline int32_t built_const(struct built *b, uint64_t value, bool wide)
{
    uint32_t row = b->program.n_pool_rows;

    row += wide ? row & 1 : 0;
    for (unsigned l = 0; l < HD_LANES; l++) {
        if (wide)
            memcpy(b->pool + row * HD_LANES + 2 * l, &value, 8);
        else
            b->pool[row * HD_LANES + l] = (uint32_t)value;
    }
    b->program.n_pool_rows = row + (wide ? 2 : 1);
    return -1 - (int32_t)row;
}

static inline struct hd_insn *built_add(struct built *b, unsigned op, int32_t dst, int32_t s0,
                                        int32_t s1, int32_t s2)
{
    uint32_t pc = b->program.n_insns++;
    struct hd_insn *in = &b->insns[pc];

    *in = (struct hd_insn){
        .op = (uint16_t)op, .guard = HD_PRED_TRUE, .vec = 1, .dst = dst, .src = {s0, s1, s2}};
    b->deps[pc].kind = hd_op_info[op].kind;
    b->places[pc].line = pc + 1;
    b->func.end_pc = pc + 1;
    return in;
}

static inline void built_special(struct built *b, unsigned which, int32_t row)
{
    b->specials[b->func.n_specials++] = (struct hd_special){(uint16_t)which, row};
}

static inline struct hd_program *built_program(struct built *b)
{
    b->program.path = "built";
    b->program.insns = b->insns;
    b->program.deps = b->deps;
    b->program.places = b->places;
    b->program.pool = b->pool;
    b->program.vecs = (const int32_t(*)[4])b->vecs;
    b->program.funcs = &b->func;
    b->program.n_funcs = 1;
    return &b->program;
}

#endif
