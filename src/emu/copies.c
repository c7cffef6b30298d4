// copies.c - asynchronous copies between global and shared memory, and operations on mbarriers.
//
// A copy moves its bytes when it is issued; a program without races cannot notice that. What it
// does to an mbarrier when it is complete is done when the timing model requires it
// (hd_isrc_ops.complete_async), and at once in runs without timing. isa/mbarrier.h describes the
// contents of an mbarrier; PTX ISA 9.0, 9.7.9.25 and 9.7.13.15.
//
// If the manual leaves the behaviour undefined, the program faults: an object that was not
// initialised, more arrivals than are pending, counts out of range.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "isa/mbarrier.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool refuse(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned lane,
                   const char *detail)
{
    hd_trap_set(sm, warp, out, HD_TRAP_ILLEGAL, lane);
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "%s", detail);
    return false;
}

// --- objects

static struct hd_mbarrier load(const struct hd_emu_tb *tb, uint32_t at)
{
    uint64_t object;

    memcpy(&object, tb->shared + at, sizeof object);
    return hd_mbarrier_of(object);
}

// Stores the object. If its phase has nothing pending, the phase ends.
static void store(struct hd_emu_sm *sm, const struct hd_emu_tb *tb, uint32_t at,
                  struct hd_mbarrier b)
{
    uint64_t object;

    if (!b.pending && !b.bytes) {
        b.parity = !b.parity;
        b.pending = b.expected;
    }
    object = hd_mbarrier_object(&b);
    memcpy(tb->shared + at, &object, sizeof object);
    sm->progress = 1;
}

// --- completions

static uint32_t defer(struct hd_emu_sm *sm, const struct hd_emu_completion *what, uint32_t next)
{
    uint16_t i = sm->free_completion;

    if (i >= HD_EMU_COMPLETIONS) // the list is full
        return 0;
    sm->copies_ready = false;
    sm->free_completion = sm->completions[i].next;
    sm->completions[i] = *what;
    sm->completions[i].next = (uint16_t)next;
    return i + 1u;
}

bool hd_copies_under_way(const struct hd_emu_sm *sm)
{
    unsigned free = 0;

    if (sm->copies_ready || !sm->prepared) // never prepared, so there is no list either
        return false;
    for (uint16_t i = sm->free_completion; i < HD_EMU_COMPLETIONS; i = sm->completions[i].next)
        free++;
    return free < HD_EMU_COMPLETIONS;
}

static void perform(struct hd_emu_sm *sm, const struct hd_emu_completion *what)
{
    const struct hd_emu_tb *tb = &sm->tbs[what->tb];
    struct hd_mbarrier b = load(tb, what->at);

    if (!b.valid) // invalidated before its copies were complete
        return;
    b.bytes -= (int32_t)what->bytes;
    b.pending -= what->arrivals < b.pending ? what->arrivals : b.pending;
    store(sm, tb, what->at, b);
}

void hd_copies_complete(void *self, uint32_t token)
{
    struct hd_emu_sm *sm = self;
    uint32_t i = token;

    while (i) {
        struct hd_emu_completion *x = &sm->completions[i - 1];
        uint32_t next = x->next;
        perform(sm, x);
        x->next = sm->free_completion;
        sm->free_completion = (uint16_t)(i - 1);
        i = next;
    }
}

void hd_copies_prepare(struct hd_emu_sm *sm)
{
    if (sm->copies_ready) // as before most launches, because few kernels copy
        return;
    sm->copies_ready = true;
    for (unsigned i = 0; i < HD_EMU_COMPLETIONS; i++)
        sm->completions[i].next = (uint16_t)(i + 1);
    sm->free_completion = 0;
    memset(sm->tries, 0, sizeof sm->tries);
}

// Completes now, or adds to `token`.
static uint32_t complete_or_defer(struct hd_emu_sm *sm, const struct hd_emu_completion *what,
                                  uint32_t token)
{
    uint32_t more = sm->direct ? 0 : defer(sm, what, token);

    if (!more)
        perform(sm, what);
    return more ? more : token;
}

