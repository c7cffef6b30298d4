// dram.c - one GDDR5 channel to the command, as the DRAM model of GPGPU-Sim 3.2.2 (timing-model
// 10).
//
// In each tick the data pipe moves, the scheduler gives at most one bank a new request (a bank's
// row hits first, without an age limit), and at most one command is sent; with dram.commands, which
// is for models of GPGPU-Sim 4, also two. Row buffers stay open
// until another row of the bank is needed. Not modelled, as in the reference: refresh, power-down,
// write queues.
//
// The reference counts every constraint down by one in each tick; here a constraint is the tick at
// which the counter would be zero. The reference's data pipe has a slot for every tick of the read
// or write latency; here each burst stores the pop of the pipe in which it comes out.
#include "mem/dram.h"

#include "heddle/bits.h"

#include <string.h>

void hd_dram_init(struct hd_dram *d, struct hd_arena *a, const struct hd_config_dram *c,
                  struct hd_mem_stats *stats)
{
    unsigned banks = 1U << __builtin_popcount(c->bank_mask);

    HD_BUG_IF(banks > HD_DRAM_BANKS, "DRAM of %u banks", banks);
    *d = (struct hd_dram){.config = c,
                          .stats = stats,
                          .banks = HD_ARRAY(a, struct hd_dram_bank, banks),
                          .queued = HD_ARRAY(a, struct hd_dram_req, c->queue),
                          .last = banks - 1,
                          .tail = c->cl};
    for (uint32_t i = 0; i < banks; i++)
        d->groups[i] = (uint8_t)(c->group_low ? i % c->bank_groups : i / (banks / c->bank_groups));
    hd_dram_pipe_init(&d->pipe, a, c->cl + 1);
    hd_dram_ring_init(&d->done, a, c->returns);
}

void hd_dram_push(struct hd_dram *d, const struct hd_dram_req *r)
{
    HD_BUG_IF(d->has_entering, "two requests to a DRAM channel in one tick");
    d->entering = *r;
    d->has_entering = true;
}

static uint64_t pops(const struct hd_dram *d, uint64_t tick)
{
    return tick - d->pipe_stalls;
}

// The oldest burst comes out of the data pipe, unless the return queue is full.
static const struct hd_dram_req *move_pipe(struct hd_dram *d, uint64_t tick)
{
    const struct hd_dram_burst *b;

    if (hd_dram_pipe_empty(&d->pipe))
        return NULL;
    if (hd_dram_ring_full(&d->done)) {
        d->pipe_stalls++;
        return NULL;
    }
    b = hd_dram_pipe_head(&d->pipe);
    if (b->due != pops(d, tick))
        return NULL;
    hd_dram_pipe_pop(&d->pipe); // the slot keeps its content until the next push
    if (!b->last)
        return NULL;
    if (b->req.kind == HD_DRAM_WRITEBACK)
        return &b->req;
    hd_dram_ring_push(&d->done, b->req);
    return NULL;
}

// The oldest queued request of the bank's chosen row: the row that it serves, as long as there are
// requests for it; else the open row; else the row of the oldest request.
static void assign(struct hd_dram *d, int bank)
{
    struct hd_dram_bank *b = &d->banks[bank];
    uint32_t row = hd_has(d->chosen, bank) ? b->serving : b->row;
    int oldest = HD_NONE, oldest_hit = HD_NONE;
    bool others = false, again = false;
    struct hd_dram_req *r = d->queued;

    for (uint32_t i = 0; i < d->n_queued; i++) {
        if (r[i].bank != bank)
            continue;
        if (oldest == HD_NONE)
            oldest = (int)i;
        if (oldest_hit == HD_NONE && r[i].row == row)
            oldest_hit = (int)i;
    }
    if (oldest_hit != HD_NONE)
        oldest = oldest_hit;
    b->active = r[oldest];
    memmove(&r[oldest], &r[oldest + 1], (--d->n_queued - (uint32_t)oldest) * sizeof *r);
    for (uint32_t i = 0; i < d->n_queued; i++) {
        if (r[i].bank == bank) {
            others = true;
            again |= r[i].row == b->active.row;
        }
    }
    b->serving = b->active.row;
    d->chosen = again ? d->chosen | hd_bit(bank) : d->chosen & ~hd_bit(bank);
    d->waiting = others ? d->waiting : d->waiting & ~hd_bit(bank);
    d->active |= hd_bit(bank);
}

