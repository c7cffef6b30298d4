// runmetrics.c - what gpu/metrics.h recorded: part of the run's JSON, and a table for people.
#include "report/runreport.h"

#include "base/words.h"
#include "present/json.h"
#include "present/table.h"

#include <string.h>

// Mean over n of shares summed as integers; null without any.
static json_t *mean_share(uint64_t sum, uint64_t n)
{
    return n ? json_real((double)sum / HD_METRICS_ONE / (double)n) : json_null();
}

static json_t *ratio(uint64_t part, uint64_t whole)
{
    return whole ? json_real((double)part / (double)whole) : json_null();
}

static void sum_phases(const struct hd_metrics_sums *m, struct hd_metrics_phases *all)
{
    *all = (struct hd_metrics_phases){0};
    for (unsigned i = 0; i < HD_METRICS_PHASES; i++) {
        all->groups += m->phases[i].groups;
        all->warps += m->phases[i].warps;
        all->rtru += m->phases[i].rtru;
    }
}

// Cycles without issue in ELF's classes, which were counted in units of 1 / `unit`.
static json_t *classes_json(const uint64_t n[HD_N_ELF], unsigned unit)
{
    static const char *const names[HD_N_ELF] = {[HD_ELF_MEMORY_CONFLICT] = "memory_conflict",
                                                [HD_ELF_MEMORY_DEPENDENCY] = "memory_dependency",
                                                [HD_ELF_FETCH] = "fetch",
                                                [HD_ELF_OTHER] = "other"};
    json_t *classes = json_object();

    for (unsigned i = 0; i < HD_N_ELF; i++)
        hd_json_put(classes, names[i],
                    unit == 1 ? hd_json_count(n[i]) : json_real((double)n[i] / unit));
    return classes;
}

json_t *hd_runmetrics_kernel(const struct hd_run *run, unsigned launch)
{
    const struct hd_metrics_sums *m = hd_gpu_metrics_sums(run->gpu, launch);
    const struct hd_kernel_result *k = hd_gpu_result(run->gpu, launch);
    json_t *metrics, *phases = json_array();
    struct hd_metrics_phases all;

    if (!m) {
        json_decref(phases);
        return json_null();
    }
    for (unsigned i = 0; i < HD_METRICS_PHASES; i++) {
        const struct hd_metrics_phases *p = &m->phases[i];
        json_t *phase;
        if (!p->groups)
            continue;
        phase = json_object();
        hd_json_put(phase, "phase", hd_json_count(i + 1));
        hd_json_put(phase, "blocks", hd_json_count(p->groups));
        hd_json_put(phase, "warps", hd_json_count(p->warps));
        hd_json_put(phase, "rtru", mean_share(p->rtru, p->groups));
        hd_json_put(phase, "longest", ratio(p->longest, p->groups));
        hd_json_put(phase, "time", ratio(p->time, p->warps));
        hd_json_put(phase, "wait", ratio(p->waits, p->warps));
        json_array_append_new(phases, phase);
    }
    sum_phases(m, &all);
    metrics = json_object();
    hd_json_put(metrics, "warps", hd_json_count(m->warps));
    hd_json_put(metrics, "barrier_share", mean_share(m->barrier, m->warps));
    hd_json_put(metrics, "exit_share", mean_share(m->exit, m->warps));
    hd_json_put(metrics, "rtru", mean_share(all.rtru, all.groups));
    hd_json_put(metrics, "long_share", ratio(k->sm.long_insts, k->sm.thread_insts));
    hd_json_put(metrics, "mshrs", ratio(m->mshr_cycles, m->mshr_busy));
    hd_json_put(metrics, "phases", phases);
    hd_json_put(metrics, "stalls_elf_head", classes_json(m->lost.head, 1));
    hd_json_put(metrics, "stalls_elf_share", classes_json(m->lost.share, HD_ELF_SHARE));
    return metrics;
}

