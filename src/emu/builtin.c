// builtin.c - functions that the device provides to PTX: malloc, free, __assertfail (vprintf is in
// devprintf.c, the device's runtime in devcalls.c). CUDA C++ Programming Guide, "Dynamic Global
// Memory Allocation", "Assertion".
//
// The heap is not a region: each block is an allocation of its own in global memory, at an address
// never used before, so that an access past its end or after free is found as for any other. Lanes
// are served in order; the sum of live blocks is limited.
#include "emu/state.h"

#include <inttypes.h>
#include <stdio.h>

static const char heap_name[] = "device malloc";

uint64_t hd_builtin_allocate(struct hd_emu *e, uint64_t bytes)
{
    uint64_t room = bytes < HD_GRANULE ? HD_GRANULE : bytes, at;

    if (!bytes || e->heap_used > e->limits.heap || room > e->limits.heap - e->heap_used)
        return 0; // as the program may check
    at = hd_memory_alloc(e->memory, bytes, heap_name);
    if (at)
        e->heap_used += room;
    return at;
}

bool hd_builtin_release(struct hd_emu *e, uint64_t address)
{
    uint64_t bytes = hd_memory_bytes(e->memory, address);

    if (hd_memory_name(e->memory, address) != heap_name)
        return false;
    e->heap_used -= bytes < HD_GRANULE ? HD_GRANULE : bytes;
    hd_memory_release(e->memory, address);
    return true;
}

static void allocate(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                     uint32_t lanes)
{
    uint64_t bytes[HD_LANES] = {0}, at[HD_LANES] = {0};

    hd_call_read(&sm->warps[warp], &call->args[1], lanes, bytes);
    for (uint32_t m = lanes; m; m &= m - 1)
        at[__builtin_ctz(m)] = hd_builtin_allocate(sm->emu, bytes[__builtin_ctz(m)]);
    hd_call_write(&sm->warps[warp], &call->args[0], lanes, at);
}

static bool release(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                    struct hd_effects *out)
{
    uint64_t at[HD_LANES] = {0};

    hd_call_read(&sm->warps[warp], &call->args[0], out->lanes, at);
    for (uint32_t m = out->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!at[l] || hd_builtin_release(sm->emu, at[l]))
            continue;
        hd_exec_trap(sm, warp, out, HD_TRAP_ILLEGAL, l);
        snprintf(sm->trap.detail, sizeof sm->trap.detail,
                 "free(0x%" PRIx64 "): not a live block of malloc", at[l]);
        return false;
    }
    return true;
}

// A string of the program for people: up to `size` bytes, unprintable ones shown as '?'.
static const char *text_at(const struct hd_emu_sm *sm, unsigned warp, unsigned lane,
                           uint64_t address, char *buf, size_t size)
{
    size_t n = 0;

    for (; n + 1 < size; n++) {
        const uint8_t *c = hd_address_read(sm, warp, lane, address + n, 1);
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
    const struct hd_emu_warp *w = &sm->warps[warp];
    unsigned lane = (unsigned)__builtin_ctz(out->lanes);
    uint64_t v[3][HD_LANES] = {{0}};
    char message[60], file[60];

    for (unsigned i = 0; i < 3; i++)
        hd_call_read(w, &call->args[i], out->lanes, v[i]);
    hd_exec_trap(sm, warp, out, HD_TRAP_ASSERT, lane);
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "%s:%" PRIu32 ": assertion `%s` failed",
             text_at(sm, warp, lane, v[1][lane], file, sizeof file), (uint32_t)v[2][lane],
             text_at(sm, warp, lane, v[0][lane], message, sizeof message));
    return false;
}

bool hd_builtin_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_call *call,
                     struct hd_effects *out)
{
    switch ((enum hd_builtin)call->builtin) {
    case HD_BUILTIN_VPRINTF:
        sm->progress = 1;
        return hd_devprintf_exec(sm, warp, call, out);
    case HD_BUILTIN_MALLOC:
        sm->progress = 1;
        allocate(sm, warp, call, out->lanes);
        return true;
    case HD_BUILTIN_FREE:
        sm->progress = 1;
        return release(sm, warp, call, out);
    case HD_BUILTIN_ASSERTFAIL:
        return assertion(sm, warp, call, out);
    default:
        sm->progress = 1;
        hd_devcalls_exec(sm, warp, call, out->lanes);
        if (call->builtin == HD_BUILTIN_SYNCHRONIZE && hd_rest_waits(sm, warp))
            out->flags |= HD_EFF_WAITS;
        return true;
    }
}
