// address.c - from address registers to host addresses, with every access checked.
//
// Each lane's access must be naturally aligned and inside its space: a live allocation rounded up
// to 256 bytes (global), the block's static plus dynamic shared memory, the thread's own local
// memory, the module's constants, the kernel's parameters. Generic addresses are resolved lane by
// lane through the windows of isa/op.h. If the lanes of one instruction access different spaces,
// every lane still gets its right value. The timing model however receives only one space, the
// lowest lane's, and one address for all lanes of other spaces, which is the lowest lane's too.
#include "emu/emu_internal.h"
#include "emu/touched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NULL_BYTES 4096 // faults below this address are reported as null pointers

struct extent { // bytes [0, size) of a space start at base, plus lane * stride
    uint8_t *base;
    uint64_t size, stride;
};

// Constants and parameters are only read: front ends refuse other accesses, exec traps them, and
// hd_address_write does not find them.
static uint8_t *readable(const uint8_t *p)
{
    union {
        const uint8_t *in;
        uint8_t *out;
    } u = {.in = p};
    return u.out;
}

void hd_address_windows(struct hd_emu_tb *t)
{
    t->windows[HD_SPACE_SHARED] =
        (struct hd_whole_window){.base = t->shared, .size = t->shared_bytes};
    t->windows[HD_SPACE_CONST] =
        (struct hd_whole_window){.base = readable(t->consts), .size = t->const_bytes};
    t->windows[HD_SPACE_PARAM] = (struct hd_whole_window){.base = readable(t->launch->params),
                                                          .size = t->launch->kernel->param_bytes};
}

static struct extent extent_of(const struct hd_emu_warp *w, unsigned space)
{
    const struct hd_whole_window *x = &w->tb->windows[space];

    if (space == HD_SPACE_LOCAL)
        return (struct extent){w->local, w->local_bytes, w->local_bytes};
    return (struct extent){x->base, x->size, 0};
}

// Returns the lanes of `mask` whose access is outside the space; the others get their host address.
static uint32_t place_in(const struct hd_emu_sm *sm, const struct extent *x, uint32_t mask,
                         const uint64_t *addr, const struct hd_access_sum *sum, uint32_t bytes,
                         uint8_t **at)
{
    uint32_t bad = 0;

    if (x->size >= bytes && sum->high <= x->size - bytes) {
        sm->access->place(x->base, 0, x->stride, addr, at);
        return 0;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (addr[l] >= x->size || bytes > x->size - addr[l])
            bad |= 1u << l;
        else
            at[l] = x->base + addr[l] + (uint64_t)l * x->stride;
    }
    return bad;
}

// Makes the stretch around this address the one that the next accesses are expected in.
static void look_up(struct hd_emu_sm *sm, uint64_t address)
{
    struct hd_memory_stretch *s = &sm->stretch;

    *s = hd_memory_stretch(sm->emu->memory, address);
    sm->window = (struct hd_whole_window){.low = s->low, .size = s->high - s->low};
    if (!sm->window.size)
        return;
    sm->window.offset = s->low - HD_MEMORY_BASE;
    sm->window.base = sm->global.bytes + sm->window.offset;
    sm->window.touched = sm->touched;
}

// Accesses are usually near each other: all lanes are in the same stretch as the last ones, and no
// search is needed.
static uint32_t place_global(struct hd_emu_sm *sm, uint32_t mask, const uint64_t *addr,
                             const struct hd_access_sum *sum, uint32_t bytes, uint8_t **at)
{
    const struct hd_memory_view *g = &sm->global;
    struct hd_memory_stretch *s = &sm->stretch;
    uint32_t bad = 0;

    if (sum->low < s->low || sum->high >= s->high || s->releases != *g->releases)
        look_up(sm, sum->low);
    if (sum->low >= s->low && sum->high < s->high) {
        sm->access->place(g->bytes, HD_MEMORY_BASE, 0, addr, at);
        return 0;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t offset = addr[l] - HD_MEMORY_BASE;
        if (offset >= g->size ||
            (!g->live[offset / HD_GRANULE] && !hd_memory_at(sm->emu->memory, addr[l], bytes)))
            bad |= 1u << l;
        else
            at[l] = g->bytes + offset;
    }
    return bad;
}

