// value.c - operations on values that a lane loop cannot do: registers that change with time,
// packing and unpacking vectors, alloca; and branches through a table.
//
// globaltimer counts cycles as if the clock ran at 1 GHz. A thread's stack grows upwards from the
// end of its frame's variables; memory of alloca is freed when the function returns.
#include "emu/emu_internal.h"

#include "base/bug.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_lanes(const struct hd_lane_regs *r, int32_t row, bool wide, uint32_t lanes,
                        const uint64_t *v)
{
    uint8_t *d = (uint8_t *)hd_lanes_row(r, row);
    unsigned step = wide ? 8 : 4;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        memcpy(d + l * step, &v[l], step);
    }
}

static void read_lanes(const struct hd_lane_regs *r, int32_t row, bool wide, uint64_t *v)
{
    const uint32_t *s = hd_lanes_source(r, row);

    if (wide)
        memcpy(v, s, sizeof *v * HD_LANES);
    else
        for (int l = 0; l < HD_LANES; l++)
            v[l] = s[l];
}

static void read_special(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                         const struct hd_insn *in, uint32_t lanes)
{
    uint64_t v[HD_LANES], value = sm->cycle;

    if (in->imm == HD_SREG_CLOCK_HI || in->imm == HD_SREG_TIMER_HI)
        value >>= 32;
    else if (in->imm == HD_SREG_GRIDID)
        value = w->tb->launch->id;
    if (in->imm != HD_SREG_GRIDID)
        sm->progress = 1; // it waits for a time, which will come
    if (in->mods & HD_MOD_SHORT)
        value &= UINT16_MAX;
    for (int l = 0; l < HD_LANES; l++)
        v[l] = value;
    write_lanes(&w->regs, in->dst, in->mods & HD_MOD_WIDE, lanes, v);
}

static void pack(const struct hd_emu_warp *w, const struct hd_insn *in, uint32_t lanes)
{
    const int32_t *rows = w->program->vecs[in->src[0]];
    unsigned bits = 8 * (unsigned)in->imm;
    uint64_t v[HD_LANES] = {0}, element[HD_LANES];

    for (unsigned i = 0; i < in->vec; i++) {
        read_lanes(&w->regs, rows[i], false, element);
        for (int l = 0; l < HD_LANES; l++)
            v[l] |= (element[l] & (UINT64_MAX >> (64 - bits))) << (i * bits);
    }
    write_lanes(&w->regs, in->dst, bits * in->vec == 64, lanes, v);
}

static void unpack(const struct hd_emu_warp *w, const struct hd_insn *in, uint32_t lanes)
{
    const int32_t *rows = w->program->vecs[in->dst];
    unsigned bits = 8 * (unsigned)in->imm;
    uint64_t v[HD_LANES], element[HD_LANES];

    read_lanes(&w->regs, in->src[0], bits * in->vec == 64, v);
    for (unsigned i = 0; i < in->vec; i++) {
        for (int l = 0; l < HD_LANES; l++)
            element[l] = v[l] >> (i * bits) & (UINT64_MAX >> (64 - bits));
        if (rows[i] != HD_ROW_NONE)
            write_lanes(&w->regs, rows[i], false, lanes, element);
    }
}

// {a, b} = {c, d}: all are read before one is written. Elements of 16 bits that come from a special
// register lose their upper half.
static void copy_vector(const struct hd_emu_warp *w, const struct hd_insn *in, uint32_t lanes)
{
    const int32_t *to = w->program->vecs[in->dst], *from = w->program->vecs[in->src[0]];
    uint64_t v[4][HD_LANES];

    for (unsigned i = 0; i < in->vec; i++)
        read_lanes(&w->regs, from[i], in->imm == 8, v[i]);
    for (unsigned i = 0; i < in->vec; i++) {
        for (int l = 0; l < HD_LANES; l++)
            v[i][l] &= UINT64_MAX >> (64 - 8 * in->imm);
        if (to[i] != HD_ROW_NONE)
            write_lanes(&w->regs, to[i], in->imm == 8, lanes, v[i]);
    }
}

