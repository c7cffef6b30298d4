// tags.c - probing a cache's tag store. See tags.h.
#include "hw/tags.h"

#include "base/bug.h"

void hd_tags_init(struct hd_tags *t, struct hd_arena *a, uint32_t sets, uint32_t ways,
                  uint32_t line)
{
    HD_BUG_IF(!sets || (sets & (sets - 1)) || !line || (line & (line - 1)),
              "cache of %u sets and %u-byte lines", sets, line);
    t->lines = HD_ARRAY(a, struct hd_tag_line, (size_t)sets * ways);
    t->sets = sets;
    t->ways = ways;
    t->line_shift = (uint32_t)__builtin_ctz(line);
}

enum hd_tag_result hd_tags_probe(const struct hd_tags *t, uint32_t set, uint64_t addr,
                                 uint32_t *index)
{
    uint64_t line = hd_tags_line(t, addr), oldest = UINT64_MAX;
    uint32_t first = set * t->ways, invalid = UINT32_MAX, lru = UINT32_MAX;

    for (uint32_t i = first; i < first + t->ways; i++) {
        const struct hd_tag_line *l = &t->lines[i];
        if (l->state != HD_LINE_INVALID && l->addr == line) {
            *index = i;
            return l->state == HD_LINE_RESERVED ? HD_TAG_PENDING : HD_TAG_HIT;
        }
        if (l->state == HD_LINE_INVALID) {
            invalid = i;
        } else if (l->state != HD_LINE_RESERVED && l->last_use < oldest) {
            oldest = l->last_use;
            lru = i;
        }
    }
    *index = invalid != UINT32_MAX ? invalid : lru;
    return *index == UINT32_MAX ? HD_TAG_FULL : HD_TAG_MISS;
}