static void read_addresses(const struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                           const struct hd_insn *in, uint32_t lanes, unsigned bytes, uint64_t *addr,
                           struct hd_access_sum *sum)
{
    uint64_t offset = (uint64_t)in->imm;

    if (in->src[0] == HD_ROW_NONE && in->space == HD_SPACE_LOCAL) // a variable of the frame
        offset += w->frame_local;
    sm->access->addresses(in, &w->regs, lanes, offset, bytes, addr, sum);
}

static uint32_t misaligned(uint32_t mask, const uint64_t *addr, uint32_t bytes)
{
    uint32_t bad = 0;

    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        bad |= addr[l] & (bytes - 1) ? 1u << l : 0;
    }
    return bad;
}

static unsigned space_of(uint64_t generic)
{
    static const uint8_t spaces[] = {HD_SPACE_GLOBAL, HD_SPACE_SHARED, HD_SPACE_LOCAL,
                                     HD_SPACE_CONST, HD_SPACE_PARAM};
    uint64_t window = generic >> HD_WINDOW_SHIFT;

    return window < sizeof spaces ? spaces[window] : HD_SPACE_GLOBAL;
}

static uint32_t place(struct hd_emu_sm *sm, const struct hd_emu_warp *w, unsigned space,
                      uint32_t mask, const uint64_t *addr, const struct hd_access_sum *sum,
                      uint32_t bytes, uint8_t **at)
{
    if (space == HD_SPACE_GLOBAL)
        return place_global(sm, mask, addr, sum, bytes, at);
    struct extent x = extent_of(w, space);
    return place_in(sm, &x, mask, addr, sum, bytes, at);
}

// Whether this space cannot be written or, for local memory, accessed by atomics.
static bool forbidden(unsigned space, const struct hd_insn *in)
{
    return space == HD_SPACE_CONST || space == HD_SPACE_PARAM ||
           (space == HD_SPACE_LOCAL && hd_op_info[in->op].kind == HD_KIND_ATOMIC);
}

// Generic addresses of several spaces: sorts the lanes by space and places each group. The reported
// addresses become those inside the lowest lane's space.
static uint32_t place_mixed(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                            const struct hd_insn *in, struct hd_effects *out, uint32_t bytes,
                            bool write, struct hd_emu_access *x)
{
    static const struct hd_access_sum anywhere = {0, UINT64_MAX, 0, HD_ACCESS_SCATTERED};
    uint32_t left = out->exec_mask, bad = 0, m;
    int lowest = __builtin_ctz(left);
    uint64_t reported[HD_LANES];

    out->flags |= HD_EFF_HIDDEN_ACCESS;
    out->space = (uint8_t)space_of(out->addr[lowest]);
    while (left) {
        unsigned space = space_of(out->addr[__builtin_ctz(left)]);
        uint64_t inside[HD_LANES], some = out->addr[__builtin_ctz(left)];
        uint8_t *found[HD_LANES] = {NULL};
        uint32_t group = 0;
        for (m = left; m; m &= m - 1)
            if (space_of(out->addr[__builtin_ctz(m)]) == space)
                group |= m & -m;
        for (int l = 0; l < HD_LANES; l++)
            inside[l] = (group >> l & 1 ? out->addr[l] : some) - hd_window(space);
        if (write && forbidden(space, in))
            bad |= group;
        else
            bad |= place(sm, w, space, group, inside, &anywhere, bytes, found);
        if (space == HD_SPACE_GLOBAL)
            x->global |= group;
        if (space == out->space) // the first group; the others are reported at its address
            for (int l = 0; l < HD_LANES; l++)
                reported[l] = inside[group >> l & 1 ? l : lowest];
        for (m = group; m; m &= m - 1)
            x->at[__builtin_ctz(m)] = found[__builtin_ctz(m)];
        left &= ~group;
    }
    memcpy(out->addr, reported, sizeof reported);
    x->pattern = HD_ACCESS_SCATTERED;
    return bad;
}

// All lanes are nearly always in one space.
static uint32_t place_generic(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                              const struct hd_insn *in, struct hd_effects *out,
                              struct hd_access_sum *sum, uint32_t bytes, bool write,
                              struct hd_emu_access *x)
{
    unsigned space = space_of(sum->low);
    uint64_t window = hd_window(space);

