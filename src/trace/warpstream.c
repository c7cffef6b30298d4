// warpstream.c - writing and reading the columns of a warp. See warpstream.h.
#include "trace/warpstream.h"

#include "isa/op.h"

// The byte of an event. The values that it announces follow in this order; flags have no values.
enum {
    LANES = 0x01,    // mask: the lanes whose guard held
    JUMP = 0x02,     // signed: from the next instruction
    MASK = 0x04,     // mask: the lanes that continue
    END = 0x08,      // the warp has ended
    TAKEN = 0x10,    // HD_EFF_*
    DIVERGED = 0x20, //
    EXITED = 0x40,   //
    STACK = 0x80,    // mask: the lanes that were active, more than were here before (.sync)
};

// The byte of an access: mode, space, whether the stride and the step are those of the last time.
enum {
    ROW,                // base + lane * stride
    OFFSETS_8,          // a byte for each lane, in units of the access: from the least
    OFFSETS_16,         //
    OFFSETS_32,         //
    OFFSETS_64,         //
    EMPTY,              // no lane took part; a generic load still has a space
    MODE = 7,           //
    SPACE_SHIFT = 3,    //
    SAME_STRIDE = 0x40, //
    SAME_STEP = 0x80,   //
    THREADS = 0x80,     // of a barrier: a thread count follows
    ADDRESS_BITS = 48,  // no space is larger
};

const struct hd_tracecode *hd_warpstream_code(struct hd_arena *a, const struct hd_program *p)
{
    struct hd_tracecode *code = HD_ARRAY(a, struct hd_tracecode, p->n_insns);

    for (uint32_t pc = 0; pc < p->n_insns; pc++) {
        const struct hd_insn *in = &p->insns[pc];
        const struct hd_op_info *op = &hd_op_info[in->op];
        struct hd_tracecode *c = &code[pc];
        c->branch = in->op == HD_OP_BRA || in->op == HD_OP_BRX;
        c->ends = op->kind == HD_KIND_EXIT || op->kind == HD_KIND_RET;
        c->load = op->kind == HD_KIND_LOAD;
        if (op->kind == HD_KIND_BARRIER) {
            c->kind = HD_TRACECODE_BARRIER;
            c->bar_op = in->op == HD_OP_BAR_ARRIVE || in->op == HD_OP_CLUSTER_ARRIVE ? HD_BAR_ARRIVE
                        : op->shape == HD_SHAPE_BARRED                               ? HD_BAR_RED
                                                                                     : HD_BAR_SYNC;
        }
        if (op->kind != HD_KIND_LOAD && op->kind != HD_KIND_STORE && op->kind != HD_KIND_ATOMIC)
            continue;
        bool surface = op->shape == HD_SHAPE_SULD || op->shape == HD_SHAPE_SUST;
        bool texture = op->shape == HD_SHAPE_TEX || op->shape == HD_SHAPE_QUERY;
        c->kind = HD_TRACECODE_MEMORY;
        c->space = texture ? HD_SPACE_TEX : surface ? HD_SPACE_GLOBAL : in->space;
        c->bytes = texture ? 4 : (uint8_t)hd_type_bytes((enum hd_type)op->type);
        c->vec = texture ? 1 : in->vec;
    }
    return code;
}

// --- writing

static void put_row(struct hd_warpstream_out *s, struct hd_warpstream_site *site, unsigned head,
                    uint64_t base, uint64_t stride)
{
    uint64_t step = base - site->base;

    head |= stride == site->stride ? SAME_STRIDE : 0;
    head |= step == site->step ? SAME_STEP : 0;
    hd_pack_byte(&s->where, head);
    if (!(head & SAME_STRIDE))
        hd_pack_signed(&s->where, (int64_t)stride);
    if (!(head & SAME_STEP))
        hd_pack_signed(&s->where, (int64_t)step);
    *site = (struct hd_warpstream_site){base, step, stride};
}

// Whether the lanes form a row. Its base is the address of lane 0, or where it would be.
static bool is_row(const struct hd_effects *e, const struct hd_warpstream_site *site,
                   uint64_t *base, uint64_t *stride)
{
    unsigned first = (unsigned)__builtin_ctz(e->exec_mask);
    uint32_t rest = e->exec_mask & (e->exec_mask - 1);

    *stride = site->stride;
    if (rest) {
        unsigned second = (unsigned)__builtin_ctz(rest);
        int64_t apart = (int64_t)(e->addr[second] - e->addr[first]);
        if (apart % (int64_t)(second - first))
            return false;
        *stride = (uint64_t)(apart / (int64_t)(second - first));
    }
    *base = e->addr[first] - first * *stride;
    for (; rest; rest &= rest - 1) {
        unsigned l = (unsigned)__builtin_ctz(rest);
        if (e->addr[l] != *base + l * *stride)
            return false;
    }
    return true;
}

