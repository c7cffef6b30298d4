// tags.c - making a cache's tag store. See tags.h.
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