    if (sum->low < HD_MEMORY_BASE && (space == HD_SPACE_GLOBAL || space_of(sum->high) != space))
        return place_mixed(sm, w, in, out, bytes, write, x);
    out->space = (uint8_t)space;
    if (space == HD_SPACE_GLOBAL) {
        x->global = out->exec_mask;
        return place_global(sm, out->exec_mask, out->addr, sum, bytes, x->at);
    }
    sum->low -= window;
    sum->high -= window;
    for (int l = 0; l < HD_LANES; l++)
        out->addr[l] -= window;
    if (write && forbidden(space, in))
        return out->exec_mask;
    return place(sm, w, space, out->exec_mask, out->addr, sum, bytes, x->at);
}

static void explain(struct hd_emu_sm *sm, const struct hd_emu_warp *w)
{
    struct hd_trap *t = &sm->trap;
    struct extent x;

    if (t->space == HD_SPACE_GLOBAL || t->space == HD_SPACE_GENERIC) {
        static const char null[] = "a null pointer; ";
        size_t n = t->addr < NULL_BYTES ? sizeof null - 1 : 0;
        memcpy(t->detail, null, n);
        hd_memory_describe(sm->emu->memory, t->addr, t->detail + n, sizeof t->detail - n);
        return;
    }
    if (t->write && (t->space == HD_SPACE_CONST || t->space == HD_SPACE_PARAM)) {
        snprintf(t->detail, sizeof t->detail, "%s memory cannot be written",
                 hd_space_names[t->space]);
        return;
    }
    x = extent_of(w, t->space);
    if (t->write && t->space == HD_SPACE_LOCAL && t->addr - hd_window(t->space) < x.size) {
        snprintf(t->detail, sizeof t->detail, "atomics do not reach local memory");
        return;
    }
    snprintf(t->detail, sizeof t->detail, "%s memory has %" PRIu64 " bytes here",
             hd_space_names[t->space], x.size);
}

const uint8_t *hd_address_read(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                               uint64_t address, uint64_t bytes)
{
    unsigned space = space_of(address);
    uint64_t offset = address - hd_window(space);

    if (space == HD_SPACE_GLOBAL)
        return hd_memory_at(sm->emu->memory, address, bytes);
    struct extent x = extent_of(&sm->warps[warp], space);
    if (offset >= x.size || bytes > x.size - offset)
        return NULL;
    return x.base + offset + lane * x.stride;
}

uint8_t *hd_address_write(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                          uint64_t address, uint64_t bytes)
{
    unsigned space = space_of(address);

    return space == HD_SPACE_CONST || space == HD_SPACE_PARAM
               ? NULL
               : readable(hd_address_read(sm, warp, lane, address, bytes));
}

// Lanes that take no part get an address that can be read.
static void spread(uint8_t *at[HD_LANES], uint32_t lanes)
{
    uint8_t *some = at[__builtin_ctz(lanes)];

    for (int l = 0; l < HD_LANES; l++)
        at[l] = lanes >> l & 1 ? at[l] : some;
}

static void trap_access(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        struct hd_effects *out, bool write, uint32_t outside, uint32_t crooked,
                        const uint64_t written[HD_LANES])
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned lane = (unsigned)__builtin_ctz(outside | crooked);

    hd_trap_set(sm, warp, out, outside >> lane & 1 ? HD_TRAP_OUT_OF_BOUNDS : HD_TRAP_MISALIGNED,
                lane);
    sm->trap.addr = written[lane];
    sm->trap.space = in->space == HD_SPACE_GENERIC ? (uint8_t)space_of(written[lane]) : in->space;
    sm->trap.bytes = (uint8_t)(out->bytes * out->vec);
    sm->trap.write = write;
    explain(sm, w);
}

uint8_t *hd_address_piece(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                          unsigned lane, const struct hd_emu_piece_at *at)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct extent x = extent_of(w, at->space);
    uint8_t *found;

    if (at->space == HD_SPACE_GLOBAL)
        found = at->address < HD_MEMORY_BASE
                    ? NULL
                    : hd_memory_at(sm->emu->memory, at->address, at->bytes);
    else
        found =
            at->address > x.size || at->bytes > x.size - at->address ? NULL : x.base + at->address;
    if (found && !(at->address & (at->align - 1))) {
        if (sm->touched && at->space == HD_SPACE_GLOBAL)
            hd_touched_range(sm->touched, at->address - HD_MEMORY_BASE, at->bytes,
                             at->write ? HD_TOUCHED_WRITE : HD_TOUCHED_READ);
        return found;
    }
    hd_trap_set(sm, warp, out, found ? HD_TRAP_MISALIGNED : HD_TRAP_OUT_OF_BOUNDS, lane);
    sm->trap.addr = at->address;
    sm->trap.space = at->space;
    sm->trap.bytes = (uint8_t)(at->bytes < UINT8_MAX ? at->bytes : UINT8_MAX);
    sm->trap.write = at->write;
    explain(sm, w);
    return NULL;
}

