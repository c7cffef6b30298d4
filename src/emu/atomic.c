// atomic.c - atom and red.
//
// A global atomic reads its operands at exec, is performed lane by lane (in lane order) when the
// memory side serves it, and writes its registers at finish. One on shared memory does not leave
// the SM: it is performed within exec. atom.add.f32 flushes subnormals in global memory and keeps
// them in shared memory, as the PTX manual says of the hardware.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/lane_bf16.h"

#include <string.h>

static uint64_t add_float(unsigned type, uint64_t old, uint64_t b, bool flush)
{
    if (type == HD_F16)
        return add_f16((uint16_t)old, (uint16_t)b);
    if (type == HD_F16X2)
        return add_f16x2((uint32_t)old, (uint32_t)b);
    if (type == HD_BF16)
        return add_bf16((uint16_t)old, (uint16_t)b);
    if (type == HD_BF16X2)
        return add_bf16x2((uint32_t)old, (uint32_t)b);
    if (type == HD_F64)
        return bits_f64(canon_f64(f64_of(old) + f64_of(b)));
    float x = f32_of((uint32_t)old), y = f32_of((uint32_t)b);
    if (flush)
        return bits_f32(flush_f32(canon_f32(flush_f32(x) + flush_f32(y))));
    return bits_f32(canon_f32(x + y));
}

static bool is_float(unsigned type)
{
    return type == HD_F16 || type == HD_F16X2 || type == HD_BF16 || type == HD_BF16X2 ||
           type == HD_F32 || type == HD_F64;
}

static bool less(unsigned type, uint64_t a, uint64_t b)
{
    switch (type) {
    case HD_S32:
        return (int32_t)a < (int32_t)b;
    case HD_S64:
        return (int64_t)a < (int64_t)b;
    default:
        return a < b;
    }
}

// The new value in memory. 32-bit values are zero-extended; the caller truncates the result.
static uint64_t apply(unsigned type, unsigned what, uint64_t old, uint64_t b, uint64_t c,
                      bool flush)
{
    switch (what) {
    case HD_ATOM_ADD:
        return is_float(type) ? add_float(type, old, b, flush) : old + b;
    case HD_ATOM_AND:
        return old & b;
    case HD_ATOM_OR:
        return old | b;
    case HD_ATOM_XOR:
        return old ^ b;
    case HD_ATOM_EXCH:
        return b;
    case HD_ATOM_CAS:
        return old == b ? c : old;
    case HD_ATOM_MIN:
        return less(type, b, old) ? b : old;
    case HD_ATOM_MAX:
        return less(type, old, b) ? b : old;
    case HD_ATOM_INC:
        return old >= b ? 0 : old + 1;
    case HD_ATOM_DEC:
        return old == 0 || old > b ? b : old - 1;
    default:
        HD_BUG("atomic operation %u", what);
    }
}

#define EACH(T, NOW)                                                                               \
    for (uint32_t m = lanes; m; m &= m - 1) {                                                      \
        unsigned l = (unsigned)__builtin_ctz(m);                                                   \
        T old, now;                                                                                \
        memcpy(&old, a->at[l], sizeof old);                                                        \
        now = (T)(NOW);                                                                            \
        memcpy(a->at[l], &now, sizeof now);                                                        \
        changed |= now ^ old;                                                                      \
        a->old[l] = old;                                                                           \
    }
#define PERFORM(T) EACH(T, apply(type, a->what, old, a->b[l], a->c[l], global >> l & 1))

// Performs the atomic for these lanes. True if memory has changed.
static bool perform(struct hd_emu_atomic *a, uint32_t lanes, uint32_t global)
{
    unsigned type = hd_op_info[a->op].type;
    uint64_t changed = 0;

    if (a->what == HD_ATOM_ADD && (type == HD_U32 || type == HD_S32)) // used by histograms
        EACH(uint32_t, old + a->b[l])
    else if (hd_type_bytes(type) == 2)
        PERFORM(uint16_t)
    else if (hd_type_bytes(type) == 4)
        PERFORM(uint32_t)
    else
        PERFORM(uint64_t)
    return changed != 0;
}