// --- addresses of copies

struct places { // of one copy: rows and offsets of {to, from, bytes, mbarrier}
    const struct hd_lane_regs *r;
    const int32_t *rows, *offsets;
    uint16_t mods;
};

static struct places places_of(const struct hd_emu_warp *w, const struct hd_insn *in)
{
    return (struct places){&w->regs, w->program->vecs[in->src[0]], w->program->vecs[in->src[0] + 1],
                           in->mods};
}

static uint64_t place(const struct places *p, unsigned k, unsigned lane)
{
    uint64_t at = (uint64_t)(int64_t)p->offsets[k], x;

    if (p->rows[k] == HD_ROW_NONE)
        return at;
    const uint32_t *row = hd_lanes_source(p->r, p->rows[k]);
    if (p->mods & HD_COPY_A32(k))
        return (uint32_t)(row[lane] + at);
    memcpy(&x, (const uint8_t *)row + lane * sizeof x, sizeof x);
    return x + at;
}

static void read_piece(struct hd_emu_sm *sm, const uint8_t *from, unsigned bytes, uint8_t *to)
{
    struct hd_emu_access x = {.at = {NULL}};
    union {
        const uint8_t *in;
        uint8_t *out;
    } u = {.in = from};

    x.at[0] = u.out;
    hd_loads_bytes(sm, 1, &x, bytes, to);
}

// --- cp.async

// The number of bytes that this lane reads: cp-size or fewer; the rest are zeros.
static uint32_t bytes_read(const struct places *p, const struct hd_insn *in, unsigned lane)
{
    bool nothing = in->dst != HD_ROW_NONE && (hd_lanes_pred(p->r, (uint32_t)in->dst) >> lane & 1);

    if (nothing)
        return 0;
    return p->rows[2] == HD_ROW_NONE ? in->vec : hd_lanes_source(p->r, p->rows[2])[lane];
}

static bool copy_pieces(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        struct hd_effects *out)
{
    struct places p = places_of(&sm->warps[warp], in);
    uint8_t *to[HD_LANES], value[HD_LANES][16] = {{0}};
    uint32_t reading = 0;
    unsigned some = 0;

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t n = bytes_read(&p, in, l);
        const uint8_t *from;
        if (n > in->vec)
            return refuse(sm, warp, out, l, "it reads more bytes than it copies");
        to[l] = hd_address_piece(
            sm, warp, out, l,
            &(struct hd_emu_piece_at){HD_SPACE_SHARED, place(&p, 0, l), in->vec, in->vec, true});
        if (!to[l])
            return false;
        if (!n)
            continue;
        out->addr[l] = place(&p, 1, l);
        from = hd_address_piece(
            sm, warp, out, l,
            &(struct hd_emu_piece_at){HD_SPACE_GLOBAL, out->addr[l], n, in->vec, false});
        if (!from)
            return false;
        read_piece(sm, from, n, value[l]);
        reading |= 1u << l;
        some = l;
    }
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        sm->progress |= memcmp(to[l], value[l], in->vec) != 0;
        memcpy(to[l], value[l], in->vec);
    }
    for (unsigned l = 0; l < HD_LANES;
         l++) // a lane that reads nothing reports another lane's address
        out->addr[l] = out->addr[reading >> l & 1 ? l : some];
    out->space = reading ? HD_SPACE_GLOBAL : HD_SPACE_NONE;
    out->bytes = in->vec == 4 ? 4 : 8;
    out->vec = in->vec == 16 ? 2 : 1;
    return true;
}

// --- cp.async.bulk

static uint8_t *bulk_place(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                           const struct places *p, unsigned k, unsigned lane, uint32_t bytes,
                           bool shared)
{
    return hd_address_piece(sm, warp, out, lane,
                            &(struct hd_emu_piece_at){shared ? HD_SPACE_SHARED : HD_SPACE_GLOBAL,
                                                      place(p, k, lane), bytes, k == 3 ? 8 : 16,
                                                      k == 0 || k == 3});
}

