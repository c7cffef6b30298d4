// residency.c - how many blocks of a launch fit on an SM at once (timing-model 2.2).
#include "gpu/gpu_internal.h"

static uint32_t least(uint32_t a, uint64_t b)
{
    return b < a ? (uint32_t)b : a;
}

uint32_t hd_residency_fits(const struct hd_config *c, const struct hd_launch *l)
{
    const struct hd_config_sm *s = &c->sm;
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    uint32_t padded = (threads + HD_LANES - 1) / HD_LANES * HD_LANES;
    uint64_t regs = hd_registers_of_block(c, l);
    uint64_t shared = (uint64_t)l->shared_static + (s->dynamic_shared ? l->dynamic_shared : 0);
    uint32_t n = least(s->tbs, s->warps * HD_LANES / padded);

    if (shared)
        n = least(n, s->shared_bytes / shared);
    if (regs)
        n = least(n, s->registers / regs);
    return n;
}

uint32_t hd_occupancy(const struct hd_config *c, const struct hd_launch *l)
{
    uint32_t n = hd_residency_fits(c, l), sms = c->sm.sms;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];

    // A small grid is distributed evenly, unless SMs are shared.
    if (blocks < (uint64_t)n * sms && !c->sm.share)
        n = (uint32_t)((blocks + sms - 1) / sms);
    return n;
}
