// steps.c - the SMs' part of a cycle, in two phases, and with it the second part of the memory
// side's (port.h).
//
// First every SM that has work makes its step. A step changes only what belongs to its SM: the SM,
// its instruction source, its side of its port (heddle/port.h), its entries in the columns of the
// machine, its outbox of events (gpu_events.c). It reads only what no step changes: configuration
// and program, the values in memory, the machine's data. So the steps of a cycle may be made in any
// order, and the memory side may do its part before, after or beside them.
//
// Then what the steps left in their outboxes is taken over, SM by SM in index order: what a
// recorder has seen, requests, events, ended blocks, stores, and calls of the device's runtime,
// which may fault.
//
// With --threads, the SMs that have work step side by side in a team (team.h), and the memory
// side's part is one more piece of work, or several with many threads. What the machine must know
// of a step is then written to the SM's own slot and entered into the machine's columns afterwards,
// in index order.
#include "base/processors.h"
#include "gpu/gpu_internal.h"
#include "gpu/team.h"

#include <stdlib.h>

// Some sleep may have ended with this cycle.
static __attribute__((noinline)) void end_sleeps(struct hd_gpu *g)
{
    g->sleep_ends = UINT64_MAX;
    for (unsigned i = 0; i < g->n_sms; i++)
        if (g->wakes[i] <= g->cycle)
            hd_bits_add(g->awake, i);
        else if (g->wakes[i] < g->sleep_ends)
            g->sleep_ends = g->wakes[i];
}

// Of the SMs from `from` on, at most 64: those that have work in this cycle, if they are active.
// They are awake from here on. One that waits for room in the network is asked only if its port has
// sent something.
static inline uint64_t wake_due(struct hd_gpu *g, unsigned from)
{
    uint64_t due = g->awake[from / 64], asks = g->asks[from / 64] & ~due;
    int i;

    if (g->every_cycle)
        due = hd_low(g->n_sms - from);
    if (g->mem.freed)
        asks &= g->mem.freed[from / 64];
    HD_EACH(i, asks)
        if (hd_sm_can_send(g->sms[from + (unsigned)i]))
            due |= hd_bit(i);
    g->awake[from / 64] |= due;
    return due;
}

static inline uint64_t wakes_after(const struct hd_gpu *g, struct hd_sm *sm, unsigned did)
{
    return g->every_cycle || did & HD_SM_AWAKE ? g->cycle + 1 : hd_sm_sleeps_until(sm, g->cycle);
}

// The SM, which is among those that are awake, need not be stepped in the next cycle.
static __attribute__((noinline)) void note_sleep(struct hd_gpu *g, unsigned i, uint64_t wakes)
{
    hd_bits_drop(g->awake, i);
    g->sleep_ends = wakes < g->sleep_ends ? wakes : g->sleep_ends;
    if (hd_sm_asks_for_room(g->sms[i]))
        hd_bits_add(g->asks, i);
    else
        hd_bits_drop(g->asks, i);
}

static inline void note(struct hd_gpu *g, unsigned i, unsigned did, uint64_t wakes)
{
    g->wakes[i] = wakes;
    if (wakes != g->cycle + 1)
        note_sleep(g, i, wakes);
    if (did & ~(unsigned)HD_SM_AWAKE) {
        g->stepped[g->n_stepped] = (uint16_t)i;
        g->did[g->n_stepped++] = (uint8_t)did;
    }
}

static inline void step(struct hd_gpu *g, unsigned i)
{
    unsigned did = hd_sm_step(g->sms[i], g->cycle);

    note(g, i, did, wakes_after(g, g->sms[i], did));
}

static void step_all(struct hd_gpu *g)
{
    int i;

    for (unsigned from = 0; from < g->n_sms; from += 64) {
        uint64_t due = wake_due(g, from);
        HD_EACH(i, due)
            if (hd_machine_active(g, from + (unsigned)i))
                step(g, from + (unsigned)i);
    }
}

// What a member of the team reports of an SM's step.
struct hd_step_slot {
    uint64_t wakes;
    unsigned did;
};

static void finish_memory(const struct hd_gpu *g)
{
    int i;

    HD_EACH(i, g->memory_due)
        g->mem.ops->finish(g->mem.self, (unsigned)i);
}

