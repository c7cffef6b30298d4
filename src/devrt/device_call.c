// device_call.c - a call from the calling thread's view: arguments, memory, the last error.
//
// The last error belongs to the thread and is zero when it starts.
#include "devrt/devrt_internal.h"

#include <string.h>

void hd_device_call_bytes(const struct hd_device_call *c, unsigned arg, void *to, size_t bytes)
{
    hd_callout_read_bytes(c->sm, c->slot, c->lane, c->call, arg, to, bytes);
}

unsigned hd_device_call_write(const struct hd_device_call *c, uint64_t address, const void *from,
                              size_t bytes)
{
    uint8_t *to = hd_callout_at_to_write(c->sm, c->slot, c->lane, address, bytes);

    if (to)
        memcpy(to, from, bytes);
    return to ? HD_ERROR_NONE : HD_ERROR_VALUE;
}

static void need_errors(struct hd_devrt *d, struct hd_devrt_sm *own)
{
    if (!own->errors)
        own->errors = HD_ARRAY(d->arena, uint16_t, HD_MAX_WARPS * HD_LANES);
}

uint16_t *hd_device_call_error(const struct hd_device_call *c)
{
    need_errors(c->d, c->own);
    return &c->own->errors[c->slot * HD_LANES + c->lane];
}

void hd_device_call_fail(const struct hd_device_call *c, unsigned error)
{
    *hd_device_call_error(c) = (uint16_t)error;
}

void hd_device_call_snapshot(struct hd_devrt *d, struct hd_devrt_sm *own, unsigned warp,
                             struct hd_snapshot *s)
{
    static uint16_t none[HD_LANES]; // never written
    uint16_t errors[HD_LANES], any = 0;

    if (s->what != HD_SNAPSHOT_LOAD) {
        hd_snapshot_part(s, own->errors ? own->errors + warp * HD_LANES : none, sizeof errors);
        return;
    }
    hd_snapshot_part(s, errors, sizeof errors);
    for (unsigned l = 0; l < HD_LANES; l++)
        any |= errors[l];
    if (!any && !own->errors)
        return;
    need_errors(d, own);
    memcpy(own->errors + warp * HD_LANES, errors, sizeof errors);
}
