// loadstore.c - loads and stores of whole warps, and the log of this cycle's global stores.
//
// Stores to global memory wait in the SM's log until the cycle is over; the SM's own loads search
// the log, which is nearly always empty. Runs without timing write at once. An instruction that
// faults has changed nothing: addresses are checked before anything is read or written.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/touched.h"

#include <string.h>

// log2 of a type's bytes, and whether its sign fills the register.
static const uint8_t kinds[HD_N_TYPES] = {[HD_S8] = HD_ACCESS_SIGNED,
                                          [HD_U16] = 1,
                                          [HD_S16] = 1 | HD_ACCESS_SIGNED,
                                          [HD_B16] = 1,
                                          [HD_F16] = 1,
                                          [HD_BF16] = 1,
                                          [HD_U32] = 2,
                                          [HD_S32] = 2,
                                          [HD_B32] = 2,
                                          [HD_F32] = 2,
                                          [HD_F16X2] = 2,
                                          [HD_BF16X2] = 2,
                                          [HD_U64] = 3,
                                          [HD_S64] = 3,
                                          [HD_B64] = 3,
                                          [HD_F64] = 3};

static inline unsigned kind_of(const struct hd_insn *in)
{
    return kinds[hd_op_info[in->op].type] | (in->mods & HD_MOD_SIGNED ? HD_ACCESS_SIGNED : 0) |
           (in->mods & HD_MOD_WIDE ? HD_ACCESS_WIDE : 0);
}

// The bytes of one lane as this SM sees them: those that it stored in this cycle replace those in
// memory. True if there were any.
static bool look_through(const struct hd_emu_sm *sm, const uint8_t *from, unsigned bytes,
                         uint8_t *seen)
{
    bool any = false;

    for (unsigned i = 0; i < sm->n_stores; i++) {
        const struct hd_emu_store *s = &sm->stores[i];
        if (from >= s->high || from + bytes <= s->low)
            continue;
        for (uint32_t k = s->lanes; k; k &= k - 1) {
            unsigned j = (unsigned)__builtin_ctz(k);
            for (unsigned b = 0; b < bytes; b++)
                if (from + b >= s->at[j] && from + b < s->at[j] + s->bytes) {
                    if (!any)
                        memcpy(seen, from, bytes);
                    any = true;
                    seen[b] = s->value[j * s->bytes + (unsigned)(from + b - s->at[j])];
                }
        }
    }
    return any;
}

// The same for all lanes; false if this SM has stored nothing there.
static bool look_through_all(const struct hd_emu_sm *sm, const struct hd_emu_access *x,
                             unsigned bytes, uint8_t seen[HD_LANES][16],
                             struct hd_emu_access *through)
{
    bool any = false;

    *through = *x;
    through->pattern = HD_ACCESS_SCATTERED;
    for (uint32_t m = x->global; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (look_through(sm, x->at[l], bytes, seen[l])) {
            through->at[l] = seen[l];
            any = true;
        }
    }
    return any;
}

void hd_loads_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, uint32_t lanes,
                    const struct hd_emu_access *x)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type), kind = kind_of(in);
    uint8_t seen[HD_LANES][16];
    struct hd_emu_access through;

    if (sm->n_stores && look_through_all(sm, x, bytes * in->vec, seen, &through))
        x = &through;
    if (in->vec == 1) {
        if (in->dst != HD_ROW_NONE)
            sm->access->load(kind, x->pattern, x->at, 0, lanes, hd_lanes_row(&w->regs, in->dst));
        return;
    }
    for (unsigned i = 0; i < in->vec; i++) {
        int32_t dst = w->program->vecs[in->dst][i];
        if (dst != HD_ROW_NONE)
            sm->access->load(kind, x->pattern == HD_ACCESS_ROW ? HD_ACCESS_SCATTERED : x->pattern,
                             x->at, i * bytes, lanes, hd_lanes_row(&w->regs, dst));
    }
}

bool hd_loads_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                   struct hd_effects *out)
{
    struct hd_emu_access x;

    if (!hd_address_lanes(sm, warp, in, out, false, &x))
        return false;
    if (out->exec_mask)
        hd_loads_lanes(sm, warp, in, out->exec_mask, &x);
    return true;
}

