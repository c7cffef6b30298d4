// runtable.c - a run for people: a row per launch, the verdict, and what went wrong.
#include "report/runreport.h"

#include "base/cxxname.h"
#include "present/table.h"
#include "report/ptxtext.h"

#include <inttypes.h>
#include <string.h>

// "384", "8x8": a grid or block without its trailing ones.
static char *dims(struct hd_arena *a, const uint32_t v[3])
{
    if (v[2] != 1)
        return hd_arena_printf(a, "%ux%ux%u", v[0], v[1], v[2]);
    if (v[1] != 1)
        return hd_arena_printf(a, "%ux%u", v[0], v[1]);
    return hd_arena_printf(a, "%u", v[0]);
}

enum column {
    KERNEL,
    GRID,
    BLOCK,
    CYCLES,
    IPC,
    WARP,
    THREAD,
    ISSUE, // to INACT: shares of the scheduler cycles
    IDLE,
    SCORE,
    PIPE,
    INACT,
    N_COLUMNS
};
#define BIT(column) (1u << (column))
#define EVERY ((1u << N_COLUMNS) - 1)
#define UNTIMED (BIT(KERNEL) | BIT(GRID) | BIT(BLOCK) | BIT(WARP) | BIT(THREAD))

struct row {
    const char *cells[N_COLUMNS];
};
struct rows {
    struct row *items;
    size_t n, cap;
};

static void add_counts(struct row *row, struct hd_arena *a, uint64_t cycles,
                       const struct hd_sm_stats *s)
{
    const uint64_t classes[5] = {s->issued, s->idle, s->scoreboard, s->pipeline, s->inactive};
    uint64_t all = 0;

    row->cells[CYCLES] = hd_out_count(a, cycles);
    if (cycles)
        row->cells[IPC] = hd_arena_printf(a, "%.2f", hd_runreport_ipc(s->thread_insts, cycles));
    row->cells[WARP] = hd_out_count(a, s->warp_insts);
    row->cells[THREAD] = hd_out_count(a, s->thread_insts);
    for (int i = 0; i < 5; i++)
        all += classes[i];
    for (int i = 0; i < 5 && all; i++)
        row->cells[ISSUE + i] =
            hd_arena_printf(a, "%.1f", 100.0 * (double)classes[i] / (double)all);
}

// In a sampled run, estimated cycles instead of those that were simulated; none if the run did not
// come to its end. Shares of cycles stay those of the launches with timing.
static void add_estimate(struct row *row, struct hd_arena *a, const struct hd_runreport *r,
                         const void *kernel, const struct hd_sm_stats *s)
{
    struct hd_estimate e;

    if (!hd_gpu_sample(r->run->gpu))
        return;
    row->cells[CYCLES] = row->cells[IPC] = NULL;
    if (!hd_runsample_estimate(r, kernel, &e))
        return;
    row->cells[CYCLES] = hd_arena_printf(a, "~%s", hd_out_count(a, (uint64_t)(e.cycles + 0.5)));
    if (e.cycles > 0)
        row->cells[IPC] = hd_arena_printf(a, "~%.2f", (double)s->thread_insts / e.cycles);
}

// A program with more launches than this has one row per kernel.
#define MANY 64

struct kernel_sum { // launches of a kernel
    const char *name, *label;
    const struct hd_func *kernel;
    unsigned n;
    struct hd_runreport_span span;
    struct hd_sm_stats sm;
};

