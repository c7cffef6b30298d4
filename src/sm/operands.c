// operands.c - the operand collector: units that gather source registers from banked storage.
//
// Per cycle (timing-model 7.1): ready units dispatch, the banks' read queues are arbitrated, free
// units take new instructions, grants are cleared. A bank serves one access per cycle, writes
// first; a unit receives one operand per cycle. The read arbiter is a wavefront allocator over
// banks x units whose starting diagonal moves every cycle. An instruction with n register sources
// occupies its unit for n + 1 cycles: this, not the function units, bounds ALU throughput.
#include "sm/sm_internal.h"

void hd_operands_init(struct hd_sm *sm, struct hd_subcore *sub)
{
    const struct hd_config_sm *c = &sm->cfg->sm;
#define UNITS(NAME, key) c->collectors_##key,
#define PORTS(NAME, key) c->collector_ports_##key,
    const uint32_t units[HD_N_PIPES] = {HD_PIPES(UNITS)}, ports[HD_N_PIPES] = {HD_PIPES(PORTS)};
#undef UNITS
#undef PORTS
    struct hd_operands *o = &sub->operands;
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
    sm->square = c->reg_banks > n ? c->reg_banks : n;
}

// Each dispatch port takes the next unit of its pipe, in turn, that has all operands.
static void dispatch(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;

    for (unsigned p = 0; p < HD_N_PIPES; p++)
        for (unsigned port = 0; (o->ready & o->of_pipe[p]) && port < o->ports[p]; port++) {
            int k = hd_rotate_from(o->ready & o->of_pipe[p], o->last[p][port] + 1);
            if (hd_latch_full(&sub->oc_ex[p]))
                break;
            hd_latch_put(&sub->oc_ex[p], &o->units[k].uop);
            if (p == HD_PIPE_MEM)
                sm->mem_ready |= sub->bit;
            o->stuck = false;
            o->busy &= ~(1u << k);
            o->ready &= ~(1u << k);
            o->last[p][port] = (uint8_t)k;
        }
}

// The head of a bank's queue requests it.
static void ask(struct hd_operands *o, unsigned bank)
{
    unsigned unit = o->queued[o->queue_head[bank]][bank];

    o->asking[unit] |= 1u << bank;
    o->askers |= 1u << unit;
}

// A unit takes the operand that the bank has read.
static void grant(struct hd_operands *o, unsigned unit, unsigned bank)
{
    o->asking[unit] &= ~(1u << bank);
    if (!o->asking[unit])
        o->askers &= ~(1u << unit);
    if (!--o->units[unit].reads) {
        o->ready |= 1u << unit;
        o->stuck = false;
    }
    if (++o->queue_head[bank] == o->queue_end[bank])
        o->queue_head[bank] = o->queue_end[bank] = 0;
    else
        ask(o, bank);
}

// Banks are the rows, units the columns. Each bank requests one unit (that of the head of its
// queue), so a unit's winner is the requesting bank that comes first when diagonals are walked from
// `diagonal`: the next one down from bank unit - diagonal. All winners are chosen before the first
// queue moves.
static void arbitrate(const struct hd_sm *sm, struct hd_operands *o)
{
    uint8_t winner[HD_MAX_COLLECTORS];
    uint32_t served = 0;
    int unit;

    HD_EACH(unit, o->askers) {
        uint32_t banks = o->asking[unit] & ~o->written;
        unsigned first = (unsigned)unit + sm->square - sm->diagonal;
        first = first >= sm->square ? first - sm->square : first;
        uint32_t down = banks & (uint32_t)hd_low(first + 1);
        if (!banks)
            continue;
        winner[unit] = (uint8_t)(31 - __builtin_clz(down ? down : banks));
        served |= 1u << unit;
    }
    HD_EACH(unit, served)
        grant(o, (unsigned)unit, winner[unit]);
}

static void queue_read(struct hd_operands *o, unsigned bank, int unit)
{
    unsigned head = o->queue_head[bank], end = o->queue_end[bank];

    if (end == HD_MAX_QUEUED) { // the queue is never empty for long: move it to the first place
        for (unsigned i = head; i < end; i++)
            o->queued[i - head][bank] = o->queued[i][bank];
        end -= head;
        o->queue_head[bank] = 0;
    }
    o->queued[end][bank] = (uint8_t)unit;
    o->queue_end[bank] = (uint8_t)(end + 1);
    if (end == o->queue_head[bank])
        ask(o, bank);
}

static void queue_reads(const struct hd_sm *sm, struct hd_operands *o, int unit)
{
    struct hd_collector *u = &o->units[unit];
    const struct hd_banks *b = &sm->program->banks[u->uop.pc];
    unsigned mask = sm->cfg->sm.reg_banks - 1;

    u->reads = b->n_src;
    if (!b->n_src) {
        o->ready |= 1u << unit;
        o->stuck = false;
    }
    for (unsigned i = 0; i < b->n_src; i++)
        queue_read(o, (b->src[i] + u->uop.warp) & mask, unit);
}

// Each input port moves the oldest instruction of its register into the lowest free unit.
static void allocate(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;

    for (unsigned p = 0; p < HD_N_PIPES; p++)
        for (unsigned port = 0; port < o->ports[p] && sub->id_oc[p].n; port++) {
            int unit = hd_first(o->of_pipe[p] & ~o->busy);
            if (unit == HD_NONE)
                break;
            o->units[unit].uop = hd_latch_take(&sub->id_oc[p], hd_latch_oldest(&sub->id_oc[p]));
            o->stuck = false;
            o->busy |= 1u << unit;
            sm->stalls_known = 0;
            queue_reads(sm, o, unit);
        }
}

void hd_operands_step(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;

    bool stuck = o->stuck; // as it was at the end of the last step

    if (!stuck) {
        o->stuck = true;
        if (o->ready)
            dispatch(sm, sub);
    }
    if (o->askers)
        arbitrate(sm, o);
    if (!stuck && hd_subcore_collects(sub))
        allocate(sm, sub);
}

// Claim the banks of an instruction's destinations for a write this cycle. False if one of them is
// taken; the ones before it stay claimed (as in the reference, O15).
bool hd_operands_write(const struct hd_sm *sm, struct hd_subcore *sub, unsigned warp,
                       const struct hd_banks *b)
{
    unsigned mask = sm->cfg->sm.reg_banks - 1;
    uint32_t mine = 0; // two of its registers may lie in one bank, or it would wait for itself

    for (unsigned i = 0; i < b->n_dst; i++) {
        uint32_t bank = 1u << ((b->dst[i] + warp) & mask);
        if (sub->operands.written & bank & ~mine)
            return false;
        sub->operands.written |= bank;
        mine |= bank;
    }
    return true;
}

// Whether nothing can move: no operand is requested, no instruction can enter or leave a unit.
bool hd_operands_quiet(const struct hd_subcore *sub)
{
    const struct hd_operands *o = &sub->operands;

    if (o->askers)
        return false;
    if (o->stuck)
        return true;
    for (unsigned p = 0; p < HD_N_PIPES; p++)
        if (((o->ready & o->of_pipe[p]) && !hd_latch_full(&sub->oc_ex[p])) ||
            (sub->id_oc[p].n && (o->of_pipe[p] & ~o->busy)))
            return false;
    return true;
}

bool hd_operands_empty(const struct hd_subcore *sub)
{
    return !sub->operands.busy && !hd_subcore_collects(sub);
}
