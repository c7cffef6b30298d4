// fuzz_exec.c - any bytes as a PTX module whose kernels run: whatever the front end accepts must
// end by itself, in a trap or at the limit, twice with the same result.
#include "base/arena.h"
#include "base/bug.h"
#include "devrt/devrt.h"
#include "emu/emu.h"
#include "fuzz/replay.h"
#include "ptx/ptx.h"

#include <string.h>

// A kernel that wants more than this is not run: the time would go into clearing memory.
enum {
    MAX_LOCAL = 1 << 14,
    MAX_ROWS = 1 << 12,
    MAX_BYTES = 1 << 16,
    MAX_KERNELS = 3,
    BUFFER = 4096
};
#define LIMIT 3000 // warp instructions

struct outcome {
    struct hd_emu_result result;
    uint64_t digest;
};

static bool small(const struct hd_program *p)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < p->n_symbols; i++)
        bytes += p->symbols[i].bytes;
    for (uint32_t i = 0; i < p->n_funcs; i++) {
        const struct hd_func *f = &p->funcs[i];
        if (f->local_bytes > MAX_LOCAL || f->stack_bytes > MAX_LOCAL || f->n_rows > MAX_ROWS ||
            f->n_preds > MAX_ROWS || f->shared_bytes > MAX_BYTES)
            return false;
    }
    return bytes <= MAX_BYTES;
}

// Two blocks of a full and a partial warp; pointers where a parameter has room for one.
static void run_kernel(struct hd_emu *e, struct hd_arena *a, const struct hd_program *p,
                       const struct hd_func *f, uint64_t buffer, struct hd_emu_result *out)
{
    uint8_t *params = HD_ARRAY(a, uint8_t, f->param_bytes + 8);
    struct hd_launch l = {.program = p,
                          .kernel = f,
                          .grid = {2, 1, 1},
                          .block = {20, 2, 1},
                          .dynamic_shared = 64,
                          .params = params};

    for (uint32_t i = 0; i < f->n_params; i++) {
        uint64_t value = f->params[i].bytes >= 8 ? buffer + 64 * i : 5 + i;
        memcpy(params + f->params[i].offset, &value,
               f->params[i].bytes < 8 ? f->params[i].bytes : 8);
    }
    hd_emu_run(e, &l, &(struct hd_emu_patience){.warp_insts = LIMIT}, out);
    HD_BUG_IF(out->trap.kind >= HD_N_TRAPS, "trap %u", out->trap.kind);
    HD_BUG_IF(out->warp_insts > LIMIT, "ran over the limit");
}

static struct outcome run_all(struct hd_arena *a, struct hd_program *p)
{
    struct hd_memory *m = hd_memory_new(a);
    struct hd_emu *e = hd_emu_new(a, &(struct hd_emu_config){.sms = 1, .warps = 4, .tbs = 2}, m);
    struct hd_devrt *devrt = hd_devrt_new(a, e, m);
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct outcome o = {.digest = 0};
    uint64_t buffer, lost;
    size_t printed;

    if (hd_emu_load(e, p, d)) {
        buffer = hd_memory_alloc(m, BUFFER, "buffer");
        for (uint32_t i = 0, n = 0; i < p->n_funcs && n < MAX_KERNELS; i++)
            if (p->funcs[i].is_kernel && n++ < MAX_KERNELS)
                run_kernel(e, a, p, &p->funcs[i], buffer, &o.result);
        hd_devrt_printed(devrt, &printed, &lost);
        o.digest = hd_memory_digest(m);
    } else {
        HD_BUG_IF(d->n == 0, "not loaded without a reason");
    }
    hd_devrt_free(devrt);
    hd_emu_free(e);
    hd_memory_free(m);
    return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_diag *d = HD_NEW(a, hd_diag);
    struct hd_program *p = hd_ptx_load(a, "fuzz.ptx", data, size, d);

    if (p && small(p)) {
        struct outcome once = run_all(a, p), again = run_all(a, p);
        HD_BUG_IF(once.digest != again.digest ||
                      once.result.warp_insts != again.result.warp_insts ||
                      once.result.trap.kind != again.result.trap.kind,
                  "another result the second time");
    }
    hd_arena_free(a);
    return 0;
}
