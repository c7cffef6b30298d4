// trap.c - the description of a fault: which kernel, instruction, block and thread.
#include "emu/emu_internal.h"

#include <stdio.h>

void hd_trap_set(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned kind,
                 unsigned lane)
{
    out->flags |= HD_EFF_TRAP;
    hd_trap_describe(sm, warp, sm->simt.pc[warp], kind, lane);
}

void hd_trap_describe(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned kind,
                      unsigned lane)
{
    const struct hd_emu_tb *tb = sm->warps[warp].tb;
    const uint32_t *dim = tb->launch->block;
    uint32_t thread = (warp - tb->first_warp) * HD_LANES + lane;

    sm->trap = (struct hd_trap){
        .kind = kind,
        .pc = pc,
        .launch = tb->launch,
        .block = {tb->index[0], tb->index[1], tb->index[2]},
        .thread = {thread % dim[0], thread / dim[0] % dim[1], thread / dim[0] / dim[1]},
    };
}

bool hd_trap_refuse(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out, unsigned kind,
                    const char *detail)
{
    hd_trap_set(sm, warp, out, kind, (unsigned)__builtin_ctz(out->exec_mask));
    snprintf(sm->trap.detail, sizeof sm->trap.detail, "%s", detail);
    return false;
}