static json_t *blocks_json(const struct hd_metrics_records *r)
{
    json_t *rows = json_array();

    for (uint32_t i = 0; i < r->n_blocks; i++) {
        const struct hd_metrics_block *b = &r->blocks[i];
        json_t *row = json_object();
        hd_json_put(row, "launch", hd_json_count(b->launch));
        hd_json_put(row, "block", hd_json_count(b->block));
        hd_json_put(row, "sequence", hd_json_count(b->sequence));
        hd_json_put(row, "slot", hd_json_count(b->slot));
        hd_json_put(row, "warps", hd_json_count(b->warps));
        hd_json_put(row, "start", hd_json_count(b->start));
        hd_json_put(row, "end", hd_json_count(b->end));
        hd_json_put(row, "thread_insts", hd_json_count(b->thread_insts));
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *warps_json(const struct hd_metrics_records *r)
{
    json_t *rows = json_array();

    for (uint32_t i = 0; i < r->n_warps; i++) {
        const struct hd_metrics_warp *w = &r->warps[i];
        json_t *row = json_object();
        hd_json_put(row, "launch", hd_json_count(w->launch));
        hd_json_put(row, "block", hd_json_count(w->block));
        hd_json_put(row, "phase", hd_json_count(w->phase));
        hd_json_put(row, "warp", hd_json_count(w->warp));
        hd_json_put(row, "start", hd_json_count(w->start));
        hd_json_put(row, "arrival", hd_json_count(w->arrival));
        hd_json_put(row, "end", hd_json_count(w->end));
        hd_json_put(row, "ended", json_boolean(w->ended));
        json_array_append_new(rows, row);
    }
    return rows;
}

// The rows, and how many have another order than the row above, as PRO's table IV is counted.
static json_t *order_json(const struct hd_metrics_records *r, uint64_t *changes)
{
    json_t *rows = json_array();

    *changes = 0;
    for (uint32_t i = 0; i < r->n_samples; i++) {
        const struct hd_metrics_sample *s = &r->samples[i], *above = i ? s - 1 : s;
        json_t *row = json_object(), *blocks = json_array(), *insts = json_array();
        for (uint32_t k = 0; k < s->n; k++) {
            json_array_append_new(blocks, hd_json_count(s->sequence[k]));
            json_array_append_new(insts, hd_json_count(s->thread_insts[k]));
        }
        hd_json_put(row, "cycle", hd_json_count(s->cycle));
        hd_json_put(row, "launch", hd_json_count(s->launch));
        hd_json_put(row, "blocks", blocks);
        hd_json_put(row, "thread_insts", insts);
        json_array_append_new(rows, row);
        *changes +=
            s->launch == above->launch &&
            (s->n != above->n || memcmp(s->sequence, above->sequence, s->n * sizeof *s->sequence));
    }
    return rows;
}

json_t *hd_runmetrics_records(const struct hd_runreport *r)
{
    unsigned sm = r->options->gpu.metrics_sm;
    const struct hd_metrics_records *rec = hd_gpu_metrics_records(r->run->gpu, sm);
    json_t *metrics, *lost;
    uint64_t changes;

    if (!rec)
        return json_null();
    metrics = json_object();
    lost = json_object();
    hd_json_put(metrics, "sm", hd_json_count(sm));
    hd_json_put(metrics, "interval", hd_json_count(HD_METRICS_INTERVAL));
    hd_json_put(metrics, "blocks", blocks_json(rec));
    hd_json_put(metrics, "warps", warps_json(rec));
    hd_json_put(metrics, "order", order_json(rec, &changes));
    hd_json_put(metrics, "order_changes", hd_json_count(changes));
    hd_json_put(lost, "blocks", hd_json_count(rec->blocks_lost));
    hd_json_put(lost, "warps", hd_json_count(rec->warps_lost));
    hd_json_put(lost, "order", hd_json_count(rec->samples_lost));
    hd_json_put(metrics, "lost", lost);
    return metrics;
}

static const char *percent(struct hd_arena *a, uint64_t sum, uint64_t n)
{
    if (!n)
        return "-";
    return hd_arena_printf(a, "%.1f", 100.0 * (double)sum / HD_METRICS_ONE / (double)n);
}

static bool launched(const struct hd_runreport *r, const char *kernel)
{
    unsigned i = 0, n = hd_gpu_n_results(r->run->gpu);

    while (i < n && strcmp(hd_gpu_result(r->run->gpu, i)->name, kernel) != 0)
        i++;
    return i < n;
}

// A name in --metrics-kernels that is no kernel's would be a silent reason for missing records.
static void print_strangers(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    const char *words = r->options->gpu.metrics_kernels;

    while (words && *(words += strspn(words, HD_WORDS_BETWEEN))) {
        const char *one = hd_arena_strndup(a, words, strcspn(words, HD_WORDS_BETWEEN));
        if (!launched(r, one))
            fprintf(to, "\n--metrics-kernels: no kernel '%.100s' was launched.\n", one);
        words += strlen(one);
    }
}

void hd_runmetrics_print(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    static const char *const heads[] = {"KERNEL", "WARPS", "BARRIER", "EXIT",
                                        "RTRU",   "LONG",  "MSHRS",   "PHASES"};
    struct hd_table t = hd_table_new(a, "lrrrrrrr");
    const char **names;

    if (!hd_gpu_metrics_sums(r->run->gpu, 0))
        return;
    names = hd_runreport_kernels(r->run, a);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_table_add(&t, heads[i]);
    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++) {
        const struct hd_metrics_sums *m = hd_gpu_metrics_sums(r->run->gpu, i);
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        struct hd_metrics_phases all;
        sum_phases(m, &all);
        hd_table_add(&t, names[i]);
        hd_table_add(&t, hd_out_count(a, m->warps));
        hd_table_add(&t, percent(a, m->barrier, m->warps));
        hd_table_add(&t, percent(a, m->exit, m->warps));
        hd_table_add(&t, percent(a, all.rtru, all.groups));
        hd_table_add(&t, k->sm.thread_insts ? hd_arena_printf(a, "%.2f",
                                                              100.0 * (double)k->sm.long_insts /
                                                                  (double)k->sm.thread_insts)
                                            : "-");
        hd_table_add(&t,
                     m->mshr_busy
                         ? hd_arena_printf(a, "%.2f", (double)m->mshr_cycles / (double)m->mshr_busy)
                         : "-");
        hd_table_add(&t, hd_out_count(a, all.groups));
    }
    putc('\n', to);
    hd_table_print(&t, to);
    fprintf(
        to,
        "\nBARRIER, EXIT: shares of the warps' lives, in %%. RTRU: time lost to the slowest "
        "warp of "
        "a\nphase, in %%. LONG: off-chip accesses among the instructions, in %%. MSHRS: in use, "
        "mean.\n");
    print_strangers(r, a, to);
}
