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
// pieces, then takes from the others. Besides the steps of the SMs these are the pieces of the
// memory side, which are numbered and joined as in src/gpu/steps.c: here the memory side is divided
// into more pieces than any number of threads asks for.
#include "gpu/gpu_internal.h"

#include "mem/crossbar.h"
#include "sm/sm_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 64
#define MOST_PIECES 17 // of the memory side
#define TOO_FEW 3      // as in src/gpu/steps.c

static const unsigned threads[] = {1, 2, 4, 8, 16, 32, 64};
#define N_THREADS (sizeof threads / sizeof *threads)

// One step of an SM. Nanoseconds.
struct step {
    uint32_t own;
    uint16_t sm, first; // first: of its cycle
};

// What was done between the last step of a cycle and the first one of the next: the two parts of
// the memory side's cycle, and all else.
struct cycle {
    uint32_t tick, rest, finish[MOST_PIECES];
};

static struct step *steps;
static struct cycle *cycles;
static size_t n_steps, steps_room, n_cycles, cycles_room;
static unsigned n_sms, n_pieces = 1;
static uint64_t cycle_now, step_end, tick_time, finish_time[MOST_PIECES], cost_of_clock;

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

// An array with room for one more than n.
static void *grown(void *array, size_t n, size_t *room, size_t bytes)
{
    if (n < *room)
        return array;
    *room = *room ? 2 * *room : (size_t)1 << 18;
    array = realloc(array, *room * bytes);
    if (!array)
        abort();
    return array;
}

static struct step *new_step(void)
{
    steps = grown(steps, n_steps, &steps_room, sizeof *steps);
    return &steps[n_steps++];
}