// Checks the addresses of all lanes, and the mbarriers. False after a trap.
static bool check_bulk(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       struct hd_effects *out, const struct places *p, uint8_t *to[HD_LANES],
                       uint8_t *from[HD_LANES])
{
    const struct hd_emu_tb *tb = sm->warps[warp].tb;
    bool loads = in->op == HD_OP_CP_BULK_LOAD;

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t bytes = hd_lanes_source(p->r, p->rows[2])[l];
        if (bytes % 16)
            return refuse(sm, warp, out, l, "the size of a bulk copy is a multiple of 16");
        to[l] = bulk_place(sm, warp, out, p, 0, l, bytes, loads);
        from[l] = to[l] ? bulk_place(sm, warp, out, p, 1, l, bytes, !loads) : NULL;
        if (!from[l] || (loads && !bulk_place(sm, warp, out, p, 3, l, 8, true)))
            return false;
        if (loads && !load(tb, (uint32_t)place(p, 3, l)).valid)
            return refuse(sm, warp, out, l, "its mbarrier was not initialised");
        out->moved[l] = bytes;
        out->addr[l] = place(p, loads ? 1 : 0, l);
    }
    return true;
}

static bool copy_bulk(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    const struct hd_emu_tb *tb = sm->warps[warp].tb;
    struct places p = places_of(&sm->warps[warp], in);
    uint8_t *to[HD_LANES], *from[HD_LANES], piece[16];

    if (!check_bulk(sm, warp, in, out, &p, to, from))
        return false;
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t bytes = out->moved[l];
        if (in->op == HD_OP_CP_BULK_STORE) {
            hd_stores_bulk(sm, to[l], from[l], bytes);
            continue;
        }
        for (uint32_t i = 0; i < bytes; i += 16) {
            read_piece(sm, from[l] + i, 16, piece);
            memcpy(to[l] + i, piece, 16);
        }
        out->completion = complete_or_defer(
            sm,
            &(struct hd_emu_completion){
                .at = (uint32_t)place(&p, 3, l), .bytes = bytes, .tb = (uint8_t)(tb - sm->tbs)},
            out->completion);
    }
    sm->progress = 1;
    out->space = HD_SPACE_GLOBAL;
    return true;
}

bool hd_copies_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    out->flags |= HD_EFF_HIDDEN_ACCESS;
    out->completion = 0;
    if (!out->exec_mask)
        return true;
    return in->op == HD_OP_CP_ASYNC ? copy_pieces(sm, warp, in, out) : copy_bulk(sm, warp, in, out);
}

// --- groups

bool hd_copies_group(const struct hd_insn *in, struct hd_effects *out)
{
    out->barrier = in->imm < HD_COPIES_MOST ? (uint8_t)in->imm : HD_COPIES_MOST;
    switch (in->op) {
    case HD_OP_CP_COMMIT:
        out->bar_op = HD_COPIES_COMMIT;
        break;
    case HD_OP_CP_WAIT:
        out->bar_op = in->mods ? HD_COPIES_ALL : HD_COPIES_WAIT;
        break;
    case HD_OP_CP_BULK_COMMIT:
        out->bar_op = HD_COPIES_BULK_COMMIT;
        break;
    case HD_OP_CP_BULK_WAIT:
        out->bar_op = in->mods ? HD_COPIES_BULK_READ : HD_COPIES_BULK_WAIT;
        break;
    default:
        HD_BUG("operation %u on groups of copies", in->op);
    }
    return true;
}

// --- mbarriers

static uint64_t operand(const struct hd_emu_warp *w, int32_t row, bool wide, unsigned lane)
{
    const uint32_t *src = hd_lanes_source(&w->regs, row);
    uint64_t x;

    if (!wide)
        return src[lane];
    memcpy(&x, src + 2 * lane, sizeof x);
    return x;
}