// Offsets from the least address, in units of the access where all are multiples of it.
static void put_offsets(struct hd_warpstream_out *s, struct hd_warpstream_site *site, unsigned head,
                        const struct hd_effects *e, unsigned shift)
{
    uint64_t least = UINT64_MAX, all = 0, step;
    unsigned mode = OFFSETS_8;

    for (uint32_t m = e->exec_mask; m; m &= m - 1) {
        uint64_t a = e->addr[__builtin_ctz(m)];
        least = a < least ? a : least;
    }
    for (uint32_t m = e->exec_mask; m; m &= m - 1)
        all |= e->addr[__builtin_ctz(m)] - least;
    if (all & ((UINT64_C(1) << shift) - 1)) { // a texture's, or outside a surface
        shift = 0;
        head |= SAME_STRIDE; // here: in bytes
    }
    while (mode < OFFSETS_64 && all >> shift >> (8u << (mode - OFFSETS_8)))
        mode++;
    step = least - site->base;
    hd_pack_byte(&s->where, head | mode | (step == site->step ? SAME_STEP : 0));
    if (step != site->step)
        hd_pack_signed(&s->where, (int64_t)step);
    for (uint32_t m = e->exec_mask; m; m &= m - 1) {
        uint64_t offset = (e->addr[__builtin_ctz(m)] - least) >> shift;
        for (unsigned i = 0; i < 1u << (mode - OFFSETS_8); i++)
            hd_pack_byte(&s->where, offset >> (8 * i) & 0xff);
    }
    site->base = least;
    site->step = step;
}

static void put_access(struct hd_warpstream_out *s, const struct hd_tracecode *c, uint32_t pc,
                       const struct hd_effects *e)
{
    struct hd_warpstream_site *site = &s->sites[pc % HD_WARPSTREAM_SITES];
    unsigned head = c->space == HD_SPACE_GENERIC ? (unsigned)e->space << SPACE_SHIFT : 0;
    uint64_t base, stride;

    if (!e->exec_mask) {
        if (c->space == HD_SPACE_GENERIC && c->load)
            hd_pack_byte(&s->where, head | EMPTY);
    } else if (is_row(e, site, &base, &stride)) {
        put_row(s, site, head | ROW, base, stride);
    } else {
        put_offsets(s, site, head, e, (unsigned)__builtin_ctz(c->bytes));
    }
}

static void put_barrier(struct hd_warpstream_out *s, const struct hd_effects *e)
{
    if (!e->exec_mask)
        return;
    hd_pack_byte(&s->where, e->barrier | (e->bar_threads ? THREADS : 0u));
    if (e->bar_threads)
        hd_pack_number(&s->where, e->bar_threads);
}

void hd_warpstream_put(struct hd_warpstream_out *s, const struct hd_tracecode *code, uint32_t pc,
                       uint32_t lanes, const struct hd_effects *e, uint32_t next_lanes)
{
    const struct hd_tracecode *c = &code[pc];
    bool ended = e->next_pc == HD_PC_NONE;
    unsigned event =
        (e->exec_mask != e->active_mask ? LANES : 0) | (!ended && e->next_pc != pc + 1 ? JUMP : 0) |
        (!ended && next_lanes != lanes ? MASK : 0) | (ended ? END : 0) |
        (e->flags & HD_EFF_TAKEN ? TAKEN : 0) | (e->flags & HD_EFF_DIVERGED ? DIVERGED : 0) |
        (e->flags & HD_EFF_EXITED ? EXITED : 0) | (e->active_mask != lanes ? STACK : 0);

    if (c->kind == HD_TRACECODE_MEMORY)
        put_access(s, c, pc, e);
    else if (c->kind == HD_TRACECODE_BARRIER)
        put_barrier(s, e);
    if (!event) {
        s->plain++;
        return;
    }
    hd_pack_number(&s->way, s->plain);
    s->plain = 0;
    hd_pack_byte(&s->way, event);
    if (event & LANES)
        hd_pack_mask(&s->way, e->exec_mask);
    if (event & JUMP)
        hd_pack_signed(&s->way, (int64_t)e->next_pc - (int64_t)pc - 1);
    if (event & MASK)
        hd_pack_mask(&s->way, next_lanes);
    if (event & STACK)
        hd_pack_mask(&s->way, e->active_mask);
}