static void schedule(struct hd_dram *d)
{
    int bank;

    if (d->has_entering && !hd_dram_full(d)) {
        d->queued[d->n_queued++] = d->entering;
        d->waiting |= hd_bit(d->entering.bank);
        d->has_entering = false;
    }
    bank = hd_rotate_from(d->waiting & ~d->active, (int)d->first);
    if (bank == HD_NONE)
        return;
    assign(d, bank);
    d->first = (d->first + 1) & d->last;
    d->next_command = 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// The first tick at which the command that the bank needs next may go out.
static uint64_t command_at(const struct hd_dram *d, const struct hd_dram_bank *b, uint32_t group)
{
    if (!b->open)
        return later(d->activate_at, b->activate_at);
    if (b->row != b->active.row)
        return later(b->precharge_at, d->group_precharge_at[group]);
    return later(later(d->column_at, d->group_column_at[group]),
                 b->active.kind == HD_DRAM_FILL ? later(d->read_at, b->read_at)
                                                : later(d->write_at, b->write_at));
}

static inline __attribute__((always_inline)) void column(struct hd_dram *d, int bank,
                                                         uint32_t group, uint64_t tick)
{
    const struct hd_config_dram *c = d->config;
    struct hd_dram_bank *b = &d->banks[bank];
    uint64_t due, burst = c->burst_cycles;
    bool read = b->active.kind == HD_DRAM_FILL;

    if (read) {
        d->tail = c->cl;
        d->write_at = tick + c->cl + burst + 2 - c->wl;
        b->precharge_at = later(b->precharge_at, tick + burst);
        d->group_precharge_at[group] = tick + c->rtpl;
        d->stats->dram_reads++;
    } else {
        d->tail = c->wl;
        d->read_at = tick + c->wl + burst + c->cdlr;
        b->precharge_at = later(b->precharge_at, tick + c->wl + burst + c->wr);
        d->stats->dram_writes++;
    }
    d->column_at = tick + c->ccd;
    d->group_column_at[group] = tick + c->ccdl;
    // After everything in the pipe, even after a change from reading to the shorter writing.
    due = pops(d, tick) + d->tail;
    if (!hd_dram_pipe_empty(&d->pipe))
        due = later(due, hd_dram_pipe_at(&d->pipe, hd_dram_pipe_fill(&d->pipe) - 1)->due + 1);
    b->active.bursts--;
    hd_dram_pipe_push(
        &d->pipe, (struct hd_dram_burst){.req = b->active, .due = due, .last = !b->active.bursts});
    if (!b->active.bursts)
        d->active &= ~hd_bit(bank);
    d->stats->dram_row_hits += !b->fresh;
    d->stats->dram_busy += burst;
    b->fresh = false;
}

static inline __attribute__((always_inline)) void row_command(struct hd_dram *d, int bank,
                                                              uint64_t tick)
{
    const struct hd_config_dram *c = d->config;
    struct hd_dram_bank *b = &d->banks[bank];

    if (b->open) {
        b->open = false;
        b->activate_at = later(b->activate_at, tick + c->rp);
    } else {
        b->open = b->fresh = true;
        d->stats->dram_activates++;
        b->row = b->active.row;
        d->activate_at = tick + c->rrd;
        b->read_at = tick + c->rcd;
        b->write_at = tick + c->rcd - (c->wl + 1);
        b->precharge_at = later(b->precharge_at, tick + c->ras);
        b->activate_at = tick + c->rc;
    }
    d->first = ((uint32_t)bank + 1) & d->last;
}

// Whether the pipe has room for a burst: it has one slot more than the read latency.
static bool pipe_room(const struct hd_dram *d, uint64_t tick)
{
    uint32_t n = hd_dram_pipe_fill(&d->pipe);

    return !n || hd_dram_pipe_at(&d->pipe, n - 1)->due - pops(d, tick) <= d->config->cl;
}

// Whether the bank, which serves a request, may send its next command. If not, *soonest is at most
// the tick at which it may.
static inline __attribute__((always_inline)) bool
may_send(const struct hd_dram *d, int bank, uint64_t tick, bool *is_column, uint64_t *soonest)
{
    const struct hd_dram_bank *b = &d->banks[bank];
    uint64_t at = command_at(d, b, d->groups[bank]);

    *is_column = b->open && b->row == b->active.row;
    if (at <= tick && *is_column && !pipe_room(d, tick))
        at = tick + 1;
    if (at > tick)
        *soonest = at < *soonest ? at : *soonest;
    return at <= tick;
}

// Banks are looked at from the rotating start; a row command moves the start, also for the banks
// that are still to be looked at, as in the reference. With `rows` and `columns` only such commands
// are sent. Returns whether any was.
static __attribute__((noinline)) bool send_some(struct hd_dram *d, uint64_t tick, bool columns,
                                                bool rows, uint64_t *soonest)
{
    bool column_sent = false, row_sent = false, is_column;

    for (uint32_t n = 0; n <= d->last && !column_sent; n++) {
        int i = (int)((n + d->first) & d->last);
        if (!hd_has(d->active, i) || !may_send(d, i, tick, &is_column, soonest))
            continue;
        if (is_column && columns) {
            column(d, i, d->groups[i], tick);
            column_sent = true;
        } else if (!is_column && rows && !row_sent) {
            row_command(d, i, tick);
            row_sent = true;
            if (!columns)
                break;
        }
    }
    return column_sent || row_sent;
}

// Up to two commands in a tick.
static __attribute__((noinline)) void two_commands(struct hd_dram *d, uint64_t tick)
{
    bool dual = d->config->commands == HD_COMMANDS_DUAL;
    uint64_t soonest = UINT64_MAX;
    bool sent = send_some(d, tick, true, !dual, &soonest);

    if (dual)
        sent |= send_some(d, tick, false, true, &soonest);
    d->next_command = sent ? 0 : soonest;
}

// The first bank, from the rotating start, whose next command may be sent sends it.
static void command(struct hd_dram *d, uint64_t tick)
{
    uint64_t soonest = UINT64_MAX;
    uint64_t from[2] = {d->active & ~hd_low(d->first), d->active & hd_low(d->first)};
    int i;

    for (unsigned half = 0; half < 2; half++) {
        HD_EACH(i, from[half]) {
            bool is_column;
            if (!may_send(d, i, tick, &is_column, &soonest))
                continue;
            if (is_column)
                column(d, i, d->groups[i], tick);
            else
                row_command(d, i, tick);
            d->next_command = 0;
            return;
        }
    }
    d->next_command = soonest;
}

const struct hd_dram_req *hd_dram_step(struct hd_dram *d, uint64_t tick)
{
    const struct hd_dram_req *finished = move_pipe(d, tick);

    schedule(d);
    if (d->active && tick >= d->next_command) {
        if (d->config->commands == HD_COMMANDS_ONE)
            command(d, tick);
        else
            two_commands(d, tick);
    }
    return finished;
}

uint64_t hd_dram_wakes(const struct hd_dram *d, uint64_t tick)
{
    uint64_t at = UINT64_MAX;

    if (d->has_entering || (d->waiting & ~d->active))
        return tick + 1;
    if (d->active)
        at = d->next_command;
    if (!hd_dram_pipe_empty(&d->pipe)) {
        uint64_t due = hd_dram_pipe_head(&d->pipe)->due + d->pipe_stalls;
        at = due < at ? due : at;
    }
    return at > tick ? at : tick + 1;
}
