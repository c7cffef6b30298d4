// replace_random.c - replaces any line that is not reserved, each with the same probability. The
// numbers come from a 64-bit linear congruential generator (Knuth's MMIX constants), of which the
// upper half is used.
#include "hw/replace.h"

static void nothing(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    (void)t, (void)index, (void)cycle;
}

static uint32_t draw(uint64_t *random, uint32_t n)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*random >> 32) * n >> 32);
}

static uint32_t victim(struct hd_tags *t, uint32_t set, uint64_t *random)
{
    uint32_t first = set * t->ways, n = 0, skip, i = first;

    for (uint32_t k = first; k < first + t->ways; k++)
        n += t->lines[k].state != HD_LINE_RESERVED;
    for (skip = draw(random, n);; i++)
        if (t->lines[i].state != HD_LINE_RESERVED && !skip--)
            return i;
}

const struct hd_replace hd_replace_random = {"random", nothing, nothing, victim};