static void collect_kernels(struct rows *rows, const struct hd_runreport *r, const char **labels,
                            struct hd_arena *a)
{
    struct kernel_sum *sums = NULL;
    const bool sample = hd_gpu_sample(r->run->gpu) != NULL;
    size_t n = 0, cap = 0;

    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        size_t at = 0;
        // Modules of a program may have kernels of the same name, with an estimate for each.
        while (at < n && (sample ? sums[at].kernel != k->launch->kernel
                                 : strcmp(sums[at].name, k->name) != 0))
            at++;
        if (at == n) {
            HD_PUSH(a, sums, n, cap)->name = k->name;
            sums[at].label = labels[i];
        }
        sums[at].n++;
        sums[at].kernel = k->launch->kernel;
        hd_runreport_span_add(&sums[at].span, k);
        hd_stats_add_sm(&sums[at].sm, &k->sm);
    }
    for (size_t i = 0; i < n; i++) {
        struct row *row = HD_PUSH(a, rows->items, rows->n, rows->cap);
        row->cells[KERNEL] =
            hd_arena_printf(a, "%s x %s", sums[i].label, hd_out_count(a, sums[i].n));
        add_counts(row, a, sums[i].span.cycles, &sums[i].sm);
        add_estimate(row, a, r, sums[i].kernel, &sums[i].sm);
    }
}

static void collect_launches(struct rows *rows, const struct hd_runreport *r, const char **labels,
                             struct hd_arena *a)
{
    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        struct row *row = HD_PUSH(a, rows->items, rows->n, rows->cap);
        row->cells[KERNEL] = labels[i];
        row->cells[GRID] = dims(a, k->launch->grid);
        row->cells[BLOCK] = dims(a, k->launch->block);
        add_counts(row, a, k->cycles, &k->sm);
    }
}

// A row per launch or kernel, and their total if there are several.
static void collect(struct rows *rows, const struct hd_runreport *r, struct hd_arena *a)
{
    struct hd_runreport_totals sum = hd_runreport_sum(r->run);
    const char **labels = hd_runreport_kernels(r->run, a);
    struct hd_sm_stats all = {0};
    unsigned n = hd_gpu_n_results(r->run->gpu);

    if (n > MANY || hd_gpu_sample(r->run->gpu))
        collect_kernels(rows, r, labels, a);
    else
        collect_launches(rows, r, labels, a);
    for (unsigned i = 0; i < n; i++)
        hd_stats_add_sm(&all, &hd_gpu_result(r->run->gpu, i)->sm);
    if (rows->n > 1) {
        struct row *row = HD_PUSH(a, rows->items, rows->n, rows->cap);
        row->cells[KERNEL] = "total";
        add_counts(row, a, sum.elapsed_cycles, &all);
        add_estimate(row, a, r, NULL, &all);
    }
}

static struct hd_table arrange(const struct rows *rows, struct hd_arena *a, unsigned show)
{
    static const char *const heads[N_COLUMNS] = {"KERNEL", "GRID",  "BLOCK",  "CYCLES",
                                                 "IPC",    "WARP",  "THREAD", "ISSUE",
                                                 "IDLE",   "SCORE", "PIPE",   "INACT"};
    const char *layout = "";

    for (unsigned c = 0; c < N_COLUMNS; c++)
        if (show & BIT(c))
            layout = hd_arena_printf(a, "%s%s", layout, !c ? "l" : c == ISSUE ? " r" : "r");
    struct hd_table t = hd_table_new(a, layout);
    for (unsigned c = 0; c < N_COLUMNS; c++)
        if (show & BIT(c))
            hd_table_add(&t, heads[c]);
    for (size_t i = 0; i < rows->n; i++)
        for (unsigned c = 0; c < N_COLUMNS; c++)
            if (show & BIT(c))
                hd_table_add(&t, rows->items[i].cells[c]);
    return t;
}

// Cuts names so that a table of `width` fits into `columns`.
static void shorten_names(struct rows *rows, struct hd_arena *a, unsigned width, unsigned columns)
{
    size_t longest = 0, most;

    for (size_t i = 0; i < rows->n; i++) {
        size_t n = strlen(rows->items[i].cells[KERNEL]);
        longest = n > longest ? n : longest;
    }
    most = longest > width - columns + 8 ? longest - (width - columns) : 8;
    for (size_t i = 0; i < rows->n; i++) {
        const char **name = &rows->items[i].cells[KERNEL];
        if (strlen(*name) > most)
            *name = hd_arena_printf(a, "%.*s..", (int)most - 2, *name);
    }
}

