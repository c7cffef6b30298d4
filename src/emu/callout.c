// callout.c - what the device's runtime sees of warps. See callout.h.
#include "emu/callout.h"

#include "emu/emu_internal.h"

#include <stdio.h>
#include <string.h>

void hd_callout_attach(struct hd_emu *e, const struct hd_callout_ops *ops, void *ctx)
{
    e->runtime = ops;
    e->runtime_ctx = ctx;
}

unsigned hd_callout_sms(const struct hd_emu *e)
{
    return e->config.sms;
}

unsigned hd_callout_sm(const struct hd_emu_sm *sm)
{
    return (unsigned)(sm - sm->emu->sms);
}

struct hd_callout_caller hd_callout_from(const struct hd_emu_sm *sm, unsigned warp)
{
    const struct hd_emu_warp *w = &sm->warps[warp];

    return (struct hd_callout_caller){.launch = w->tb->launch,
                                      .program = w->program,
                                      .tb = w->tb->linear,
                                      .sm = hd_callout_sm(sm),
                                      .slot = (unsigned)(w->tb - sm->tbs),
                                      .warp = w->index,
                                      .pc = sm->simt.pc[warp],
                                      .direct = sm->direct};
}

bool hd_callout_direct(const struct hd_emu_sm *sm)
{
    return sm->direct;
}

void hd_callout_read_args(const struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                          unsigned arg, uint32_t lanes, uint64_t v[HD_LANES])
{
    hd_call_read(&sm->warps[warp], &call->args[call->n_rets + arg], lanes, v);
}

void hd_callout_read_bytes(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                           const struct hd_call *call, unsigned arg, void *to, size_t bytes)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_arg *a = &call->args[call->n_rets + arg];

    memcpy(to, w->local + lane * w->local_bytes + w->frame_local + a->offset, bytes);
}

void hd_callout_write_result(const struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                             uint32_t lanes, const uint64_t v[HD_LANES])
{
    if (call->n_rets && (call->args[0].row != HD_ROW_NONE || call->args[0].bytes))
        hd_call_write(&sm->warps[warp], &call->args[0], lanes, v);
}

const uint8_t *hd_callout_at(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                             uint64_t address, uint64_t bytes)
{
    return hd_address_read(sm, warp, lane, address, bytes);
}

uint8_t *hd_callout_at_to_write(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                                uint64_t address, uint64_t bytes)
{
    return hd_address_write(sm, warp, lane, address, bytes);
}

void hd_callout_defer(struct hd_emu_sm *sm)
{
    sm->calls_deferred = true;
    sm->pending_stores = 1;
}

void hd_callout_progress(struct hd_emu_sm *sm)
{
    sm->progress = 1;
}

void hd_callout_trap(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned kind, unsigned lane,
                     const char *detail)
{
    hd_trap_describe(sm, warp, pc, kind, lane);
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "%s", detail);
}