void hd_warpstream_cut(struct hd_warpstream_out *s)
{
    hd_pack_number(&s->way, s->plain);
    s->plain = 0;
}

void hd_warpstream_start_out(struct hd_warpstream_out *s)
{
    s->way.n = s->where.n = 0;
    s->plain = 0;
    memset(s->sites, 0, sizeof s->sites);
}

// --- reading

void hd_warpstream_start_in(struct hd_warpstream_in *s)
{
    memset(s, 0, sizeof *s);
}

void hd_warpstream_feed(struct hd_warpstream_in *s, const uint8_t *way, size_t way_bytes,
                        const uint8_t *where, size_t where_bytes)
{
    // NULL if empty, and arithmetic is for pointers that are not.
    s->way = (struct hd_unpack){.at = way, .end = way_bytes ? way + way_bytes : way};
    s->where = (struct hd_unpack){.at = where, .end = where_bytes ? where + where_bytes : where};
    s->event = false;
}

static void get_row(uint64_t base, uint64_t stride, uint64_t addr[HD_LANES])
{
    for (uint64_t l = 0; l < HD_LANES; l++)
        addr[l] = base + l * stride;
}

// Sets what the emulator reports in addition for a row (isrc.h).
static void tell_row(const struct hd_tracecode *c, const struct hd_warpstream_site *site,
                     struct hd_effects *e)
{
    unsigned width = (unsigned)c->bytes * c->vec;
    unsigned span =
        31u - (unsigned)__builtin_clz(e->exec_mask) - (unsigned)__builtin_ctz(e->exec_mask);
    uint64_t stride = site->stride >> 63 ? -site->stride : site->stride;

    if (stride * span < UINT32_MAX)
        e->addr_span = (uint32_t)(stride * span) + 1;
    if (e->exec_mask == UINT32_MAX && site->stride == width && !(site->base & (width - 1)) &&
        e->space != HD_SPACE_LOCAL)
        e->flags |= HD_EFF_ROW;
}

static void get_offsets(struct hd_unpack *u, unsigned mode, uint64_t least, unsigned shift,
                        struct hd_effects *e)
{
    unsigned width = 1u << (mode - OFFSETS_8);
    const uint8_t *from = hd_unpack_bytes(u, (uint64_t)__builtin_popcount(e->exec_mask) * width);
    uint64_t most = 0;

    if (!from)
        return;
    for (uint32_t m = e->exec_mask; m; m &= m - 1, from += width) {
        uint64_t offset = 0;
        for (unsigned i = 0; i < width; i++)
            offset |= (uint64_t)from[i] << (8 * i);
        most = offset > most ? offset : most;
        e->addr[__builtin_ctz(m)] = least + (offset << shift);
    }
    if (most < UINT32_MAX >> 4)
        e->addr_span = (uint32_t)(most << shift) + 1;
}

// Whether an instruction of this kind could have accessed this space.
static bool good_space(const struct hd_tracecode *c, unsigned space)
{
    if (space == HD_SPACE_CONST || space == HD_SPACE_PARAM)
        return c->load;
    return space == HD_SPACE_GLOBAL || space == HD_SPACE_SHARED || space == HD_SPACE_LOCAL;
}

static bool get_access(struct hd_warpstream_in *s, const struct hd_tracecode *c, uint32_t pc,
                       struct hd_effects *e)
{
    struct hd_warpstream_site *site = &s->sites[pc % HD_WARPSTREAM_SITES];
    bool generic = c->space == HD_SPACE_GENERIC;
    unsigned head, mode;
    uint64_t high = 0;

