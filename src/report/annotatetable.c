// annotatetable.c - the profile as text: numbers to the left, PTX to the right.
#include "report/annotate.h"

#include "base/cxxname.h"
#include "present/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 100     // of the whole page
#define TEXT_LEAST 24 // of the PTX, whatever the numbers need
#define HOTTEST 5     // lines to mark at most
#define HOT 0.01      // share of the kernel's scheduler cycles that a marked line has at least

struct page { // one kernel's
    struct hd_out *to;
    struct hd_annotate *n;
    const struct hd_annotate_kernel *kernel;
    int issued, score, pipe, line; // widths of columns
    uint64_t hot;                  // cycles from which on a line is marked
};

// Scheduler cycles charged to a line.
static uint64_t cycles_of(const struct hd_profile_line *l)
{
    return l->issued + l->scoreboard + l->pipeline;
}

static double percent(const struct page *p, uint64_t cycles)
{
    return p->kernel->all ? 100.0 * (double)cycles / (double)p->kernel->all : 0;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? 1 : x > y ? -1 : 0;
}

static void find_hot(struct page *p)
{
    uint32_t n = p->kernel->profile->n;
    uint64_t *sizes = HD_ARRAY(p->n->arena, uint64_t, n + 1);
    uint64_t least = (uint64_t)((double)p->kernel->all * HOT) + 1;

    for (uint32_t i = 0; i < n; i++)
        sizes[i] = cycles_of(&p->kernel->profile->lines[i]);
    qsort(sizes, n, sizeof *sizes, by_size);
    p->hot = n > HOTTEST ? sizes[HOTTEST - 1] : 0;
    p->hot = p->hot > least ? p->hot : least;
}

static int width_of(struct hd_arena *a, uint64_t largest, const char *head)
{
    int n = (int)strlen(hd_out_count(a, largest)), least = (int)strlen(head);

    return n > least ? n : least;
}

// Everything in front of the text.
static int margin(const struct page *p)
{
    return 2 + p->issued + 2 + 5 + 2 + p->score + 2 + p->pipe + 2 + 6 + 2 + 5 + 2 + p->line + 2;
}

static void print_text(const struct page *p, const char *text)
{
    int room = WIDTH - margin(p), n = 0;

    room = room > TEXT_LEAST ? room : TEXT_LEAST;
    for (const char *s = text; *s; s++) // characters, not bytes
        n += ((unsigned char)*s & 0xc0) != 0x80;
    if (n <= room) {
        hd_out_printf(p->to, "%s\n", text);
        return;
    }
    for (int left = room - 2; *text; text++) {
        left -= ((unsigned char)*text & 0xc0) != 0x80;
        if (left < 0)
            break;
        hd_out_add(p->to, text, 1);
    }
    hd_out_printf(p->to, "..\n");
}

static void print_numbers(const struct page *p, bool hot, const struct hd_profile_line *l)
{
    struct hd_arena *a = p->n->arena;
    uint64_t lost = l->scoreboard + l->pipeline;

    hd_out_printf(p->to, "%c %*s  ", hot ? '>' : ' ', p->issued, hd_out_count(a, l->issued));
    if (l->issued)
        hd_out_printf(p->to, "%5.1f", (double)l->lanes / (double)l->issued);
    else
        hd_out_printf(p->to, "%5s", "");
    hd_out_printf(p->to, "  %*s  %*s  %6.1f  %5.1f  ", p->score, hd_out_count(a, l->scoreboard),
                  p->pipe, hd_out_count(a, l->pipeline), percent(p, lost),
                  percent(p, cycles_of(l)));
}

static void print_instruction(const struct page *p, uint32_t pc)
{
    const struct hd_profile_line *l = &p->kernel->profile->lines[pc];

    print_numbers(p, cycles_of(l) >= p->hot, l);
    hd_out_printf(p->to, "%*" PRIu32 "  ", p->line, p->kernel->program->places[pc].line);
    print_text(p, hd_ptxtext_statement(p->kernel->text, pc));
}

