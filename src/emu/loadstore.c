// loadstore.c - loads and stores of whole warps, and the log of this cycle's global stores.
//
// A load copies into a local array first, so that a faulting instruction has changed nothing and
// narrow elements can be extended on the way to the row. Stores to global memory wait in the SM's
// log until the cycle is over; the SM's own loads look through the log, which nearly always is
// empty. Runs without timing write at once.
#include "base/bug.h"
#include "emu/state.h"

#include <string.h>

// All lanes in a row, one element after the other?
static bool contiguous(uint8_t *const at[HD_LANES], uint32_t lanes, unsigned bytes)
{
    uintptr_t diff = 0, first = (uintptr_t)at[0];

    if (lanes != UINT32_MAX || (uintptr_t)at[HD_LANES - 1] != first + (HD_LANES - 1) * bytes)
        return false;
    for (unsigned l = 0; l < HD_LANES; l++)
        diff |= (uintptr_t)at[l] ^ (first + l * bytes);
    return !diff;
}

#define GATHER(T)                                                                                  \
    for (uint32_t m = lanes; m; m &= m - 1) {                                                      \
        int l = __builtin_ctz(m);                                                                  \
        T x;                                                                                       \
        memcpy(&x, at[l] + offset, sizeof x);                                                      \
        v[l] = x;                                                                                  \
    }                                                                                              \
    break

// Element at `offset` of every lane's access, zero-extended.
static void gather(uint8_t *const at[HD_LANES], uint32_t lanes, unsigned offset, unsigned bytes,
                   uint64_t *v)
{
    switch (bytes) {
    case 1:
        GATHER(uint8_t);
    case 2:
        GATHER(uint16_t);
    case 4:
        GATHER(uint32_t);
    default:
        GATHER(uint64_t);
    }
}

// Bytes that this SM stored in this cycle replace what was loaded.
static void patch(const struct hd_emu_sm *sm, uint8_t *const at[HD_LANES], uint32_t lanes,
                  unsigned offset, unsigned bytes, uint64_t *v)
{
    for (unsigned i = 0; i < sm->n_stores; i++) {
        const struct hd_emu_store *s = &sm->stores[i];
        for (uint32_t m = lanes; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint8_t *from = at[l] + offset;
            if (from >= s->high || from + bytes <= s->low)
                continue;
            for (uint32_t k = s->lanes; k; k &= k - 1) {
                int j = __builtin_ctz(k);
                for (unsigned b = 0; b < bytes; b++)
                    if (from + b >= s->at[j] && from + b < s->at[j] + s->bytes)
                        ((uint8_t *)&v[l])[b] = // byte order of the device is the host's
                            s->value[(unsigned)j * s->bytes + (unsigned)(from + b - s->at[j])];
            }
        }
    }
}

static void write_row32(const struct hd_emu_warp *w, int32_t row, uint32_t lanes, const uint64_t *v)
{
    uint32_t *d = hd_lanes_row(&w->regs, row);

    if (lanes == UINT32_MAX)
        for (int l = 0; l < HD_LANES; l++)
            d[l] = (uint32_t)v[l];
    else
        for (int l = 0; l < HD_LANES; l++)
            d[l] = lanes >> l & 1 ? (uint32_t)v[l] : d[l];
}

static void write_row64(const struct hd_emu_warp *w, int32_t row, uint32_t lanes, const uint64_t *v)
{
    uint8_t *d = (uint8_t *)hd_lanes_row(&w->regs, row);

    for (uint32_t m = lanes; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        memcpy(d + 8 * l, &v[l], 8);
    }
}

static void sign_extend(uint64_t *v, unsigned bytes)
{
    unsigned shift = 64 - 8 * bytes;

    for (int l = 0; l < HD_LANES; l++)
        v[l] = (uint64_t)((int64_t)(v[l] << shift) >> shift);
}

static void load_element(const struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                         const struct hd_insn *in, int32_t dst, uint8_t *const at[HD_LANES],
                         uint32_t lanes, uint32_t global, unsigned offset)
{
    unsigned type = hd_op_info[in->op].type, bytes = hd_type_bytes(type);
    uint64_t v[HD_LANES] = {0};

    gather(at, lanes, offset, bytes, v);
    if (sm->n_stores && global)
        patch(sm, at, global, offset, bytes, v);
    if (type == HD_S8 || type == HD_S16 || in->mods & HD_MOD_SIGNED)
        sign_extend(v, bytes);
    if (bytes == 8 || in->mods & HD_MOD_WIDE)
        write_row64(w, dst, lanes, v);
    else
        write_row32(w, dst, lanes, v);
}

