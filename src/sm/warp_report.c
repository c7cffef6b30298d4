// warp_report.c - describes what each warp of an SM waits for, for the report of a run that hangs.
#include "sm/sm_internal.h"

#include <stdio.h>

static uint32_t line_at(const struct hd_sm *sm, uint32_t pc)
{
    return pc < sm->program->n_insns ? sm->program->places[pc].line : 0;
}

// The instruction at which a warp waits, or else its next one. The buffer of a waiting warp does
// not change, so fetch is still after the instruction that the warp issued last. An ended warp has
// no other place.
static uint32_t line_of(const struct hd_sm *sm, int w)
{
    return line_at(sm, hd_has(sm->view.waiting, w) ? sm->warps[w].fetch_pc - 1 : sm->source.pc[w]);
}

static bool writes(const struct hd_deps *d, uint16_t id)
{
    for (unsigned i = 0; i < 4; i++)
        if (d->dst[i] == id)
            return true;
    return false;
}

// The PC of the warp's load that register `id` waits for, if it waits for memory; otherwise
// HD_PC_NONE.
static uint32_t load_of(const struct hd_sm *sm, int w, uint16_t id)
{
    const struct hd_ldst *u = &sm->ldst;
    bool unused[HD_LOADS] = {false};

    for (uint16_t i = u->free_load; i < HD_LOADS; i = u->loads[i].next)
        unused[i] = true;
    for (unsigned i = 0; i < HD_LOADS; i++)
        if (!unused[i] && u->loads[i].warp == w && writes(&sm->program->deps[u->loads[i].pc], id))
            return u->loads[i].pc;
    return HD_PC_NONE;
}

static bool reserved(const struct hd_sm *sm, int w, uint16_t id)
{
    const uint64_t *bits = hd_scoreboard_row(sm, (unsigned)w, HD_SB_RESERVED);

    return id != HD_SB_NONE && (bits[id / 64] >> (id % 64) & 1);
}

// Why not all accesses of a load of the warp have been sent; "" if they have.
static const char *delay_of(const struct hd_sm *sm, int w, uint32_t pc)
{
    const struct hd_ldst *u = &sm->ldst;

    if (u->dispatch_full && u->dispatch.warp == w && u->dispatch.pc == pc)
        return u->queue && hd_requeue_turn(sm) == HD_TURN_HELD
                   ? ", which waits for a place in the re-execution queue"
                   : ", which finds no place in cache, miss registers or network";
    for (unsigned i = 0; u->queue && i < u->queue->n; i++)
        if (u->queue->entries[i].uop.warp == w && u->queue->entries[i].uop.pc == pc)
            return ", which waits in the re-execution queue";
    return "";
}

static const char *register_text(const struct hd_sm *sm, int w, char *buf, size_t bytes)
{
    const struct hd_deps *d = &sm->program->deps[sm->warps[w].ibuf_pc];
    const uint16_t ids[] = {d->dst[0], d->dst[1], d->dst[2], d->dst[3],  d->src[0], d->src[1],
                            d->src[2], d->src[3], d->guard,  d->addr[0], d->addr[1]};

    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
        uint32_t pc = reserved(sm, w, ids[i]) ? load_of(sm, w, ids[i]) : HD_PC_NONE;
        if (pc == HD_PC_NONE)
            continue;
        snprintf(buf, bytes, "waits for a register of the load at line %u%s", line_at(sm, pc),
                 delay_of(sm, w, pc));
        return buf;
    }
    return "waits for a register of an instruction under way";
}

static const char *waits_for(const struct hd_sm *sm, int w, uint64_t circling, char *buf,
                             size_t bytes)
{
    const struct hd_view *v = &sm->view;

    if (!hd_has(v->live, w)) {
        if (sm->ldst.queue && sm->ldst.queue->insts[w]) {
            snprintf(buf, bytes, "has ended, %u of its instructions wait in the re-execution queue",
                     sm->ldst.queue->insts[w]);
            return buf;
        }
        if (!hd_has(sm->stores_out, w))
            return "has ended, its place is not free yet";
        snprintf(buf, bytes, "has ended, waits for %u stores", sm->warps[w].stores);
        return buf;
    }
    if (hd_has(v->at_barrier, w))
        return hd_barrier_describe(&sm->barriers[sm->tb_of[w]], w, buf, bytes);
    if (hd_has(sm->asleep, w))
        return hd_async_waits_for(sm, w, buf, bytes);
    if (hd_has(circling, w))
        return "repeats itself and changes nothing";
    if (hd_has(sm->atomic, w))
        return "waits for an atomic";
    if (hd_has(sm->membar, w))
        return "waits at a memory fence";
    if (hd_has(sm->children, w))
        return "waits for what its block has launched";
    if (hd_has(v->imiss, w))
        return "waits for an instruction line";
    if (hd_has(v->ibuf_empty, w))
        return "waits for fetch";
    if (hd_has(v->wrong_path, w))
        return "fetched the wrong path";
    if (hd_has(v->sb_block, w))
        return register_text(sm, w, buf, bytes);
    return "could issue";
}

size_t hd_sm_report(const struct hd_sm *sm, uint64_t circling, char *buf, size_t bytes)
{
    size_t n = 0;
    int w;

    HD_EACH(w, sm->resident) {
        char why[HD_SM_REPORT_LINE - 160];
        unsigned tb = sm->tb_of[w];
        bool shared = sm->cfg->sm.share != 0; // the SM may hold blocks of several kernels
        int k = snprintf(buf + n, bytes - n, "SM %u warp %d (%s%.60s%sblock %u): ", sm->index, w,
                         shared ? "kernel " : "", shared ? sm->names[tb] : "", shared ? ", " : "",
                         sm->tbs[tb].global_id);
        if (k < 0 || (size_t)k >= bytes - n)
            break;
        n += (size_t)k;
        if (hd_has(sm->view.live, w))
            k = snprintf(buf + n, bytes - n, "PTX line %u, %s\n", line_of(sm, w),
                         waits_for(sm, w, circling, why, sizeof why));
        else
            k = snprintf(buf + n, bytes - n, "%s\n", waits_for(sm, w, circling, why, sizeof why));
        if (k < 0 || (size_t)k >= bytes - n)
            break;
        n += (size_t)k;
    }
    if (n < bytes)
        buf[n] = '\0';
    return n;
}
