// operands.c - the operand collector: units that gather source registers from banked storage.
//
// Per cycle (timing-model 7.1): ready units dispatch, the banks' read queues are arbitrated, free
// units take new instructions, grants are cleared. A bank serves one access per cycle, writes
// first; a unit receives one operand per cycle. The read arbiter is a wavefront allocator over
// banks x units whose starting diagonal moves every cycle. An instruction with n register sources
// occupies its unit for n + 1 cycles: this, not the function units, bounds ALU throughput.
#include "sm/core.h"

void hd_operands_init(struct hd_sm *sm)
{
    const struct hd_config_sm *c = &sm->cfg->sm;
    const uint32_t units[HD_N_PIPES] = {c->collectors_sp, c->collectors_sfu, c->collectors_mem};
    const uint32_t ports[HD_N_PIPES] = {c->collector_ports_sp, c->collector_ports_sfu,
                                        c->collector_ports_mem};
    struct hd_operands *o = &sm->operands;
    unsigned n = 0;

    for (unsigned p = 0; p < HD_N_PIPES; p++) {
        HD_BUG_IF(n + units[p] > HD_MAX_COLLECTORS, "more than %d operand collector units",
                  HD_MAX_COLLECTORS);
        o->of_pipe[p] = (uint32_t)(hd_low(units[p]) << n);
        o->ports[p] = (uint8_t)ports[p];
        for (unsigned port = 0; port < ports[p]; port++)
            o->last[p][port] = (uint8_t)n;
        n += units[p];
    }
    o->square = c->reg_banks > n ? c->reg_banks : n;
}

// Each dispatch port takes the next unit of its pipe, in turn, that has all operands.
static void dispatch(struct hd_sm *sm)
{
    struct hd_operands *o = &sm->operands;

    for (unsigned p = 0; p < HD_N_PIPES; p++)
        for (unsigned port = 0; port < o->ports[p]; port++) {
            int k = hd_rotate_from(o->ready & o->of_pipe[p], o->last[p][port] + 1);
            if (k == HD_NONE || hd_latch_full(&sm->oc_ex[p]))
                break;
            hd_latch_put(&sm->oc_ex[p], o->units[k].uop);
            o->busy &= ~(1u << k);
            o->ready &= ~(1u << k);
            o->last[p][port] = (uint8_t)k;
        }
}

// Banks are the rows, units the columns; each bank asks for one unit (the head of its queue), so a
// unit's winner is the asking bank that comes first when diagonals are walked from `diagonal`.
static void arbitrate(struct hd_sm *sm)
{
    struct hd_operands *o = &sm->operands;
    unsigned square = o->square;
    uint8_t best_step[HD_MAX_COLLECTORS], winner[HD_MAX_COLLECTORS];
    uint32_t asked = 0;
    int bank, unit;

    HD_EACH(bank, o->busy_banks & ~o->written) {
        struct hd_bank_queue *q = &o->banks[bank];
        unsigned u = q->unit[q->head];
        unsigned step = u + square - o->diagonal; // u - diagonal - bank, modulo the square
        step = step >= square ? step - square : step;
        step += square - (unsigned)bank;
        step = step >= square ? step - square : step;
        if (!(asked >> u & 1) || step < best_step[u]) {
            asked |= 1u << u;
            best_step[u] = (uint8_t)step;
            winner[u] = (uint8_t)bank;
        }
    }
    HD_EACH(unit, asked) {
        struct hd_bank_queue *q = &o->banks[winner[unit]];
        q->head = q->head + 1u == sizeof q->unit ? 0 : (uint8_t)(q->head + 1);
        if (!--q->n)
            o->busy_banks &= ~(1u << winner[unit]);
        if (!--o->units[unit].reads)
            o->ready |= 1u << unit;
    }
}

static void queue_reads(struct hd_sm *sm, int unit)
{
    struct hd_operands *o = &sm->operands;
    struct hd_collector *u = &o->units[unit];
    const struct hd_banks *b = &sm->program->banks[u->uop.pc];
    unsigned mask = sm->cfg->sm.reg_banks - 1;

    u->reads = b->n_src;
    if (!b->n_src)
        o->ready |= 1u << unit;
    for (unsigned i = 0; i < b->n_src; i++) {
        unsigned bank = (b->src[i] + u->uop.warp) & mask;
        struct hd_bank_queue *q = &o->banks[bank];
        q->unit[(q->head + q->n++) % sizeof q->unit] = (uint8_t)unit;
        o->busy_banks |= 1u << bank;
    }
}

// Each input port moves the oldest instruction of its register into the lowest free unit.
static void allocate(struct hd_sm *sm)
{
    struct hd_operands *o = &sm->operands;

    for (unsigned p = 0; p < HD_N_PIPES; p++)
        for (unsigned port = 0; port < o->ports[p] && sm->id_oc[p].n; port++) {
            int unit = hd_first(o->of_pipe[p] & ~o->busy);
            if (unit == HD_NONE)
                break;
            o->units[unit].uop = hd_latch_take(&sm->id_oc[p], hd_latch_oldest(&sm->id_oc[p]));
            o->busy |= 1u << unit;
            queue_reads(sm, unit);
        }
}

void hd_operands_step(struct hd_sm *sm)
{
    struct hd_operands *o = &sm->operands;

    if (o->ready)
        dispatch(sm);
    if (o->busy_banks & ~o->written)
        arbitrate(sm);
    o->diagonal = o->diagonal + 1 == o->square ? 0 : o->diagonal + 1;
    if (sm->id_oc[HD_PIPE_SP].n || sm->id_oc[HD_PIPE_SFU].n || sm->id_oc[HD_PIPE_MEM].n)
        allocate(sm);
    o->written = 0;
}

// Claim the banks of an instruction's destinations for a write this cycle. False if one of them is
// taken; the ones before it stay claimed (as in the reference, O15).
bool hd_operands_write(struct hd_sm *sm, unsigned warp, const struct hd_banks *b)
{
    unsigned mask = sm->cfg->sm.reg_banks - 1;

    for (unsigned i = 0; i < b->n_dst; i++) {
        uint32_t bank = 1u << ((b->dst[i] + warp) & mask);
        if (sm->operands.written & bank)
            return false;
        sm->operands.written |= bank;
    }
    return true;
}

// Nothing moves: no operand is asked for, no instruction can leave its unit or find one.
bool hd_operands_quiet(const struct hd_sm *sm)
{
    const struct hd_operands *o = &sm->operands;

    if (o->busy_banks)
        return false;
    for (unsigned p = 0; p < HD_N_PIPES; p++)
        if (((o->ready & o->of_pipe[p]) && !hd_latch_full(&sm->oc_ex[p])) ||
            (sm->id_oc[p].n && (o->of_pipe[p] & ~o->busy)))
            return false;
    return true;
}

bool hd_operands_empty(const struct hd_sm *sm)
{
    return !sm->operands.busy && !sm->id_oc[HD_PIPE_SP].n && !sm->id_oc[HD_PIPE_SFU].n &&
           !sm->id_oc[HD_PIPE_MEM].n;
}
