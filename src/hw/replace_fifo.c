// replace_fifo.c - replaces the line that has been in the set longest, however often it was used.
#include "hw/replace.h"

static void used(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    (void)t, (void)index, (void)cycle;
}

static void placed(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    t->lines[index].rank = cycle;
}

static uint32_t victim(struct hd_tags *t, uint32_t set, uint64_t *random)
{
    return hd_replace_lru.victim(t, set, random); // the least rank: here the first placed
}

const struct hd_replace hd_replace_fifo = {"fifo", used, placed, victim};
