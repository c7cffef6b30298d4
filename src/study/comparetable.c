// comparetable.c - a comparison as table and bars, CSV and JSON.
#include "study/compare.h"

#include "heddle/version.h"
#include "report/table.h"

#include <inttypes.h>
#include <string.h>

#define WIDTH 80
#define NAME_MAX_SHOWN 24

// Names are cut for the bars, which have a width to keep; the table shows them whole.
static const char *shown(struct hd_arena *a, const char *name)
{
    size_t n = strlen(name);

    return n <= NAME_MAX_SHOWN ? name : hd_arena_printf(a, "%.*s~", NAME_MAX_SHOWN - 1, name);
}

static const struct hd_compare_run *run_of(const struct hd_compare *c, unsigned w, unsigned s)
{
    return &c->runs[w * c->n_scheds + s];
}

static char *ratio(struct hd_arena *a, double v)
{
    return v > 0 ? hd_arena_printf(a, "%.3f", v) : NULL;
}

static void print_table(const struct hd_compare *c)
{
    struct hd_arena *a = c->arena;
    struct hd_table t = hd_table_new(a, "llrrrl");

    hd_table_add(&t, "WORKLOAD");
    hd_table_add(&t, "SCHEDULER");
    hd_table_add(&t, "CYCLES");
    hd_table_add(&t, "IPC");
    hd_table_add(&t, hd_arena_printf(a, "/ %s", shown(a, c->scheds[0].spec)));
    hd_table_add(&t, "VERIFIED");
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned s = 0; s < c->n_scheds; s++) {
            const struct hd_compare_run *run = run_of(c, w, s);
            bool good = !strcmp(run->result, "ok") || !strcmp(run->result, "check_failed");
            hd_table_add(&t, s ? NULL : c->workloads[w].name);
            hd_table_add(&t, c->scheds[s].spec);
            hd_table_add(&t, run->timed ? hd_out_count(a, run->cycles) : NULL);
            hd_table_add(&t, run->timed ? hd_arena_printf(a, "%.2f", run->ipc) : NULL);
            hd_table_add(&t, ratio(a, run->relative));
            hd_table_add(&t, good ? run->verified : run->result);
        }
    hd_table_print(&t, stdout);
}

static void add_bar(struct hd_table *t, struct hd_arena *a, const char *what, const char *sched,
                    double value, double full, unsigned width)
{
    hd_table_add(t, what);
    hd_table_add(t, shown(a, sched));
    hd_table_add(t, value > 0
                        ? hd_arena_printf(a, "%s %.3f",
                                          hd_table_bar(a, value, full, width, hd_out_utf8()), value)
                        : "-");
}

static unsigned longest(struct hd_arena *a, unsigned least, const char *name)
{
    unsigned n = (unsigned)strlen(shown(a, name));

    return n > least ? n : least;
}

static void print_bars(const struct hd_compare *c)
{
    struct hd_arena *a = c->arena;
    struct hd_table t = hd_table_new(a, "lll");
    unsigned left = (unsigned)strlen("arithmetic mean"), middle = 0;
    double full = 0;

    for (unsigned w = 0; w < c->n_workloads; w++)
        left = longest(a, left, c->workloads[w].name);
    for (unsigned s = 0; s < c->n_scheds; s++)
        middle = longest(a, middle, c->scheds[s].spec);
    for (unsigned i = 0; i < c->n_workloads * c->n_scheds; i++)
        if (c->runs[i].relative > full)
            full = c->runs[i].relative;
    unsigned width = WIDTH - left - middle - 4 - 7; // two gaps, and " 1.000" with one to spare
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned s = 0; s < c->n_scheds; s++)
            add_bar(&t, a, s ? NULL : shown(a, c->workloads[w].name), c->scheds[s].spec,
                    run_of(c, w, s)->relative, full, width);
    for (unsigned s = 0; s < c->n_scheds && c->n_workloads > 1; s++)
        add_bar(&t, a, s ? NULL : "arithmetic mean", c->scheds[s].spec, c->means[s].arithmetic,
                full, width);
    for (unsigned s = 0; s < c->n_scheds && c->n_workloads > 1; s++)
        add_bar(&t, a, s ? NULL : "geometric mean", c->scheds[s].spec, c->means[s].geometric, full,
                width);
    printf("\nIPC relative to %s\n", c->scheds[0].spec);
    hd_table_print(&t, stdout);
}

