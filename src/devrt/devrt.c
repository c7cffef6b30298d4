// devrt.c - the device's runtime as a whole: the functions that the emulator calls, and each SM's
// outbox. See devrt.h.
#include "devrt/devrt.h"

#include "base/bug.h"
#include "devrt/devrt_internal.h"
#include "emu/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct hd_devrt_sm *own_of(struct hd_devrt *d, const struct hd_emu_sm *sm)
{
    return &d->sms[hd_callout_sm(sm)];
}

// --- the outbox

static bool perform(struct hd_devrt *d, struct hd_emu_sm *sm, const struct hd_outbox_entry *x)
{
    switch ((enum hd_outbox_kind)x->kind) {
    case HD_OUTBOX_CALL:
        return hd_device_runtime_perform(d, sm, x->warp, x);
    case HD_OUTBOX_BLOCK_ENDED:
        hd_device_streams_drop(d, x->stream, x->thread_streams);
        hd_children_block_ended(d, x->children);
        return true;
    case HD_OUTBOX_BLOCK_LEFT:
        hd_children_block_left(d, x->parked);
        return true;
    }
    HD_BUG("entry %u of an outbox", x->kind);
}

static bool merge(void *ctx, struct hd_emu_sm *sm)
{
    struct hd_devrt *d = ctx;
    struct hd_devrt_sm *own = own_of(d, sm);
    bool ok = true;

    for (size_t i = 0; ok && i < own->n; i++)
        ok = perform(d, sm, &own->outbox[i]);
    own->n = 0;
    return ok;
}

// Adds an entry, which is performed at the merge, or at once in a run without timing.
static bool put(struct hd_devrt *d, struct hd_emu_sm *sm, const struct hd_outbox_entry *x,
                bool direct)
{
    struct hd_devrt_sm *own = own_of(d, sm);

    if (direct)
        return perform(d, sm, x);
    if (!own->arena)
        own->arena = hd_arena_new();
    *HD_PUSH(own->arena, own->outbox, own->n, own->cap) = *x;
    hd_callout_defer(sm);
    return true;
}

// --- calls

// Whether the call requests a task if it succeeds.
static bool may_ask(unsigned builtin)
{
    switch (builtin) {
    case HD_BUILTIN_LAUNCH:
    case HD_BUILTIN_LAUNCH_PTSZ:
    case HD_BUILTIN_LAUNCH_V2:
    case HD_BUILTIN_LAUNCH_V2_PTSZ:
    case HD_BUILTIN_STREAM_WAIT:
    case HD_BUILTIN_STREAM_WAIT_PTSZ:
    case HD_BUILTIN_EVENT_RECORD:
    case HD_BUILTIN_EVENT_RECORD_PTSZ:
    case HD_BUILTIN_EVENT_RECORD_FLAGS:
    case HD_BUILTIN_EVENT_RECORD_FLAGS_PTSZ:
        return true;
    default:
        return builtin >= HD_BUILTIN_COPY;
    }
}

// Whether there is anything that a synchronising warp of this block must wait for. A launch that is
// still in the outbox counts; if it fails, the merge lets the warp continue.
static bool waits(struct hd_devrt *d, const struct hd_emu_sm *sm, unsigned slot)
{
    const struct hd_devrt_sm *own = own_of(d, sm);

    for (size_t i = 0; i < own->n; i++)
        if (own->outbox[i].kind == HD_OUTBOX_CALL && may_ask(own->outbox[i].call->builtin) &&
            hd_callout_from(sm, own->outbox[i].warp).slot == slot)
            return true;
    return hd_children_open(d, own->blocks[slot].children);
}

static bool frees(const struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                  uint32_t lanes, uint64_t address)
{
    uint64_t at[HD_LANES] = {0};

    hd_callout_read_args(sm, warp, call, 0, lanes, at);
    for (uint32_t m = lanes; m; m &= m - 1)
        if (at[__builtin_ctz(m)] == address)
            return true;
    return false;
}

