// registers.c - registers per thread on this machine, and the message if those of a block do not
// fit.
//
// The front end estimates the registers of a kernel; a cubin beside its PTX says what ptxas chose,
// for GPUs with 64 Ki registers. On a machine with fewer, ptxas might have chosen fewer, so the
// number is as doubtful there as an estimate. A compiler for a known machine keeps a kernel
// with .maxntid within the registers that blocks of that many threads leave for each thread, as
// ptxas does: it spills the rest. .minnctapersm requires that so many of these blocks fit at once;
// it is ignored if an SM has no room for their threads. .maxnreg replaces both. Spills are not
// modelled.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <string.h>

#define LONG_NAME 60 // of a kernel, for a message
#define CUBIN "cubin"
#define USUAL                                                                                      \
    65536 // registers of an SM for which cubins are compiled (CUDA Programming Guide, 5.x on)
#define WHOLE_WARPS(threads) (((uint64_t)(threads) + HD_LANES - 1) / HD_LANES * HD_LANES)

// The registers that the launch bounds leave for a thread; UINT32_MAX: there are no bounds.
static uint32_t bound(const struct hd_config_sm *s, const struct hd_func *f)
{
    uint64_t threads = WHOLE_WARPS(f->max_threads), blocks = f->min_blocks;

    if (!threads || f->max_regs || threads > (uint64_t)s->warps * HD_LANES)
        return UINT32_MAX;
    if (!blocks || blocks > s->warps * (uint64_t)HD_LANES / threads)
        blocks = 1;
    uint64_t each = s->registers / (threads * blocks) / s->reg_round * s->reg_round;
    return each < UINT32_MAX ? (uint32_t)each : UINT32_MAX;
}

uint32_t hd_registers_of(const struct hd_config *c, const struct hd_func *f, const char **source)
{
    uint32_t most = bound(&c->sm, f), own = f->regs_built ? f->regs_built : f->regs;
    bool bounded = most && own > most;

    *source = bounded                                   ? "directive"
              : f->regs_built                           ? CUBIN
              : f->max_regs && f->regs < f->regs_wanted ? "directive"
                                                        : "computed";
    return bounded ? most : own;
}

bool hd_registers_doubtful(const struct hd_config *c, const char *source)
{
    return !strcmp(source, "computed") || (!strcmp(source, CUBIN) && c->sm.registers < USUAL);
}

uint64_t hd_registers_of_block(const struct hd_config *c, const struct hd_launch *l)
{
    const struct hd_config_sm *s = &c->sm;
    uint64_t threads = WHOLE_WARPS((uint64_t)l->block[0] * l->block[1] * l->block[2]);
    uint64_t regs = ((uint64_t)l->regs + s->reg_round - 1) / s->reg_round * s->reg_round;

    // An estimate is no reason to refuse a kernel that a compiler may well have made fit.
    if (l->regs_estimated && threads * regs > s->registers &&
        threads * l->regs * (100 - HD_REGISTERS_DOUBT) / 100 <= s->registers)
        return s->registers;
    return threads * regs;
}

void hd_registers_refuse(struct hd_diag *d, const struct hd_config *c, const struct hd_launch *l)
{
    const struct hd_config_sm *s = &c->sm;
    uint64_t threads = WHOLE_WARPS((uint64_t)l->block[0] * l->block[1] * l->block[2]);
    uint64_t is = hd_registers_of_block(c, l), fit = s->registers / threads / s->reg_round;
    const char *name = strlen(l->kernel->name) <= LONG_NAME ? l->kernel->name : "NAME";
    struct hd_diag_entry *e = hd_diag_add(
        d, NULL, 0, 0,
        "kernel %.80s cannot be launched: " HD_GPU_REGISTERS " is %" PRIu64
        ", but this GPU allows %" PRIu32 "; it has %" PRIu64 " threads with %" PRIu32 " each (%s)",
        l->kernel->name, is, s->registers, threads, l->regs, l->regs_source);

    is = is > USUAL ? is : USUAL;
    if (fit)
        hd_diag_hint(e,
                     "--set sm.registers=%" PRIu64 " gives it more, --set kernel.%s.regs=%" PRIu64
                     " if its threads need no more",
                     is, name, fit * s->reg_round);
    else
        hd_diag_hint(e, "--set sm.registers=%" PRIu64 " gives it more", is);
}