// `since`: the time from the last step to this cycle's first one.
static void new_cycle(uint32_t since)
{
    struct cycle *c;

    cycles = grown(cycles, n_cycles, &cycles_room, sizeof *cycles);
    c = &cycles[n_cycles++];
    *c = (struct cycle){.tick = shorter(tick_time, since)};
    since -= c->tick;
    for (unsigned i = 0; i < n_pieces; i++) {
        c->finish[i] = shorter(finish_time[i], since);
        since -= c->finish[i];
    }
    c->rest = since;
    tick_time = 0;
    memset(finish_time, 0, sizeof finish_time);
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
    if (s->first)
        new_cycle(between(step_end, start));
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
static uint64_t tick(void *self, uint64_t cycle)
{
    uint64_t start = now(), more = real_ops->tick(self, cycle);

    memset(finish_time, 0, sizeof finish_time);
    tick_time += between(start, now());
    return more;
}

static void finish(void *self, unsigned piece)
{
    uint64_t start = now();

    real_ops->finish(self, piece);
    finish_time[piece] = between(start, now());
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
    n_pieces = real_ops->divide(m.self, MOST_PIECES);
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
    tick_time = 0;
    memset(finish_time, 0, sizeof finish_time);
    step_end = now();
    __real_hd_clock_run(g);
}

// --- after the run

// Merges the times of an array with those in the file: `n` numbers each of `bytes`, of which those
// at [from, to) are times.
static void merge_times(FILE *f, void *array, size_t n, size_t bytes, size_t from, size_t to)
{
    uint32_t was[sizeof(struct cycle) / sizeof(uint32_t)];

    for (size_t i = 0; i < n && fread(was, bytes, 1, f) == 1; i++) {
        uint32_t *is = (uint32_t *)array + i * bytes / sizeof *is;
        for (size_t k = from; k < to; k++)
            is[k] = shorter(is[k], was[k]);
    }
}

static void merge(const char *name)
{
    FILE *f = fopen(name, "rb");
    size_t was[2];

    if (f && fread(was, sizeof was, 1, f) == 1) {
        if (was[0] == n_steps && was[1] == n_cycles) {
            merge_times(f, steps, n_steps, sizeof *steps, 0, 1);
            merge_times(f, cycles, n_cycles, sizeof *cycles, 0, sizeof *cycles / sizeof(uint32_t));
        } else {
            fprintf(stderr, "%s is of another run\n", name);
        }
    }
    if (f)
        fclose(f);
    f = fopen(name, "wb");
    was[0] = n_steps, was[1] = n_cycles;
    if (!f || fwrite(was, sizeof was, 1, f) != 1 ||
        fwrite(steps, sizeof *steps, n_steps, f) != n_steps ||
        fwrite(cycles, sizeof *cycles, n_cycles, f) != n_cycles || fclose(f))
        perror(name);
}

// The pieces of a cycle with `members` threads, in the order of their numbers.
struct work {
    uint64_t time[HD_MAX_SMS + MOST_PIECES];
    unsigned number[HD_MAX_SMS + MOST_PIECES];
    unsigned n, numbers;
};

// Piece k of the memory side, of `pieces`. The first piece that was measured is the replies'
// network, the others are slices.
static uint64_t memory_time(const struct cycle *c, unsigned k, unsigned pieces)
{
    unsigned slices = n_pieces - 1, from, end;
    uint64_t sum = 0;

    if (pieces == 1) {
        for (unsigned i = 0; i < n_pieces; i++)
            sum += c->finish[i];
        return sum;
    }
    if (!k)
        return c->finish[0];
    from = (k - 1) * slices / (pieces - 1);
    end = k * slices / (pieces - 1);
    for (unsigned i = from; i < end; i++)
        sum += c->finish[i + 1];
    return sum;
}

static void list_work(struct work *w, const struct cycle *c, size_t i, size_t end, unsigned members)
{
    unsigned pieces = members < 8 ? 1 : members / 4, group;

    pieces = pieces < n_pieces ? pieces : n_pieces;
    group = (n_sms + pieces - 1) / pieces;
    w->n = 0;
    w->numbers = pieces * (group + 1);
    for (unsigned k = 0; k < pieces; k++) {
        uint64_t memory = memory_time(c, k, pieces);
        if (memory) {
            w->time[w->n] = memory;
            w->number[w->n++] = k * (group + 1);
        }
        for (; i < end && steps[i].sm < (k + 1) * group; i++) {
            w->time[w->n] = steps[i].own;
            w->number[w->n++] = k * (group + 1) + 1 + steps[i].sm % group;
        }
    }
}

// The longest chain of these pieces.
static uint64_t chain(const struct work *w, unsigned members)
{
    uint64_t clock[MOST_THREADS] = {0}, last = 0;
    unsigned next[MOST_THREADS], stop[MOST_THREADS], k = 0;

    for (unsigned m = 0; m < members; m++) {
        next[m] = k;
        while (k < w->n && w->number[k] < (m + 1) * w->numbers / members)
            k++;
        stop[m] = k;
    }
    for (unsigned done = 0; done < w->n; done++) {
        unsigned who = 0, from;
        for (unsigned m = 1; m < members; m++)
            who = clock[m] < clock[who] ? m : who;
        for (from = who; next[from] == stop[from];)
            from = from + 1 < members ? from + 1 : 0;
        clock[who] += w->time[next[from]++];
        last = clock[who] > last ? clock[who] : last;
    }
    return last;
}

static void write_sums(FILE *f)
{
    uint64_t all = 0, ticks = 0, finish_all = 0, rest = 0, together = 0, path[N_THREADS] = {0};
    const struct cycle *c = cycles;
    static struct work w;

    for (size_t i = 0, end; i < n_steps; i = end, c++) {
        uint64_t in_cycle = 0, memory = memory_time(c, 0, 1);
        for (end = i; end < n_steps && (end == i || !steps[end].first); end++)
            in_cycle += steps[end].own;
        all += in_cycle;
        ticks += c->tick;
        finish_all += memory;
        rest += c->rest;
        bool alone = end - i + (memory != 0) < TOO_FEW;
        together += !alone;
        for (unsigned k = 0; k < N_THREADS; k++) {
            unsigned members = threads[k] < n_sms ? threads[k] : n_sms;
            list_work(&w, c, i, end, members);
            path[k] += alone ? in_cycle + memory : chain(&w, members);
        }
    }
    fprintf(f,
            "sms %u n_steps %zu steps %" PRIu64 " tick %" PRIu64 " finish %" PRIu64 " rest %" PRIu64
            " cycles %zu together %" PRIu64,
            n_sms, n_steps, all, ticks, finish_all, rest, n_cycles, together);
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
