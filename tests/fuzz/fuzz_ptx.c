// fuzz_ptx.c - any bytes as a PTX module: a program or diagnostics, never both, never neither.
#include "base/arena.h"
#include "base/bug.h"
#include "fuzz/replay.h"
#include "isa/op.h"
#include "ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_program *p = hd_ptx_load(a, "fuzz.ptx", data, size, d);

    HD_BUG_IF(!p && d->n == 0, "refused without a reason");
    HD_BUG_IF(p && d->n > 0, "accepted with a complaint: %s", d->entries[0].text);
    // Whatever was accepted must be printable.
    for (uint32_t pc = 0; p && pc < p->n_insns; pc++) {
        char text[256];
        hd_op_text(p, pc, text, sizeof text);
    }
    hd_arena_free(a);
    return 0;
}