// Whether the phase that lane l asks about is over.
static bool is_over(const struct hd_emu_warp *w, const struct hd_insn *in, unsigned lane,
                    const struct hd_mbarrier *b)
{
    if (in->mods & HD_MBAR_PARITY)
        return b->parity != (operand(w, in->src[1], false, lane) & 1);
    return b->parity != hd_mbarrier_of(operand(w, in->src[1], true, lane)).parity;
}

// Does one lane's arrival; returns NULL, or what is wrong with it.
static const char *arrive(const struct hd_insn *in, struct hd_mbarrier *b, uint64_t count)
{
    uint64_t arrivals = in->mods & HD_MBAR_EXPECT ? 1 : count;

    if (in->mods & HD_MBAR_EXPECT) {
        if (count > HD_MBAR_MOST)
            return "more than 1048575 bytes are expected";
        b->bytes += (int32_t)count;
    }
    if (!arrivals || arrivals > b->pending)
        return arrivals ? "more arrivals than the mbarrier waits for" : "an arrival counts 0";
    if (in->op == HD_OP_MBAR_DROP_B64) {
        if (arrivals > b->expected)
            return "more arrivals are dropped than the mbarrier expects";
        b->expected -= (uint32_t)arrivals;
    }
    b->pending -= (uint32_t)arrivals;
    if (in->mods & HD_MBAR_INCOMPLETE && !b->pending)
        return "an arrival with .noComplete completes the phase";
    return NULL;
}

// One lane's operation, which changes the object *b.
static const char *operate(const struct hd_insn *in, struct hd_mbarrier *b, uint64_t count)
{
    switch (in->op) {
    case HD_OP_MBAR_INIT_B64:
        if (!count || count > HD_MBAR_MOST)
            return "the count of an mbarrier is 1 to 1048575";
        *b = (struct hd_mbarrier){.pending = (uint32_t)count, .expected = (uint32_t)count};
        return NULL;
    case HD_OP_MBAR_EXPECT_B64:
    case HD_OP_MBAR_COMPLETE_B64:
        if (count > HD_MBAR_MOST)
            return "a number of bytes is 0 to 1048575";
        b->bytes += in->op == HD_OP_MBAR_EXPECT_B64 ? (int32_t)count : -(int32_t)count;
        break;
    default: {
        const char *wrong = arrive(in, b, count);
        if (wrong)
            return wrong;
    }
    }
    return b->bytes > HD_MBAR_MOST || b->bytes < -HD_MBAR_MOST
               ? "an mbarrier waits for more than 1048575 bytes"
               : NULL;
}

static bool objects_change(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                           struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t at = (uint32_t)out->addr[l];
        struct hd_mbarrier b = load(w->tb, at);
        uint64_t before = hd_mbarrier_object(&b);
        const char *wrong =
            operate(in, &b, in->src[1] == HD_ROW_NONE ? 1 : operand(w, in->src[1], false, l));
        if (wrong)
            return refuse(sm, warp, out, l, wrong);
        if (in->op == HD_OP_MBAR_INVAL_B64)
            memset(w->tb->shared + at, 0, 8);
        else
            store(sm, w->tb, at, b);
        if (in->dst != HD_ROW_NONE)
            memcpy(hd_lanes_row(&w->regs, in->dst) + 2 * l, &before, sizeof before);
    }
    return true;
}