static bool allocate(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t *top = hd_lanes_row(&w->regs, w->frames[sm->simt.frame[warp]].func->stack_row);
    uint64_t size[HD_LANES], at[HD_LANES] = {0}, align = in->imm ? (uint64_t)in->imm : 8;
    bool wide = in->op == HD_OP_ALLOCA_B64;

    read_lanes(&w->regs, in->src[0], wide, size);
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        at[l] = (top[l] + align - 1) & ~(align - 1);
        if (at[l] > w->local_bytes || size[l] > w->local_bytes - at[l]) {
            hd_trap_set(sm, warp, out, HD_TRAP_STACK, l);
            snprintf(sm->trap.detail, sizeof sm->trap.detail,
                     "stack overflow: alloca of %" PRIu64 " bytes, a thread has %" PRIu32, size[l],
                     w->tb->needs.stack_limit);
            return false;
        }
    }
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        top[l] = (uint32_t)(at[l] + size[l]);
    }
    write_lanes(&w->regs, in->dst, wide, out->exec_mask, at);
    return true;
}

static bool restore(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_emu_frame *f = &w->frames[sm->simt.frame[warp]];
    uint32_t *top = hd_lanes_row(&w->regs, f->func->stack_row);
    uint64_t v[HD_LANES];

    read_lanes(&w->regs, in->src[0], in->op == HD_OP_STACKRESTORE_B64, v);
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (v[l] < f->local || v[l] > top[l]) {
            hd_trap_set(sm, warp, out, HD_TRAP_STACK, l);
            snprintf(sm->trap.detail, sizeof sm->trap.detail,
                     "stackrestore of %" PRIu64 ", which stacksave did not return", v[l]);
            return false;
        }
    }
    write_lanes(&w->regs, f->func->stack_row, false, out->exec_mask, v);
    return true;
}

static void save(const struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                 uint32_t lanes)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint64_t v[HD_LANES];

    read_lanes(&w->regs, w->frames[sm->simt.frame[warp]].func->stack_row, false, v);
    write_lanes(&w->regs, in->dst, in->op == HD_OP_STACKSAVE_B64, lanes, v);
}

bool hd_value_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                   struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];

    switch (in->op) {
    case HD_OP_READ:
        if (sm->touched && in->imm != HD_SREG_GRIDID) // the time depends on what ran before
            return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, HD_NOT_BESIDE);
        read_special(sm, w, in, out->exec_mask);
        return true;
    case HD_OP_PACK:
        pack(w, in, out->exec_mask);
        return true;
    case HD_OP_UNPACK:
        unpack(w, in, out->exec_mask);
        return true;
    case HD_OP_COPY_VECTOR:
        copy_vector(w, in, out->exec_mask);
        return true;
    case HD_OP_ALLOCA_B32:
    case HD_OP_ALLOCA_B64:
        return allocate(sm, warp, in, out);
    case HD_OP_STACKSAVE_B32:
    case HD_OP_STACKSAVE_B64:
        save(sm, warp, in, out->exec_mask);
        return true;
    case HD_OP_STACKRESTORE_B32:
    case HD_OP_STACKRESTORE_B64:
        return restore(sm, warp, in, out);
    default:
        HD_BUG("no way to execute %s", hd_op_info[in->op].name);
    }
}

bool hd_value_switch(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const uint32_t *index = hd_lanes_source(&w->regs, in->src[0]);
    uint32_t target[HD_LANES] = {0};

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (index[l] >= (uint32_t)in->dst) {
            hd_trap_set(sm, warp, out, HD_TRAP_ILLEGAL, l);
            snprintf(sm->trap.detail, sizeof sm->trap.detail,
                     "brx.idx with index %" PRIu32 ", there are %" PRId32 " targets", index[l],
                     in->dst);
            return false;
        }
        target[l] = w->program->targets[HD_TARGET_PC(in->imm) + index[l]];
    }
    out->flags = hd_simt_switch(&sm->simt, warp, out->exec_mask, target, HD_RECONV_PC(in->imm));
    return true;
}