// Computes offsets where the pattern alone does not give them. `all`: even if there is only one
// address.
static inline void define_offsets(const struct hd_emu_sm *sm, const struct hd_insn *in,
                                  unsigned kind, bool all, struct hd_access_near *n)
{
    bool row = n->pattern == HD_ACCESS_ROW;

    if ((row && (in->vec > 1 || (kind != 2 && kind != 3))) || (all && n->pattern == HD_ACCESS_SAME))
        sm->access->spread(n, in->vec * (1u << (kind & 3)), 0);
}

uint16_t hd_loads_form(const struct hd_insn *in, const struct hd_deps *deps)
{
    const unsigned shape = hd_op_info[in->op].shape;
    unsigned form = HD_FORM_OTHER | (deps->flags & HD_DEP_OFFCHIP ? HD_FORM_OFFCHIP : 0), kind;

    if (shape == HD_SHAPE_LD)
        form |= HD_FORM_LOAD;
    else if (shape == HD_SHAPE_ST && in->space != HD_SPACE_CONST && in->space != HD_SPACE_PARAM)
        form |= HD_FORM_STORE;
    else
        return HD_FORM_OTHER;
    if (in->space == HD_SPACE_GLOBAL || in->space == HD_SPACE_GENERIC)
        form |= HD_FORM_GLOBAL;
    kind = kind_of(in) & ~(unsigned)HD_ACCESS_SIGNED;
    if (in->vec == 1 && (kind == 2 || kind == 3) && in->space != HD_SPACE_LOCAL &&
        (shape == HD_SHAPE_ST || in->dst != HD_ROW_NONE))
        form |= kind;
    return (uint16_t)form;
}

// Notes accesses to global memory; offsets are defined unless the pattern alone gives them.
static void note_near(struct hd_emu_sm *sm, const uint8_t *base, const struct hd_access_near *n,
                      uint32_t lanes, unsigned bytes, enum hd_touched_how how)
{
    const struct hd_memory_view *g = &sm->global;

    if (base < g->bytes || base >= g->bytes + g->size)
        return;
    const uint64_t offset = (uint64_t)(base - g->bytes);
    if (n->pattern != HD_ACCESS_SCATTERED)
        hd_touched_range(sm->touched, offset, n->span + bytes, how);
    else if (!hd_touched_within(sm->touched, offset, n->span + bytes, lanes, bytes, how))
        hd_touched_near(sm->touched, offset, n->at, lanes, bytes, how);
}

bool hd_loads_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w, const struct hd_insn *in,
                   uint32_t lanes)
{
    unsigned kind = kind_of(in), element = 1u << (kind & 3);
    const int32_t *dst = in->vec == 1 ? &in->dst : w->program->vecs[in->dst];
    struct hd_access_near n;
    const uint8_t *base = hd_address_near(sm, w, in, lanes, element * in->vec, &n);

    if (!base)
        return false;
    define_offsets(sm, in, kind, false, &n);
    if (sm->touched)
        note_near(sm, base, &n, lanes, element * in->vec, HD_TOUCHED_READ);
    for (unsigned i = 0; i < in->vec; i++, base += element)
        if (dst[i] != HD_ROW_NONE)
            sm->access->load_near(kind, n.pattern, base, n.at, lanes,
                                  hd_lanes_row(&w->regs, dst[i]));
    return true;
}

bool hd_stores_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w, const struct hd_insn *in,
                    uint32_t lanes)
{
    unsigned kind = kind_of(in) & ~(unsigned)HD_ACCESS_SIGNED, element = 1u << (kind & 3);
    const int32_t *src = in->vec == 1 ? &in->src[1] : w->program->vecs[in->src[1]];
    struct hd_access_near n;
    uint8_t *base = hd_address_near(sm, w, in, lanes, element * in->vec, &n);

    if (!base)
        return false;
    define_offsets(sm, in, kind, true, &n);
    if (sm->touched)
        note_near(sm, base, &n, lanes, element * in->vec, HD_TOUCHED_WRITE);
    for (unsigned i = 0; i < in->vec; i++, base += element)
        sm->progress |= sm->access->store_near(kind, n.pattern, base, n.at, lanes,
                                               hd_lanes_source(&w->regs, src[i]));
    return true;
}

