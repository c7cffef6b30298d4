// copytime.c - see copytime.h.
#include "cuda/core/copytime.h"

#include "cuda/core/process.h"

#include <math.h>

static double rate;         // bytes in a cycle; 0: copies take no time
static uint64_t host;       // nothing that is submitted from now on begins before this time
static uint64_t latest;     // the latest end of any operation
static uint64_t engines[3]; // by enum hd_copy_way: when the last copy ends

void hd_copytime_set(double bandwidth, double core)
{
    rate = bandwidth * 1e9 / (core * 1e6);
}

bool hd_copytime_on(void)
{
    return rate > 0;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void reach(struct hd_cuda_stream *s, uint64_t until)
{
    s->until = until;
    if (!s->legacy && !(s->flags & CU_STREAM_NON_BLOCKING))
        s->context->blocking_until = later(s->context->blocking_until, until);
    latest = later(latest, until);
}

uint64_t hd_copytime_now(struct hd_cuda_stream *s, uint64_t machine)
{
    uint64_t at;

    if (!hd_copytime_on())
        return machine;
    if (s->busy) {
        reach(s, s->until + (machine - s->since));
        s->since = machine;
        return s->until;
    }
    at = later(later(machine, host), s->until);
    if (s->legacy)
        at = later(at, s->context->blocking_until);
    else if (!(s->flags & CU_STREAM_NON_BLOCKING))
        at = later(at, s->context->legacy.until);
    reach(s, at);
    return at;
}

void hd_copytime_begin(struct hd_cuda_stream *s, uint64_t machine)
{
    if (!hd_copytime_on() || s->busy)
        return;
    hd_copytime_now(s, machine);
    s->since = machine;
    s->busy = true;
}

void hd_copytime_end(struct hd_cuda_stream *s, uint64_t machine)
{
    hd_copytime_now(s, machine);
    s->busy = false;
}

void hd_copytime_copy(struct hd_cuda_stream *s, uint64_t machine, enum hd_copy_way way,
                      uint64_t bytes)
{
    if (!hd_copytime_on() || way == HD_COPY_INSIDE)
        return;
    engines[way] =
        later(hd_copytime_now(s, machine), engines[way]) + (uint64_t)ceil((double)bytes / rate);
    reach(s, engines[way]);
}

void hd_copytime_wait(struct hd_cuda_stream *s, uint64_t machine, uint64_t until)
{
    if (hd_copytime_on())
        reach(s, later(hd_copytime_now(s, machine), until));
}

void hd_copytime_host_waited(void)
{
    host = latest;
}

void hd_copytime_forget(void)
{
    host = latest = 0;
    for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++)
        engines[i] = 0;
}