// The lines between instructions: a label, and the source line if it has changed.
static void print_between(const struct page *p, uint32_t pc)
{
    const struct hd_place *at = &p->kernel->program->places[pc], *last = pc ? at - 1 : NULL;
    const char *label = hd_ptxtext_label(p->kernel->text, pc);
    const char *source = hd_ptxtext_source(p->kernel->text, pc);

    if (label)
        hd_out_printf(p->to, "%*s%s:\n", margin(p), "", label);
    if (!source || (last && last->func == at->func && last->source_line == at->source_line &&
                    last->source_file == at->source_file))
        return;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a line has an instruction
    const char *path = p->kernel->program->files[at->source_file], *slash = strrchr(path, '/');
    char *text = hd_arena_printf(p->n->arena, "%s:%" PRIu32 ":  %s", slash ? slash + 1 : path,
                                 at->source_line, source);
    hd_out_printf(p->to, "%.*s\n", WIDTH, text);
}

// A row without an instruction: cycles, their share, and what they are.
static void print_other(const struct page *p, uint64_t cycles, const char *what, const char *more)
{
    int numbers = 2 + p->issued + 2 + 5 + 2 + p->score + 2 + p->pipe;

    hd_out_printf(p->to, "%*s  %6s  %5.1f  %s%s\n", numbers, hd_out_count(p->n->arena, cycles), "",
                  percent(p, cycles), what, more);
}

// The same cycles again, by line of CUDA source.
static void print_sources(struct page *p)
{
    const struct hd_annotate_kernel *k = p->kernel;
    struct hd_arena *a = p->n->arena;

    if (!k->n_sources || !k->sources[0].known)
        return;
    hd_out_printf(p->to, "by line of source:\n");
    for (size_t i = 0; i < k->n_sources; i++) {
        const struct hd_annotate_source *s = &k->sources[i];
        const struct hd_place *at = &p->kernel->program->places[s->pc];
        const char *text = s->known ? hd_ptxtext_source(p->kernel->text, s->pc) : NULL;
        print_numbers(p, false, &s->sum);
        if (!s->known) {
            hd_out_printf(p->to, "no line is named\n");
            continue;
        }
        const char *path = p->kernel->program->files[at->source_file], *slash = strrchr(path, '/');
        hd_out_printf(p->to, "%*" PRIu32 "  ", p->line, at->source_line);
        print_text(p, text ? text : hd_arena_printf(a, "(%s)", slash ? slash + 1 : path));
    }
    hd_out_add(p->to, "\n", 1);
}

// Classes by scheduler and, without the issues, in ELF's sense, in per cent of its cycles.
static void print_schedulers(const struct page *p)
{
    const struct hd_annotate_kernel *k = p->kernel;
    unsigned n = p->n->report->options->gpu.config->sm.schedulers;

    hd_out_printf(
        p->to,
        "SCHEDULER  ISSUE  IDLE  SCORE  PIPE  INACT   ELF: CONFLICT  DEPEND  FETCH  OTHER\n");
    for (unsigned i = 0; i < n; i++) {
        const struct hd_profile_sched *s = &k->counts.sched[i];
        double all = (double)k->all / n / 100;
        all = all > 0 ? all : 1;
        hd_out_printf(p->to,
                      "%9u  %5.1f  %4.1f  %5.1f  %4.1f  %5.1f  %14.1f  %6.1f  %5.1f  %5.1f\n", i,
                      (double)s->issued / all, (double)s->idle / all, (double)s->scoreboard / all,
                      (double)s->pipeline / all, (double)s->inactive / all,
                      (double)s->elf_memory_conflict / all, (double)s->elf_memory_dependency / all,
                      (double)s->elf_fetch / all, (double)s->elf_other / all);
    }
    hd_out_add(p->to, "\n", 1);
}