    e->bytes = c->bytes;
    e->vec = c->vec;
    e->space = generic ? HD_SPACE_GLOBAL : c->space;
    if (!e->exec_mask && !(generic && c->load))
        return true;
    head = hd_unpack_byte(&s->where);
    mode = head & MODE;
    if (generic) {
        e->space = head >> SPACE_SHIFT & 7;
        if (!good_space(c, e->space))
            return false;
    }
    if (!e->exec_mask)
        return mode == EMPTY && !s->where.bad;
    if (mode > OFFSETS_64)
        return false;
    if (mode == ROW && !(head & SAME_STRIDE))
        site->stride = (uint64_t)hd_unpack_signed(&s->where);
    if (!(head & SAME_STEP))
        site->step = (uint64_t)hd_unpack_signed(&s->where);
    site->base += site->step;
    if (mode == ROW) {
        get_row(site->base, site->stride, e->addr);
        tell_row(c, site, e);
    } else {
        unsigned shift = head & SAME_STRIDE ? 0 : (unsigned)__builtin_ctz(c->bytes);
        get_offsets(&s->where, mode, site->base, shift, e);
    }
    for (uint32_t m = e->exec_mask; m; m &= m - 1)
        high |= e->addr[__builtin_ctz(m)];
    return !s->where.bad && !(high >> ADDRESS_BITS);
}

static bool get_barrier(struct hd_warpstream_in *s, const struct hd_tracecode *c,
                        struct hd_effects *e)
{
    unsigned head;

    if (!e->exec_mask)
        return true;
    head = hd_unpack_byte(&s->where);
    e->barrier = (uint8_t)(head & ~(unsigned)THREADS);
    e->bar_op = c->bar_op;
    e->bar_lanes = 0;
    e->bar_threads = head & THREADS ? (uint16_t)hd_unpack_most(&s->where, 1024) : 0;
    return !s->where.bad && e->barrier <= HD_BARRIER_CLUSTER && !(e->bar_threads % HD_LANES);
}

// Reads an instruction that is not plain.
static bool get_event(struct hd_warpstream_in *s, const struct hd_tracecode *c, uint32_t n_insns,
                      uint32_t pc, uint32_t lanes, struct hd_effects *e, uint32_t *next_lanes)
{
    unsigned event = hd_unpack_byte(&s->way);
    int64_t next = (int64_t)pc + 1;

    s->event = false;
    e->exec_mask = event & LANES ? hd_unpack_mask(&s->way) : lanes;
    if (event & JUMP)
        next += hd_unpack_signed(&s->way);
    *next_lanes = event & MASK ? hd_unpack_mask(&s->way) : lanes;
    e->active_mask = event & STACK ? hd_unpack_mask(&s->way) : lanes;
    if (!(event & LANES))
        e->exec_mask = e->active_mask;
    e->flags =
        (uint8_t)((event & TAKEN ? HD_EFF_TAKEN : 0) | (event & DIVERGED ? HD_EFF_DIVERGED : 0) |
                  (event & EXITED ? HD_EFF_EXITED : 0));
    if (s->way.bad || e->exec_mask & ~e->active_mask ||
        (event & EXITED && (!c->ends || !e->exec_mask)))
        return false;
    if (event & END) {
        e->next_pc = HD_PC_NONE;
        *next_lanes = 0;
        return event & EXITED;
    }
    if (next < 0 || next >= n_insns || !*next_lanes)
        return false;
    e->next_pc = (uint32_t)next;
    if (e->next_pc != pc + 1 && !c->branch)
        e->flags |= HD_EFF_JUMPED;
    return true;
}

enum hd_warpstream_got hd_warpstream_get(struct hd_warpstream_in *s,
                                         const struct hd_tracecode *code, uint32_t n_insns,
                                         uint32_t pc, uint32_t lanes, struct hd_effects *e,
                                         uint32_t *next_lanes)
{
    const struct hd_tracecode *c = &code[pc];
    bool good = true;

    while (!s->plain && !s->event) {
        if (s->way.at == s->way.end)
            return HD_WARPSTREAM_MORE;
        s->plain = (uint32_t)hd_unpack_most(&s->way, UINT32_MAX);
        s->event = s->way.at != s->way.end;
        if (s->way.bad)
            return HD_WARPSTREAM_BAD;
    }
    e->space = HD_SPACE_NONE;
    e->addr_span = 0;
    if (s->plain) {
        s->plain--;
        e->active_mask = e->exec_mask = *next_lanes = lanes;
        e->flags = 0;
        e->next_pc = pc + 1;
        good = e->next_pc < n_insns;
    } else {
        good = get_event(s, c, n_insns, pc, lanes, e, next_lanes);
    }
    if (good && c->kind == HD_TRACECODE_MEMORY)
        good = get_access(s, c, pc, e);
    else if (good && c->kind == HD_TRACECODE_BARRIER)
        good = get_barrier(s, c, e);
    return good ? HD_WARPSTREAM_OK : HD_WARPSTREAM_BAD;
}
