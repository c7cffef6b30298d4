// replace_srrip.c - static re-reference interval prediction with hit priority and two bits per
// line: Jaleel et al., ISCA 2010, section 4.1. A new line is expected to be used again late (2), a
// used one at once (0). The first line with the latest expectation (3) is replaced; if there is
// none, all lines age until there is one.
#include "hw/replace.h"

#define LATEST 3

static void used(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    (void)cycle;
    t->lines[index].rank = 0;
}

static void placed(struct hd_tags *t, uint32_t index, uint64_t cycle)
{
    (void)cycle;
    t->lines[index].rank = LATEST - 1;
}

static uint32_t victim(struct hd_tags *t, uint32_t set, uint64_t *random)
{
    uint32_t first = set * t->ways, found = UINT32_MAX;
    uint64_t latest = 0;

    (void)random;
    for (uint32_t i = first; i < first + t->ways; i++)
        if (t->lines[i].state != HD_LINE_RESERVED &&
            (found == UINT32_MAX || t->lines[i].rank > latest)) {
            latest = t->lines[i].rank;
            found = i;
        }
    // A reserved line ages with the others, but never past LATEST.
    for (uint32_t i = first; i < first + t->ways; i++) {
        uint64_t rank = t->lines[i].rank + (LATEST - latest);
        t->lines[i].rank = rank < LATEST ? rank : LATEST;
    }
    return found;
}

const struct hd_replace hd_replace_srrip = {"srrip", used, placed, victim};