void hd_comparetable_print(const struct hd_compare *c)
{
    unsigned without = 0;

    printf("%u workload%s, %u scheduler%s, on %s\n\n", c->n_workloads,
           c->n_workloads == 1 ? "" : "s", c->n_scheds, c->n_scheds == 1 ? "" : "s",
           c->options.gpu.config->name);
    print_table(c);
    if (c->n_scheds > 1 && c->means[0].n)
        print_bars(c);
    for (unsigned s = 0; s < c->n_scheds; s++)
        without += c->means[s].n < c->n_workloads;
    if (without && c->n_workloads > 1)
        printf("the means leave out runs that did not finish\n");
    hd_out_flush();
}

void hd_comparetable_talk(const struct hd_compare *c)
{
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned s = 0; s < c->n_scheds; s++) {
            const struct hd_compare_run *run = run_of(c, w, s);
            // One that cannot be read says so once, not under every scheduler.
            if (run->status == 0 || (s && !c->workloads[w].good))
                continue;
            fprintf(stderr, "%s%s%s: exit status %d\n%s", c->workloads[w].name,
                    c->workloads[w].good ? " under " : "",
                    c->workloads[w].good ? c->scheds[s].spec : "", run->status, run->talk);
        }
}

void hd_comparetable_csv(const struct hd_compare *c, struct hd_out *out)
{
    hd_out_printf(out, "workload,gpu,sched,status,verified,cycles,ipc,relative\n");
    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned s = 0; s < c->n_scheds; s++) {
            const struct hd_compare_run *run = run_of(c, w, s);
            const char *cells[] = {c->workloads[w].name, c->options.gpu.config->name,
                                   c->scheds[s].spec, run->result,
                                   strcmp(run->verified, "-") ? run->verified : ""};
            for (int i = 0; i < 5; i++) {
                hd_out_csv(out, cells[i]);
                hd_out_printf(out, ",");
            }
            if (run->timed)
                hd_out_printf(out, "%" PRIu64 ",%.9g,", run->cycles, run->ipc);
            else
                hd_out_printf(out, ",,");
            if (run->relative > 0)
                hd_out_printf(out, "%.9g", run->relative);
            hd_out_printf(out, "\n");
        }
}

static json_t *failed_run(const struct hd_compare *c, unsigned w, unsigned s)
{
    const struct hd_compare_run *run = run_of(c, w, s);

    return json_pack("{s:s,s:s,s:s}", "workload", c->workloads[w].name, "sched", c->scheds[s].spec,
                     "status", run->result);
}

static json_t *run_json(const struct hd_compare *c, unsigned w, unsigned s)
{
    const struct hd_compare_run *run = run_of(c, w, s);
    json_t *json = run->json ? json_copy(run->json) : failed_run(c, w, s);

    json_object_set_new(json, "exit_status", json_integer(run->status));
    json_object_set_new(json, "message", *run->talk ? json_string(run->talk) : json_null());
    json_object_set_new(json, "relative_ipc",
                        run->relative > 0 ? json_real(run->relative) : json_null());
    return json;
}

static int to_out(const char *text, size_t bytes, void *out)
{
    hd_out_add(out, text, bytes);
    return 0;
}

void hd_comparetable_json(const struct hd_compare *c, struct hd_out *out)
{
    json_t *runs = json_array(), *means = json_array();

    for (unsigned w = 0; w < c->n_workloads; w++)
        for (unsigned s = 0; s < c->n_scheds; s++)
            json_array_append_new(runs, run_json(c, w, s));
    for (unsigned s = 0; s < c->n_scheds; s++) {
        const struct hd_compare_mean *m = &c->means[s];
        json_t *mean = json_pack("{s:s,s:i}", "sched", c->scheds[s].spec, "workloads", (int)m->n);
        json_object_set_new(mean, "arithmetic", m->n ? json_real(m->arithmetic) : json_null());
        json_object_set_new(mean, "geometric", m->n ? json_real(m->geometric) : json_null());
        json_array_append_new(means, mean);
    }
    json_t *all = json_pack("{s:s,s:i,s:s,s:s,s:o,s:o}", "heddle", HD_VERSION, "model", HD_MODEL,
                            "gpu", c->options.gpu.config->name, "base", c->scheds[0].spec, "means",
                            means, "runs", runs);
    json_dump_callback(all, to_out, out, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    hd_out_add(out, "\n", 1);
    json_decref(all);
}