// The common load: 32 bits, nothing in the log. Lanes outside `lanes` have an address to read from.
static void load_words(const struct hd_emu_warp *w, int32_t dst, uint8_t *const at[HD_LANES],
                       uint32_t lanes, unsigned offset)
{
    uint32_t *d = hd_lanes_row(&w->regs, dst), v[HD_LANES];

    for (int l = 0; l < HD_LANES; l++)
        memcpy(&v[l], at[l] + offset, sizeof v[l]);
    if (lanes == UINT32_MAX)
        memcpy(d, v, sizeof v);
    else
        for (int l = 0; l < HD_LANES; l++)
            d[l] = lanes >> l & 1 ? v[l] : d[l];
}

static void load(const struct hd_emu_sm *sm, const struct hd_emu_warp *w, const struct hd_insn *in,
                 int32_t dst, uint8_t *const at[HD_LANES], uint32_t lanes, uint32_t global,
                 unsigned offset)
{
    if (in->op == HD_OP_LD_B32 && !(in->mods & HD_MOD_WIDE) && !sm->n_stores)
        load_words(w, dst, at, lanes, offset);
    else
        load_element(sm, w, in, dst, at, lanes, global, offset);
}

// One address for all lanes (parameters, fixed shared variables): read once.
static bool load_same(const struct hd_emu_warp *w, const struct hd_insn *in, const uint8_t *at,
                      uint32_t lanes)
{
    uint32_t x, *d;

    if (in->src[0] != HD_ROW_NONE || in->space == HD_SPACE_LOCAL || in->op != HD_OP_LD_B32 ||
        in->mods & HD_MOD_WIDE || lanes != UINT32_MAX)
        return false;
    memcpy(&x, at, sizeof x);
    d = hd_lanes_row(&w->regs, in->dst);
    for (int l = 0; l < HD_LANES; l++)
        d[l] = x;
    return true;
}

bool hd_loads_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                   struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type);
    bool logged = sm->n_stores != 0;
    uint8_t *at[HD_LANES];
    uint32_t global;

    if (!hd_address_lanes(sm, warp, in, out, false, at, &global))
        return false;
    if (!out->lanes)
        return true;
    if (in->vec == 1) {
        if (in->dst == HD_ROW_NONE)
            return true;
        if (!logged && load_same(w, in, at[0], out->lanes))
            return true;
        if (!logged && bytes >= 4 && !(in->mods & HD_MOD_WIDE) && contiguous(at, out->lanes, bytes))
            memcpy(hd_lanes_row(&w->regs, in->dst), at[0], (size_t)HD_LANES * bytes);
        else
            load(sm, w, in, in->dst, at, out->lanes, global, 0);
        return true;
    }
    for (unsigned i = 0; i < in->vec; i++) {
        int32_t dst = w->program->vecs[in->dst][i];
        if (dst != HD_ROW_NONE)
            load(sm, w, in, dst, at, out->lanes, global, i * bytes);
    }
    return true;
}

#define SCATTER(T)                                                                                 \
    for (uint32_t m = lanes; m; m &= m - 1) {                                                      \
        int l = __builtin_ctz(m);                                                                  \
        T now, old;                                                                                \
        memcpy(&now, row + (unsigned)l * step, sizeof now);                                        \
        memcpy(&old, at[l] + offset, sizeof old);                                                  \
        memcpy(at[l] + offset, &now, sizeof now);                                                  \
        changed |= now ^ old;                                                                      \
    }                                                                                              \
    break

// `bytes` bytes from every lane's place in `row` to its address. True if any byte there changed.
static bool scatter(uint8_t *const at[HD_LANES], uint32_t lanes, unsigned offset, unsigned bytes,
                    const uint8_t *row, unsigned step)
{
    uint64_t changed = 0;

    switch (bytes) {
    case 1:
        SCATTER(uint8_t);
    case 2:
        SCATTER(uint16_t);
    case 4:
        SCATTER(uint32_t);
    default:
        SCATTER(uint64_t);
    }
    return changed != 0;
}