static struct hd_emu_store *log_store(struct hd_emu_sm *sm, const struct hd_emu_access *x,
                                      uint32_t lanes, unsigned bytes)
{
    HD_BUG_IF(sm->n_stores >= HD_EMU_STORES, "more than %d stores in one cycle", HD_EMU_STORES);
    struct hd_emu_store *s = &sm->stores[sm->n_stores++];

    s->lanes = lanes;
    s->bytes = bytes;
    s->pattern = x->pattern;
    memcpy(s->at, x->at, sizeof s->at);
    s->low = s->high = x->at[__builtin_ctz(lanes)];
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint8_t *p = x->at[__builtin_ctz(m)];
        s->low = p < s->low ? p : s->low;
        s->high = p > s->high ? p : s->high;
    }
    s->high += bytes;
    sm->pending_stores = 1;
    return s;
}

void hd_stores_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, int32_t data,
                     uint32_t lanes, const struct hd_emu_access *x)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned bytes = hd_type_bytes(hd_op_info[in->op].type), kind = kind_of(in);
    unsigned pattern = in->vec == 1 ? x->pattern : HD_ACCESS_SCATTERED;
    uint32_t later = sm->direct ? 0 : x->global; // lanes whose bytes go through the log
    struct hd_emu_store *s = later ? log_store(sm, x, later, bytes * in->vec) : NULL;
    uint8_t *logged[HD_LANES];

    for (unsigned l = 0; later && l < HD_LANES; l++)
        logged[l] = s->value + l * s->bytes;
    for (unsigned i = 0; i < in->vec; i++) {
        int32_t src = in->vec == 1 ? data : w->program->vecs[data][i];
        const uint32_t *row = hd_lanes_source(&w->regs, src);
        if (later) // commit finds out whether memory changes
            sm->access->store(kind, pattern, logged, i * bytes, later, row);
        if (lanes & ~later)
            sm->progress |= sm->access->store(kind, pattern, x->at, i * bytes, lanes & ~later, row);
    }
}

void hd_loads_bytes(struct hd_emu_sm *sm, uint32_t lanes, const struct hd_emu_access *x,
                    unsigned bytes, uint8_t *to)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!look_through(sm, x->at[l], bytes, to + l * bytes))
            memcpy(to + l * bytes, x->at[l], bytes);
    }
}

void hd_stores_bytes(struct hd_emu_sm *sm, uint32_t lanes, const struct hd_emu_access *x,
                     unsigned bytes, const uint8_t *from)
{
    uint32_t later = sm->direct ? 0 : x->global & lanes;
    unsigned step = bytes > 16 ? 16 : bytes;
    struct hd_emu_access part = *x;

    for (unsigned done = 0; done < bytes; done += step) {
        struct hd_emu_store *s;
        for (unsigned l = 0; done && l < HD_LANES; l++)
            part.at[l] += step;
        s = later ? log_store(sm, &part, later, step) : NULL;
        for (uint32_t m = lanes; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            const uint8_t *b = from + l * bytes + done;
            if (later >> l & 1) {
                memcpy(s->value + l * step, b, step);
            } else {
                sm->progress |= memcmp(part.at[l], b, step) != 0;
                memcpy(part.at[l], b, step);
            }
        }
    }
}

bool hd_stores_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    struct hd_emu_access x;

    if (!hd_address_lanes(sm, warp, in, out, true, &x))
        return false;
    hd_stores_lanes(sm, warp, in, in->src[1], out->exec_mask, &x);
    return true;
}

static void copy_bulk(struct hd_emu_sm *sm, const struct hd_emu_bulk *b)
{
    sm->progress |= memcmp(b->to, b->from, b->bytes) != 0;
    memcpy(b->to, b->from, b->bytes);
}

void hd_stores_bulk(struct hd_emu_sm *sm, uint8_t *to, uint8_t *from, uint32_t bytes)
{
    struct hd_emu_bulk b = {to, from, bytes};

    if (sm->direct) {
        copy_bulk(sm, &b);
        return;
    }
    HD_BUG_IF(sm->n_bulks >= HD_EMU_STORES, "more than %d bulk copies in one cycle", HD_EMU_STORES);
    sm->bulks[sm->n_bulks++] = b;
    sm->pending_stores = 1;
}

void hd_stores_commit(struct hd_emu_sm *sm)
{

    for (unsigned i = 0; i < sm->n_stores; i++) {
        const struct hd_emu_store *s = &sm->stores[i];
        sm->progress |= sm->access->copy(s->pattern, s->at, s->lanes, s->bytes, s->value);
    }
    for (unsigned i = 0; i < sm->n_bulks; i++)
        copy_bulk(sm, &sm->bulks[i]);
    sm->n_stores = sm->n_bulks = 0;
    sm->pending_stores = 0;
}
