// stored.c - the values that a lane has stored, for recording and checking a run.
#include "emu/emu_internal.h"

#include <string.h>

void hd_stored_value(const void *self, unsigned warp, uint32_t pc, unsigned lane, uint8_t to[32])
{
    const struct hd_emu_sm *sm = self;
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_insn *in = &w->insns[pc];
    const struct hd_op_info *op = &hd_op_info[in->op];
    unsigned bytes = hd_type_bytes(op->type);
    int32_t data = op->shape == HD_SHAPE_SUST ? in->src[2] : in->src[1];
    bool wide = bytes == 8 || in->mods & HD_MOD_WIDE;

    if (op->shape == HD_SHAPE_FSTORE) {
        unsigned piece = hd_tensor_piece(in),
                 rows = in->op == HD_OP_STMATRIX ? 8 * (in->mods & 7) : 32;
        memcpy(to, sm->matrix + (lane < rows ? lane : 0) * piece, piece);
        return;
    }
    for (unsigned i = 0; i < in->vec; i++) {
        int32_t row = in->vec == 1 ? data : w->program->vecs[data][i];
        const uint8_t *from = (const uint8_t *)hd_lanes_source(&w->regs, row);
        memcpy(to + i * bytes, from + lane * (wide ? 8u : 4u), bytes);
    }
}
