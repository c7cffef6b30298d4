// replace_lru.c - replaces the least recently used line; of several with the same cycle, the first
// way. GPGPU-Sim 3.2.2 does this in all its caches (gpu-cache.cc, tag_array::probe).
#include "hw/replace.h"

static void remember(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    t->lines[index].rank = cycle;
}

static uint32_t victim(struct hd_tags *t, uint32_t set, uint64_t *random)
{
    uint32_t first = set * t->ways, oldest = UINT32_MAX;
    uint64_t least = UINT64_MAX;

    (void)random;
    for (uint32_t i = first; i < first + t->ways; i++)
        if (t->lines[i].state != HD_LINE_RESERVED && t->lines[i].rank < least) {
            least = t->lines[i].rank;
            oldest = i;
        }
    return oldest;
}

const struct hd_replace hd_replace_lru = {"lru", remember, remember, victim};