// On a narrow terminal columns are left out, the least important first, and then the ends of long
// names.
static void print_launches(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    static const unsigned drop[] = {BIT(THREAD), BIT(WARP), BIT(GRID) | BIT(BLOCK)};
    bool timing = !r->options->gpu.functional_only;
    unsigned show = timing ? EVERY : UNTIMED, columns = to == stdout ? hd_out_columns() : 0;
    struct rows rows = {0};
    struct hd_table t;

    collect(&rows, r, a);
    t = arrange(&rows, a, show);
    for (size_t i = 0; timing && i < 3 && columns && hd_table_width(&t) > columns; i++) {
        show &= ~drop[i];
        t = arrange(&rows, a, show);
    }
    if (columns && hd_table_width(&t) > columns) {
        shorten_names(&rows, a, hd_table_width(&t), columns);
        t = arrange(&rows, a, show);
    }
    hd_table_print(&t, to);
    if (timing)
        fprintf(to, "\n%sISSUE to INACT: shares of the schedulers' cycles, in %%.\n",
                show & BIT(THREAD) ? "WARP, THREAD: instructions. "
                : show & BIT(WARP) ? "WARP: instructions. "
                                   : "");
}

const char *hd_runtable_verdict(struct hd_arena *a, const struct hd_run *run)
{
    size_t failed = 0;

    for (size_t i = 0; i < run->n_checks; i++)
        failed += run->checks[i].differ > 0;
    if (run->status == HD_RUN_LIMIT)
        return "stopped at the limit; results not checked";
    if (run->status == HD_RUN_STOPPED)
        return "interrupted; results not checked";
    if (run->status != HD_RUN_OK)
        return hd_arena_printf(a, "stopped: %s", hd_runreport_status(run));
    if (run->source == HD_FROM_TRACE)
        return "replayed, nothing to verify";
    if (run->source == HD_FROM_TRACE_FORCED)
        return "replayed by force, nothing to verify: the program itself may do something else";
    if (!run->checked)
        return "nothing to check";
    if (failed)
        return hd_arena_printf(a, "results differ: %zu of %zu check%s failed", failed,
                               run->n_checks, run->n_checks == 1 ? "" : "s");
    return "results verified";
}

// "12:", or nothing for a check that is written in no job.
static const char *line_text(char text[16], uint32_t line)
{
    text[0] = '\0';
    if (line)
        snprintf(text, 16, "%" PRIu32 ":", line);
    return text;
}

static void print_differences(const struct hd_run *run, struct hd_out *to)
{
    static const char *const units[] = {"word", "float", "double"};
    char line[16];

    for (size_t i = 0; i < run->n_checks; i++) {
        const struct hd_check *c = &run->checks[i];
        bool bytes = c->way == HD_CHECK_EXACT && c->elements == c->bytes;
        const char *unit = bytes ? "byte" : units[c->way];
        if (c->differ)
            hd_out_printf(to,
                          "%s:%s check %s: %" PRIu64 " of %" PRIu64
                          " %ss differ; the first is %s %" PRIu64 ": %s, expected %s\n",
                          run->path, line_text(line, c->line), c->name, c->differ, c->elements,
                          unit, unit, c->first, c->got_text, c->wanted_text);
    }
}

// Where in the source, and its text if the file can be read.
static void print_source(struct hd_ptxtext *t, const char *how, uint32_t file, uint32_t line,
                         struct hd_out *to)
{
    const char *text = hd_ptxtext_line(t, file, line);

    hd_out_printf(to, "  %s %s:%u%s%s\n", how, t->program->files[file], line, text ? ": " : "",
                  text ? text : "");
}

static void print_place(struct hd_ptxtext *t, uint32_t pc, struct hd_out *to)
{
    const struct hd_program *p = t->program;
    const struct hd_place *at = &p->places[pc];

    hd_out_printf(to, "  %s:%u: %s\n", hd_program_text(p, pc)->path, at->line,
                  hd_ptxtext_ptx_line(t, pc));
    if (!at->source_line)
        return;
    print_source(t, "from", at->source_file, at->source_line, to);
    for (uint32_t i = at->inlined; i != HD_NOT_INLINED; i = p->inlined[i].inlined)
        print_source(t, "inlined at", p->inlined[i].file, p->inlined[i].line, to);
}

