// operands.c - the operand collector: units that gather source registers from banked storage.
//
// Per cycle (timing-model 7.1): ready units dispatch, the banks' read queues are arbitrated, free
// units take new instructions, grants are cleared. A bank serves one access per cycle, writes
// first; a unit receives one operand per cycle. The read arbiter is a wavefront allocator over
// banks x units whose starting diagonal moves every cycle. An instruction with n register sources
// occupies its unit for n + 1 cycles: this, not the function units, bounds ALU throughput.
//
// GPGPU-Sim 4 differs, and each difference is a key of the machine: units that serve all pipes
// (sm.collectors_any), several steps in a cycle, after the load/store unit (collector_steps,
// collector_late), a unit that receives the operands of several banks in one step (collector_wide),
// equal registers that are read once (collector_once).
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

    o->any = c->collectors_any != 0;
    o->wide = c->collector_wide != 0;
    for (unsigned p = 0; p < HD_N_PIPES; p++) {
        HD_BUG_IF(n + units[p] > HD_MAX_COLLECTORS, "more than %d operand collector units",
                  HD_MAX_COLLECTORS);
        o->of_pipe[p] = (uint32_t)(hd_low(units[p]) << n);
        o->ports[p] = (uint8_t)ports[p];
        if (units[p])
            o->end_pipe = (uint8_t)(p + 1);
        for (unsigned port = 0; port < ports[p]; port++)
            o->last[p][port] = (uint8_t)n;
        n += units[p];
    }
    if (o->any) {
        HD_BUG_IF(n || c->collectors_any > HD_MAX_COLLECTORS, "%u operand collector units and %u",
                  n, c->collectors_any);
        n = c->collectors_any;
        for (unsigned p = 0; p < HD_N_PIPES; p++)
            o->of_pipe[p] = (uint32_t)hd_low(n);
    }
    o->fermi = !o->any && !o->wide && !sm->bank_skip && o->end_pipe <= HD_PIPE_MEM + 1;
    sm->square = c->reg_banks > n ? c->reg_banks : n;
}

// The instruction in unit k goes to its pipe's register, which has room.
static inline void leave(struct hd_sm *sm, struct hd_subcore *sub, unsigned p, int k)
{
    struct hd_operands *o = &sub->operands;

    hd_latch_put(&sub->oc_ex[p], &o->units[k].uop);
    if (p == HD_PIPE_MEM)
        sm->mem_ready |= sub->bit;
    else
        sub->executes |= (uint8_t)(1u << p);
    o->stuck = false;
    o->busy &= ~(1u << k);
    o->ready &= ~(1u << k);
}

// Units that serve all pipes have a dispatch port each: every one that has all operands leaves, the
// lower one first if there is room for one.
static __attribute__((noinline)) void dispatch_any(struct hd_sm *sm, struct hd_subcore *sub)
{
    int k;

    HD_EACH(k, sub->operands.ready) {
        unsigned p = sub->operands.units[k].pipe;
        if (!hd_latch_full(&sub->oc_ex[p]))
            leave(sm, sub, p, k);
    }
}