// Numbers of pieces of work, by which the team hands them out: for each group of SMs a piece of the
// memory side, then the SMs. So each piece of the memory side begins early and with another thread,
// the first one with the thread that also makes the first part of the memory side's cycle, and has
// its data in the cache.
static unsigned piece_of(const struct hd_gpu *g, unsigned group, unsigned place)
{
    return group * (g->group + 1) + place;
}

static bool is_memory(const struct hd_gpu *g, unsigned piece)
{
    return piece % (g->group + 1) == 0;
}

static unsigned memory_of(const struct hd_gpu *g, unsigned piece)
{
    return piece / (g->group + 1);
}

static unsigned sm_of(const struct hd_gpu *g, unsigned piece)
{
    return piece - piece / (g->group + 1) - 1;
}

static void do_piece(void *ctx, unsigned piece)
{
    const struct hd_gpu *g = ctx;

    if (is_memory(g, piece)) {
        g->mem.ops->finish(g->mem.self, memory_of(g, piece));
        return;
    }
    unsigned i = sm_of(g, piece), did = hd_sm_step(g->sms[i], g->cycle);
    g->team_slots[i] = (struct hd_step_slot){.wakes = wakes_after(g, g->sms[i], did), .did = did};
}

// The pieces of this cycle go to g->due. Returns how many there are.
static unsigned list_pieces(struct hd_gpu *g)
{
    uint64_t due[HD_MAX_SMS / 64];
    unsigned n = 0, i = 0;

    for (unsigned from = 0; from < g->n_sms; from += 64)
        due[from / 64] = wake_due(g, from);
    for (unsigned group = 0; group < g->memory_pieces; group++) {
        if (hd_has(g->memory_due, (int)group))
            g->due[n++] = (uint16_t)piece_of(g, group, 0);
        for (unsigned k = 1; k <= g->group && i < g->n_sms; k++, i++)
            if (hd_bits_has(due, i) && hd_machine_active(g, i))
                g->due[n++] = (uint16_t)piece_of(g, group, k);
    }
    return n;
}

// So few pieces are done before a second thread has begun.
#define TOO_FEW 3

static void step_together(struct hd_gpu *g)
{
    unsigned n = list_pieces(g);

    if (n >= TOO_FEW)
        hd_team_run(g->team, do_piece, g, g->due, n);
    for (unsigned k = 0; k < n; k++) {
        if (n < TOO_FEW)
            do_piece(g, g->due[k]);
        if (is_memory(g, g->due[k]))
            continue;
        unsigned i = sm_of(g, g->due[k]);
        note(g, i, g->team_slots[i].did, g->team_slots[i].wakes);
    }
}