static void print_fault(const struct hd_trap *t, struct hd_out *to)
{
    const struct hd_program *p = t->launch->program;

    const char *kind = hd_runreport_trap(t->kind);

    hd_out_printf(to, "heddle: fault in kernel %s, launch %u: ",
                  hd_cxxname_short(to->arena, t->launch->kernel->name), t->launch->id);
    for (; *kind; kind++)
        hd_out_printf(to, "%c", *kind == '_' ? ' ' : *kind);
    if (t->bytes)
        hd_out_printf(to, ", %s of %u byte%s at 0x%" PRIx64, t->write ? "write" : "read", t->bytes,
                      t->bytes == 1 ? "" : "s", t->addr);
    hd_out_printf(to, "\n  block (%u, %u, %u), thread (%u, %u, %u)\n", t->block[0], t->block[1],
                  t->block[2], t->thread[0], t->thread[1], t->thread[2]);
    if (t->pc < p->n_insns) {
        struct hd_ptxtext text = hd_ptxtext_new(to->arena, p);
        print_place(&text, t->pc, to);
    }
    if (t->detail[0])
        hd_out_printf(to, "  %s\n", t->detail);
}

static void print_hang(const struct hd_run *run, struct hd_out *to)
{
    const struct hd_kernel_result *k = hd_gpu_result(run->gpu, hd_gpu_n_results(run->gpu) - 1);
    const char *report = hd_gpu_hang(run->gpu);
    size_t n = strlen(report);

    hd_out_printf(to, "heddle: %s in kernel %s, launch %u\n%s%s", hd_runreport_status(run),
                  hd_cxxname_short(to->arena, k->name), k->launch->id, report,
                  n && report[n - 1] == '\n' ? "" : "\n");
}

static void print_sample(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    const struct hd_sample_options *o = r->options->gpu.sample;
    struct hd_estimate e;

    if (!o)
        return;
    if (!hd_runsample_estimate(r, NULL, &e)) {
        fprintf(to, "A sample of a run that did not come to its end: no estimate.\n");
        return;
    }
    fprintf(to, "~: estimated from %s of %s launches (%s). ", hd_out_count(a, e.chosen),
            hd_out_count(a, e.launches), hd_runsample_words(a, o));
    if (e.known)
        fprintf(to, "Error of the total: +-%s %% with a confidence of 95 %%.\n",
                hd_runsample_error(a, &e));
    else
        fprintf(to, "Too few to know the error.\n");
}

// The rows of launches that ran at the same time add up to more than the total.
static void print_overlap(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    struct hd_runreport_totals t = hd_runreport_sum(r->run);

    if (t.cycles > t.elapsed_cycles && !r->options->gpu.sample)
        fprintf(to,
                "Launches ran at the same time: the total is the cycles that passed. The sum over "
                "the launches is %s.\n",
                hd_out_count(a, t.cycles));
}

// Accesses that would have waited for ever in GPGPU-Sim, too.
static void print_unblocked(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++)
        n += hd_gpu_result(r->run->gpu, i)->sm.l1d_unblocked;
    if (n)
        fprintf(to,
                "\n%s access%s to the L1D would have waited for ever for a line of %s set, and got "
                "one (l1d_unblocked).\nWith --set l1d.dirty_limit=0, lines that were stored to are "
                "replaced like others.\n",
                hd_out_count(a, n), n == 1 ? "" : "es", n == 1 ? "its" : "their");
}