// The same for all lanes side by side on both sides.
static bool copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    bool changed = memcmp(to, from, bytes) != 0;

    if (changed)
        memcpy(to, from, bytes);
    return changed;
}

static struct hd_emu_store *log_store(struct hd_emu_sm *sm, uint8_t *const at[HD_LANES],
                                      uint32_t lanes, unsigned bytes)
{
    HD_BUG_IF(sm->n_stores >= HD_EMU_STORES, "more than %d stores in one cycle", HD_EMU_STORES);
    struct hd_emu_store *s = &sm->stores[sm->n_stores++];

    s->lanes = lanes;
    s->bytes = bytes;
    memcpy(s->at, at, sizeof s->at);
    s->low = s->high = at[__builtin_ctz(lanes)];
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint8_t *p = at[__builtin_ctz(m)];
        s->low = p < s->low ? p : s->low;
        s->high = p > s->high ? p : s->high;
    }
    s->high += bytes;
    sm->pending_stores = 1;
    return s;
}

void hd_stores_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, int32_t data,
                     uint32_t lanes, uint32_t global, uint8_t *const at[HD_LANES])
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type);
    unsigned step = bytes == 8 || in->mods & HD_MOD_WIDE ? 8 : 4;
    uint32_t later = sm->direct ? 0 : global; // lanes whose bytes go through the log
    uint32_t now = lanes & ~later;
    uint8_t *to[HD_LANES];

    if (later) {
        struct hd_emu_store *s = log_store(sm, at, later, bytes * in->vec);
        for (unsigned l = 0; l < HD_LANES; l++)
            to[l] = later >> l & 1 ? s->value + l * s->bytes : at[l];
    } else {
        memcpy(to, at, sizeof to);
    }
    for (unsigned i = 0; i < in->vec; i++) {
        int32_t src = in->vec == 1 ? data : w->program->vecs[data][i];
        const uint8_t *row = (const uint8_t *)hd_lanes_source(&w->regs, src);
        if (in->vec == 1 && bytes == step && contiguous(to, lanes, bytes)) {
            if (later)
                memcpy(to[0], row, (size_t)HD_LANES * bytes);
            else
                sm->progress |= copy(to[0], row, (size_t)HD_LANES * bytes);
            continue;
        }
        if (now)
            sm->progress |= scatter(to, now, i * bytes, bytes, row, step);
        if (later) // whether it changes memory is seen at its commit
            scatter(to, later, i * bytes, bytes, row, step);
    }
}

bool hd_stores_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    uint8_t *at[HD_LANES];
    uint32_t global;

    if (!hd_address_lanes(sm, warp, in, out, true, at, &global))
        return false;
    hd_stores_lanes(sm, warp, in, in->src[1], out->lanes, global, at);
    return true;
}

void hd_loads_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, uint32_t lanes,
                    uint8_t *at[HD_LANES], uint32_t zero)
{
    static const uint64_t zeros[HD_LANES];
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type);

    for (unsigned i = 0; i < in->vec; i++) {
        int32_t dst = in->vec == 1 ? in->dst : w->program->vecs[in->dst][i];
        if (dst == HD_ROW_NONE)
            continue;
        load_element(sm, w, in, dst, at, lanes, lanes, i * bytes);
        if (zero && bytes == 8)
            write_row64(w, dst, zero, zeros);
        else if (zero)
            write_row32(w, dst, zero, zeros);
    }
}

void hd_stores_commit(void *self)
{
    struct hd_emu_sm *sm = self;

    for (unsigned i = 0; i < sm->n_stores; i++) {
        const struct hd_emu_store *s = &sm->stores[i];
        unsigned step = s->bytes < 8 ? s->bytes : 8;
        if (contiguous(s->at, s->lanes, s->bytes)) {
            sm->progress |= copy(s->at[0], s->value, (size_t)HD_LANES * s->bytes);
            continue;
        }
        for (unsigned offset = 0; offset < s->bytes; offset += step)
            sm->progress |= scatter(s->at, s->lanes, offset, step, s->value + offset, s->bytes);
    }
    sm->n_stores = 0;
    sm->pending_stores = 0;
}
