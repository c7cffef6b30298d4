// path.c - what --threads can save on machines with more processors than this one: the time of
// every step of every SM, taken on one thread, and from it the longest chain of steps in each cycle
// with N threads. See path.sh.
//
// It is linked in front of the functions that make the parts of a cycle (ld --wrap). A run is the
// same each time, so the times of several runs are merged, the shorter one of each part: what else
// the machine does lengthens some parts of some runs, and seldom the same part of all. The merged
// times are in the file PATH_TIMES; the sums of the merged times are written to PATH_SUMS.
//
// The pieces of a cycle are handed out as in src/gpu/team.c: each thread does its own range of
// pieces, then takes from the others. The first piece is the second part of the memory side's
// cycle; the others are the SMs (src/gpu/steps.c).
#include "gpu/gpu_internal.h"

#include "mem/crossbar.h"
#include "sm/sm_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 64
#define TOO_FEW 3 // as in src/gpu/steps.c

static const unsigned threads[] = {1, 2, 4, 8, 16, 32, 64};
#define N_THREADS (sizeof threads / sizeof *threads)

// One step of an SM, and with the first one of its cycle what was done since the step before: the
// two parts of the memory side's cycle, and all else. Nanoseconds.
struct step {
    uint32_t own, tick, finish, rest;
    uint16_t sm, first;
};

static struct step *steps;
static size_t n_steps, capacity;
static unsigned n_sms;
static uint64_t cycle_now, step_end, tick_time, finish_time, cost_of_clock;

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t between(uint64_t start, uint64_t end)
{
    uint64_t n = end - start > cost_of_clock ? end - start - cost_of_clock : 0;

    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static uint32_t shorter(uint64_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

static struct step *new_step(void)
{
    if (n_steps == capacity) {
        capacity = capacity ? 2 * capacity : (size_t)1 << 20;
        steps = realloc(steps, capacity * sizeof *steps);
        if (!steps)
            abort();
    }
    return &steps[n_steps++];
}

unsigned __real_hd_sm_step(struct hd_sm *sm, uint64_t cycle);
unsigned __wrap_hd_sm_step(struct hd_sm *sm, uint64_t cycle);
unsigned __wrap_hd_sm_step(struct hd_sm *sm, uint64_t cycle)
{
    struct step *s = new_step();
    uint64_t start = now();
    unsigned did = __real_hd_sm_step(sm, cycle);
    uint64_t end = now();

    *s = (struct step){
        .own = between(start, end), .sm = (uint16_t)sm->index, .first = cycle != cycle_now};
    if (s->first) {
        uint32_t since = between(step_end, start);
        s->tick = shorter(tick_time, since);
        s->finish = shorter(finish_time, since - s->tick);
        s->rest = since - s->tick - s->finish;
        tick_time = finish_time = 0;
    }
    cycle_now = cycle;
    step_end = end;
    return did;
}

// Called after each step, by the thread that made it.
uint64_t __real_hd_sm_sleeps_until(struct hd_sm *sm, uint64_t cycle);
uint64_t __wrap_hd_sm_sleeps_until(struct hd_sm *sm, uint64_t cycle);
uint64_t __wrap_hd_sm_sleeps_until(struct hd_sm *sm, uint64_t cycle)
{
    uint64_t start = now(), wakes = __real_hd_sm_sleeps_until(sm, cycle);

    step_end = now();
    if (n_steps && cycle == cycle_now)
        steps[n_steps - 1].own += between(start, step_end);
    return wakes;
}

static const struct hd_mem_ops *real_ops;
static struct hd_mem_ops ops;

// What the second parts of cycles without steps take is not made beside anything: it counts as
// rest.
static bool tick(void *self, uint64_t cycle)
{
    uint64_t start = now();
    bool more = real_ops->tick(self, cycle);

    finish_time = 0;
    tick_time += between(start, now());
    return more;
}

static void finish(void *self)
{
    uint64_t start = now();

    real_ops->finish(self);
    finish_time = between(start, now());
}

struct hd_mem __real_hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                                     const struct hd_mem_listener *listener);
struct hd_mem __wrap_hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                                     const struct hd_mem_listener *listener);
struct hd_mem __wrap_hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                                     const struct hd_mem_listener *listener)
{
    struct hd_mem m = __real_hd_crossbar_new(a, c, listener);

