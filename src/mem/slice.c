// slice.c - see slice.h. What has nothing to do is not stepped: sub-partitions compute the cycle,
// DRAM channels the tick at which they continue.
#include "mem/slice.h"

#include "heddle/bits.h"

void hd_slice_init(struct hd_slice *s, const struct hd_config *c, unsigned first, unsigned end,
                   struct hd_l2 *subs, struct hd_partition *partitions, uint64_t *wakes)
{
    *s = (struct hd_slice){.per_partition = c->dram.subs,
                           .first = first,
                           .end = end,
                           .first_word = first / 64,
                           .end_word = (end + 63) / 64,
                           .subs = subs,
                           .partitions = partitions,
                           .wakes = wakes,
                           .next = UINT64_MAX};
}

static void step_dram(struct hd_slice *s, uint64_t tick, uint64_t cycle)
{
    int i;

    HD_EACH(i, s->filled) {
        struct hd_partition *p = &s->partitions[i];
        int sub;

        if (!hd_partition_busy(p, tick, cycle))
            continue;
        sub = hd_partition_tick(p, tick, cycle);
        if (sub != HD_NONE) {
            sub += i * (int)s->per_partition;
            s->wakes[sub] = cycle;
            hd_bits_add(s->awake, (unsigned)sub);
        }
        s->outstanding -= p->written_back;
        p->written_back = 0;
        if (hd_partition_empty(p))
            s->filled &= ~hd_bit(i);
    }
}

// The time of some sub-partition may have come.
static __attribute__((noinline)) void end_sleeps(struct hd_slice *s, uint64_t cycle)
{
    s->next = UINT64_MAX;
    for (unsigned i = s->first; i < s->end; i++)
        if (s->wakes[i] <= cycle)
            hd_bits_add(s->awake, i);
        else if (s->wakes[i] < s->next)
            s->next = s->wakes[i];
}

// Sub-partitions from w x 64 on.
static inline void step_some(struct hd_slice *s, unsigned w, uint64_t cycle)
{
    int i;

    HD_EACH(i, s->awake[w]) {
        unsigned sub = w * 64 + (unsigned)i;
        struct hd_l2 *l = &s->subs[sub];

        if (s->wakes[sub] > cycle)
            continue;
        hd_l2_step(l, cycle);
        hd_slice_note(s, sub, hd_l2_wakes(l, cycle), cycle);
        if (!hd_req_ring_empty(&l->out))
            s->replying[w] |= hd_bit(i);
        if (!hd_dram_ring_empty(&l->to_dram))
            s->filled |= hd_bit((int)(sub / s->per_partition));
        s->outstanding -= l->written_back;
        l->written_back = 0;
    }
}

void hd_slice_step(struct hd_slice *s, uint64_t tick, unsigned n, uint64_t cycle)
{
    for (; n; n--)
        step_dram(s, tick++, cycle);
    if (cycle >= s->next)
        end_sleeps(s, cycle);
    for (unsigned w = s->first_word; w < s->end_word; w++)
        step_some(s, w, cycle);
}