// Finds the host addresses of `bytes` bytes at out->addr. Returns the lanes that may not access
// them.
static uint32_t place_lanes(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                            const struct hd_insn *in, struct hd_effects *out, uint32_t bytes,
                            bool write, struct hd_access_sum *sum, struct hd_emu_access *x)
{
    uint32_t outside;

    x->global = 0;
    // The same local address is at another place for every lane.
    x->pattern = in->space == HD_SPACE_LOCAL ? HD_ACCESS_SCATTERED : sum->pattern;
    if (in->space == HD_SPACE_GENERIC) {
        outside = place_generic(sm, w, in, out, sum, bytes, write, x);
        if (out->space == HD_SPACE_LOCAL)
            x->pattern = HD_ACCESS_SCATTERED;
        return outside;
    }
    outside = place(sm, w, in->space, out->exec_mask, out->addr, sum, bytes, x->at);
    x->global = in->space == HD_SPACE_GLOBAL ? out->exec_mask : 0;
    return outside;
}

static void finish(struct hd_effects *out, const struct hd_access_sum *sum, struct hd_emu_access *x)
{
    if (x->pattern == HD_ACCESS_ROW)
        out->flags |= HD_EFF_ROW;
    if (sum->high - sum->low < UINT32_MAX)
        out->addr_span = (uint32_t)(sum->high - sum->low) + 1;
    if (out->exec_mask != UINT32_MAX)
        spread(x->at, out->exec_mask);
}

bool hd_address_only_adds(const struct hd_insn *in)
{
    enum hd_type type = hd_op_info[in->op].type;

    return hd_op_info[in->op].kind == HD_KIND_ATOMIC && in->dst == HD_ROW_NONE &&
           (in->mods & HD_MOD_ENUM) == HD_ATOM_ADD && hd_type_bytes(type) >= 4 &&
           !hd_type_is_float(type);
}

// Notes the accesses to global memory. Integers that are added, and whose old values nobody gets,
// may be added in any order.
static void note_lanes(const struct hd_emu_sm *sm, const struct hd_insn *in,
                       const struct hd_effects *out, bool write, const struct hd_access_sum *sum,
                       const struct hd_emu_access *x, unsigned bytes)
{
    enum hd_touched_how how = write ? HD_TOUCHED_WRITE : HD_TOUCHED_READ;
    bool all = x->global == out->exec_mask;

    if (all && hd_address_only_adds(in))
        how = bytes == 8 ? HD_TOUCHED_ADD_WIDE : HD_TOUCHED_ADD;
    if (x->global &&
        !(all && hd_touched_within(sm->touched, sum->low - HD_MEMORY_BASE,
                                   sum->high - sum->low + bytes, x->global, bytes, how)))
        hd_touched_lanes(sm->touched, x->at, x->global, bytes, how);
}

bool hd_address_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out, bool write, struct hd_emu_access *x)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t element = hd_type_bytes(hd_op_info[in->op].type), bytes = element * in->vec;
    uint32_t outside, crooked = 0;
    struct hd_access_sum sum;

    out->bytes = (uint8_t)element;
    out->vec = in->vec;
    out->space = in->space;
    x->global = 0;
    read_addresses(sm, w, in, out->exec_mask, bytes, out->addr, &sum);
    if (!out->exec_mask) {
        if (in->space == HD_SPACE_GENERIC)
            out->space = (uint8_t)space_of(out->addr[0]);
        return true;
    }
    if (sum.low_bits & (bytes - 1))
        crooked = misaligned(out->exec_mask, out->addr, bytes);
    outside = place_lanes(sm, w, in, out, bytes, write, &sum, x);
    if (outside | crooked) {
        uint64_t written[HD_LANES]; // the addresses in the program's registers
        read_addresses(sm, w, in, out->exec_mask, bytes, written, &sum);
        trap_access(sm, warp, in, out, write, outside, crooked, written);
        return false;
    }
    finish(out, &sum, x);
    if (sm->touched)
        note_lanes(sm, in, out, write, &sum, x, bytes);
    return true;
}

