// specials.c - special registers that keep their value for the life of a frame.
#include "base/bug.h"
#include "emu/emu_internal.h"

#include <string.h>

// One coordinate of the threads of a warp.
static void thread_ids(const struct hd_emu_warp *w, unsigned dim, uint32_t id[HD_LANES])
{
    const uint32_t *block = w->tb->launch->block;
    uint32_t t = w->index * HD_LANES;
    uint32_t at[3] = {t % block[0], t / block[0] % block[1], t / block[0] / block[1]};

    if (block[0] % HD_LANES == 0) { // as nearly always: the warp is in one row of the block
        for (unsigned l = 0; l < HD_LANES; l++)
            id[l] = at[dim] + (dim ? 0 : l);
        return;
    }
    for (unsigned l = 0; l < HD_LANES; l++) {
        id[l] = at[dim];
        if (++at[0] == block[0]) {
            at[0] = 0;
            if (++at[1] == block[1]) {
                at[1] = 0;
                at[2]++;
            }
        }
    }
}

static uint32_t lane_special(unsigned which, uint32_t lane)
{
    switch (which) {
    case HD_SREG_LANEMASK_EQ:
        return 1u << lane;
    case HD_SREG_LANEMASK_LE:
        return UINT32_MAX >> (31 - lane);
    case HD_SREG_LANEMASK_LT:
        return (1u << lane) - 1;
    case HD_SREG_LANEMASK_GE:
        return UINT32_MAX << lane;
    case HD_SREG_LANEMASK_GT:
        return ~(UINT32_MAX >> (31 - lane));
    default:
        return lane;
    }
}

// Sizes and places of shared memory. The part that is reserved for the system comes first.
static uint32_t shared_special(const struct hd_launch *l, unsigned which)
{
    const uint32_t all = l->kernel->shared_bytes + l->dynamic_shared;

    switch (which) {
    case HD_SREG_DYNAMIC_SMEM:
        return l->dynamic_shared;
    case HD_SREG_TOTAL_SMEM:
        return all - l->kernel->reserved_bytes;
    case HD_SREG_AGGR_SMEM:
        return all;
    case HD_SREG_RESERVED_BEGIN:
    case HD_SREG_RESERVED_0:
        return 0;
    case HD_SREG_RESERVED_1: // after what _0 has; cooperative groups use 288 bytes of it
        return HD_RESERVED_SHARED_BYTES / 2;
    default:
        return HD_RESERVED_SHARED_BYTES;
    }
}

// Those that are the same for all lanes of a warp.
static uint32_t warp_special(const struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                             unsigned which)
{
    const struct hd_emu_tb *tb = w->tb;
    const uint32_t *grid = tb->launch->grid, *block = tb->launch->block;

    switch (which) {
    case HD_SREG_NTID_X:
    case HD_SREG_NTID_Y:
    case HD_SREG_NTID_Z:
        return block[which - HD_SREG_NTID_X];
    case HD_SREG_CTAID_X:
    case HD_SREG_CTAID_Y:
    case HD_SREG_CTAID_Z:
        return tb->index[which - HD_SREG_CTAID_X];
    case HD_SREG_NCTAID_X:
    case HD_SREG_NCTAID_Y:
    case HD_SREG_NCTAID_Z:
        return grid[which - HD_SREG_NCTAID_X];
    case HD_SREG_WARPID: // within the block; PTX allows any numbering
        return w->index;
    case HD_SREG_NWARPID:
        return tb->n_warps;
    case HD_SREG_SMID:
        return sm->touched ? 0 : (uint32_t)(sm - sm->emu->sms); // without timing, nearly all are 0
    case HD_SREG_NSMID:
        return sm->emu->config.sms;
    case HD_SREG_ENVREG:
        return 0;
    case HD_SREG_ENVREG1:
        return (uint32_t)(tb->launch->workspace >> 32);
    case HD_SREG_ENVREG2:
        return (uint32_t)tb->launch->workspace;
    case HD_SREG_DYNAMIC_SMEM:
    case HD_SREG_TOTAL_SMEM:
    case HD_SREG_AGGR_SMEM:
    case HD_SREG_RESERVED_BEGIN:
    case HD_SREG_RESERVED_END:
    case HD_SREG_RESERVED_CAP:
    case HD_SREG_RESERVED_0:
    case HD_SREG_RESERVED_1:
        return shared_special(tb->launch, which);
    case HD_SREG_PM:
    case HD_SREG_PM_64:
    case HD_SREG_GRAPH_EXEC:
        return 0;
    case HD_SREG_CLUSTERID_X:
    case HD_SREG_CLUSTERID_Y:
    case HD_SREG_CLUSTERID_Z:
        return tb->index[which - HD_SREG_CLUSTERID_X];
    case HD_SREG_NCLUSTERID_X:
    case HD_SREG_NCLUSTERID_Y:
    case HD_SREG_NCLUSTERID_Z:
        return grid[which - HD_SREG_NCLUSTERID_X];
    case HD_SREG_CLUSTER_NCTAID_X:
    case HD_SREG_CLUSTER_NCTAID_Y:
    case HD_SREG_CLUSTER_NCTAID_Z:
    case HD_SREG_CLUSTER_NCTARANK:
        return 1;
    case HD_SREG_CLUSTER_CTAID_X:
    case HD_SREG_CLUSTER_CTAID_Y:
    case HD_SREG_CLUSTER_CTAID_Z:
    case HD_SREG_CLUSTER_CTARANK:
        return 0;
    case HD_SREG_FRAME:
    case HD_SREG_FRAME64:
        return (uint32_t)w->frame_local;
    case HD_SREG_DYNAMIC:
    case HD_SREG_DYNAMIC64:
        return tb->launch->kernel->shared_bytes;
    default: // different in each lane, or read when executed
        HD_BUG("special register %u", which);
    }
}

static void fill_special(const struct hd_emu_sm *sm, const struct hd_emu_warp *w, unsigned which,
                         uint32_t v[HD_LANES])
{
    if (which <= HD_SREG_TID_Z) {
        thread_ids(w, which - HD_SREG_TID_X, v);
    } else if (which == HD_SREG_LANEID ||
               (which >= HD_SREG_LANEMASK_EQ && which <= HD_SREG_LANEMASK_GT)) {
        for (uint32_t l = 0; l < HD_LANES; l++)
            v[l] = lane_special(which, l);
    } else {
        uint32_t same = warp_special(sm, w, which);
        for (uint32_t l = 0; l < HD_LANES; l++)
            v[l] = same;
    }
}

void hd_specials_fill(const struct hd_emu_sm *sm, unsigned warp, const struct hd_func *f)
{
    const struct hd_emu_warp *w = &sm->warps[warp];

    for (uint32_t k = 0; k < f->n_specials; k++) {
        uint32_t *row = hd_lanes_row(&w->regs, f->specials[k].row);
        const unsigned which = f->specials[k].which;
        fill_special(sm, w, which, row);
        if (hd_type_rows(hd_sreg_type(which)) == 2) // to 64 bits, from the last lane on
            for (uint32_t l = HD_LANES; l-- > 0;)
                memcpy(row + 2 * l, &(uint64_t){row[l]}, 8);
    }
}