static const char *readable(struct hd_arena *a, const char *name)
{
    const char *whole = hd_cxxname_whole(a, name);

    return whole ? whole : name;
}

static void print_kernel(struct hd_annotate *n, const struct hd_annotate_kernel *k,
                         struct hd_out *to)
{
    struct page p = {.to = to, .n = n, .kernel = k};
    uint32_t last = 0;
    const struct hd_func *f;

    for (unsigned i = 0; (f = hd_annotate_func(k, i)); i++)
        if (f->end_pc > f->first_pc && k->program->places[f->end_pc - 1].line > last)
            last = k->program->places[f->end_pc - 1].line;

    p.issued = width_of(n->arena, k->sum.issued, "ISSUED");
    p.score = width_of(n->arena, k->sum.scoreboard, "SCORE");
    p.pipe = width_of(n->arena, k->sum.pipeline, "PIPE");
    p.line = width_of(n->arena, 0, hd_arena_printf(n->arena, "%" PRIu32, last));
    p.line = p.line > 4 ? p.line : 4;
    find_hot(&p);
    hd_out_printf(p.to, "kernel %s: %u launch%s, %s cycles\n\n", readable(n->arena, k->func->name),
                  k->launches, k->launches == 1 ? "" : "es",
                  hd_out_count(n->arena, k->span.cycles));
    hd_out_printf(p.to, "  %*s  LANES  %*s  %*s  STALL%%   ALL%%  %*s  PTX\n", p.issued, "ISSUED",
                  p.score, "SCORE", p.pipe, "PIPE", p.line, "LINE");
    for (unsigned i = 0; (f = hd_annotate_func(k, i)); i++) {
        if (i)
            hd_out_printf(p.to, "\nfunction %s\n", readable(n->arena, f->name));
        for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++) {
            print_between(&p, pc);
            print_instruction(&p, pc);
        }
    }
    hd_out_add(p.to, "\n", 1);
    print_numbers(&p, false, &k->sum);
    hd_out_printf(p.to, "all instructions\n");
    if (k->faulted)
        print_other(&p, k->faulted, "issued, but ended in a fault", "");
#define IDLE(id, name, text)                                                                       \
    print_other(&p, k->counts.idle[HD_IDLE_##id],                                                  \
                HD_IDLE_##id == HD_IDLE_INACTIVE ? "" : "idle: ", text);
    HD_PROFILE_IDLE(IDLE)
#undef IDLE
    print_other(&p, k->all, "all scheduler cycles", "");
    hd_out_add(p.to, "\n", 1);
    print_sources(&p);
    print_schedulers(&p);
}

void hd_annotatetable_write(struct hd_annotate *n, struct hd_out *to)
{
    const struct hd_runreport *r = n->report;
    const struct hd_gpu_options *o = &r->options->gpu;

    hd_out_printf(to, "%s on %s, scheduler %s%s\n\n", hd_runreport_workload(r, n->arena),
                  hd_runreport_machine(r->options, n->arena), hd_runreport_policy(&o->sched, "lrr"),
                  hd_runreport_others(r->options, n->arena));
    if (!n->n_kernels)
        hd_out_printf(to, "no kernel was launched\n\n");
    for (size_t i = 0; i < n->n_kernels; i++)
        print_kernel(n, &n->kernels[i], to);
    hd_out_printf(
        to, "ISSUED: warp instructions; LANES: active in one of them, on average.\n"
            "SCORE, PIPE: scheduler cycles lost at this line, waiting for registers or for its "
            "pipe.\n"
            "STALL%%: both, ALL%%: with the issues, in %% of the kernel's scheduler cycles. "
            ">: the hottest lines.\n");
    // A program checks its own results.
    if (r->run->path || r->run->checked || r->run->status != HD_RUN_OK)
        hd_out_printf(to, "\n%s\n", hd_runtable_verdict(n->arena, r->run));
}