static void read_operand(const struct hd_emu_warp *w, int32_t row, unsigned bytes, uint64_t *v)
{
    if (row == HD_ROW_NONE)
        return;
    const uint32_t *src = hd_lanes_source(&w->regs, row);
    if (bytes == 8)
        memcpy(v, src, sizeof(uint64_t) * HD_LANES);
    else
        for (int l = 0; l < HD_LANES; l++)
            v[l] = bytes == 2 ? src[l] & 0xffff : src[l];
}

static void write_old(const struct hd_emu_warp *w, const struct hd_emu_atomic *a)
{
    if (a->dst == HD_ROW_NONE)
        return;
    const struct hd_lane_regs regs = hd_call_regs(w, a->frame);
    uint32_t *d = hd_lanes_row(&regs, a->dst);
    bool wide = hd_type_bytes(hd_op_info[a->op].type) == 8;
    if (a->lanes == UINT32_MAX && !wide) {
        for (unsigned l = 0; l < HD_LANES; l++)
            d[l] = (uint32_t)a->old[l];
        return;
    }
    for (uint32_t m = a->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (wide)
            memcpy(d + 2 * l, &a->old[l], 8);
        else
            d[l] = (uint32_t)a->old[l];
    }
}

// What the atomic has read, and where (paths.h).
static __attribute__((cold)) void note_attempt(struct hd_emu_sm *sm, unsigned warp,
                                               const struct hd_emu_atomic *a)
{
    uint32_t hash = 0;

    for (uint32_t m = a->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        hash = hd_paths_hash(hd_paths_hash(hash, (uintptr_t)a->at[l] - (uintptr_t)sm->global.bytes),
                             a->old[l]);
    }
    hd_paths_saw(sm, warp, a->pc, a->lanes, hash);
}

// Additions beside those of other threads. Does one change memory?
static bool add_beside(const struct hd_emu_atomic *a, uint32_t lanes)
{
    bool wide = hd_type_bytes(hd_op_info[a->op].type) == 8;
    uint64_t changed = 0;

    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        changed |= a->b[l];
        if (wide)
            __atomic_fetch_add((uint64_t *)(void *)a->at[l], a->b[l], __ATOMIC_RELAXED);
        else
            __atomic_fetch_add((uint32_t *)(void *)a->at[l], (uint32_t)a->b[l], __ATOMIC_RELAXED);
    }
    return changed != 0;
}

bool hd_atomic_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_emu_atomic *a = &sm->atomics[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type);
    struct hd_emu_access x;

    HD_BUG_IF(a->lanes, "warp %u executes before its atomic has finished", warp);
    if (!hd_address_lanes(sm, warp, in, out, true, &x))
        return false;
    memcpy(a->at, x.at, sizeof a->at);
    a->op = in->op;
    a->what = (uint8_t)(in->mods & HD_MOD_ENUM);
    a->dst = in->dst;
    a->only_adds = hd_address_only_adds(in);
    a->lanes = out->exec_mask;
    a->frame = sm->simt.frame[warp];
    a->pc = HD_PC_NONE;
    read_operand(w, in->src[1], bytes, a->b);
    read_operand(w, in->src[2], bytes, a->c);
    if (out->space != HD_SPACE_GLOBAL) {
        sm->progress |= perform(a, out->exec_mask, x.global);
        write_old(w, a);
        a->lanes = 0;
    }
    return true;
}

void hd_atomic_serve(void *self, unsigned warp, uint32_t lanes)
{
    struct hd_emu_sm *sm = self;

    HD_BUG_IF(lanes & ~sm->atomics[warp].lanes, "lanes %08x of warp %u have no atomic", lanes,
              warp);
    struct hd_emu_atomic *a = &sm->atomics[warp];
    if (sm->touched && a->only_adds) {
        sm->progress |= add_beside(a, lanes);
        return;
    }
    sm->progress |= perform(a, lanes, lanes);
}

void hd_atomic_finish(void *self, unsigned warp)
{
    struct hd_emu_sm *sm = self;

    write_old(&sm->warps[warp], &sm->atomics[warp]);
    if (sm->atomics[warp].pc != HD_PC_NONE)
        note_attempt(sm, warp, &sm->atomics[warp]);
    sm->atomics[warp].lanes = 0;
}