// The start of a space's bytes on the host, if the access is inside it.
static inline uint8_t *near_base(struct hd_emu_sm *sm, const struct hd_emu_warp *w, unsigned space,
                                 const struct hd_access_near *n, uint32_t bytes)
{
    struct hd_memory_stretch *s = &sm->stretch;
    struct extent x = {w->tb->shared, w->tb->shared_bytes, 0};

    if (space == HD_SPACE_GLOBAL) {
        if (n->low < s->low || n->low + n->span >= s->high || s->releases != *sm->global.releases)
            look_up(sm, n->low);
        if (n->low < s->low || n->low + n->span >= s->high)
            return NULL;
        return sm->global.bytes + (n->low - HD_MEMORY_BASE);
    }
    if (space != HD_SPACE_SHARED)
        x = extent_of(w, space);
    if (x.size < bytes || n->low > x.size - bytes || n->span > x.size - bytes - n->low)
        return NULL;
    return x.base + n->low;
}

uint8_t *hd_address_near(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                         const struct hd_insn *in, uint32_t lanes, uint32_t bytes,
                         struct hd_access_near *n)
{
    uint64_t offset = (uint64_t)in->imm;
    unsigned space = in->space;
    uint8_t *base;

    if (in->src[0] == HD_ROW_NONE && space == HD_SPACE_LOCAL) // a variable of the frame
        offset += w->frame_local;
    if (!sm->access->near(in, &w->regs, lanes, offset, bytes, n) || n->low_bits & (bytes - 1))
        return NULL;
    if (space == HD_SPACE_GENERIC) {
        if (n->low < HD_MEMORY_BASE)
            return NULL;
        space = HD_SPACE_GLOBAL;
    }
    base = near_base(sm, w, space, n, bytes);
    if (base && space == HD_SPACE_LOCAL) { // the same address is at another place for every lane
        if (w->local_bytes > INT32_MAX / HD_LANES / 2 || n->span > INT32_MAX / 2)
            return NULL;
        sm->access->spread(n, bytes, (uint32_t)w->local_bytes);
    }
    return base;
}

void hd_address_read_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                           struct hd_effects *out, unsigned bytes)
{
    struct hd_access_sum sum;

    read_addresses(sm, &sm->warps[warp], in, out->exec_mask, bytes, out->addr, &sum);
}

static struct hd_access_sum sum_of(const struct hd_effects *out)
{
    struct hd_access_sum s = {UINT64_MAX, 0, 0, HD_ACCESS_SCATTERED};

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        uint64_t a = out->addr[__builtin_ctz(m)];
        s.low = a < s.low ? a : s.low;
        s.high = a > s.high ? a : s.high;
        s.low_bits |= a;
    }
    return s;
}

bool hd_address_given(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out, bool write, unsigned align, unsigned bytes,
                      struct hd_emu_access *x)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t outside = 0, crooked;
    uint64_t written[HD_LANES];
    struct hd_access_sum sum = sum_of(out);
    unsigned step = bytes > 16 ? 16 : bytes;

    memcpy(written, out->addr, sizeof written);
    crooked = sum.low_bits & (align - 1) ? misaligned(out->exec_mask, out->addr, align) : 0;
    // Backwards, piece by piece: consecutive addresses of a space are consecutive on the host.
    for (unsigned at = bytes; at;) {
        at -= step;
        for (unsigned l = 0; l < HD_LANES; l++)
            out->addr[l] = written[l] + at;
        sum = sum_of(out);
        out->space = in->space;
        outside |= place_lanes(sm, w, in, out, step, write, &sum, x);
    }
    if (outside | crooked) {
        trap_access(sm, warp, in, out, write, outside, crooked, written);
        return false;
    }
    if (out->space != HD_SPACE_GLOBAL && out->space != HD_SPACE_SHARED)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL,
                              "a matrix must be in global or shared memory");
    finish(out, &sum, x);
    if (sm->touched)
        note_lanes(sm, in, out, write, &sum, x, bytes);
    return true;
}
