// paperlaunches.c - what figures and claims need of each launch of a run, as a table instead of as
// objects of JSON, which take thirty times the memory: a study of readings keeps millions of
// launches until its claims are judged. See paper.h.
#include "paper/paper.h"

#include "present/json.h"

#include <math.h>
#include <string.h>

// 0 if there is none: for sums.
static double amount(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static double product(const json_t *list)
{
    double all = json_array_size(list) ? 1 : (double)NAN;

    for (size_t i = 0; i < json_array_size(list); i++)
        all *= json_number_value(json_array_get(list, i));
    return all;
}

static void take_classes(const json_t *from, double to[HD_PAPER_CLASSES])
{
    static const char *const names[HD_PAPER_CLASSES] = {"memory_conflict", "memory_dependency",
                                                        "fetch", "other"};

    for (int i = 0; i < HD_PAPER_CLASSES; i++)
        to[i] = amount(from, names[i]);
}

static void take_metrics(const json_t *m, struct hd_paper_launch *l)
{
    const json_t *phases = json_object_get(m, "phases");

    take_classes(json_object_get(m, "stalls_elf_head"), l->lost[HD_PAPER_HEAD]);
    take_classes(json_object_get(m, "stalls_elf_share"), l->lost[HD_PAPER_SHARE]);
    l->warps = hd_json_number(m, "warps");
    l->barrier_share = hd_json_number(m, "barrier_share");
    l->exit_share = hd_json_number(m, "exit_share");
    for (size_t i = 0; i < json_array_size(phases); i++) {
        const json_t *phase = json_array_get(phases, i);
        l->phases += hd_json_number(phase, "blocks");
        l->rtru += hd_json_number(phase, "blocks") * hd_json_number(phase, "rtru");
    }
}

#define SAME_NAME 8 // launches before one that may have its name

// A program has few kernels and many launches, so that most launches share the name of one that
// comes shortly before.
static const char *name_of(struct hd_arena *a, const json_t *kernel,
                           const struct hd_paper_launch *of, size_t n)
{
    const char *name = json_string_value(json_object_get(kernel, "name"));

    if (!name)
        return NULL;
    for (size_t i = n > SAME_NAME ? n - SAME_NAME : 0; i < n; i++)
        if (of[i].name && !strcmp(of[i].name, name))
            return of[i].name;
    return hd_arena_strdup(a, name);
}

static void take(const json_t *k, struct hd_paper_launch *l)
{
    const json_t *stalls = json_object_get(k, "stalls"), *counters = json_object_get(k, "counters");
    const json_t *l1d = json_object_get(k, "l1d"), *l2 = json_object_get(k, "l2");
    const json_t *points = json_object_get(k, "points");

    l->child = json_is_object(json_object_get(k, "parent"));
    l->start = amount(k, "start_cycle");
    l->cycles = amount(k, "cycles");
    l->insts = amount(k, "thread_insts");
    l->long_insts = amount(k, "long_insts");
    l->issued = amount(stalls, "issued");
    l->idle = amount(stalls, "idle");
    l->scoreboard = amount(stalls, "scoreboard");
    l->pipeline = amount(stalls, "pipeline");
    l->inactive = amount(stalls, "inactive");
    l->l1d_accesses = amount(l1d, "accesses");
    l->l1d_misses = amount(l1d, "misses");
    l->l1d_reads = amount(counters, "l1d_reads");
    l->l1d_read_hits = amount(counters, "l1d_read_hits");
    l->l2_accesses = amount(l2, "accesses");
    l->l2_misses = amount(l2, "misses");
    l->blocks = product(json_object_get(k, "grid"));
    l->threads = product(json_object_get(k, "block"));
    l->tbs_per_sm = hd_json_number(k, "tbs_per_sm");
    l->depth = hd_json_number(k, "depth");
    l->points = hd_json_number(points, "before");
    l->after = hd_json_number(points, "after");
    take_classes(json_object_get(k, "stalls_elf"), l->lost[HD_PAPER_FIRST]);
    take_metrics(json_object_get(k, "metrics"), l);
}

void hd_paperlaunches_take(struct hd_study *s, struct hd_study_run *run)
{
    static const char *const unused[] = {"kernels", "options", "checks", "host", "source"};
    const json_t *kernels = json_object_get(run->json, "kernels");
    struct hd_paper_launches *all = HD_NEW(s->arena, hd_paper_launches);
    struct hd_paper_launch *of =
        HD_ARRAY(s->arena, struct hd_paper_launch, json_array_size(kernels) + 1);

    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *k = json_array_get(kernels, i);
        of[i].name = name_of(s->arena, k, of, i);
        take(k, &of[i]);
    }
    *all = (struct hd_paper_launches){json_array_size(kernels), of};
    run->digest = all;
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        json_object_del(run->json, unused[i]);
}

struct hd_paper_launches hd_paper_launches(const struct hd_study_run *run)
{
    return run && run->digest ? *(const struct hd_paper_launches *)run->digest
                              : (struct hd_paper_launches){0, NULL};
}