    real_ops = m.ops;
    ops = *m.ops;
    ops.tick = tick;
    ops.finish = finish;
    m.ops = &ops;
    return m;
}

static void measure_clock(void)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < 10000; i++) {
        uint64_t start = now(), took = now() - start;
        least = took < least ? took : least;
    }
    cost_of_clock = least;
}

void __real_hd_clock_run(struct hd_gpu *g);
void __wrap_hd_clock_run(struct hd_gpu *g);
void __wrap_hd_clock_run(struct hd_gpu *g)
{
    if (!cost_of_clock)
        measure_clock();
    n_sms = g->n_sms;
    cycle_now = UINT64_MAX;
    tick_time = finish_time = 0;
    step_end = now();
    __real_hd_clock_run(g);
}

// --- after the run

static void merge(const char *name)
{
    FILE *f = fopen(name, "rb");
    struct step was;
    size_t i = 0;

    for (; f && i < n_steps && fread(&was, sizeof was, 1, f) == 1; i++) {
        steps[i].own = shorter(steps[i].own, was.own);
        steps[i].tick = shorter(steps[i].tick, was.tick);
        steps[i].finish = shorter(steps[i].finish, was.finish);
        steps[i].rest = shorter(steps[i].rest, was.rest);
    }
    if (f && (i != n_steps || fread(&was, sizeof was, 1, f)))
        fprintf(stderr, "%s is of another run\n", name);
    if (f)
        fclose(f);
    f = fopen(name, "wb");
    if (!f || fwrite(steps, sizeof *steps, n_steps, f) != n_steps || fclose(f))
        perror(name);
}

// The longest chain of the pieces of a cycle: the memory side's, and steps i to end.
static uint64_t chain(size_t i, size_t end, unsigned members)
{
    uint64_t clock[MOST_THREADS] = {steps[i].finish}, last = clock[0];
    size_t next[MOST_THREADS], stop[MOST_THREADS], k = i;

    for (unsigned m = 0; m < members; m++) {
        next[m] = k;
        while (k < end && steps[k].sm + 1u < (m + 1) * (n_sms + 1) / members)
            k++;
        stop[m] = k;
    }
    for (size_t done = i; done < end; done++) {
        unsigned who = 0, from;
        for (unsigned m = 1; m < members; m++)
            who = clock[m] < clock[who] ? m : who;
        for (from = who; next[from] == stop[from];)
            from = from + 1 < members ? from + 1 : 0;
        clock[who] += steps[next[from]++].own;
        last = clock[who] > last ? clock[who] : last;
    }
    return last;
}

static void write_sums(FILE *f)
{
    uint64_t all = 0, ticks = 0, finish_all = 0, rest = 0, cycles = 0, together = 0,
             path[N_THREADS] = {0};

    for (size_t i = 0, end; i < n_steps; i = end) {
        uint64_t cycle = 0;
        for (end = i; end < n_steps && (end == i || !steps[end].first); end++)
            cycle += steps[end].own;
        all += cycle;
        ticks += steps[i].tick;
        finish_all += steps[i].finish;
        rest += steps[i].rest;
        cycles++;
        bool alone = end - i + (steps[i].finish != 0) < TOO_FEW;
        together += !alone;
        for (unsigned k = 0; k < N_THREADS; k++) {
            unsigned members = threads[k] < n_sms ? threads[k] : n_sms;
            path[k] += alone ? cycle + steps[i].finish : chain(i, end, members);
        }
    }
    fprintf(f,
            "sms %u n_steps %zu steps %" PRIu64 " tick %" PRIu64 " finish %" PRIu64 " rest %" PRIu64
            " cycles %" PRIu64 " together %" PRIu64,
            n_sms, n_steps, all, ticks, finish_all, rest, cycles, together);
    for (unsigned k = 0; k < N_THREADS; k++)
        fprintf(f, " path%u %" PRIu64, threads[k], path[k]);
    fputc('\n', f);
}

__attribute__((destructor)) static void report(void)
{
    const char *times = getenv("PATH_TIMES"), *sums = getenv("PATH_SUMS");
    FILE *f = sums ? fopen(sums, "w") : NULL;

    if (!times || !f)
        return;
    merge(times);
    write_sums(f);
    fclose(f);
}