// For tests: a new random order in each cycle (xorshift64, Fisher-Yates), and the memory side's
// part after the steps. The results of the steps are sorted by SM again.
static void step_shuffled(struct hd_gpu *g)
{
    uint64_t due[HD_MAX_SMS / 64], *draw = &g->step_order;
    uint16_t order[HD_MAX_SMS] = {0};

    for (unsigned i = 0; i < g->n_sms; i++) {
        *draw ^= *draw << 13;
        *draw ^= *draw >> 7;
        *draw ^= *draw << 17;
        unsigned other = (unsigned)(*draw % (i + 1));
        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
    for (unsigned from = 0; from < g->n_sms; from += 64)
        due[from / 64] = wake_due(g, from);
    for (unsigned k = 0; k < g->n_sms; k++)
        if (hd_bits_has(due, order[k]) && hd_machine_active(g, order[k]))
            step(g, order[k]);
    finish_memory(g);
    for (unsigned k = 1; k < g->n_stepped; k++)
        for (unsigned at = k; at && g->stepped[at - 1] > g->stepped[at]; at--) {
            uint16_t sm = g->stepped[at];
            uint8_t did = g->did[at];
            g->stepped[at] = g->stepped[at - 1];
            g->did[at] = g->did[at - 1];
            g->stepped[at - 1] = sm;
            g->did[at - 1] = did;
        }
}

// Counts the blocks of an SM that have ended in this cycle for their kernels.
static void count_done(struct hd_gpu *g, unsigned i)
{
    unsigned live = hd_sm_live_tbs(g->sms[i]);

    g->full = false;
    if (g->residents)
        hd_residents_ended(g, i);
    else
        g->running[g->bound[i]].tbs_done += g->live[i] - live;
    g->live[i] = (uint8_t)live;
    g->emptied |= !live || g->residents;
}

static unsigned merge(struct hd_gpu *g)
{
    unsigned all = 0;

    g->emptied = false;
    for (unsigned i = 0; g->gpu_events && i < g->n_sms; i++)
        hd_gpu_events_deliver(g, i);
    if (g->reuse)
        hd_gpu_reuse_deliver(g);
    for (unsigned k = 0; k < g->n_stepped; k++) {
        unsigned i = g->stepped[k], did = g->did[k];

        all |= did;
        if (did & HD_SM_PUSHED)
            g->mem.ops->settle(g->mem.self, i);
        if (did & HD_SM_ENDED)
            count_done(g, i);
        if (did & HD_SM_STORES)
            all |= hd_sm_commit(g->sms[i]);
    }
    return all;
}

// For tests, like HEDDLE_LANES: no result depends on the order in which SMs step within a cycle.
void hd_steps_new(struct hd_gpu *g)
{
    const char *seed = getenv("HEDDLE_STEP_ORDER");

    g->step_order = seed ? strtoull(seed, NULL, 10) : 0;
}

// A policy's functions of an SM receive the machine's state too. Only those of the machine may
// write to it, but nothing prevents a plug-in from doing it, so such policies are not called by
// several threads.
static bool shares_state(const struct hd_policy *p)
{
    return p->gpu_bytes && (p->begin || p->end || p->on);
}

// In most cycles some SMs sleep, and the slowest one of the others decides how long the step takes,
// so a thread pays only if it has two SMs.
static unsigned threads_of(const struct hd_gpu *g)
{
    unsigned most = g->n_sms < HD_TEAM_MOST ? g->n_sms : HD_TEAM_MOST, n = g->options.threads;

    if (n == HD_GPU_THREADS_THAT_PAY) {
        n = hd_processors_usable(g->arena);
        most = (most + 1) / 2;
    }
    return n < most ? n : most;
}

// A piece of the memory side's for four threads: what other threads have changed must come from
// their caches in the first part of the next cycle, so many pieces, or pieces for few threads, cost
// more than they gain.
static void divide_work(struct hd_gpu *g, unsigned threads)
{
    g->memory_pieces = 1;
    if (g->mem.ops->divide)
        g->memory_pieces = g->mem.ops->divide(g->mem.self, threads / 4);
    g->group = (g->n_sms + g->memory_pieces - 1) / g->memory_pieces;
}

void hd_steps_begin_run(struct hd_gpu *g)
{
    unsigned threads, numbers;

    if (g->team_decided)
        return;
    g->team_decided = true;
    if (g->options.threads < 2 || g->step_order)
        return;
    threads = threads_of(g);
    if (threads < 2)
        return;
    for (unsigned k = 0; k < g->n_policies; k++)
        if (shares_state(g->policies[k].choice.policy))
            return;
    divide_work(g, threads);
    numbers = g->memory_pieces * (g->group + 1);
    g->team_slots = HD_ARRAY(g->arena, struct hd_step_slot, g->n_sms);
    g->due = HD_ARRAY(g->arena, uint16_t, numbers);
    g->team = hd_team_new(g->arena, threads, numbers);
}

void hd_steps_free(struct hd_gpu *g)
{
    hd_team_free(g->team);
}

unsigned hd_steps_run(struct hd_gpu *g)
{
    g->n_stepped = 0;
    g->stepping = true;
    if (g->cycle >= g->sleep_ends)
        end_sleeps(g);
    if (g->options.record)
        hd_record_step(g->options.record);
    if (g->step_order) {
        step_shuffled(g);
    } else if (g->team) {
        step_together(g);
    } else {
        finish_memory(g);
        step_all(g);
    }
    g->stepping = false;
    if (g->options.record)
        hd_record_settle(g->options.record);
    return merge(g);
}