// Whether an entry of this SM's outbox already frees the address.
static bool freed_before(struct hd_devrt *d, const struct hd_emu_sm *sm, uint64_t address)
{
    const struct hd_devrt_sm *own = own_of(d, sm);

    for (size_t i = 0; i < own->n; i++)
        if (own->outbox[i].kind == HD_OUTBOX_CALL &&
            own->outbox[i].call->builtin == HD_BUILTIN_FREE &&
            frees(sm, own->outbox[i].warp, own->outbox[i].call, own->outbox[i].lanes, address))
            return true;
    return false;
}

// Reports a fault of free(), if it can be detected before the merge.
static bool check_free(struct hd_devrt *d, struct hd_emu_sm *sm, unsigned warp,
                       const struct hd_call *call, struct hd_effects *out)
{
    uint64_t at[HD_LANES] = {0};

    hd_callout_read_args(sm, warp, call, 0, out->exec_mask, at);
    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t earlier = out->exec_mask & ((1u << l) - 1);
        if (!at[l] || (hd_device_heap_holds(d, at[l]) && !frees(sm, warp, call, earlier, at[l]) &&
                       !freed_before(d, sm, at[l])))
            continue;
        out->flags |= HD_EFF_TRAP;
        hd_device_runtime_trap_free(sm, warp, hd_callout_from(sm, warp).pc, l, at[l]);
        return false;
    }
    return true;
}

// A string of the program as printable text: up to `size` bytes, with '?' for unprintable ones.
static const char *text_at(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                           uint64_t address, char *buf, size_t size)
{
    size_t n = 0;

    for (; n + 1 < size; n++) {
        const uint8_t *c = hd_callout_at(sm, warp, lane, address + n, 1);
        if (!c || !*c)
            break;
        buf[n] = *c >= 0x20 && *c < 0x7f ? (char)*c : '?';
    }
    buf[n] = 0;
    return buf;
}

// __assertfail(message, file, line, function, character size)
static bool assertion(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                      struct hd_effects *out)
{
    unsigned lane = (unsigned)__builtin_ctz(out->exec_mask);
    uint64_t v[3][HD_LANES] = {{0}};
    char message[60], file[60], detail[160];

    for (unsigned i = 0; i < 3; i++)
        hd_callout_read_args(sm, warp, call, i, out->exec_mask, v[i]);
    snprintf(detail, sizeof detail, "%s:%" PRIu32 ": assertion `%s` failed",
             text_at(sm, warp, lane, v[1][lane], file, sizeof file), (uint32_t)v[2][lane],
             text_at(sm, warp, lane, v[0][lane], message, sizeof message));
    out->flags |= HD_EFF_TRAP;
    hd_callout_trap(sm, warp, hd_callout_from(sm, warp).pc, HD_TRAP_ASSERT, lane, detail);
    return false;
}

static bool call_device(void *ctx, struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                        struct hd_effects *out)
{
    struct hd_devrt *d = ctx;
    struct hd_callout_caller from = hd_callout_from(sm, warp);
    struct hd_outbox_entry x = {.kind = HD_OUTBOX_CALL,
                                .warp = (uint8_t)warp,
                                .lanes = out->exec_mask,
                                .pc = from.pc,
                                .call = call};

    if (call->builtin == HD_BUILTIN_ASSERTFAIL)
        return assertion(sm, warp, call, out);
    hd_callout_progress(sm);
    if (call->builtin == HD_BUILTIN_FREE && !check_free(d, sm, warp, call, out))
        return false;
    if (call->builtin == HD_BUILTIN_SYNCHRONIZE && waits(d, sm, from.slot)) {
        out->flags |= HD_EFF_WAITS;
        x.waits = true;
    }
    return put(d, sm, &x, from.direct);
}

// --- warps and blocks

static void warp_start(void *ctx, const struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_devrt *d = ctx;
    struct hd_devrt_sm *own = own_of(d, sm);

    if (own->errors)
        memset(own->errors + warp * HD_LANES, 0, HD_LANES * sizeof *own->errors);
}