void hd_runtable_print(const struct hd_runreport *r, struct hd_arena *a, FILE *to)
{
    const struct hd_gpu_options *o = &r->options->gpu;

    hd_diag_put(hd_runreport_workload(r, a), to);
    fprintf(to, " on %s, ", hd_runreport_machine(r->options, a));
    if (o->functional_only)
        fprintf(to, "functional only (no timing)\n\n");
    else
        fprintf(to, "scheduler %s%s", hd_runreport_policy(&o->sched, "lrr"),
                hd_runreport_others(r->options, a));
    if (o->sample)
        fprintf(to, ", a sample");
    if (!o->functional_only)
        fprintf(to, "\n\n");
    if (hd_gpu_n_results(r->run->gpu))
        print_launches(r, a, to);
    if (!o->functional_only)
        print_overlap(r, a, to);
    print_unblocked(r, a, to);
    print_sample(r, a, to);
    hd_runmetrics_print(r, a, to);
    // A program checks its results by itself.
    if (r->run->path || r->run->checked || r->run->status != HD_RUN_OK ||
        r->run->source != HD_FROM_PROGRAM) {
        putc('\n', to);
        fprintf(to, "%s\n", hd_runtable_verdict(a, r->run));
    }
    if (to == stdout)
        hd_out_flush(); // before what goes to standard error
}

void hd_runtable_trouble(const struct hd_runreport *r, struct hd_out *to)
{
    print_differences(r->run, to);
    if (r->run->status == HD_RUN_FAULT) {
        print_fault(hd_gpu_trap(r->run->gpu), to);
        // The option with which such programs run as on a GPU, which does not notice the error.
        if (hd_gpu_trap_in_page(r->run->gpu))
            hd_out_printf(to,
                          "  a GPU would not notice; --set gpu.bounds=pages checks as it does\n");
    }
    if (r->run->status == HD_RUN_DEADLOCK || r->run->status == HD_RUN_LIVELOCK)
        print_hang(r->run, to);
}

void hd_runtable_csv(const struct hd_runreport *r, struct hd_out *out)
{
    bool sample = r->options->gpu.sample != NULL;
    const char *sets = hd_runreport_sets(r->options, out->arena);

    hd_out_printf(out,
                  "workload,gpu,sched,launch,kernel,grid_x,grid_y,grid_z,block_x,block_y,"
                  "block_z,cycles,ipc,warp_insts,thread_insts,issued,idle,scoreboard,pipeline,"
                  "inactive,status,size,seed%s%s",
                  sample ? ",sample" : "", *sets ? ",set" : "");
    hd_runreport_csv_others(r->options, true, out);
    hd_out_add(out, "\n", 1);
    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        const struct hd_launch *l = k->launch;
        bool timing = !r->options->gpu.functional_only && !(sample && k->part == HD_SAMPLE_UNTIMED);
        const char *names[] = {r->workload, r->options->gpu.config->name,
                               hd_runreport_policy(&r->options->gpu.sched, "lrr")};
        for (int n = 0; n < 3; n++) {
            hd_out_csv(out, names[n]);
            hd_out_printf(out, ",");
        }
        hd_out_printf(out, "%u,", l->id);
        hd_out_csv(out, k->name);
        hd_out_printf(out, ",%u,%u,%u,%u,%u,%u,", l->grid[0], l->grid[1], l->grid[2], l->block[0],
                      l->block[1], l->block[2]);
        if (timing) // empty where there is no timing
            hd_out_printf(out, "%" PRIu64 ",%.9g", k->cycles,
                          hd_runreport_ipc(k->sm.thread_insts, k->cycles));
        else
            hd_out_printf(out, ",");
        hd_out_printf(out, ",%" PRIu64 ",%" PRIu64, k->sm.warp_insts, k->sm.thread_insts);
        if (timing)
            hd_out_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                          k->sm.issued, k->sm.idle, k->sm.scoreboard, k->sm.pipeline,
                          k->sm.inactive);
        else
            hd_out_printf(out, ",,,,,");
        hd_out_printf(out, ",%s,", hd_runreport_status(r->run));
        if (r->size)
            hd_out_printf(out, "%s,%" PRIu64, r->size, r->seed);
        else
            hd_out_add(out, ",", 1);
        hd_out_printf(out, "%s%s%s", sample ? "," : "", sample ? hd_runsample_part(k) : "",
                      *sets ? "," : "");
        if (*sets)
            hd_out_csv(out, sets);
        hd_runreport_csv_others(r->options, false, out);
        hd_out_add(out, "\n", 1);
    }
}
