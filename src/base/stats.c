// stats.c - the registry of counters, made from the rows of heddle/stats.h.
#include "heddle/stats.h"

#include <string.h>

#define ROW_SM(name, unit, help) {"sm", #name, unit, help, offsetof(struct hd_sm_stats, name)},
#define ROW_MEM(name, unit, help) {"mem", #name, unit, help, offsetof(struct hd_mem_stats, name)},

const struct hd_stat hd_stats_sm[] = {HD_SM_STATS(ROW_SM){NULL, NULL, NULL, NULL, 0}};
const struct hd_stat hd_stats_mem[] = {HD_MEM_STATS(ROW_MEM){NULL, NULL, NULL, NULL, 0}};

const struct hd_stat *hd_stats_find(const char *name)
{
    for (const struct hd_stat *s = hd_stats_sm; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    for (const struct hd_stat *s = hd_stats_mem; s->name; s++)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

static void combine(const struct hd_stat *rows, void *to, const void *from, int sign)
{
    for (; rows->name; rows++) {
        uint64_t a, b;
        memcpy(&a, (const char *)to + rows->offset, sizeof a);
        memcpy(&b, (const char *)from + rows->offset, sizeof b);
        a = sign > 0 ? a + b : a - b;
        memcpy((char *)to + rows->offset, &a, sizeof a);
    }
}

void hd_stats_add_sm(struct hd_sm_stats *sum, const struct hd_sm_stats *one)
{
    combine(hd_stats_sm, sum, one, 1);
}

void hd_stats_sub_sm(struct hd_sm_stats *from, const struct hd_sm_stats *minus)
{
    combine(hd_stats_sm, from, minus, -1);
}

void hd_stats_add_mem(struct hd_mem_stats *sum, const struct hd_mem_stats *one)
{
    combine(hd_stats_mem, sum, one, 1);
}

void hd_stats_sub_mem(struct hd_mem_stats *from, const struct hd_mem_stats *minus)
{
    combine(hd_stats_mem, from, minus, -1);
}