// cp.async.mbarrier.arrive: counted at once, unless .noinc says that it is already counted; done
// when the copies are complete. Lanes with the same object count together.
static bool arrive_async(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                         struct hd_effects *out)
{
    const struct hd_emu_tb *tb = sm->warps[warp].tb;
    uint32_t left = out->exec_mask;

    while (left) {
        uint64_t at = out->addr[__builtin_ctz(left)];
        uint32_t same = 0, n;
        struct hd_mbarrier b = load(tb, (uint32_t)at);
        for (uint32_t m = left; m; m &= m - 1)
            same |= out->addr[__builtin_ctz(m)] == at ? m & -m : 0;
        n = (uint32_t)__builtin_popcount(same);
        if (!(in->mods & HD_MBAR_NOINC)) {
            if (b.pending + n > HD_MBAR_MOST)
                return refuse(sm, warp, out, (unsigned)__builtin_ctz(same),
                              "an mbarrier waits for more than 1048575 arrivals");
            b.pending += n;
            store(sm, tb, (uint32_t)at, b);
        } else if (n > b.pending) {
            return refuse(sm, warp, out, (unsigned)__builtin_ctz(same),
                          "more arrivals than the mbarrier waits for");
        }
        out->completion =
            complete_or_defer(sm,
                              &(struct hd_emu_completion){
                                  .at = (uint32_t)at, .arrivals = n, .tb = (uint8_t)(tb - sm->tbs)},
                              out->completion);
        left &= ~same;
    }
    return true;
}

static void test(const struct hd_emu_warp *w, const struct hd_insn *in,
                 const struct hd_effects *out)
{
    uint32_t over = 0;

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        struct hd_mbarrier b = load(w->tb, (uint32_t)out->addr[l]);
        over |= is_over(w, in, l, &b) ? m & -m : 0;
    }
    w->regs.preds[in->dst] = (w->regs.preds[in->dst] & ~out->exec_mask) | over;
}

bool hd_mbarrier_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_emu_access x;

    out->completion = 0;
    if (!hd_address_lanes(sm, warp, in, out, true, &x))
        return false;
    if (out->space != HD_SPACE_SHARED || out->flags & HD_EFF_HIDDEN_ACCESS)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL,
                              "an mbarrier must be in shared memory");
    for (uint32_t m = out->exec_mask; m && in->op != HD_OP_MBAR_INIT_B64; m &= m - 1)
        if (!load(w->tb, (uint32_t)out->addr[__builtin_ctz(m)]).valid)
            return refuse(sm, warp, out, (unsigned)__builtin_ctz(m),
                          "the mbarrier was not initialised");
    switch (in->op) {
    case HD_OP_CP_ARRIVE_B64:
        return arrive_async(sm, warp, in, out);
    case HD_OP_MBAR_TEST_B64:
        test(w, in, out);
        return true;
    case HD_OP_MBAR_TRY_B64:
        sm->copies_ready = false;
        sm->tries[warp].in = in;
        sm->tries[warp].lanes = out->exec_mask;
        sm->tries[warp].frame = sm->simt.frame[warp];
        for (unsigned l = 0; l < HD_LANES; l++)
            sm->tries[warp].at[l] = (uint32_t)out->addr[l];
        return true;
    default:
        return objects_change(sm, warp, in, out);
    }
}

bool hd_mbarrier_poll(void *self, unsigned warp, bool late)
{
    struct hd_emu_sm *sm = self;
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_emu_try *t = &sm->tries[warp];
    uint32_t over = 0;

    for (uint32_t m = t->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        struct hd_mbarrier b = load(w->tb, t->at[l]);
        over |= is_over(w, t->in, l, &b) ? m & -m : 0;
    }
    if (t->lanes && !over && !late)
        return false;
    if (t->lanes) {
        uint32_t *preds = hd_call_regs(w, t->frame).preds, *pred = preds + t->in->dst;
        *pred = (*pred & ~t->lanes) | over;
    }
    t->lanes = 0;
    return true;
}

const char *hd_mbarrier_describe(const void *self, unsigned warp, char *buf, size_t bytes)
{
    const struct hd_emu_sm *sm = self;
    const struct hd_emu_try *t = &sm->tries[warp];
    struct hd_mbarrier b;
    unsigned l;

    if (!t->lanes)
        return NULL;
    l = (unsigned)__builtin_ctz(t->lanes);
    b = load(sm->warps[warp].tb, t->at[l]);
    snprintf(buf, bytes,
             "waits for the mbarrier at 0x%" PRIx32 " of shared memory: %" PRIu32 " of %" PRIu32
             " arrivals and %" PRId32 " bytes are missing",
             t->at[l], b.pending, b.expected, b.bytes);
    return buf;
}
