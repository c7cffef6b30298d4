// pipes.c - the pipes of a sub-core but LDST, their result buses, and writeback.
//
// A pipe is not stepped: when it takes an instruction, the end is known and is entered in the event
// wheel. Accepted in cycle t with latency L, an instruction is in the writeback register at t + L +
// 1, and written back at t + L + 2 (timing-model 7.2). The resources that can refuse it are
// reserved in advance: the dispatch register (for the initiation interval), the pipe's exit, a
// result bus. Pipes are served in the order SP, DP, INT, SFU, tensor, which decides which of
// them gets a result bus.
#include "sm/sm_internal.h"

static const uint8_t served[] = {HD_PIPE_SP, HD_PIPE_DP, HD_PIPE_INT, HD_PIPE_SFU, HD_PIPE_TENSOR};

void hd_pipes_init(struct hd_sm *sm, struct hd_subcore *sub, struct hd_arena *a)
{
    const struct hd_config_sm *c = &sm->cfg->sm;
    const uint32_t units[HD_N_PIPES] = {[HD_PIPE_SP] = c->sp_units,
                                        [HD_PIPE_SFU] = c->sfu_units,
                                        [HD_PIPE_TENSOR] = c->tensor_units,
                                        [HD_PIPE_DP] = c->dp_units,
                                        [HD_PIPE_INT] = c->int_units};
    struct hd_uop *slots = sub->latched;
    unsigned n = 0;
#define IN(NAME, key) c->id_oc_##key,
#define OUT(NAME, key) c->oc_ex_##key,
    const uint32_t in[HD_N_PIPES] = {HD_PIPES(IN)}, out[HD_N_PIPES] = {HD_PIPES(OUT)};
#undef IN
#undef OUT

    for (unsigned p = 0; p < HD_N_PIPES; p++) {
        sub->first_unit[p] = (uint8_t)n;
        sub->end_unit[p] = (uint8_t)(n += units[p]);
        sub->id_oc[p].slots = slots;
        slots += in[p];
        sub->id_oc[p].capacity = (uint8_t)in[p];
    }
    for (unsigned p = 0; p < HD_N_PIPES; p++) {
        sub->oc_ex[p].slots = slots;
        slots += out[p];
        sub->oc_ex[p].capacity = (uint8_t)out[p];
    }
    HD_BUG_IF(n > HD_MAX_UNITS, "more than %d function units", HD_MAX_UNITS);
    // There is at most one instruction per pipe and cycle of latency.
    hd_wheel_init(&sub->wheel, a, n * HD_WHEEL);
}

void hd_pipes_writeback(struct hd_sm *sm, struct hd_subcore *sub, uint64_t cycle)
{
    struct hd_wheel_event e;

    while (hd_wheel_due(&sub->wheel, cycle) && hd_wheel_take(&sub->wheel, cycle, &e)) {
        const struct hd_deps *d = &sm->program->deps[e.arg];
        unsigned w = e.warp, exit = (unsigned)(cycle - 2) % HD_CALENDAR;

        // Its reservations are past. They are cleared here and not cycle by cycle, so that skipped
        // cycles need no work.
        sub->exits[exit] = 0;
        if (sm->exits)
            sm->exits[exit] = 0;
        hd_operands_write(sm, sub, w, &sm->program->banks[e.arg]); // a busy bank is ignored (O15)
        if (d->dst[0] != HD_SB_NONE)
            hd_warps_release(sm, w, d, true);
        if (!--sm->warps[w].in_pipe)
            sm->pipe_busy &= ~hd_bit((int)w);
    }
}

// Unit i takes the oldest instruction of its register, if everything it needs is free. `shared`:
// sm.shared_buses is set.
static inline __attribute__((always_inline)) void take(struct hd_sm *sm, struct hd_subcore *sub,
                                                       unsigned i, enum hd_pipe pipe,
                                                       uint64_t cycle, bool shared)
{
    struct hd_latch *in = &sub->oc_ex[pipe];

    if (cycle < sub->unit_free_at[i])
        return;

    unsigned oldest = hd_latch_oldest(in);
    const struct hd_uop *uop = &in->slots[oldest];
    const struct hd_deps *d = &sm->program->deps[uop->pc];
    unsigned interval, latency = hd_pipes_latency(sm, d, &interval);
    unsigned exit = (unsigned)((cycle + latency) % HD_CALENDAR);
    uint8_t leaving = sub->exits[exit]; // each takes a result bus
    if (leaving &&
        ((leaving >> i & 1) || (unsigned)__builtin_popcount(leaving) >= sm->cfg->sm.result_buses))
        return;
    if (shared) {
        if (sm->exits[exit] >= sm->cfg->sm.shared_buses)
            return;
        sm->exits[exit]++;
    }
    sub->exits[exit] = (uint8_t)(leaving | 1u << i);
    sub->unit_free_at[i] = cycle + interval;
    hd_wheel_put(&sub->wheel, cycle + latency + 2, 0, uop->warp, uop->pc);
    hd_warps_complete(sm, uop->pc, uop->lanes);
    hd_latch_take(in, oldest);
    if (!in->n)
        sub->executes &= (uint8_t) ~(1u << pipe);
    sub->operands.stuck = false;
}

uint64_t hd_pipes_next(const struct hd_subcore *sub, uint64_t cycle)
{
    uint64_t next = hd_wheel_next(&sub->wheel);
    int p;

    HD_EACH(p, sub->executes)
        for (unsigned i = sub->first_unit[p]; i < sub->end_unit[p]; i++) {
            uint64_t at = sub->unit_free_at[i] > cycle ? sub->unit_free_at[i] : cycle + 1;
            next = at < next ? at : next;
        }
    return next;
}

static inline __attribute__((always_inline)) void serve(struct hd_sm *sm, struct hd_subcore *sub,
                                                        enum hd_pipe p, uint64_t cycle, bool shared)
{
    for (unsigned i = sub->first_unit[p]; i < sub->end_unit[p] && sub->oc_ex[p].n; i++)
        take(sm, sub, i, p, cycle, shared);
}

static __attribute__((noinline)) void serve_others(struct hd_sm *sm, struct hd_subcore *sub,
                                                   uint64_t cycle)
{
    for (unsigned k = 1; k < sizeof served; k++)
        serve(sm, sub, (enum hd_pipe)served[k], cycle, false);
}

void hd_pipes_execute(struct hd_sm *sm, struct hd_subcore *sub, uint64_t cycle)
{
    serve(sm, sub, HD_PIPE_SP, cycle, false);
    if (sub->executes & ~(1u << HD_PIPE_SP | 1u << HD_PIPE_SFU))
        serve_others(sm, sub, cycle);
    else
        serve(sm, sub, HD_PIPE_SFU, cycle, false);
}

void hd_pipes_execute_shared(struct hd_sm *sm, unsigned pipes, uint64_t cycle)
{
    for (unsigned k = 0; k < sizeof served; k++)
        if (pipes >> served[k] & 1)
            HD_EACH_SUBCORE(sub, sm)
                if (sub->executes >> served[k] & 1)
                    serve(sm, sub, (enum hd_pipe)served[k], cycle, true);
}