// Each dispatch port of the pipe takes the next of its units, in turn, that has all operands.
static inline __attribute__((always_inline)) void dispatch(struct hd_sm *sm, struct hd_subcore *sub,
                                                           unsigned p)
{
    struct hd_operands *o = &sub->operands;

    for (unsigned port = 0; (o->ready & o->of_pipe[p]) && port < o->ports[p]; port++) {
        int k = hd_rotate_from(o->ready & o->of_pipe[p], o->last[p][port] + 1);
        if (hd_latch_full(&sub->oc_ex[p]))
            break;
        leave(sm, sub, p, k);
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
static inline __attribute__((always_inline)) void grant(struct hd_operands *o, unsigned unit,
                                                        unsigned bank)
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
static inline __attribute__((always_inline)) void arbitrate(const struct hd_sm *sm,
                                                            struct hd_operands *o)
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

// Each bank serves the head of its queue, whichever unit that is.
static __attribute__((noinline)) void arbitrate_wide(struct hd_operands *o)
{
    uint32_t banks = 0;
    int unit, bank;

    HD_EACH(unit, o->askers)
        banks |= o->asking[unit];
    HD_EACH(bank, banks & ~o->written)
        grant(o, o->queued[o->queue_head[bank]][bank], (unsigned)bank);
}

static inline void queue_read(struct hd_operands *o, unsigned bank, int unit)
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

// Sources with one of the flags in `skip` are not read.
static inline __attribute__((always_inline)) void
queue_reads(const struct hd_sm *sm, struct hd_operands *o, int unit, unsigned skip)
{
    struct hd_collector *u = &o->units[unit];
    const struct hd_banks *b = &sm->program->banks[u->uop.pc];
    unsigned mask = sm->cfg->sm.reg_banks - 1, n = b->n_src, reads = 0;

    for (unsigned i = 0; i < n; i++) {
        if (b->src[i] & skip)
            continue;
        queue_read(o, (b->src[i] + u->uop.warp) & mask, unit);
        reads++;
    }
    u->reads = (uint8_t)reads;
    if (!reads)
        o->ready |= 1u << unit;
}

// The oldest instruction of the pipe's register moves into a free unit.
static inline __attribute__((always_inline)) void enter(struct hd_sm *sm, struct hd_subcore *sub,
                                                        unsigned p, int unit, unsigned skip)
{
    struct hd_operands *o = &sub->operands;

    if (sub->full >> p & 1) // a warp may issue now
        sm->stalls_known = 0;
    o->units[unit].uop = hd_subcore_collect(sub, (enum hd_pipe)p);
    o->stuck = false;
    o->busy |= 1u << unit;
    queue_reads(sm, o, unit, skip);
}

// Into a unit that serves all pipes.
static void enter_any(struct hd_sm *sm, struct hd_subcore *sub, unsigned p, int unit)
{
    sub->operands.units[unit].pipe = (uint8_t)p;
    enter(sm, sub, p, unit, sm->bank_skip);
}

// Into units that serve all pipes: their registers take turns until the units are full.
static __attribute__((noinline)) void allocate_any(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;
    int unit = hd_first(o->of_pipe[0] & ~o->busy), p;

    while (unit != HD_NONE && sub->collects)
        HD_EACH(p, sub->collects) {
            if (unit == HD_NONE)
                break;
            enter_any(sm, sub, (unsigned)p, unit);
            unit = hd_first(o->of_pipe[0] & ~o->busy);
        }
}

// The sub-core whose register of this pipe holds the oldest instruction of the SM, NULL: none.
static struct hd_subcore *oldest_of(const struct hd_sm *sm, unsigned p)
{
    struct hd_subcore *best = NULL;
    uint32_t order = 0;

    HD_EACH_SUBCORE(sub, sm) {
        if (!(sub->collects >> p & 1))
            continue;
        uint32_t own = sub->id_oc[p].slots[hd_latch_oldest(&sub->id_oc[p])].order;
        if (!best || own - order > UINT32_MAX / 2) {
            best = sub;
            order = own;
        }
    }
    return best;
}

// With sm.collector_heads = sm the oldest instruction of a pipe in the whole SM enters first; while
// its sub-core has no free unit, those of other sub-cores wait, too. Pipes take turns. `pipes`:
// those with instructions. Returns whether one entered.
static bool enter_oldest(struct hd_sm *sm, unsigned pipes)
{
    bool moves = false;
    int p;

    while (pipes) // each pipe, until its oldest instruction finds no room or there is none
        HD_EACH(p, pipes) {
            struct hd_subcore *sub = oldest_of(sm, (unsigned)p);
            int unit = sub ? hd_first(sub->operands.of_pipe[p] & ~sub->operands.busy) : HD_NONE;
            if (unit == HD_NONE) {
                pipes &= ~(1u << p);
                continue;
            }
            enter_any(sm, sub, (unsigned)p, unit);
            moves = true;
        }
    return moves;
}

// Each input port of the pipe moves the oldest instruction of its register into the lowest free
// unit.
static inline __attribute__((always_inline)) void allocate(struct hd_sm *sm, struct hd_subcore *sub,
                                                           unsigned p, unsigned skip)
{
    struct hd_operands *o = &sub->operands;

    for (unsigned port = 0; (sub->collects >> p & 1) && port < o->ports[p]; port++) {
        int unit = hd_first(o->of_pipe[p] & ~o->busy);
        if (unit == HD_NONE)
            break;
        enter(sm, sub, p, unit, skip);
    }
}

// A step of any sub-core.
static __attribute__((noinline)) void step_any(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;
    bool stuck = o->stuck;

    if (!stuck) {
        o->stuck = true;
        if (o->any)
            dispatch_any(sm, sub);
        for (unsigned p = 0; p < o->end_pipe; p++)
            dispatch(sm, sub, p);
    }
    if (o->wide)
        arbitrate_wide(o);
    else
        arbitrate(sm, o);
    if (stuck || sm->oldest_enters)
        return;
    if (o->any)
        allocate_any(sm, sub);
    for (unsigned p = 0; p < o->end_pipe; p++)
        allocate(sm, sub, p, sm->bank_skip);
}

// One of the usual sub-cores: its pipes SP, SFU and LDST have units of their own, and no key
// differs from GPGPU-Sim 3.2.2.
void hd_operands_step(struct hd_sm *sm, struct hd_subcore *sub)
{
    struct hd_operands *o = &sub->operands;
    bool stuck = o->stuck; // as it was at the end of the last step

    if (!stuck) {
        o->stuck = true;
        if (o->ready) {
            dispatch(sm, sub, HD_PIPE_SP);
            dispatch(sm, sub, HD_PIPE_SFU);
            dispatch(sm, sub, HD_PIPE_MEM);
        }
    }
    if (o->askers)
        arbitrate(sm, o);
    if (!stuck && sub->collects) {
        allocate(sm, sub, HD_PIPE_SP, 0);
        allocate(sm, sub, HD_PIPE_SFU, 0);
        allocate(sm, sub, HD_PIPE_MEM, 0);
    }
}

void hd_operands_steps(struct hd_sm *sm)
{
    bool moves = true; // after a step in which nothing moves, the next ones would be the same

    for (unsigned n = sm->cfg->sm.collector_steps; n; n--) {
        unsigned pipes = 0;
        if (moves) {
            moves = false;
            HD_EACH_SUBCORE(sub, sm) {
                if (!sub->operands.stuck || sub->operands.askers) {
                    step_any(sm, sub);
                    moves = true;
                }
                sub->operands.written = 0;
                pipes |= sub->collects;
            }
        }
        if (pipes && sm->oldest_enters)
            moves |= enter_oldest(sm, pipes);
        sm->diagonal = sm->diagonal + 1 == sm->square ? 0 : sm->diagonal + 1;
    }
}

// Claim the banks of an instruction's destinations for a write this cycle. False if one of them is
// taken; the ones before it stay claimed (as in the reference, O15).
bool hd_operands_write(const struct hd_sm *sm, struct hd_subcore *sub, unsigned warp,
                       const struct hd_banks *b)
{
    unsigned mask = sm->cfg->sm.reg_banks - 1;
    uint32_t mine = 0; // two of its registers may lie in one bank, or it would wait for itself

    if (b->n_dst == 1) { // most instructions, without a loop
        mine = 1u << ((b->dst[0] + warp) & mask);
        if (sub->operands.written & mine)
            return false;
        sub->operands.written |= mine;
        return true;
    }
    for (unsigned i = 0; i < b->n_dst; i++) {
        uint32_t bank = 1u << ((b->dst[i] + warp) & mask);
        if (sub->operands.written & bank & ~mine)
            return false;
        sub->operands.written |= bank;
        mine |= bank;
    }
    return true;
}

// The same where each register needs its bank for itself (sm.writes_apart). `done` has the
// registers that earlier attempts have written.
bool hd_operands_write_rest(const struct hd_sm *sm, struct hd_subcore *sub, unsigned warp,
                            const struct hd_banks *b, uint8_t *done)
{
    unsigned mask = sm->cfg->sm.reg_banks - 1;

    for (unsigned i = 0; i < b->n_dst; i++) {
        uint32_t bank = 1u << ((b->dst[i] + warp) & mask);
        if (*done >> i & 1)
            continue;
        if (sub->operands.written & bank)
            return false;
        sub->operands.written |= bank;
        *done |= (uint8_t)(1u << i);
    }
    *done = 0;
    return true;
}

// Whether an instruction of the sub-core can leave a unit, or enter one.
bool hd_operands_move(const struct hd_sm *sm, const struct hd_subcore *sub)
{
    const struct hd_operands *o = &sub->operands;
    bool enters = !sm->oldest_enters;
    int k;

    if (o->any) {
        HD_EACH(k, o->ready)
            if (!hd_latch_full(&sub->oc_ex[o->units[k].pipe]))
                return true;
        return enters && sub->collects && (o->of_pipe[0] & ~o->busy);
    }
    for (unsigned p = 0; p < o->end_pipe; p++)
        if (((o->ready & o->of_pipe[p]) && !hd_latch_full(&sub->oc_ex[p])) ||
            (enters && (sub->collects >> p & 1) && (o->of_pipe[p] & ~o->busy)))
            return true;
    return false;
}

// Pipes of the SM whose register in some sub-core holds an instruction.
static unsigned collecting(const struct hd_sm *sm)
{
    unsigned pipes = 0;

    HD_EACH_SUBCORE(sub, sm)
        pipes |= sub->collects;
    return pipes;
}

// Whether the oldest instruction of some pipe can enter a unit of its sub-core.
bool hd_operands_oldest_enters(const struct hd_sm *sm)
{
    int p;

    HD_EACH(p, collecting(sm)) {
        const struct hd_subcore *sub = oldest_of(sm, (unsigned)p);
        if (sub->operands.of_pipe[p] & ~sub->operands.busy)
            return true;
    }
    return false;
}

bool hd_operands_empty(const struct hd_subcore *sub)
{
    return !sub->operands.busy && !sub->collects;
}