static void tb_end(void *ctx, struct hd_emu_sm *sm, unsigned slot)
{
    struct hd_devrt *d = ctx;
    struct hd_devrt_block *b = &own_of(d, sm)->blocks[slot];
    struct hd_outbox_entry x = {.kind = HD_OUTBOX_BLOCK_ENDED,
                                .stream = b->stream,
                                .thread_streams = b->thread_streams,
                                .children = b->children};

    if (!b->stream && !b->thread_streams && !b->children)
        return;
    *b = (struct hd_devrt_block){0};
    put(d, sm, &x, hd_callout_direct(sm));
}

static void tb_leave(void *ctx, struct hd_emu_sm *sm, unsigned slot, struct hd_parked_block *parked)
{
    struct hd_devrt *d = ctx;
    struct hd_devrt_block *b = &own_of(d, sm)->blocks[slot];
    struct hd_outbox_entry x = {.kind = HD_OUTBOX_BLOCK_LEFT, .parked = parked};

    parked->stream = b->stream;
    parked->thread_streams = b->thread_streams;
    parked->children = b->children;
    *b = (struct hd_devrt_block){0};
    put(d, sm, &x, hd_callout_direct(sm));
}

static void tb_return(void *ctx, struct hd_emu_sm *sm, unsigned slot,
                      struct hd_parked_block *parked)
{
    struct hd_devrt *d = ctx;

    own_of(d, sm)->blocks[slot] =
        (struct hd_devrt_block){parked->stream, parked->thread_streams, parked->children};
    hd_children_block_returned(d, parked->children, hd_callout_sm(sm), slot);
}

static void snapshot(void *ctx, struct hd_emu_sm *sm, unsigned warp, struct hd_snapshot *s)
{
    hd_device_call_snapshot(ctx, own_of(ctx, sm), warp, s);
}

static void between_blocks(void *ctx)
{
    struct hd_devrt *d = ctx;

    if (d->n_tasks && d->owner.collect)
        d->owner.collect(d->owner.ctx);
}

static const struct hd_callout_ops ops = {.call = call_device,
                                          .merge = merge,
                                          .warp_start = warp_start,
                                          .tb_end = tb_end,
                                          .tb_leave = tb_leave,
                                          .tb_return = tb_return,
                                          .snapshot = snapshot,
                                          .between_blocks = between_blocks};

// --- life

struct hd_devrt *hd_devrt_new(struct hd_arena *a, struct hd_emu *e, struct hd_memory *m)
{
    struct hd_devrt *d = HD_NEW(a, hd_devrt);

    d->arena = hd_arena_new();
    d->emu = e;
    d->memory = m;
    d->limits = HD_DEVRT_LIMITS;
    d->n_sms = hd_callout_sms(e);
    d->sms = HD_ARRAY(d->arena, struct hd_devrt_sm, d->n_sms);
    hd_callout_attach(e, &ops, d);
    return d;
}

void hd_devrt_free(struct hd_devrt *d)
{
    if (!d || !d->arena)
        return;
    for (unsigned i = 0; i < d->n_sms; i++)
        hd_arena_free(d->sms[i].arena);
    hd_memory_give_back(d->output.text, d->output.size);
    hd_callout_attach(d->emu, NULL, NULL);
    hd_arena_free(d->arena);
    d->arena = NULL;
}

void hd_devrt_one_stream(struct hd_devrt *d, bool one)
{
    d->one_stream = one;
}

void hd_devrt_limit(struct hd_devrt *d, const struct hd_devrt_limits *limits)
{
    HD_BUG_IF(d->output.bytes, "%u bytes of printed text were not taken", d->output.bytes);
    d->limits = *limits;
    hd_emu_limit_stack(d->emu, limits->stack);
}

void hd_devrt_serve(struct hd_devrt *d, const struct hd_devrt_owner *owner)
{
    d->owner = *owner;
}

void hd_devrt_attributes(struct hd_devrt *d, bool (*attribute)(void *ctx, int number, int *value),
                         void *ctx)
{
    d->attribute = attribute;
    d->attribute_ctx = ctx;
}
